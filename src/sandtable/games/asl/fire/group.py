"""A7.5 A Fire Group is put together: who may fire, with what, under whom.

Which units may fire is the same question in every phase; `Now` holds what is different: who fires, at what, by which
rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Asking, asked_once
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase

from ..boards.locations import Place
from ..table import verbs
from ..table.hardware import AAMG, BMG, CMG
from ..table.ids import (
    ADVANCING,
    F_ATTACK_ROLL,
    F_DUST_DIE,
    F_GROUP,
    FINAL,
    FIRES,
    FIRST,
    LEADER,
    PHASES,
    PREP,
    PROTECTIVE,
    SQUAD,
    SUBSEQUENT,
)
from ..table.state import Attack, State, all_men, all_vehicles, good_order, known_enemies, on_map, places
from ..table.telling import emit, known_to
from ..table.weather import die_drms
from ..table.works import spot
from .air import DustAt, dusty
from .bursts import (
    fired_out,
    fires_himself,
    hands_full,
    held_by_waiting,
    lane_ends,
    out_of_hands,
    served_instead,
    snaps,
    sprayed,
    waiting,
)
from .crews import soft_targets
from .firepower import (
    both_sides,
    bound_to_front,
    cower,
    drms,
    firing_from,
    in_location,
    keeps_bonus,
    lasting,
    shares,
    stale,
    target_stances,
    total,
    weigh,
    worth,
)
from .ift import cowering, ift, ladder, spread
from .mounts import ANTI_AIR, BOW, COAX, FARTHEST, man, mounted_firers, mounts_reach, mounts_ready, seat_taken
from .sights import in_view, sees, veiled, veils

AT = 2  # A7.22 how many times its Normal Range a weapon reaches


class GroupAt(NamedTuple):
    """Who fires at the target of the attack in hand."""

    frame: int


class Now(NamedTuple):
    """What the list of a Fire Group goes by."""

    attack: Attack
    shot: int
    """All targets in the Location."""
    mine: int
    """The Good Order men of the side that fires."""
    joined: Mask
    """The hexes of those who have joined, and those beside them (A7.5)."""


def now_of(s: State) -> Now:
    attack = s.attack
    assert attack is not None
    where = 0
    for u in units_of(attack.firers):
        where |= 1 << s.at[u]
    for w in units_of(attack.weapons):
        where |= 1 << s.at[w]
    joined = s.stage.grid.dilate(where) if where else -1
    mine = all_men(s, attack.side) | mounted_firers(s, attack.side)
    return Now(attack, in_location(s, attack), mine, joined)


@asked_once
def enemies_at(s: State, side: int) -> Mask:
    """Hexes with enemies that a side can fire at; those in Melee are left alone (A11.15)."""
    roster = s.stage.roster
    veiled = roster.guns & s.concealed  # a "?" is fired at whatever lies under it (A12.1)
    foes = (roster.men | roster.dummies | veiled) & roster.of_side[1 - side]
    foes &= ~(s.captive | s.melee | s.mounted | s.hip)
    foes |= soft_targets(s, all_vehicles(s, 1 - side))
    return places(s, foes)


def enemy_hexes(s: State, side: int) -> int:
    """The same in the numbers of actions."""
    return s.stage.numbers(enemies_at(s, side))


def stands_in(s: State, units: int, area: Mask) -> int:
    """Those of some units who stand in one of these hexes."""
    return units if area == -1 else sum(1 << u for u in units_of(units) if area >> s.at[u] & 1)


# Who may fire, by the phase


def fire_of(s: State, attack: Attack, u: int) -> int:
    """How a unit or weapon would fire now: in the enemy's MPh it depends on its own markers (A8.1, A8.3, A8.31)."""
    if attack.fire not in (FIRST, SUBSEQUENT, PROTECTIVE):
        return attack.fire
    if s.spent_fire >> u & 1:
        return PROTECTIVE
    return SUBSEQUENT if s.fired >> u & 1 else FIRST


def used_up(s: State, now: Now) -> int:
    """A7.11 those who may fire no more in this Player Turn."""
    if now.attack.fire in (PREP, ADVANCING):
        return s.fired
    return s.spent_fire if now.attack.fire == FINAL else 0


def nearer_enemy(s: State, u: int, attack: Attack) -> bool:
    """A8.3 whether a Known enemy is nearer than the target."""
    span = s.stage.grid.distance(s.at[u], attack.target)
    near = s.stage.grid.within(s.at[u], span - 1) if span else 0
    foes = known_enemies(s, attack.side)
    if s.edition > 2:  # broken ones and vehicles are enemies too
        foes = (all_men(s, 1 - attack.side) | all_vehicles(s, 1 - attack.side)) & ~(s.concealed | s.hip)
    return any(near >> s.at[e] & 1 for e in units_of(foes))


def reach_of(s: State, fire: int, u: int) -> tuple[int, int]:
    """C9.1, A7.22, A8.3, A8.31, A8.4 the least and the most range at which a unit or weapon fires by this rule."""
    kind = s.kind(u)
    if fire == PROTECTIVE or (fire == FINAL and s.fired >> u & 1):
        return kind.least, min(1, kind.range)
    if fire == SUBSEQUENT:
        return kind.least, kind.range
    return kind.least, kind.range * (1 if kind.weapon == "MTR" else AT)


def user_of(s: State, u: int) -> int:
    """Who fires: a unit, or whoever has this weapon."""
    return s.holder[u] if s.holder[u] >= 0 else u


def too_far(s: State, now: Now, u: int) -> bool:
    """Beyond the range at which it may fire now, or past a nearer enemy (A8.3)."""
    attack, user = now.attack, user_of(s, u)
    fire = fire_of(s, attack, u)
    least, most = reach_of(s, fire, u)
    if not least <= s.stage.grid.distance(s.at[user], attack.target) <= most:
        return True
    if fire == PROTECTIVE and s.edition > 3:  # A8.31 ADJACENT: nobody reaches up a cliff
        near = s.stage.field.accessible(s.at[user]) | 1 << s.at[user]
        return not near >> attack.target & 1
    return fire == SUBSEQUENT and nearer_enemy(s, user, attack)


def why_far(s: State, now: Now, u: int) -> Reason:
    kind, attack = s.kind(u), now.attack
    span, fire = s.stage.grid.distance(s.at[user_of(s, u)], attack.target), fire_of(s, attack, u)
    facts: dict[str, Fact] = {"unit": u, "hex": s.stage.field.name(attack.target), "range": kind.range}
    if span < kind.least:
        return Reason("C9.1", Text.of("{hex} is too near for {unit}", facts))
    if fire == PROTECTIVE:
        return Reason("A8.31", Text.of("{unit} has fired: only an adjacent mover may be fired at now", facts))
    if fire == SUBSEQUENT:
        return Reason(
            "A8.3",
            Text.of("{unit} fires again only within its range of {range} hexes and at the nearest enemy", facts),
        )
    if fire == FINAL and s.fired >> u & 1:
        return Reason("A8.4", Text.of("{unit} has fired: in Final Fire it fires at an adjacent hex only", facts))
    return Reason(
        "A7.22", Text.of("{hex} is out of range of {unit}: it reaches {range} hexes, twice that halved", facts)
    )


def unseen(s: State, now: Now, u: int) -> bool:
    user = user_of(s, u)
    if now.attack.snap:
        return not snaps(s, user)
    return not sees(s, user, now.attack.target, now.shot)


def other_fire(s: State, now: Now, u: int) -> bool:
    """One attack is of one kind: First, Subsequent First or Final Protective Fire."""
    attack = now.attack
    return bool(attack.firers | attack.weapons) and fire_of(s, attack, u) != attack.fire


def no_fp(s: State, now: Now) -> int:
    types, kinds = s.stage.roster.types, s.type
    return sum([1 << u for u in units_of(now.mine) if not types[kinds[u]].fp])


NOT_ABLE: Bars[State, Now] = Bars(
    Need("A3.2", "{unit} is not one of the Infantry that fires now", lambda s, now: now.mine),
    Bar("A10.41", "{unit} is broken and may not fire", lambda s, now: s.broken),
    Bar("A11.15", "{unit} is held in Melee", lambda s, now: s.melee),
    Bar("A4.9", "{unit} is busy in this Player Turn", lambda s, now: s.ti),
)


def vehicle_fires(s: State, now: Now) -> int:
    """AMB-82 the MGs of a vehicle fire by themselves; in Bounding First Fire nobody else fires (D3.3)."""
    return -1 if now.attack.vehicle >= 0 or now.attack.by >= 0 else 0


def nothing_soft(s: State, now: Now) -> int:
    """D5.31 everybody, if only armour is there."""
    return 0 if now.shot or veiled(s, now.attack.target, now.attack.side) else -1


NOTHING_SOFT: Bar[State, Now] = Bar("D5.31", "there is nothing that small arms could hurt", nothing_soft)
READY: Bars[State, Now] = Bars(
    NOT_ABLE,
    Bar("D3.5", "the MGs of a vehicle fire together with nobody else", vehicle_fires),
    Bar("D6.22", "one unit or weapon fires from a vehicle", seat_taken),
    Bar("A1.1", "{unit} has no fire of its own", no_fp),
    Bar("A7.25", "{unit} waits to fire", waiting),
    Bar("A7.1", "{unit} fires in this attack already", lambda s, now: now.attack.firers),
    Bar("A7.11", "{unit} has fired in this Player Turn", used_up),
    Bar("A7.35", "{unit} serves its weapons in this attack", hands_full),
    Bar("A7.35", "{unit} has served its weapon instead of firing itself", served_instead),
    Bar("A9.5", "one MG or unit alone sprays or lays a Fire Lane", lambda s, now: _taken(s, now)),
    Need(
        "A7.5",
        "a Fire Group is one Location or a chain of adjacent ones",
        lambda s, now: stands_in(s, now.mine, now.joined),
    ),
)
"""Who could fire at all, wherever the target is."""
JOIN: Bars[State, Now] = Bars(
    READY,
    NOTHING_SOFT,
    Doubt("A8.14", "{unit} has fired at the mover here as often as it spent MF", fired_out),
    Doubt("A7.22", why_far, too_far),
    Doubt("A8.3", "{unit} would fire by another rule than the others of this attack", other_fire),
    Doubt("A6.1", "{unit} has no line of sight to the target", unseen),
)


def held_weapons(s: State, now: Now) -> int:
    """Weapons that Good Order units of the side have."""
    return _held_by(s, good_order(s, now.mine) & ~s.ti)


@asked_once
def _held_by(s: State, able: int) -> int:
    holder, found = s.holder, s.stage.roster.machine_guns & on_map(s)
    return sum([1 << w for w in units_of(found) if holder[w] >= 0 and able >> holder[w] & 1])


def busy_hands(s: State, now: Now) -> int:
    """A7.35 weapons whose user has no hands left: a squad serves two (the second instead of its FP), others one."""
    firers, weapons = now.attack.firers, now.attack.weapons
    out = 0
    if firers | weapons | s.handled | s.fired:
        out = out_of_hands(s, held_weapons(s, now), firers, weapons)
    if not now.attack.weapons | now.attack.firers:
        return out
    for w in units_of(s.stage.roster.weapons):
        u = s.holder[w]
        if u < 0:
            continue
        serving = sum(1 for other in units_of(now.attack.weapons) if s.holder[other] == u)
        own = now.attack.firers >> u & 1
        squad = s.kind(u).kind == SQUAD
        if serving >= (2 if squad else 1) or (own and (serving >= 1 or not squad)):
            out |= 1 << w
    return out


READY_WEAPONS: Bars[State, Now] = Bars(
    Need("A7.35", "nobody who could fire {weapon} has it", held_weapons),
    Bar("D3.5", "the MGs of a vehicle fire together with nobody else", vehicle_fires),
    Bar("D6.22", "one unit or weapon fires from a vehicle", seat_taken),
    Bar("C9.1", "{weapon} is laid and rolls To Hit", lambda s, now: s.stage.roster.laid),
    Bar("A7.25", "whoever has {weapon} waits to fire", held_by_waiting),
    Bar("A9.7", "{weapon} has malfunctioned", lambda s, now: s.jammed),
    Bar("A9.8", "{weapon} is dismantled", lambda s, now: s.apart),
    Bar("A7.1", "{weapon} fires in this attack already", lambda s, now: now.attack.weapons),
    Bar("A7.11", "{weapon} has fired in this Player Turn", used_up),
    Bar("A7.35", "whoever has {weapon} has no hands left for it", busy_hands),
    Bar("A9.5", "one MG or unit alone sprays or lays a Fire Lane", lambda s, now: _taken(s, now)),
    Need("A7.5", "a Fire Group is one Location or a chain of adjacent ones", lambda s, now: _weapons_in(s, now)),
)
USE: Bars[State, Now] = Bars(
    READY_WEAPONS,
    NOTHING_SOFT,
    Doubt(
        "F5.41b",
        "{weapon} is fired from a Crest through its front alone",
        lambda s, now, w: bound_to_front(s, w, now.attack.target),
    ),
    Doubt("A8.14", "{weapon} has fired at the mover here as often as it spent MF", fired_out),
    Doubt("A7.22", why_far, too_far),
    Doubt("A8.3", "{weapon} would fire by another rule than the others of this attack", other_fire),
    Doubt("A6.1", "from {weapon} there is no line of sight to the target", unseen),
)


def _weapons_in(s: State, now: Now) -> int:
    return stands_in(s, held_weapons(s, now), now.joined)


def in_reach(s: State, fire: int, side: int, hexes: Mask, by: int = -1) -> Mask:
    """Of some hexes with enemies, those that somebody could fire at now: as the tables say of one of them, but what is
    the same for all is asked once. `by`: the vehicle that alone may fire (D3.3)."""
    now = Now(Attack(fire=fire, side=side, by=by), 0, all_men(s, side) | mounted_firers(s, side), -1)
    ready = mounts_ready(s, now) if by >= 0 else None
    if by >= 0:
        hexes &= s.stage.grid.within(s.at[by], FARTHEST) if ready else 0
        if not hexes:
            return 0
    there, wanted, grid = target_stances(s, hexes, side), 0, s.stage.grid
    for _, known in there:
        wanted |= known
    left, told = wanted, veils(s).told(there)
    for u in _firers(s, now) if by < 0 else ():
        user = user_of(s, u)
        key = (spot(s, user), s.type[u], fire, s.fired >> u & 1)
        seen: Mask | None = told.get(key)
        if seen is None:
            least, most = reach_of(s, fire_of(s, now.attack, u), u)
            near = wanted & grid.within(s.at[user], most) & ~(grid.within(s.at[user], least - 1) if least else 0)
            seen = told[key] = in_view(s, user, there, near) if near else 0
        if seen & left:
            if s.place[user] == Place.CREST:
                seen = sum(1 << h for h in hexes_of(seen & left) if not bound_to_front(s, u, h))
            left &= ~seen
            if not left:
                return wanted
    return wanted & ~left | mounts_reach(s, now, there, left, lambda h: _at(s, now, h), ready)


def _firers(s: State, now: Now) -> Iterator[int]:
    """Units that could fire, then weapons: these are not asked about where those reach everything."""
    yield from units_of(READY.free(now.mine, s, now))
    yield from units_of(READY_WEAPONS.free(held_weapons(s, now), s, now))


def _at(s: State, now: Now, h: Hex) -> Now:
    """The same attack on one hex."""
    aimed = Attack(fire=now.attack.fire, side=now.attack.side, by=now.attack.by, target=h)
    return now._replace(attack=aimed, shot=in_location(s, aimed))


def directors(s: State, now: Now) -> int:
    """A7.531 leaders in Locations of those who fire, one each."""
    where, led = firing_from(s, now.attack), {s.at[u] for u in units_of(now.attack.leaders)}
    there = 0
    for h in where - led:
        there |= s.here.get(h, 0)
    found = [u for u in units_of(now.mine & there) if s.kind(u).kind == LEADER]
    return sum([1 << u for u in found if not _serves(s, now.attack, u)])


def unled(s: State, now: Now) -> int:
    """A7.531 everybody, where leaders could not direct all Locations that fire: then none of them counts."""
    able = directors(s, now) & ~(s.broken | s.melee | s.ti | s.pinned | stale(s, now.attack))
    able = able & ~fires_himself(s, now.attack.fire) | now.attack.leaders
    return all_if(s.edition > 1 and firing_from(s, now.attack) - {s.at[u] for u in units_of(able)})


def _serves(s: State, attack: Attack, u: int) -> bool:
    return any(s.holder[w] == u for w in units_of(attack.weapons))


LEAD: Bars[State, Now] = Bars(
    NOT_ABLE,
    Bar("A7.8", "{unit} is pinned and directs nobody", lambda s, now: s.pinned),
    Bar("A7.531", "{unit} has directed fire in this phase", lambda s, now: stale(s, now.attack)),
    Bar("A7.11", "{unit} has fired in this Player Turn", lambda s, now: fires_himself(s, now.attack.fire)),
    Need("A7.531", "{unit} is no leader in a Location that fires without one", directors),
    Bar("A7.531", "not every Location that fires has a leader who could direct it", unled),
)


class RollAt(NamedTuple):
    """The dice of the attack in hand."""

    frame: int


def join(s: State, f: GroupAt, u: int) -> None:
    attack = s.attack
    assert attack is not None
    attack.fire = fire_of(s, attack, u)
    attack.firers |= 1 << u


def use(s: State, f: GroupAt, w: int) -> None:
    attack = s.attack
    assert attack is not None
    attack.fire = fire_of(s, attack, w)
    attack.weapons |= 1 << w


def direct(s: State, f: GroupAt, u: int) -> None:
    assert s.attack is not None
    s.attack.leaders |= 1 << u


# A9.5 Spraying Fire, A9.22 Fire Lanes


def _hexes(s: State, found: list[Hex]) -> int:
    return sum(1 << s.stage.out[h] for h in found if h in s.stage.out)


def _taken(s: State, now: Now) -> int:
    return -1 if now.attack.second >= 0 or now.attack.lane >= 0 else 0


SPRAY: Bars[State, Now] = Bars(
    Bar("A9.5", "this attack sprays or lays a Fire Lane already", _taken),
    Need(
        "A9.5",
        "one MG, or one MMC that can, sprays two hexes beside each other",
        lambda s, now: _hexes(s, sprayed(s, now.attack)),
    ),
)


def spray(s: State, f: GroupAt, g: int) -> None:
    assert s.attack is not None
    s.attack.second = s.stage.into[g]


LANE: Bars[State, Now] = Bars(
    Bar("A9.22", "this attack sprays or lays a Fire Lane already", _taken),
    Need(
        "A9.22",
        "a MG that First Fires alone within its range at its own level lays a Fire Lane along the Hex Grain",
        lambda s, now: _hexes(s, lane_ends(s, now.attack)),
    ),
)


def lay_lane(s: State, f: GroupAt, g: int) -> None:
    assert s.attack is not None
    s.attack.lane = s.stage.into[g]


def nobody_yet(s: State, now: Now) -> Reason | None:
    return None if now.attack.firers | now.attack.weapons | now.attack.mgs else Reason("A7.5", "first say who fires")


def commit(s: State, f: GroupAt) -> None:
    """A7.1 the Fire Group is complete."""
    attack = s.attack
    assert attack is not None
    attack.column = ift().column(fp := total(s, attack))
    known = known_to(s, attack.side)
    with Asking(known):
        found = drms(known, attack)
    emit(
        s,
        "attack",
        "A7.1",
        {
            "side": attack.side,
            "hex": attack.target,
            "units": list(units_of(attack.firers | attack.weapons)),
            "fire": FIRES[attack.fire],
            "fp": fp,
            "column": ift().columns[attack.column] if attack.column >= 0 else 0,
            "drm": sum(one.value for one in found),
        },
    )
    s.stack[-1] = RollAt(F_ATTACK_ROLL)
    if dusty(s):
        s.stack.append(DustAt(F_DUST_DIE, 0))


def commit_odds(s: State, f: GroupAt, action: Action) -> Odds | None:
    if s.attack is None:
        return None
    return odds_of(known_to(s, s.attack.side), s.attack, whole=True)


def odds_of(s: State, attack: Attack, whole: bool = False) -> Odds | None:
    """Every share of FP, every DRM with its rule, and the chance of every result; the whole table too, if wished."""
    halved, found = weigh(s, attack)
    fp = worth(s, attack, halved)
    column = ift().column(fp)
    if column < 0 and not whole:
        return None
    names = s.stage.roster.types
    each = halved and keeps_bonus(s, attack)
    terms = [Term(f"{one.fp:g}", one.rule, one.said(names[s.type[one.unit]].name)) for one in shares(s, attack, each)]
    if halved and not each:
        terms.append(Term("1/2", "A7.23", "concealed, halved"))
    terms += [Term(signed(one.value), one.rule, one.text) for one in found]
    drm = sum(one.value for one in found)
    clouds = die_drms(s) if not attack.dusty else [0]  # F11.71b the extra die has still to fall
    if len(clouds) > 1:
        terms.append(Term(f"+{min(clouds)}…+{max(clouds)}", "F11.71b", "the die of dust"))
    if column < 0:
        title = Text("{fp} FP: too little for any column, no effect", fp=f"{fp:g}")
        return Odds(title, tuple(terms), ((term("no effect"), Fraction(1)),))
    cowers = cowering(cower(s, attack, 1, 1))
    title = Text(
        "{fp} FP on the {column} column, DRM {drm}", fp=f"{fp:g}", column=ift().columns[column], drm=signed(drm)
    )
    results = tuple(spread(column, drm, cowers, clouds))
    if not whole:
        return Odds(title, tuple(terms), results)
    table = ladder(column, drm, cowers, clouds, *both_sides(s, attack, fp))
    return Odds(title, tuple(terms), results, table, lasting(s, attack, found))


# Whom to ask about, by who fires already


def by_men(s: State, now: Now) -> int:
    return now.mine if now.attack.vehicle < 0 and now.attack.by < 0 else 0


def by_weapons(s: State, now: Now) -> int:
    return held_weapons(s, now) if now.attack.vehicle < 0 and now.attack.by < 0 else 0


def by_motors(s: State, now: Now) -> int:
    attack = now.attack
    if attack.firers | attack.weapons:
        return 0
    only = attack.vehicle if attack.vehicle >= 0 else attack.by
    return 1 << only if only >= 0 else all_vehicles(s, attack.side)


class Group(Phase[State, GroupAt, Now]):
    """A7.5 who fires, with what, under whom."""

    at = GroupAt
    does = (
        Each(verbs.JOIN, of=by_men, bars=JOIN, take=join),
        Each(verbs.USE, of=by_weapons, bars=USE, take=use),
        Each(verbs.BOW, of=by_motors, bars=BOW, take=man(BMG)),
        Each(verbs.COAX, of=by_motors, bars=COAX, take=man(CMG)),
        Each(verbs.ANTI_AIR, of=by_motors, bars=ANTI_AIR, take=man(AAMG)),
        Each(verbs.DIRECT, bars=LEAD, take=direct),
        Each(verbs.SPRAY, bars=SPRAY, take=spray),
        Each(verbs.LANE, bars=LANE, take=lay_lane),
        Once(verbs.COMMIT, take=commit, shut=nobody_yet, odds=commit_odds),
        Elsewhere("A7.5", "first finish this attack", verbs.FIRE, verbs.END_FIRE),
    )

    def now(self, s: State, f: GroupAt) -> Now:
        return now_of(s)

    def actor(self, s: State, f: GroupAt) -> int | None:
        assert s.attack is not None
        return s.attack.side

    def prompt(self, s: State, f: GroupAt) -> Prompt:
        assert s.attack is not None
        return Prompt(
            Text("Who fires at {hex}?", hex=s.stage.field.name(s.attack.target)),
            "",
            ("A7.5", "A7.35", "A7.531"),
            PHASES[s.phase],
        )


FRAMES: dict[int, Frame[State, Any]] = {F_GROUP: Group()}
