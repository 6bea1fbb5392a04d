"""What a side may know, and a table imagined from nothing but that.

A "?" hides what lies under it: the other side sees how many counters there are in a hex, not which, nor whether they
are real (A12.1).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import View
from sandtable.engine.flat import NUMBER, TABLE, UNITS
from sandtable.engine.hexes import Hex, hexes_of
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.orders import Order
from sandtable.mechanics.shown.viewing import actor_of, actor_shown, outcome_of, outcome_shown

from ..ordnance.aim import tube_of
from ..table.forces import area_of_side, crews, force_of, members_of
from ..table.ids import (
    BOXES,
    F_GROUP,
    F_SHOT,
    FIRST,
    GONE,
    MINES,
    MINES_AP,
    MINES_AT,
    MINES_DUMMY,
    PHASES,
    PROTECTIVE,
    SIDES,
    SPARE,
    SUBSEQUENT,
    UNUSED,
)
from ..table.minefields import WAITING
from ..table.scenarios import SetupAt, may_stand
from ..table.stage import Stage
from ..table.stage import stage as stage_of
from ..table.state import Attack, Melee, Move, Shoot, State, put

if TYPE_CHECKING:
    from ..game import Asl

HELD = {**BOXES, WAITING: "waiting"}
_BOX = {name: number for number, name in HELD.items()}
NUMBERS = State.names(NUMBER)
SETS = tuple(name for name in State.names(UNITS) if name not in ("concealed", "hip", "read"))
BY_HEX = ("residual", "smoke", "dug", "fascines")
"""Tables of the state by hex, which everybody knows."""
BY_PIECE = ("shots", "crossed", "climbs", "paces")
"""Tables by piece, of which those hidden are left out."""
TO_HEX = ("trail", "lanes", "charges")
ROWS = (
    "under",
    "vca",
    "tca",
    "place",
    "cafp",
    "strength",
    "jam",
    "tended",
    "off",
    "used",
    "worked",
    "empty",
    "empty_second",
)
"""Small numbers of each piece, shown where they are not 0."""
DEALS = 60
"""How often it is dealt anew at the most, where those dealt cannot do what is being done."""
AT_MOVERS = (FIRST, SUBSEQUENT, PROTECTIVE)
"""A8.1 fire that only those who move are the targets of."""
RECORDS = {"attack": Attack, "shoot": Shoot, "move": Move, "fight": Melee}


def look(game: Asl, s: State, side: int) -> View:
    """Everything that `side` may know."""
    secret = hidden_from(s, side)
    names = s.stage.grid.names
    marks = {name: getattr(s, name) & ~secret for name in SETS}
    roster = s.stage.roster
    return {
        "game": "asl",
        "version": game.version,
        "scenario": s.stage.scenario,
        "options": {},
        "side": SIDES[side] if side >= 0 else None,
        "turn": s.turn,
        "phase": PHASES[s.phase],
        "active": SIDES[s.phasing],
        "to_act": actor_shown(s, SIDES),
        "outcome": outcome_shown(s, SIDES),
        "units": sorted(
            (shown(s, u, marks, side, secret) for u in units_of(on_table(s, side, secret))),
            key=anonymous,
        ),
        "hidden": mysteries(s, secret),
        **({} if side >= 0 else {"hidden_of": [mysteries(s, secret & own) for own in roster.of_side]}),
        "cover": cover_of(s, secret),
        "numbers": {name: getattr(s, name) for name in NUMBERS},
        "control": [names[h] for h in hexes_of(s.control)],
        "posts": [names[h] for h in hexes_of(s.posts)],
        "aim": _aims(s, s.aim, secret),
        "aim_second": _aims(s, s.aim_second, secret),
        "bore": {
            s.stage.roster.names[u]: [names[h] for h in hexes]
            for u, hexes in sorted(s.bore.items())
            if roster.side[u] == side
        },
        "track": {
            s.stage.roster.names[u]: [[names[h], halves] for h, halves in way]
            for u, way in sorted(s.track.items())
            if not secret >> u & 1
        },
        **{key: {names[h]: n for h, n in sorted(getattr(s, key).items())} for key in BY_HEX},
        **{
            key: {_name(s, u): n for u, n in sorted(getattr(s, key).items()) if not secret >> u & 1} for key in BY_PIECE
        },
        **{key: {_name(s, u): names[h] for u, h in sorted(getattr(s, key).items())} for key in TO_HEX},
        "guard": {_name(s, u): _name(s, e) for u, e in sorted(s.guard.items()) if not secret >> e & 1},
        "guided": {_name(s, w): _name(s, u) for w, u in sorted(s.guided.items()) if not secret & (1 << w | 1 << u)},
        "exits": {s.stage.roster.names[u]: edge for u, edge in sorted(s.exits.items())},
        "orders": [list(one) for one in s.orders if one.side == side],
        "lost": list(s.lost_points),
        "oba": list(s.oba),
        "shelled": {s.stage.roster.names[u]: names[h] for u, h in sorted(s.shelled.items()) if not secret >> u & 1},
        "platoon": [_record(s, one, secret) for one in s.platoon],
        "records": {
            name: _record(s, _laid(s, secret) if name == "shoot" else getattr(s, name), secret) for name in RECORDS
        },
        "frames": [_frame(s, f, secret) for f in s.stack],
    }


def _aims(s: State, aims: dict[int, tuple[int, int, int]], secret: int) -> dict[str, list[Any]]:
    """What each weapon has acquired (C6.5)."""
    names, hexes = s.stage.roster.names, s.stage.grid.names
    return {
        names[w]: [names[u] if u >= 0 else "", hexes[h], level]
        for w, (u, h, level) in sorted(aims.items())
        if not secret >> w & 1
    }


def _aims_of(stage: Stage, shown: dict[str, list[Any]]) -> dict[int, tuple[int, int, int]]:
    units, hexes = stage.roster.index, stage.grid.index
    return {units[w]: (units[u] if u else -1, hexes[h], level) for w, (u, h, level) in shown.items()}


def on_table(s: State, side: int, secret: int) -> int:
    """What a side may look at: all that is known to it; but of minefields that it never read, those on the map only."""
    known = sum(1 << u for u, h in enumerate(s.at) if h != UNUSED) & ~secret
    mines = sum(s.stage.roster.of_kind[kind] for kind in MINES) & known
    return known & ~sum(1 << u for u in units_of(mines) if s.at[u] < 0 and unread(s, u, side))


def anonymous(unit: dict[str, Any]) -> str:
    """F.7c minefields of which only the place is known stand last, by their places: their order tells nothing."""
    return str(unit["hex"]) if unit["type"] == "minefield" else ""


def hidden_from(s: State, side: int) -> int:
    """The pieces that a side does not know: under the enemy's "?", what they carry, and what waits off the map."""
    roster = s.stage.roster
    found = 0
    for other in range(2):
        if other != side:
            own = roster.of_side[other]
            veiled = s.concealed & own
            carried = sum(1 << w for w in units_of(roster.weapons) if s.holder[w] >= 0 and veiled >> s.holder[w] & 1)
            found |= veiled | carried | s.hip & own | sum(1 << u for u in units_of(own) if s.at[u] == WAITING)
    return found


def unread(s: State, u: int, side: int) -> bool:
    """F.7b, F.7c whether the strength of a minefield is not known to a side, nor whether it is one."""
    roster = s.stage.roster
    mines = sum(roster.of_kind[kind] for kind in MINES)
    return bool(mines >> u & 1) and roster.side[u] != side and not s.read >> u & 1


def shown(s: State, u: int, marks: dict[str, int], side: int, secret: int = 0) -> dict[str, Any]:
    """One piece that is known."""
    roster, h = s.stage.roster, s.at[u]
    out: dict[str, Any] = {"id": roster.names[u], "side": SIDES[roster.side[u]], "type": s.kind(u).id}
    if unread(s, u, side):  # whether it is a dummy, or against men or vehicles, is not known either
        out["id"], out["type"] = "minefield", "minefield"
    if h >= 0:
        out["hex"] = s.stage.grid.names[h]
    else:
        out["box"] = HELD[h]
    for name in ROWS:
        value = getattr(s, name)[u]
        if value and not (name == "strength" and unread(s, u, side)):
            out[name] = value
    if s.holder[u] >= 0 and not secret >> s.holder[u] & 1:
        out["holder"] = roster.names[s.holder[u]]
    if s.aboard[u] >= 0:
        out["aboard"] = roster.names[s.aboard[u]]
    found = [name for name, mask in marks.items() if mask >> u & 1]
    found += [name for name in ("concealed", "hip", "read") if getattr(s, name) >> u & 1]
    if found:
        out["marks"] = found
    return out


def mysteries(s: State, secret: int) -> dict[str, int]:
    """How many counters under a "?" lie in each hex: everybody sees whose they are, and no more."""
    found: dict[str, int] = {}
    for u in units_of(secret & ~(s.stage.roster.weapons | s.stage.roster.works | s.hip)):
        if s.at[u] >= 0:
            key = s.stage.grid.names[s.at[u]]
            found[key] = found.get(key, 0) + 1
    return dict(sorted(found.items()))


def mysteries_of(s: State, view: View, side: int) -> dict[str, int]:
    """Those of one side as a view has them: a side's view those of the enemy, one who only watches sees both."""
    if "hidden_of" in view:
        found: dict[str, int] = view["hidden_of"][side]
        return found
    return {name: count for name, count in view["hidden"].items() if _whose(s, name, side)}


def cover_of(s: State, secret: int) -> dict[str, list[list[int]]]:
    """How those under a "?" lie in their hexes, which everybody sees: beneath what, where, facing which way."""
    found: dict[str, list[list[int]]] = {}
    for u in units_of(secret & ~(s.stage.roster.weapons | s.stage.roster.works | s.hip)):
        if s.at[u] >= 0 and (s.under[u] or s.place[u]):
            found.setdefault(s.stage.grid.names[s.at[u]], []).append([s.under[u], s.place[u], s.cafp[u]])
    return {name: sorted(rows) for name, rows in sorted(found.items())}


def _name(s: State, u: int) -> str:
    return s.stage.roster.names[u]


def _names(s: State, units: int) -> list[str]:
    return [s.stage.roster.names[u] for u in units_of(units)]


def _record(s: State, one: Any, secret: int) -> dict[str, Any] | None:
    """An attack, a move or a Close Combat in hand, without what is not known."""
    if one is None:
        return None
    out: dict[str, Any] = {}
    for name, field in type(one).fields.items():
        value = getattr(one, name)
        if field.kind == TABLE:  # A11.2 who withdraws, to which hex
            out[name] = {_name(s, u): s.stage.grid.names[h] for u, h in sorted(value.items()) if not secret >> u & 1}
        else:
            out[name] = _names(s, value & ~secret) if field.kind == UNITS else value
    return out


def _laid(s: State, secret: int) -> Shoot | None:
    """The shot in hand; of a weapon that is not known, nothing is known before it fires (A12.3)."""
    shoot = s.shoot
    if shoot is None or not shoot.gun & secret or s.stack[-1][0] != F_SHOT:
        return shoot
    return Shoot(fire=shoot.fire, side=shoot.side, movers=shoot.movers)


UNIT_FACTS = {"candidates", "left", "chosen", "units"}
"""Facts of frames that are sets of pieces."""


def _frame(s: State, f: Any, secret: int) -> list[Any]:
    names = getattr(f, "_fields", ())
    return [value & ~secret if name in UNIT_FACTS else value for name, value in zip(names, f, strict=True)] or list(f)


# A table imagined


def imagine(game: Asl, view: View, rng: Random) -> State:
    """A table that shows this view: what lies under the enemy's "?" is dealt anew; where he is putting an attack
    together, until somebody can make it."""
    for _ in range(DEALS):
        s = imagine_once(game, view, rng)
        frame = s.stack[-1][0] if s.stack else -1
        if frame not in (F_GROUP, F_SHOT) or s.actor < 0 or SIDES[s.actor] == view["side"] or game.legal(s):
            break
    return s


def known(view: View) -> State:
    """What a side knows of what lies on the map, as a state; what is hidden from it is nowhere in it."""
    stage = stage_of(view["scenario"]).ruled(view["numbers"]["edition"])
    s = State(stage)
    roster, index = stage.roster, stage.grid.index
    for name in NUMBERS:
        setattr(s, name, view["numbers"][name])
    for unit in view["units"]:
        if unit["type"] == "minefield":
            continue
        u = roster.index[unit["id"]]
        s.type[u] = roster.type_of[unit["type"]]
        for name in ROWS:
            getattr(s, name)[u] = unit.get(name, 0)
        for mark in unit.get("marks", ()):
            setattr(s, mark, getattr(s, mark) | 1 << u)
        put(s, u, index[unit["hex"]] if "hex" in unit else _BOX[unit["box"]])
    for unit in view["units"]:
        if "holder" in unit:
            s.holder[roster.index[unit["id"]]] = roster.index[unit["holder"]]
        if "aboard" in unit:
            s.aboard[roster.index[unit["id"]]] = roster.index[unit["aboard"]]
    s.control = sum(1 << index[n] for n in view["control"])
    s.posts = sum(1 << index[n] for n in view["posts"])
    s.aim, s.aim_second = (_aims_of(stage, view[key]) for key in ("aim", "aim_second"))
    s.bore = {roster.index[u]: tuple(index[h] for h in hexes) for u, hexes in view["bore"].items()}
    s.track = {roster.index[u]: tuple((index[h], halves) for h, halves in way) for u, way in view["track"].items()}
    for key in BY_HEX:
        setattr(s, key, {index[n]: k for n, k in view[key].items()})
    s.stage = stage = stage.bridged(s.fascines)
    for key in BY_PIECE:
        setattr(s, key, {roster.index[n]: k for n, k in view[key].items()})
    for key in TO_HEX:
        setattr(s, key, {roster.index[n]: index[h] for n, h in view[key].items()})
    s.guard = {roster.index[u]: roster.index[e] for u, e in view["guard"].items()}
    s.guided = {roster.index[w]: roster.index[u] for w, u in view["guided"].items()}
    s.lost_points = list(view["lost"])
    s.orders = [Order(*one) for one in view["orders"]]
    s.oba = list(view["oba"])
    return s


def imagine_once(game: Asl, view: View, rng: Random) -> State:
    s = known(view)
    stage, roster, index = s.stage, s.stage.roster, s.stage.grid.index
    s.shelled = {roster.index[u]: index[h] for u, h in view["shelled"].items()}
    s.exits = {roster.index[name]: edge for name, edge in view["exits"].items()}
    s.platoon = [_record_of(stage, Move, one) for one in view["platoon"]]
    for name, kind in RECORDS.items():
        setattr(s, name, _record_of(stage, kind, view["records"][name]))
    s.stack = [game.framed(f) for f in view["frames"]]
    s.actor = actor_of(view["to_act"], SIDES)
    s.ended = outcome_of(view["outcome"], SIDES)
    deal(s, view, rng)
    if s.move is not None and not s.move.movers:  # somebody under a "?" moves
        under = mover_under(s, s.move.hex)
        s.move.movers = under & -under
        for fired_at in (s.attack, s.shoot):
            if fired_at is not None and fired_at.fire in AT_MOVERS and not fired_at.movers:
                fired_at.movers = s.move.movers
    if s.shoot is not None and not s.shoot.gun:
        lay_gun(game, s, s.shoot)
    return s


def mover_under(s: State, h: Hex) -> int:
    """The men under a "?" in a hex; if none were dealt there, somebody changes places with what lies there."""
    roster = s.stage.roster
    veiled = s.concealed & roster.of_side[s.phasing]
    under = s.here.get(h, 0) & veiled & ~s.hip
    elsewhere = [u for u in units_of(veiled & roster.men) if s.at[u] >= 0 and s.at[u] != h]
    if under & roster.men or not under or not elsewhere:
        return under & roster.men
    other = units_of(under & roster.dummies or under)[0]
    man = min(elsewhere, key=lambda u: s.hip >> u & 1)
    swap(s, other, man)
    return 1 << man


def swap(s: State, a: int, b: int) -> None:
    """Two pieces that were dealt change places, and lie as the other did there."""
    here, there = s.at[a], s.at[b]
    put(s, a, there)
    put(s, b, here)
    for row in (s.under, s.place, s.cafp):
        row[a], row[b] = row[b], row[a]
    if (s.hip >> a ^ s.hip >> b) & 1:
        s.hip ^= 1 << a | 1 << b


def _record_of(stage: Stage, kind: Any, data: dict[str, Any] | None) -> Any:
    if data is None:
        return None
    index = stage.roster.index
    made = kind()
    for name, value in data.items():
        if isinstance(value, dict):
            setattr(made, name, {index[n]: stage.grid.index[h] for n, h in value.items()})
        else:
            setattr(made, name, sum(1 << index[n] for n in value) if isinstance(value, list) else value)
    return made


def deal(s: State, view: View, rng: Random) -> None:
    """What is not known lies under a "?" somewhere, or waits, or is not there: dealt at random."""
    roster = s.stage.roster
    known = {unit["id"] for unit in view["units"]}
    cover = {name: list(rows) for name, rows in view["cover"].items()}
    for side in range(2):
        if view["side"] == SIDES[side]:
            continue
        pending = any(isinstance(f, SetupAt) and f.side == side for f in s.stack)
        left = [roster.index[name] for name in _order_of_battle(s, side) if name not in known]
        men = [u for u in left if (roster.men | roster.guns) >> u & 1]
        dummies = [u for u in left if roster.dummies >> u & 1]
        spares = [u for u in units_of(roster.spare & roster.of_side[side]) if roster.names[u] not in known]
        rng.shuffle(men)
        rng.shuffle(dummies)
        gun_of = {crew: gun for gun, crew in crews(s.stage.scenario).items()}
        order = {u: i for i, u in enumerate(men)}
        pair = {u: order[gun_of[u]] if gun_of.get(u) in order else i for u, i in order.items()}
        # who cannot be hidden must be on the map; a Gun and its crew are dealt one after the other
        men.sort(key=lambda u: (not _may_hide(s, u), pair[u], u in gun_of))
        places = [name for name, count in mysteries_of(s, view, side).items() for _ in range(count)]
        rng.shuffle(places)
        for u in spares:
            s.type[u] = roster.type_of[_half_of(s, side)]
        for name in places:
            h = s.stage.grid.index[name]
            u = _one_for(s, h, (spares, men), dummies)
            s.concealed |= 1 << u
            if cover.get(name):
                s.under[u], s.place[u], s.cafp[u] = cover[name].pop()
            put(s, u, h)
        works = [u for u in left if roster.works >> u & 1]
        _deal_mines(s, view, side, works, rng)
        for u in (*men, *dummies, *works):
            if s.at[u] < 0:
                s.at[u] = WAITING if pending else GONE if (roster.men | roster.guns) >> u & 1 else UNUSED
            if not pending and s.at[u] == GONE and _may_hide(s, u):
                gun = gun_of.get(u, u)
                area = hexes_of(area_of_side(s.stage.scenario, side))
                h = s.at[gun] if s.hip >> gun & 1 else rng.choice([h for h in area if may_stand(s, u, h)] or area)
                s.hip |= 1 << u
                s.concealed |= 1 << u
                put(s, u, h)
        _man_guns(s, {crew: gun for crew, gun in gun_of.items() if crew in order and gun in order})
        for u in (u for u in left if (roster.vehicles | roster.armor_leaders) >> u & 1):
            s.at[u] = WAITING
        for u in spares:
            s.at[u], s.type[u] = SPARE, roster.first[u]
        users = units_of(s.concealed & roster.of_side[side] & roster.men)
        for w in (u for u in left if roster.weapons >> u & 1):
            if pending or not users:
                s.at[w] = WAITING if pending else GONE
                continue
            s.holder[w] = rng.choice(users)
            put(s, w, s.at[s.holder[w]])


def _one_for(s: State, h: Hex, pools: tuple[list[int], ...], dummies: list[int]) -> int:
    """Who is not seen must be there: the first for whom there is room (A5.1), a dummy where there is none."""
    for pool in pools:
        for i in reversed(range(len(pool))):
            if may_stand(s, pool[i], h):
                return pool.pop(i)
    return next(pool for pool in (dummies, *reversed(pools)) if pool).pop()


def _man_guns(s: State, gun_of: dict[int, int]) -> None:
    """Crews that were dealt apart from their Guns change places with men there; who lies beside his Gun mans it."""
    roster = s.stage.roster
    for crew, gun in gun_of.items():
        h = s.at[gun]
        if h < 0 or s.at[crew] < 0:
            continue
        dealt = s.here[h] & s.concealed & roster.of_side[roster.side[gun]] & ~s.hip & (roster.men | roster.dummies)
        others = [u for u in units_of(dealt) if s.holder[gun_of.get(u, u)] != u]
        if s.at[crew] != h and others and not s.hip >> crew & 1:
            swap(s, min(others, key=lambda u: s.kind(u).equivalents), crew)  # there is room for him where the crew was
        if s.at[crew] == h:
            s.holder[gun] = crew


def lay_gun(game: Asl, s: State, shoot: Shoot) -> None:
    """The shot of a weapon that is not known is laid with one under a "?" that has a user and a target."""
    roster = s.stage.roster
    users = s.concealed & roster.of_side[shoot.side] & roster.men
    for u in units_of(roster.guns | roster.weapons):
        if s.holder[u] >= 0 and users >> s.holder[u] & 1 and tube_of(s, u) is not None:
            shoot.gun = 1 << u
            s.choices = None
            if game.legal(s):
                break
    s.choices = None


def _whose(s: State, name: str, side: int) -> bool:
    """A hex with a "?" of this side: one in which the other side's units stand is not (A4.14)."""
    roster = s.stage.roster
    return not s.here.get(s.stage.grid.index[name], 0) & roster.of_side[1 - side] & (roster.men | roster.dummies)


def _may_hide(s: State, u: int) -> bool:
    """A12.3 whether the scenario lets this piece set up hidden: a Gun and its crew, or what it proposes so."""
    manned = crews(s.stage.scenario)
    if u in manned or u in manned.values():
        force = force_of(s.stage.scenario, u)
        return force is not None and force.hides
    side = s.stage.roster.side[u]
    spots = [one for group in s.stage.sides[side]["group"] for one in group.get("default_setup", ())]
    name = s.stage.roster.names[u]
    return any(one.get("hidden") and name in (one["unit"], one.get("crew")) for one in spots)


def _deal_mines(s: State, view: View, side: int, works: list[int], rng: Random) -> None:
    """F.7c the enemy's minefields of which only the place is known: any of his counters may lie there."""
    laid = [one for one in view["units"] if one["type"] == "minefield" and one["side"] == SIDES[side]]
    mines = [u for u in works if s.kind(u).kind in MINES]
    known = {unit["id"] for unit in view["units"]}
    dummies = s.stage.roster.of_kind[MINES_DUMMY] & s.stage.roster.of_side[side]  # F.7Bf nobody knows how many
    mines += [u for u in units_of(dummies) if u not in mines and s.stage.roster.names[u] not in known]
    rng.shuffle(mines)
    for one in laid:
        u = mines.pop()
        s.strength[u] = 6 if s.kind(u).kind == MINES_AP else 3 if s.kind(u).kind == MINES_AT else 0
        s.place[u] = one.get("place", 0)
        put(s, u, s.stage.grid.index[one["hex"]])


def _order_of_battle(s: State, side: int) -> list[str]:
    """All pieces of a side in this scenario, by name."""
    found = [name for _, names in members_of(s.stage, side) for name in names]
    return found + [f"{SIDES[side]}_dummy#{i}" for i in range(1, int(s.stage.sides[side]["dummies"]) + 1)]


def _half_of(s: State, side: int) -> str:
    """A half-squad of a side."""
    types = s.stage.roster.types
    units = [unit["id"] for group in s.stage.sides[side]["group"] for unit in group["units"]]
    crew = types[s.stage.roster.crew_of[str(s.stage.sides[side]["nation"])]].id
    return next((half for half in (types[s.stage.roster.type_of[id]].half for id in units) if half), crew)
