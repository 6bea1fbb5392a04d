"""14 Advance after combat, 8.9.2 the advance of units with Auto DS markers, 17.4 the free SP at the end of the phase.

Who may advance stands in s.advancing, how far in s.allowance, over which emptied hex in `vacated`. A unit that a truck
carries is in effect mechanised (5.8.1f); the truck goes with it. The breakthrough group goes first (breakthrough.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Forced, Listed, Once
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import box_beside, desert_run, exits, pinned, why_pinned
from ..retreat import displacement, surrender
from ..retreat.retreats import BEFORE_ADVANCE
from ..retreat.surrender import free_trucks
from ..supply import supply_lines
from ..supply.support import places_of
from ..table import captures
from ..table.board import Board
from ..table.frames import AdvanceAt, CarryAt, GroupAt, OverstackAt
from ..table.ids import (
    COMBAT,
    F_ADVANCE,
    F_AUTO_ADVANCE,
    F_CARRY,
    F_FREE_SP,
    F_GROUP,
    F_OVERSTACK,
    NORMAL,
    PHASES,
    TAG_ALONG,
)
from ..table.position import add_sp, dumps, good_order, of_no_use, put, tread, units_in
from ..table.state import State
from ..table.verbs import V_ADVANCE, V_DONE, V_FREE_SP, V_TO
from ..table.zones import full_zoc
from . import combat, effects
from .results import code_of

# 14.1 Who


def tag_alongs(s: State) -> int:
    """27.3.1a units stacked with attackers that gave nothing to the attack and have neither attacked nor advanced."""
    if not s.flags & TAG_ALONG:
        return 0
    found = 0
    for h in hexes_in(places_of(s, alive(s, s.fight.attackers))):
        found |= units_in(s, h, s.active)
    barred = s.fight.attackers | s.attacked | s.auto | s.advanced | s.shipped | s.fight.guns_att
    return found & good_order(s) & ~barred


def alive(s: State, units: int) -> int:
    """Of some units, those that are still on the map."""
    at = s.at
    return sum([1 << u for u in units_of(units) if at[u] >= 0])


STUCK: Bars[State, Any] = Bars(
    Bar("19.5c", "{unit} has a replacement marker", lambda s, _: s.refreshed),
    Bar("17.1.2c", lambda s, _, u: why_pinned(s, u), lambda s, _: pinned(s)),
)
"""Who may not move."""


def begin(s: State) -> None:
    """14.1a everybody who took part, and 27.3.1a those who tag along.

    14.1a An ASU that gave a shift stays: ASUs never are among the attackers, and none tags along that fired.
    """
    s.group = 0
    s.advancing = STUCK.free(s.advancing | tag_alongs(s), s, None)
    for h in hexes_in(places_of(s, s.advancing & s.board.foot)):
        if free_trucks(s, s.active, h):
            s.stack.append(CarryAt(F_CARRY, s.active, BEFORE_ADVANCE, h))  # 5.8.2c


STAYING: Bars[State, Any] = Bars(
    Need("14.1a", "{unit} is not yours", lambda s, _: s.board.of_side[s.active]),
    STUCK,
    Bar("14.1a", "{unit} has advanced", lambda s, _: s.advanced),
    Bar("14.1a", "{unit} gave a shift and stays", lambda s, _: s.fight.guns_att),
    Bar("14.1a", "{unit} has ended its advance", lambda s, _: s.fight.attackers),
    Bar(
        "27.3.1a",
        "{unit} is not stacked with the attackers, or cannot tag along",
        lambda s, _: ALL if s.flags & TAG_ALONG else 0,
    ),
    Bar("14.1a", "{unit} took no part in this combat", lambda s, _: ALL),
)
"""14.1a what is said of those who are not among the advancing."""

WHO: Bars[State, AdvanceAt] = Bars(
    Need(
        "14.1a",
        lambda s, f, _: Text("{unit} is advancing: end that first", unit=f.unit),
        lambda s, f: 1 << f.unit if f.unit >= 0 else ALL,
    ),
    Need(
        "14.1a",
        lambda s, f, u: STAYING.why(u, s, f, {"unit": u}) or "",
        lambda s, f: alive(s, s.advancing) if f.unit < 0 else alive(s, 1 << f.unit),
    ),
    Bar("5.8.2c", "{unit} goes with the unit that it carries", lambda s, f: passengers(s) if f.unit < 0 else 0),
)
"""14.1a whose turn it is to advance."""


# 14.2 How far


def length(s: State, u: int) -> int:
    """14.2.1, 16.4c how many hexes a unit advances after this fight."""
    general = s.board.general
    most = s.allowance
    if s.board.matildas >> u & 1 or (s.board.foot >> u & 1 and s.carried[u] < 0):
        most = min(most, general["foot_and_matilda_advance_limit_hexes"])
    if s.oos >> u & 1:
        most = min(most, general["oos_advance_limit_hexes"])
    return int(most)


def passengers(s: State) -> int:
    """The trucks that carry somebody in this advance: they go where their loads go."""
    return sum({1 << truck for truck in s.carried if truck >= 0})


def with_truck(s: State, u: int) -> tuple[int, ...]:
    """A unit, and the truck that carries it."""
    return (u, s.carried[u]) if s.carried[u] >= 0 else (u,)


# 14.3 to 14.5 Where to


def halts(s: State, h: Hex) -> bool:
    """14.4b, 14.4c an EZOC ends the advance, but not in the vacated hex; 7.3b a limited one does not."""
    return h != s.fight.vacated and bool(full_zoc(s, enemy(s.active)) >> h & 1)


def clear_of_zones(s: State, a: Hex, vacated: Mask) -> Mask:
    """14.4a the hexes that are in no EZOC of an enemy unit in whose EZOC the unit stands; but vacated ones always.

    14.4d overlapping EZOCs are like all others.
    """
    found = -1
    if vacated >> a & 1:
        return found
    around = s.board.around
    for h in hexes_in(around[a] & s.zocs[enemy(s.active)]):
        found &= ~around[h]
    return found | vacated


class Step(NamedTuple):
    """The next hex of a unit."""

    unit: int
    at: Hex
    gone: int  # hexes that it has entered
    run: int  # of them, the last in the desert
    foot: bool
    near: Mask  # the hexes beside it, and 6.3.3a its own off-map box


def step(s: State, u: int, gone: int = 0, run: int = 0) -> Step:
    """Where a unit stands in its advance."""
    a, board = s.at[u], s.board
    box = box_beside(s, s.active, a)
    near = board.around[a] | 1 << box if box >= 0 else board.around[a]
    return Step(u, a, gone, run, bool(board.foot >> u & 1) and s.carried[u] < 0, near)


@remembered()
def cliffs(board: Board, a: Hex) -> Mask:
    """5.7 the hexes beside one that lie behind an escarpment without a road."""
    return sum(1 << n for d, n in board.steps[a] if (board.escarpments[d] & ~board.roads[d]) >> a & 1)


@remembered()
def off_road(board: Board, a: Hex) -> Mask:
    """5.2.1a the hexes beside one to which no road leads."""
    return sum(1 << n for d, n in board.steps[a] if not board.roads[d] >> a & 1)


def parched(s: State, now: Step) -> Mask:
    return ALL if now.gone and now.run >= int(s.board.general["desert_run_hexes"]) else 0


def steep(s: State, now: Step) -> Mask:
    return cliffs(s.board, now.at) & ~(0 if now.gone else 1 << s.fight.vacated) if now.foot else 0


def wild(s: State, now: Step) -> Mask:
    return off_road(s.board, now.at) if now.gone and not now.foot and s.board.jebel >> now.at & 1 else 0


def passable(s: State, now: Step) -> Mask:
    return exits(s, now.unit, now.at, s.carried[now.unit] >= 0) | now.near & s.board.box_mask


TERRAIN: Bars[State, Step] = Bars(
    Bar("14.5c", "{unit} ends its advance in the second desert hex", parched),
    Bar("14.5e", "{unit} crosses an escarpment only with its first hex, into the hex attacked", steep),
    Bar(
        "14.5d", "{unit} crosses an escarpment only by road", lambda s, now: cliffs(s.board, now.at) & ~passable(s, now)
    ),
    Bar("14.5b", "{unit} ends its advance in the jebel, unless it leaves by road", wild),
    Need("14.5a", "{unit} may not enter {hex}", passable),
)
"""14.5 where terrain lets a unit go next, whoever is there."""


def closed_to_trucks(s: State, now: Step) -> Mask:
    """5.8.3 for trucks that go alone all enemy units, SPs among them (2.3.1b)."""
    foe = enemy(s.active)
    return s.occ[foe] | dumps(s, foe) if s.board.trucks >> now.unit & 1 else 0


INTO: Bars[State, Step] = Bars(
    Need(
        "14.2.2",
        lambda s, now, _: Text("only {hex} may be entered after this result", hex=s.fight.vacated),
        lambda s, now: 1 << s.fight.vacated if s.fight.limited_advance else ALL,
    ),
    Bar(
        "14.4b",
        "{unit} stopped on entering an enemy zone of control",
        lambda s, now: ALL if now.gone and halts(s, now.at) else 0,
    ),
    Need("14.1b", "{hex} is not the next hex: an advance goes hex by hex", lambda s, now: now.near),
    Bar("5.8.3", "the enemy is in {hex}", closed_to_trucks),
    Bar("14.5a", "the enemy is in {hex}", lambda s, now: s.men[enemy(s.active)]),  # 8.7b, 14.6
    TERRAIN,
    Bar(
        "14.4a",
        "{unit} would go from one zone of control of an enemy unit into another of the same unit",
        lambda s, now: ~clear_of_zones(s, now.at, 1 << s.fight.vacated),
    ),
)
"""14.2 to 14.6 the hexes into which a unit may advance next."""


def steps(s: State, now: Step) -> Mask:
    """14.2 to 14.5 the hexes into which a unit that has advanced so far may go on."""
    return 0 if now.gone >= length(s, now.unit) else INTO.free(now.near, s, now)


def step_of(s: State, f: AdvanceAt, u: int) -> Step:
    """Where a unit stands in its advance: at the beginning, unless it is the one on its way."""
    return step(s, u, f.gone, f.run) if f.unit >= 0 else step(s, u)


def go(s: State, units: tuple[int, ...], h: Hex, rule: str) -> None:
    """One hex of an advance. The frame in charge has to be settled before: dice may follow (17.2.3, 27.1)."""
    side = s.active
    surrender.port_falls(s, h)
    for u in units:
        a = s.at[u]
        emit(s, "advanced", rule, {"unit": u, "side": side, "from": a, "to": h, "path": [a, h]})
        put(s, u, h)
        s.advanced |= 1 << u
    everybody = sum(1 << u for u in units)
    tread(s, everybody, h)  # 5.5b who tagged along (27.3.1a) may disengage later in the phase
    captures.enter(s, side, h)
    displacement.check(s, everybody)


def options(s: State, f: AdvanceAt) -> list[tuple[int, int]]:
    """14.1a, 14.3 the next steps that are open: of the unit on its way, or of all who have not advanced yet."""
    fight = s.fight
    key = ("advances", s.advancing, fight.vacated, s.allowance, fight.limited_advance, *f)
    found: list[tuple[int, int]] | None = s.memo.get(key)
    if found is None:
        units = units_of(WHO.free(s.advancing if f.unit < 0 else 1 << f.unit, s, f))
        found = s.memo[key] = [(u, h) for u in units for h in hexes_in(steps(s, step_of(s, f, u)))]
    return found


def not_so(s: State, f: AdvanceAt, _: object, pair: Sequence[int]) -> Reason | None:
    """14 what keeps a unit out of a hex."""
    u, h = pair
    facts: dict[str, Fact] = {"unit": u, "hex": h}
    return WHO.why(u, s, f, facts) or INTO.why(h, s, step_of(s, f, u), facts)


def advances(s: State, f: AdvanceAt, u: int, h: Hex) -> None:
    now = step_of(s, f, u)
    s.advancing &= ~(1 << u)
    s.stack[-1] = AdvanceAt(F_ADVANCE, u, now.gone + 1, desert_run(s, now.run, h))
    go(s, with_truck(s, u), h, "14.2.2" if s.fight.limited_advance else "14.2.1a")


def enough_of_it(s: State, f: AdvanceAt) -> None:
    """A unit ends its advance, or all have; 14.1c the stacking limit applies at the end, and trucks set down whom they
    carried."""
    if f.unit >= 0:
        s.stack[-1] = AdvanceAt(F_ADVANCE)
        return
    s.stack.pop()
    s.carried = [-1] * len(s.carried)
    there = places_of(s, alive(s, s.advanced)) & ~s.board.box_mask
    s.advancing = s.group = 0
    s.stack += [OverstackAt(F_OVERSTACK, s.active, h) for h in hexes_in(there)]


def way_shown(s: State, f: AdvanceAt, action: Action) -> Hint:
    """What an advance shows on the map."""
    _, u, h = action
    stops = term("enemy zone of control: the advance ends there (14.4b)") if halts(s, h) else ""
    gone, far = max(f.gone, 0) + 1, length(s, u)
    return hint(s, h, gone, far, stops, gone >= far)


def hint(s: State, h: Hex, cost: int, of: int, stops: str, last: bool = False) -> Hint:
    """A hex on the map, what it costs of how many, and what ends the advance there."""
    hexes = Text.many(of, "{n} hex", "{n} hexes")
    found: Hint = {"path": [s.board.grid.names[h]], "cost": str(cost), "of": hexes, "stop": last or bool(stops)}
    return {**found, "note": stops} if stops else found


class Advance(Forced[State, AdvanceAt, None]):
    """14.1 The attackers advance in turn. Frame: the unit on its way, hexes gone, desert run; or nothing."""

    at = AdvanceAt
    does = (
        Listed(
            V_ADVANCE,
            of=lambda s, f, _: options(s, f),
            reason=not_so,
            take=advances,
            hint=way_shown,
            others=lambda s, f, _: [
                (u, h)
                for u in units_of(alive(s, s.advancing | s.fight.attackers))
                for h in hexes_in(s.board.grid.within(s.fight.vacated, 2))
            ],
        ),
        Once(V_DONE, take=enough_of_it),
    )

    def prompt(self, s: State, f: AdvanceAt) -> Prompt:
        place = s.board.hex_name(s.fight.vacated)
        if s.fight.limited_advance:
            return Prompt(
                "Advance after combat?", Text("Only into {hex}", hex=place), ("14.2.2", "14.1a"), PHASES[s.phase]
            )
        if f.unit >= 0:
            title = Text("Does {unit} go on?", unit=s.board.unit_names[f.unit])
            far = length(s, f.unit)
            text = Text.many(far, "It has advanced {gone} of 1 hex", "It has advanced {gone} of {n} hexes", gone=f.gone)
            return Prompt(title, text, ("14.2.1a", "14.4b", "14.5c"), PHASES[s.phase])
        text = Text("Up to {allowance} hexes in any direction, on foot and for Matildas 2", allowance=s.allowance)
        return Prompt("Advance after combat?", text, ("14.2.1a", "14.2.1b", "14.3"), PHASES[s.phase])


# 8.9.2 Auto DS


def follow_up(s: State, f: F, h: Hex) -> None:
    """8.9.2a their markers come off, and they advance at the full rate; 8.9.2b one group may break through."""
    units = alive(s, s.claims[h]) & good_order(s)
    s.auto &= ~units
    if units:
        combat.reopen(s, h, units)
    del s.claims[h]
    if not units:
        return
    s.fight.vacated = h
    s.allowance = code_of(s).advance
    s.advancing = units
    s.stack.append(GroupAt(F_GROUP))


CLAIMED: Bars[State, F] = Bars(
    Need("8.9.2a", "nobody who cleared {hex} has still to advance", lambda s, _: sum(1 << h for h in s.claims))
)


class AutoAdvance(Forced[State, F, F]):
    """8.9.2a The marked units advance, one Auto DS after the other, when all combats are over."""

    does = (Each(V_TO, bars=CLAIMED, take=follow_up, then=(NORMAL,)),)

    def nothing(self, s: State, f: F) -> None:
        effects.begin(s, COMBAT, -1, 0)
        s.auto = 0
        s.stack.pop()

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("The units that cleared a hex by an Auto DS advance, one hex after the other")
        return Prompt("Which Auto DS is followed up next?", text, ("8.9.2a",), PHASES[s.phase])


# 17.4 The free SP


def depots(s: State) -> Mask:
    """17.4b, A39 own off-map boxes, and the hexes of own corps HQs that are in full supply now; of no use is one under
    a naval transport marker (21.1.5b)."""
    board, side = s.board, s.active
    found = board.own_boxes[side]
    for u in units_of(board.hqs & board.of_side[side] & ~of_no_use(s)):
        if s.at[u] >= 0:
            found |= 1 << s.at[u]
    return found & supply_lines.full(s, side)


DEPOTS: Bars[State, F] = Bars(
    Need("17.4b", "{hex} is neither a box of yours nor the hex of a corps HQ in full supply", lambda s, _: depots(s))
)


def put_down(s: State, f: F, place: int) -> None:
    add_sp(s, s.active, place, 1)
    emit(s, "free_sp", "17.4a", {"hex": place, "side": s.active})
    over(s)


def over(s: State) -> None:
    s.advanced = s.disengaged = 0
    s.stack.pop()


class FreeSp(Forced[State, F, F]):
    """17.4 The end of the Combat Phase: whoever has neither attacked nor marched gets a supply point."""

    does = (Each(V_FREE_SP, bars=DEPOTS, take=put_down),)

    def actor(self, s: State, f: F) -> int | None:
        return None if s.attacked_at_all or s.moved_at_all else super().actor(s, f)  # 17.4a

    def run(self, s: State, f: F) -> None:
        if s.attacked_at_all or s.moved_at_all:
            over(s)
        else:
            super().run(s, f)

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("In an off-map box, or with a corps HQ in full supply")
        return Prompt("Where does the free supply point go?", text, ("17.4a", "17.4b"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_ADVANCE: Advance(), F_AUTO_ADVANCE: AutoAdvance(), F_FREE_SP: FreeSp()}
