"""11 Retreats.

The units in `s.fight.retreating` leave `s.fight.origin`, unit by unit: first every unit its first hex, then the step
that enemy ZOCs cost (11.2g), then each unit the rest of its way. The ways that a unit may go are those that
come out best by the priorities of 11.1, in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.fights.retreating import BETWEEN, ENEMIES, HEXSIDES, TERRAIN, ZONES, Threat, fewest, ways
from sandtable.mechanics.fights.retreating import Ways as WaysBack
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Forced, Once, Ways
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import exits
from ..supply.supply_lines import full_with, limited_with, port_sources
from ..table import verbs
from ..table.frames import BackAt, LossAt, PayAt, RetreatAt, StackAt, retreat_at
from ..table.ids import A1_D2, AFTER_RETREAT, AZOV, COMBAT, D1_B, F_LOSS, F_OVERSTACK, F_RETREAT, F_RETREAT_UNIT, PHASES
from ..table.stacking import counted, limit
from ..table.state import State, controls, eliminate, enter, units_in, zone
from .losses import RETREAT_LOSS

BEGIN, FIRST_HEX, LOSSES, ONWARD, OVER = range(5)  # the steps of F_RETREAT

# 11.2 what a unit dies of, by what bars its last way (mechanics/fights/retreating.py)
DEATHS = {TERRAIN: "11.2b", ENEMIES: "11.2c", HEXSIDES: "11.2d", BETWEEN: "11.2e", ZONES: "11.2f"}


# Who and what is around


def party(s: State) -> int:
    """The units of this retreat, wherever it has brought them by now."""
    return s.fight.defenders | s.fight.retreating


def side_of(s: State) -> int:
    return enemy(s.active)


def friends(s: State) -> Mask:
    """11.2d to g the hexes with friendly units that are not part of the retreat."""
    side = side_of(s)
    own, found = s.board.of_side[side] & ~party(s), s.occ[side]
    for u in units_of(party(s)):
        h = s.at[u]
        if h >= 0 and not s.here[h] & own:
            found &= ~(1 << h)
    return found


def threat(s: State) -> Threat:
    """11.2c to g what the attacker's side bars; its ZOC counts as far as it extends (6.4, A30)."""
    key = ("threat", party(s))
    found: Threat | None = s.memo.get(key)
    if found is None:
        foe = s.active
        found = s.memo[key] = Threat(s.board.grid, s.ground.open, s.occ[foe], s.zocs[foe], friends(s))
    return found


def stops(s: State, u: int) -> Mask:
    """11.6 the hexes in which a unit that must retreat 2 hexes may end after one; none for a disrupted unit (11.5e)."""
    if s.disrupted >> u & 1:
        return 0
    board, ground = s.board, s.ground
    near = ground.around[s.fight.origin] & ground.sheltering
    found = near & ~zone(s, s.active)
    others = board.of_side[board.side[u]] & ~party(s) & ~s.disrupted
    for h in hexes_in(near & ~found):  # 11.6c
        if s.here.get(h, 0) & others:
            found |= 1 << h
    return found


def ways_of(s: State, u: int, length: int, bars: int = ZONES) -> WaysBack:
    """11.1d, 11.2 the ways on which this unit survives, from where it stands."""
    may_stop = stops(s, u) if length == 2 else 0  # 11.6b
    return ways(s.board.grid, threat(s), lambda h: exits(s, u, h), s.fight.origin, s.at[u], length, may_stop, bars)


def death(s: State, u: int, length: int) -> str:
    """11.2 the rule by which a unit without a way is eliminated: the first that closes its last one."""
    for bars, rule in DEATHS.items():
        if not ways_of(s, u, length, bars).ends[s.at[u]]:
            return "15.6b" if u == s.board.train and bars == TERRAIN else rule
    return "11.1d"


# 11.1 The priorities


class Choice(NamedTuple):
    """What a unit may do next, and what it could do without each of the priorities (for the reasons)."""

    to: Mask  # next hexes
    halt: bool  # 11.6a it may end here
    safe: Mask  # next hexes on which it survives
    cheap: Mask  # of them: those that cost the stack fewest steps (11.1e)
    supplied: Mask  # of them: those that lead to the best supply (11.1f)


def choice(s: State, f: BackAt) -> Choice:
    """What the unit of a frame F_RETREAT_UNIT may do; worked out once for a position."""
    key = ("retreat", s.fight.retreating, f)
    found: Choice | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _choice(s, f.unit, f.hexes, f.gone)
    return found


def _choice(s: State, u: int, length: int, gone: int) -> Choice:
    board, h = s.board, s.at[u]
    if u == board.flotilla:
        to = refuges(s)
        return Choice(to, False, to, to, to)
    if gone >= length:
        return farther(s, u)
    way = ways_of(s, u, length)
    safe = way.next.get(h, 0)
    ends = way.ends[h]
    cheap = safe
    if h == s.fight.origin:
        cheap = cheapest(s, u, length, safe)
        ends = 0
        for n in hexes_in(cheap):
            ends |= way.ends[n]
    best = by_supply(s, ends)
    roomy = by_stacking(s, u, best) or best
    to = way.leading(h, roomy) & cheap
    return Choice(to, bool(roomy >> h & 1), safe, cheap, way.leading(h, best) & cheap)


def cheapest(s: State, u: int, length: int, safe: Mask) -> Mask:
    """11.1e, A31 the first hexes that cost the whole stack as few steps as possible.

    Each hex in EZOC into which part of the stack goes costs one step (11.2g), so the units without another
    way must share as few such hexes as they can, and nobody adds one without need.
    """
    zoc = threat(s).zone
    if not safe & zoc:
        return safe
    used, forced = 0, []
    for v in units_of(s.fight.retreating):
        if s.at[v] == s.fight.origin and v != s.board.flotilla:
            options = safe if v == u else ways_of(s, v, length).next.get(s.fight.origin, 0)
            if not options & ~zoc and v != u:
                forced.append(options)
        elif s.at[v] >= 0:
            used |= 1 << s.at[v]
    used &= zoc
    least = fewest(forced if safe & ~zoc else [*forced, safe], used)
    found = safe & (~zoc | used)
    for h in hexes_in(safe & zoc & ~used):
        if 1 + fewest(forced, used | 1 << h) == least:
            found |= 1 << h
    return found


def by_supply(s: State, ends: Mask) -> Mask:
    """11.1f of these hexes those in full supply, or else those in limited supply, or else all.

    Supply is judged as the retreating units leave the map: what they hold or held carries no line.
    """
    if not ends & (ends - 1):
        return ends
    side = side_of(s)
    own = friends(s)
    fed = ends & full_with(s, side, own)
    if not fed:
        fed = ends & limited_with(s, side, own, port_sources(s, side))
    return fed or ends


def by_stacking(s: State, u: int, ends: Mask) -> Mask:
    """11.1g of these hexes those where this unit would not exceed the stacking limit."""
    found = ends
    for h in hexes_in(ends & s.occ[side_of(s)]):
        if crowded(s, h, u):
            found &= ~(1 << h)
    return found


def crowded(s: State, h: Hex, u: int) -> bool:
    """5.1 whether a hex would be over the limit with this unit.

    Those who are still under way do not count: the owner may let one stop in a hex and the others go on (11.1c).
    A corps marker that is under way with its cavalry may come here (15.7h): at the end of the retreat it is there
    or not (5.2b).
    """
    board = s.board
    units = units_in(s, h, board.side[u]) & ~s.fight.retreating | 1 << u
    coming = s.corps >= 0 and bool(s.here[s.corps] & board.cavalry & s.fight.retreating)
    return units.bit_count() > limit(s) and counted(s, h, units, coming) > limit(s)


def farther(s: State, u: int) -> Choice:
    """11.1g, A32 the one additional hex of a unit that found no room: all penalties, then supply."""
    grid, h, origin = s.board.grid, s.at[u], s.fight.origin
    away = grid.distance(origin, h)
    beside = sum(1 << n for n in hexes_in(exits(s, u, h)) if grid.distance(origin, n) >= away)
    safe = threat(s).safe(grid, h, beside, False)
    best = by_supply(s, safe)
    return Choice(best, False, safe, safe, best)


def refuges(s: State) -> Mask:
    """15.3c the ports to which the Azov Flotilla may retreat, in EZOC or not."""
    side = side_of(s)
    found = 0
    for h in hexes_in(s.board.ports_of[AZOV] & ~s.occ[s.active] & ~(1 << s.fight.origin)):
        if controls(s, side, h):
            found |= 1 << h
    return found


# Carrying it out


def step_back(s: State, u: int, h: Hex, rule: str) -> None:
    """One hex of a retreat; passing through counts for control (A61)."""
    before = s.at[u]
    emit(s, "retreated", rule, {"unit": u, "side": s.board.side[u], "from": before, "to": h, "path": [before, h]})
    enter(s, u, h)


def end_retreat(s: State, u: int) -> None:
    """11.4a, 11.5a the unit has retreated in this phase, and is disrupted by D1-B and A1/D2."""
    b = 1 << u
    s.fight.retreating &= ~b
    s.retreated |= b
    if s.fight.result in (D1_B, A1_D2) and not s.disrupted & b:
        s.disrupted |= b
        emit(s, "disrupted", "11.5a", {"unit": u, "hex": s.at[u], "side": s.board.side[u]})


class Retreat(Frame[State, RetreatAt | PayAt]):
    """11.1 The units that retreat leave their hex."""

    at = staticmethod(retreat_at)

    def run(self, s: State, f: RetreatAt | PayAt) -> None:
        hexes, step = f.hexes, f.step
        if step == BEGIN:
            s.fight.defenders |= s.fight.retreating
            s.stack[-1] = RetreatAt(F_RETREAT, hexes, FIRST_HEX)
            self.condemn(s)
            flotilla = s.board.flotilla
            if s.fight.retreating >> flotilla & 1:
                s.stack.append(BackAt(F_RETREAT_UNIT, flotilla, hexes, 0))
        elif step == FIRST_HEX:
            self.set_out(s, hexes)
        elif isinstance(f, PayAt):
            self.pay(s, hexes, f.paid)
        elif step == ONWARD:
            if s.fight.retreating:
                u = units_of(s.fight.retreating)[0]
                s.stack.append(BackAt(F_RETREAT_UNIT, u, hexes, s.board.grid.distance(s.fight.origin, s.at[u])))
            else:
                s.stack[-1] = RetreatAt(F_RETREAT, hexes, OVER)
                s.stack.append(StackAt(F_OVERSTACK, side_of(s), AFTER_RETREAT))  # 5.2b
        else:
            s.stack.pop()

    def condemn(self, s: State) -> None:
        """11.2a, 11.4a who may not retreat at all is eliminated."""
        board = s.board
        for u in units_of(s.fight.retreating):
            if not board.ma[u][s.step[u]] and not board.special_movers >> u & 1:
                eliminate(s, u, "11.2a")
            elif s.fight.kind == COMBAT and s.retreated >> u & 1:  # 11.4b, 13.2b not in a mobile assault
                eliminate(s, u, "11.4a")

    def set_out(self, s: State, hexes: int) -> None:
        """11.2 who has no way dies; the others take their first hex one after the other."""
        for u in units_of(s.fight.retreating):
            if s.at[u] == s.fight.origin and not ways_of(s, u, hexes).ends[s.fight.origin]:
                eliminate(s, u, death(s, u, hexes))
        for u in units_of(s.fight.retreating):
            if s.at[u] == s.fight.origin:
                s.stack.append(BackAt(F_RETREAT_UNIT, u, hexes, 0))
                return
        s.stack[-1] = PayAt(F_RETREAT, hexes, LOSSES, -1)

    def pay(self, s: State, hexes: int, done: Hex) -> None:
        """11.2g every part of the stack that has entered EZOC loses one step, of the defender's choice (10.2)."""
        side = side_of(s)
        under_way = [
            u for u in units_of(party(s)) if u != s.board.flotilla and s.at[u] >= 0 and s.at[u] != s.fight.origin
        ]
        s.fight.retreating = sum(1 << u for u in under_way)
        dear = sorted({s.at[u] for u in under_way if threat(s).zone >> s.at[u] & 1 and s.at[u] > done})
        if not dear:
            s.stack[-1] = RetreatAt(F_RETREAT, hexes, ONWARD)
            return
        s.stack[-1] = PayAt(F_RETREAT, hexes, LOSSES, dear[0])
        s.fight.retreating = sum(1 << u for u in under_way if s.at[u] == dear[0])
        s.stack.append(LossAt(F_LOSS, side, side, RETREAT_LOSS))


# 11.1b Unit by unit, hex by hex


class Going(NamedTuple):
    """A unit that retreats: where it stands, how far it must go, and what it may do."""

    unit: int
    at: Hex
    hexes: int
    gone: int
    may: Choice


def _others(s: State, now: Going, hexes: Mask) -> Mask:
    """A bar for all but the Azov Flotilla."""
    return 0 if now.unit == s.board.flotilla else hexes


def _ring(s: State, now: Going) -> Mask:
    """11.1d the hexes that lead one hex farther away, or, when it is about the additional hex (11.1g), not nearer."""
    within, away = s.board.grid.within, now.gone + 1
    if now.gone >= now.hexes:
        away = s.board.grid.distance(s.fight.origin, now.at)
        return ~within(s.fight.origin, away - 1)
    return within(s.fight.origin, away) & ~within(s.fight.origin, away - 1)


def _deadly(s: State, now: Going, bars: int) -> Mask:
    """11.2 the hexes beside it that one of the bars closes."""
    beside = s.board.beside[now.at]
    return _others(s, now, beside & ~threat(s).safe(s.board.grid, now.at, beside, now.gone == 0, bars))


TO: Bars[State, Going] = Bars(
    Bar(
        "15.3c",
        "{hex} is no friendly port on the Sea of Azov to retreat to",
        lambda s, now: ~now.may.to if now.unit == s.board.flotilla else 0,
    ),
    Bar(
        "11.1b",
        "a retreat goes hex by hex, and {hex} is not beside {from}",
        lambda s, now: _others(s, now, ~s.board.beside[now.at]),
    ),
    Bar(
        "11.1g",
        "{hex} would bring {unit} nearer to the hex it left",
        lambda s, now: _others(s, now, ~_ring(s, now)) if now.gone >= now.hexes else 0,
    ),
    Bar(
        "11.1d",
        "{unit} has to end {hexes_away} hexes away: {hex} leads no farther",
        lambda s, now: _others(s, now, ~_ring(s, now)) if now.gone < now.hexes else 0,
    ),
    Bar(
        "11.1e",
        "{hex} would cost the stack more steps than necessary",
        lambda s, now: now.may.safe & ~now.may.cheap,
    ),
    Bar(
        "11.1f",
        "{hex} leads to no hex in better supply, and another way does",
        lambda s, now: now.may.safe & ~now.may.supplied,
    ),
    Bar("11.1g", "{hex} leads only to hexes that are full", lambda s, now: now.may.safe & ~now.may.to),
    Bar(
        "15.6b",
        "{unit} could not move into {hex} in a movement phase",
        lambda s, now: ~exits(s, now.unit, now.at) if now.unit == s.board.train else 0,
    ),
    Bar(
        "11.2b",
        "{unit} could not move into {hex} in a movement phase",
        lambda s, now: _others(s, now, ~exits(s, now.unit, now.at)),
    ),
    Bar(
        "11.2c",
        "the enemy is in {hex}: {unit} would be eliminated",
        lambda s, now: _deadly(s, now, ENEMIES),
    ),
    Bar(
        "11.2d",
        "the hexside to {hex} lies between two enemy units with ZOC: {unit} would be eliminated",
        lambda s, now: _deadly(s, now, HEXSIDES),
    ),
    Bar(
        "11.2e",
        "{hex} lies between two enemy units with ZOC: {unit} would be eliminated",
        lambda s, now: _deadly(s, now, BETWEEN),
    ),
    Bar(
        "11.2f",
        "{hex} is in an enemy ZOC, and this is not the first hex of the retreat: {unit} would be eliminated",
        lambda s, now: _deadly(s, now, ZONES),
    ),
    Need(
        "11.1d",
        "from {hex} {unit} could not get {hexes_away} hexes away alive",
        lambda s, now: now.may.to,
    ),
)
"""11.1, 11.2 the next hex of a retreat."""


def _facts(s: State, now: Going) -> Mapping[str, Fact]:
    return {"unit": now.unit, "from": now.at, "hexes_away": now.hexes}


def why_no_halt(s: State, now: Going) -> Reason | None:
    """11.6 why a retreat does not end after one hex."""
    h, facts = now.at, {"unit": now.unit, "hex": now.at, "hexes_away": now.hexes}
    if now.may.halt:
        return None
    if now.hexes != 2:
        return Reason("11.6b", Text("{unit} must retreat {hexes_away} hexes and cannot stop after one", **facts))
    if now.gone == 0:
        return Reason("11.6a", Text("{unit} has not left its hex yet", **facts))
    if now.gone > 1:
        return Reason("11.1g", Text("{unit} has to leave: there is no room", **facts))
    if s.disrupted >> now.unit & 1:
        return Reason("11.5e", Text("{unit} is disrupted and cannot use the one-hex retreat", **facts))
    if not s.ground.sheltering >> h & 1:
        return Reason("11.6a", "only a town, city, marsh, forest or mountain hex ends a retreat after one hex")
    if not stops(s, now.unit) >> h & 1:
        return Reason("11.6c", "this hex is in an enemy ZOC, with no friendly undisrupted unit in it")
    if crowded(s, h, now.unit):
        return Reason("11.1g", Text("{hex} has no room for {unit}, and other hexes have", **facts))
    return Reason("11.1f", Text("{unit} can retreat on to a hex in better supply", **facts))


def go(s: State, f: BackAt, h: Hex) -> None:
    """One hex; at the end of its way the unit may have to go one farther (11.1g)."""
    _, u, hexes, gone = f
    s.stack.pop()
    if u == s.board.flotilla:
        step_back(s, u, h, "15.3c")
        end_retreat(s, u)
        return
    step_back(s, u, h, "11.1g" if gone >= hexes else "11.1b")
    if gone >= hexes:
        end_retreat(s, u)
    elif gone + 1 == hexes:
        arrive(s, f)


def stay(s: State, f: BackAt) -> None:
    """11.6a the retreat is over after one hex."""
    s.stack.pop()
    emit(s, "one_hex_retreat", "11.6a", {"unit": f.unit, "hex": s.at[f.unit], "side": s.board.side[f.unit]})
    arrive(s, f)


def arrive(s: State, f: BackAt) -> None:
    """11.1g a unit without room has to go one hex farther."""
    if crowded(s, s.at[f.unit], f.unit):
        s.stack.append(f._replace(gone=f.hexes))
    else:
        end_retreat(s, f.unit)


def _shown(s: State, f: BackAt, action: Action) -> Hint:
    found: Hint = {"path": [s.board.grid.names[action[1]]]}
    if f.gone == 0 and f.unit != s.board.flotilla and threat(s).zone >> action[1] & 1:
        found["note"] = term("enemy zone of control: the stack loses a step (11.2g)")
    return found


class RetreatUnit(Forced[State, BackAt, Going]):
    """11.1b The next hex of one unit.

    The owner chooses, but the additional hex of 11.1g is the attacker's: then as many are gone as must be.
    """

    at = BackAt
    does = (
        Ways(verbs.TO, of=lambda s, now: now.may.to, bars=TO, facts=_facts, take=go, hint=_shown),
        Once(verbs.HALT, take=stay, shut=why_no_halt),
    )

    def now(self, s: State, f: BackAt) -> Going:
        return Going(f.unit, s.at[f.unit], f.hexes, f.gone, choice(s, f))

    def chooser(self, s: State, f: BackAt) -> int:
        return s.active if f.gone >= f.hexes else side_of(s)

    def nothing(self, s: State, f: BackAt) -> None:
        s.stack.pop()
        if f.unit == s.board.flotilla:
            eliminate(s, f.unit, "15.3c")
        else:
            eliminate(s, f.unit, "11.1g" if f.gone >= f.hexes else death(s, f.unit, f.hexes))

    def prompt(self, s: State, f: BackAt) -> Prompt:
        _, u, hexes, gone = f
        if u == s.board.flotilla:
            title = Text("{unit} retreats to which port?", unit=u)
            return Prompt(title, "Any friendly Azov port", ("15.3c",), PHASES[s.phase])
        title = Text("Where does {unit} retreat to?", unit=u)
        if gone >= hexes:
            text = term("There is no room where it stands: one additional hex, of the attacker's choice")
            return Prompt(title, text, ("11.1g", "11.2f"), PHASES[s.phase])
        sentence = term("Hex {n} of {hexes_away}: fewest losses first, then supply, then stacking")
        rules = ("11.1b", "11.1e", "11.1f", "11.1g") + (("11.6a",) if choice(s, f).halt else ())
        return Prompt(title, Text(sentence, n=gone + 1, hexes_away=hexes), rules, PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_RETREAT: Retreat(), F_RETREAT_UNIT: RetreatUnit()}
