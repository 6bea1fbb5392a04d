"""A game in progress: every field once, with its kind, its first value and what it means."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Event, Outcome
from sandtable.engine.flat import Flat, cache, derived, given, hexes, number, record, row, table, units
from sandtable.engine.hexes import Mask
from sandtable.mechanics.orders import Order

from .board import Board
from .ground import Ground
from .ids import GROUND_OF, UNUSED

EDITION = 6
"""The version of these rules. Where it rules otherwise than the one before did, the rule asks `State.edition`."""


def _both(_: Board) -> list[int]:
    return [0, 0]


class State(Flat):
    """One game in progress. Flat: copying takes microseconds."""

    apart = frozenset({"board"})

    # the table
    board: Board = given("map, counters and charts", lambda b: b)
    scenario: str = given("which scenario is played", lambda _: "")
    stack: list[tuple[Any, ...]] = row(lambda _: [], "the sequence of play (engine/frames.py)")
    actor: int = given("who decides", lambda _: 0)
    events: list[Event] = cache("what the last action has brought", lambda _: [], "[]")
    choices: list[Action] | None = cache("the legal actions, if somebody has asked")
    ended: Outcome | None = given("how the game has ended")
    # counters
    at: list[int] = row(lambda b: [UNUSED] * b.count, "unit -> hex, or a box of ids.py")
    step: bytearray = row(lambda b: bytearray(b.count), "unit -> FULL or REDUCED")
    here: dict[int, int] = derived(lambda _: {}, "hex -> its units; empty hexes are not in it", "{}.copy()")
    occ: list[Mask] = derived(_both, "side -> hexes with ground units of it (leaders do not count)")
    fighting: list[Mask] = derived(_both, "side -> hexes with combat units of it (2.24)")
    foot_zoc: list[Mask] = derived(_both, "side -> hexes with non-motorized combat units of it (3.21)")
    motor_zoc: list[Mask] = derived(_both, "side -> hexes with motorized combat units of it")
    on_map: list[int] = derived(_both, "side -> its units that stand in hexes, leaders too")
    control: Mask = hexes("3.12 the hexes that the Axis controls; all others are Allied")
    # markers
    disrupted: int = units("3.91")
    emergency: int = units("5.12a Emergency Supply")
    oos: int = units("5.12b Out of Supply")
    fired: int = units("8.41g artillery on its Fired side")
    spent: int = units("12.22b HQs that have spent their Command Points")
    fire_net: int = units("12.31 HQs on their Fire Net side")
    # works
    strongpoints: list[Mask] = row(_both, "11.1 side -> its strongpoints")
    building: list[Mask] = row(_both, "11.23a side -> strongpoints under construction")
    builder: dict[int, int] = table("11.23b hex -> the unit that builds there")
    mines: list[Mask] = row(_both, "11.42a side -> its minefields, Untried ones too")
    untried: Mask = hexes("11.45c Allied minefields whose value nobody knows")
    double: Mask = hexes("11.45f Allied minefields revealed as +2")
    hidden: list[int] = row(lambda b: list(b.charts.minefield_mix), "11.45b markers by value not yet revealed")
    strong_left: list[int] = row(_both, "11.15c side -> strongpoint counters at hand")
    mines_left: list[int] = row(_both, "11.42b side -> minefields that may still be laid")
    laid: list[int] = row(_both, "11.41c side -> minefields laid in this Engineer Phase")
    # the turn
    turn: int = number("")
    phase: int = number("index in ids.PHASES")
    active: int = number("whose phase it is")
    weather: int = number("3.71b")
    tigers_bound: int = number("13.22a it has rained")
    command_free: int = number("16.3 divided command has ended early")
    patton_felt: int = number("12.43b US units have their ER raised")
    flags: int = number("options of the game, see scenarios.py")
    edition: int = number("by the rulings of which version it is played: that in which it was begun", EDITION)
    # reinforcements, exit
    due: list[int] = row(lambda b: [0] * b.count, "14.11 unit -> turn of arrival of those to come")
    gate: list[int] = row(lambda b: [-1] * b.count, "14.21 unit -> index of its entry letter")
    group: list[int] = row(lambda b: [-1] * b.count, "unit -> its group in the script")
    column: dict[int, int] = table("14.22 group -> stacking points that have entered in this phase")
    arrived: int = units("5.37 units that entered in this turn")
    exited_by: list[Mask] = row(_both, "side -> hexes by which its units have left the map (5.35, 14.28)")
    left_at: dict[int, int] = table("14.36 exited unit that scores -> the hex by which it left")
    lost: list[int] = row(lambda b: [0] * 5, "nation -> steps eliminated")
    captured: int = units("12.41ba leaders taken")
    penalty: int = number("15.23d points that the Axis has lost")
    # the movement phases
    moved: int = units("units whose move in this phase is finished")
    converted: int = units("12.34a HQs converted in this turn")
    stack_units: int = units("6.61 the stack that moves together")
    stack_spent: int = number("half points that it has spent; -1 before its first step", -1)
    stack_passing: int = number("6.16 it stands where it may not end its move of its own will")
    rommel_overran: int = number("12.42a the shift has been used in this phase")
    # declared combat and reaction
    aims: dict[int, int] = table("7.12b defending hex -> the units declared against it")
    attacked: int = units("8.11 units that have attacked, or gave up a declared attack, in this phase")
    tried: int = units("7.26, 7.32 units that attempted to avoid combat or to react in this phase")
    reacted: int = units("7.32 those of them that tried to react")
    avoided: Mask = hexes("7.21 defending hexes that have tried to avoid combat")
    stood: Mask = hexes("7.41 defending hexes that have tried for No Retreat")
    no_retreat: Mask = hexes("7.42 No Retreat markers")
    orders: list[Order] = row(lambda _: [], "7.0 standing orders of both sides for reactions; each side knows its own")
    refugees: dict[int, int] = table("8.84 defending hex -> units that retreated into it")
    rommel_fought: int = number("12.42b the shift has been used in this phase")
    harmon_fought: int = number("12.43a the shift has been used in this phase")
    # the air
    flown_now: list[int] = row(_both, "10.18 side -> air units that flew missions in this turn")
    bombed: Mask = hexes("10.51b hexes that were targets in this turn")
    # what is at hand
    fight: Any = record("the combat or overrun being resolved (combat/fight.py)")
    # caches
    zones: list[Mask] = cache("side -> hexes in its ZOC, -1 when not worked out", lambda b: [-1, -1], "{}[:]")
    lines: list[tuple[Any, Mask]] = cache(
        "side -> what its supply hangs on, and the hexes in supply", lambda b: [((), 0), ((), 0)], "{}[:]"
    )
    lasting: tuple[Any, dict[Any, Any]] = cache(
        "what holds while a side moves: by what it hangs on", lambda b: ((), {})
    )
    waiting: dict[Any, Any] = cache("who comes on in a phase, and how: laid aside when somebody has", lambda b: {})
    memo: dict[Any, Any] = cache("what a chapter has worked out for this very position", lambda b: {}, "{{}}")

    @property
    def ground(self) -> Ground:
        """6.41 the map in this weather."""
        return self.board.grounds[GROUND_OF[self.weather]]
