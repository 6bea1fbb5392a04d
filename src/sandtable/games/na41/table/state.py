"""What lies on the table.

Sets of places (hexes and off-map boxes) are masks; sets of units are unit masks (int, one bit a unit). What
changes about a unit is changed through the functions of position.py alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Event, Outcome
from sandtable.engine.flat import (
    Field,
    Flat,
    cache,
    derived,
    given,
    hexes,
    number,
    record,
    records,
    row,
    table,
    units,
)
from sandtable.engine.hexes import Mask

from .board import Board
from .ids import AXIS, COMBAT, UNUSED

EDITION = 2
"""The version of these rules. Where it rules otherwise than an earlier one did, the rule asks `State.edition`."""

PAIR = "pair"
BOTH = "both"


def pair(comment: str) -> Any:
    """One number for each side."""
    return Field(PAIR, lambda _: [0, 0], "{}[:]", comment)


def both(comment: str, begins: Callable[[Any], Any] = lambda _: [0, 0], copied: str = "{}[:]") -> Any:
    """For each side a set of places, or supply points by place: views show each in a way of its own."""
    return Field(BOTH, begins, copied, comment)


def points(comment: str) -> Any:
    """17.2 for each side: place -> how many supply points."""
    return both(comment, lambda _: [{}, {}], "[{0}[0].copy(), {0}[1].copy()]")


class Fight(Flat):
    """8.3 one fight: who against whom, what was declared, what came of it.

    It stands in `State.fight`; while a breakthrough combat is fought (15), the one that led to it waits.
    """

    kind: int = number("COMBAT, AUTO_DS or BREAKTHROUGH", COMBAT)
    target: int = number("the defenders' hex", -1)
    attackers: int = units("who attacks")
    defenders: int = units("who stood in the hex, non-combat units among them")
    odds_att: int = number("8.3a the strength that counts")
    odds_def: int = number("the same of the defence")
    base_column: int = number("8.3a before shifts, as a rung")
    column: int = number("8.8.4b after them")
    die: int = number("8.3d of the attack, then 11.2.1g of a determined defence")
    result: int = number("10.1 a cell of the table, see results.py", -1)
    lead: int = number("11.2.3 who leads the determined defence", -1)
    held: int = number("11.4 it holds")
    dd_support: int = number("11.3 how many shifts support it")
    air_att: int = number("18.7.4 asset + 1 used by the attacker")
    air_def: int = number("the same by the defender")
    guns_att: int = units("9.4 ASUs that gave the attacker a shift")
    guns_def: int = units("the same for the defender")
    origin: int = number("12.1.1 the hex that is being left", -1)
    vacated: int = number("14.1a the hex that the fight has emptied", -1)
    limited_advance: int = number("14.2.2 into the emptied hex alone")
    supplied: int = number("8.5 this attack has attack supply: see support.py")


class State(Flat):
    """One game in progress. Flat: copying takes microseconds."""

    board: Board = given("map, counters and charts", lambda board: board)
    scenario: str = given("its id")
    flags: int = number("27 options of the game, see scenarios.py")
    edition: int = number("by the rulings of which version it is played: 1 in games begun before the second", EDITION)
    # the engine's part
    stack: list[Any] = row(lambda _: [], "the sequence of play")
    actor: int = number("who decides")
    events: list[Event] = cache("what the last action brought", lambda _: [], "[]")
    choices: list[Action] | None = cache("the legal actions, if somebody has asked")
    ended: Outcome | None = given("how the game has ended")
    # counters
    at: list[int] = row(lambda b: [UNUSED] * len(b.units), "unit -> place, or a box of ids.py")
    step: bytearray = row(lambda b: bytearray(len(b.units)), "unit -> FULL, REDUCED or REMNANT")
    here: dict[int, int] = derived(lambda _: {}, "place -> unit mask; empty places are not in it", "{}.copy()")
    present: int = derived(lambda _: 0, "all units on the map and in the off-map boxes, of both sides", "{}")
    occ: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with any of its units")
    men: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with a combat unit of it")
    zocs: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with a combat unit that has a ZOC (7.1, 13.3.2b)")
    zones: list[Mask] = cache("side -> hexes in its ZOC, -1 when not worked out", lambda _: [-1, -1], "{}[:]")
    memo: dict[Any, Any] = cache(
        "what a chapter has worked out for this very position (see `touch`)", lambda _: {}, "{{}}"
    )
    disrupted: int = units("13.2 Disrupted")
    routed: int = units("13.3 in Full Retreat")
    oos: int = units("16.1c out of supply markers, either side")
    isolated: int = units("of them: turned to the red side")
    depleted: int = units("17.1 ASUs on their depleted side")
    shipped: int = units("5.9.1g, 18.7.6b, 21.1.5 under a transport marker")
    refreshed: int = units("19.5 under a replacement marker")
    msu: int = units("17.2.4 trucks on their MSU side")
    heavy: int = units("19.2.5b tank replacements on their heavy side")
    flown: int = units("18.7.6b under the air transport marker: they are in `shipped` too")
    railed: int = units("5.9.1g under the rail marker: they are in `shipped` too")
    restored: int = units("19.3.2a units that took a replacement in this Initial Phase")
    due: list[int] = row(lambda b: [0] * len(b.units), "turn of arrival or return")
    sp: list[dict[int, int]] = points("17.2 supply points: by side, place -> how many")
    sp_held: list[dict[int, int]] = points("how many of them are under a transport marker")
    # places
    control: Mask = hexes("16.3.5 the places that the Axis controls; all other controllable ones are Allied")
    control_before: Mask = hexes("21.1.4a the same at the start of the Movement Phase")
    port_level: list[int] = row(lambda b: [0] * len(b.port_ids), "21.3 box of each port's track")
    forts: list[Mask] = both("9.5 completed fortifications")
    building: list[Mask] = both("9.5.3 under construction")
    repaired: Mask = hexes("21.4.4c, 21.4.4d ports repaired in this impulse, by place")
    strafing: list[Mask] = both("18.7.5 by the side that placed them")
    lrdg: Mask = both("18.8 where the LRDG lurks", lambda _: 0, "{}")
    delay_axis: list[int] = row(lambda _: [-1] * 6, "24 place of each numbered marker, -1 in the display")
    delay_allied: list[int] = row(lambda _: [-1] * 6, "the same for the Allies")
    released: Mask = hexes("S2.2 places that an Axis unit has entered, for the release of reserves")
    displaced: Mask = hexes("13.3.2e hexes whose Full Retreat units have to go")
    # the turn
    turn: int = number("3.1 the game turn")
    impulse: int = number("3.1g of the turn", 1)
    phase: int = number("index in ids.PHASES")
    active: int = number("whose player turn it is", AXIS)
    malta: int = number("22.3.2 the modifier")
    vp: int = number("S2.3 victory points")
    rp: list[int] = pair("23.1b resource points")
    rp_debt: list[int] = pair("21.4.3c the next RP is lost")
    assets: list[int] = row(lambda _: [0] * 10, "by ids.ASSETS; strafing is [3] for the Axis and [9] for the Allies")
    rommel: int = number("18.5 ready", 1)
    comando: int = number("8.4.1 in effect in this impulse")
    # the movement phase
    moved: int = units("units whose move is finished")
    extended: int = units("A14 units that used extended movement or the road bonus: no attack")
    auto: int = units("8.9.1d Auto DS markers")
    claims: dict[int, int] = table("8.9.2 hex cleared by an Auto DS -> marked units that may still advance")
    moved_at_all: int = number("17.4a a unit used normal land movement or special transfer")
    attacked_at_all: int = number("17.4a a unit attacked")
    rail_used: int = number("5.9.1b the railway has been used")
    convoys_used: int = number("21.1.2b shipping points of coastal convoys sailed in this phase")
    sp_moved: list[int] = row(lambda _: [], "5.8.1e the place of each loose SP that was moved in this phase")
    group: int = units("the stack on the move; also the breakthrough group (15.2.2)")
    loads: int = units("of the stack: units carried by trucks of the stack")
    carried: list[int] = row(
        lambda b: [-1] * len(b.units), "unit -> truck that carries it in this move, retreat or advance"
    )
    spent: int = number("sixths of MPs that the stack has spent; -1 before its first step")
    run: int = number("5.5b consecutive desert hexes entered")
    mode: int = number("5 how the stack moves, -1 when not settled", -1)
    stack_rommel: int = number("18.5a he leads the stack")
    start: int = number("where the stack began", -1)
    # convoys
    convoy: int = units("units in the convoy")
    convoy_from: int = number("its port", -1)
    convoy_to: int = number("where it goes", -1)
    convoy_sp: int = number("SPs in it")
    embarked: list[int] = row(lambda b: [0] * len(b.port_ids), "21.3.2a shipping points by port in this player turn")
    landed: list[int] = row(lambda b: [0] * len(b.port_ids), "the same for what was landed")
    # combat: one fight at a time; an outer one waits while a breakthrough combat is fought
    fight: Fight = record("the fight in hand", lambda _: Fight())
    waiting: list[Fight] = records("15.2 the fight that led to the advance, while the group fights")
    fought_from: Mask = hexes("8.5.3b where the attackers stood when the normal combat began")
    supplies: list[tuple[int, int, int]] = row(
        lambda _: [], "8.5.1c sources spent this phase: place, range, nation or -1"
    )
    losses: list[int] = pair("10.2 steps lost in this fight: attacker, defender")
    attacked: int = units("8.1c units that attacked in this phase")
    defended: int = units("8.1c units that were attacked in it")
    retreated: int = units("12.1.3e, 12.5.1b units that retreated in this phase")
    sheltered: int = units("12.3 of them, those that retreated into a hex which friends held")
    crowd: int = units("15.3b defenders that their owner leaves out of this breakthrough combat: too many in the hex")
    retreating: int = units("12.1 who still has to leave the hex")
    garrisons: list[tuple[int, int]] = row(lambda _: [], "A26 port, unit: it lived by it when it was attacked")
    allowance: int = number("14.2 hexes of advance")
    advancing: int = units("units that may still advance")
    advanced: int = units("27.3.1a units that advanced in this Combat Phase")
    disengaged: int = units("27.5.3b units that rolled to disengage in this Combat Phase")
    sandy: int = units("5.5b units whose last hex entered in this Movement or Combat Phase is desert")
    parched: int = units("5.5b of them, those whose last two are")
    # the supply phase
    fed: int = units("16.2d units chosen for port supply")
