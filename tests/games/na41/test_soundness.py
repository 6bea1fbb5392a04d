"""Every promise of `soundness` can be broken: each is broken here by hand, and found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.engine.contract import Event
from sandtable.games.na41.game import GAME
from sandtable.games.na41.table.ids import (
    ALLIED,
    ASIDE,
    AT_SEA,
    AXIS,
    ELIMINATED,
    F_AST,
    F_CAPTURE,
    F_COMBAT,
    F_FREE_SP,
    F_MOVES,
    PHASES,
    REMOVED,
    RESERVE,
    UNUSED,
)
from sandtable.games.na41.table.position import add_sp, lose_step, put, recount
from sandtable.games.na41.table.state import State
from tests.rules.na41.kit import H, U, board, empty, new, place, units

STACK = ["IT_19", "IT_20", "IT_27"]  # six stacking points


def marsh() -> str:
    """A marsh hex without a road."""
    return board.grid.names[board.bog.bit_length() - 1]


def sea() -> int:
    return (board.grid.all & ~board.land).bit_length() - 1


def sail_nowhere(s: State) -> None:
    put(s, U("BR_1R"), AT_SEA)


def overfull(phase: str, *frames: tuple[int, ...]) -> Callable[[State], None]:
    def wreck(s: State) -> None:
        place(s, STACK, "2240")
        s.phase = PHASES.index(phase)
        s.stack = [GAME.framed(frame) for frame in frames]

    return wreck


def set_to(name: str, value: object) -> Callable[[State], None]:
    return lambda s: setattr(s, name, value)


def put_at(unit: str, h: int) -> Callable[[State], None]:
    return lambda s: put(s, U(unit), h)


def enemy_supplies(s: State) -> None:
    place(s, "GE_I5_5L", "2240")
    add_sp(s, ALLIED, H("2240"), 1)


def uncontrolled(s: State) -> None:
    put(s, U("GE_I5_5L"), H("3138"))


def taken_fort(s: State) -> None:
    place(s, "GE_I5_5L", "2240")
    s.forts[ALLIED] |= 1 << H("2240")


def crowded_port(s: State) -> None:
    s.stack = [GAME.framed((F_MOVES, 1))]
    s.embarked[board.port_ids.index("tobruk")] = 5


def overfed(s: State) -> None:
    s.phase = PHASES.index("supply")
    s.control = board.controllable & ~board.city
    s.port_level = [len(track) - 1 for track in board.port_track]
    s.fed = units("GE_I5_5L")


def stale(name: str) -> Callable[[State], None]:
    def wreck(s: State) -> None:
        place(s, "GE_I5_5L", "2240")
        getattr(s, name)[AXIS] = 0

    return wreck


def both_sides(s: State) -> None:
    place(s, "GE_I5_5L", "2240")
    place(s, "BR_1R", "2240")


def two_delays(s: State) -> None:
    s.delay_axis[0] = s.delay_axis[1] = H("2240")


def two_states(s: State) -> None:
    place(s, "GE_I5_5L", "2240", disrupted=True, routed=True)


def negative_supplies(s: State) -> None:
    s.sp[AXIS][H("2240")] = 0


def held_supplies(s: State) -> None:
    s.sp_held[AXIS][H("2240")] = 1


def far_supplies(s: State) -> None:
    s.sp[AXIS][H("nile_delta")] = 1


WRECKS: list[tuple[Callable[[State], None], str]] = [
    (lambda s: place(s, "BR_1R", board.grid.names[sea()]), "which nobody may enter"),
    (put_at("BR_1R", board.italy), "off-map box of the enemy"),
    (put_at("BR_1R", -99), "is nowhere"),
    (set_to("msu", units("AX_TR1")), "out of play but marked"),
    (lambda s: s.step.__setitem__(U("GE_AA3_5L"), 1), "has not got"),
    (lambda s: s.here.__setitem__(H("2240"), 1), "units and places disagree"),
    (two_states, "in two states at once"),
    (set_to("disrupted", units("AX_TR1")), "non-combat unit is not in Good Order"),
    (stale("occ"), "the hexes of the axis side are stale"),
    (stale("men"), "the combat units of the axis side are stale"),
    (stale("zocs"), "the ZOC of the axis side is stale"),
    (both_sides, "units of both sides"),
    (sail_nowhere, "at sea without a convoy"),
    (put_at("GE_RI1", ELIMINATED), "a replacement, is in the box"),
    (put_at("AX_CT1", ELIMINATED), "a captured truck, is in the box"),
    (put_at("GE_REM_MOT1", H("2240")), "a remnant's parent"),
    (set_to("heavy", units("GE_RI1")), "a side of another kind"),
    (set_to("railed", units("BR_1R")), "without a marker"),
    (lambda s: place(s, "GE_I5_5L", marsh()), "stands in the marsh"),
    (uncontrolled, "does not control it"),
    (enemy_supplies, "lie under enemies"),
    (negative_supplies, "supply points below one"),
    (held_supplies, "are held than there are"),
    (far_supplies, "in a box of the enemy"),
    (lambda s: s.forts.__setitem__(AXIS, (1 << 15) - 1), "too many fortifications"),
    (taken_fort, "in enemy hands"),
    (lambda s: s.forts.__setitem__(slice(None), [1, 1]), "fortifications of both sides"),
    (set_to("control", board.box_mask), "controlled that cannot be"),
    (overfull("combat", (F_COMBAT, 1)), "overstacked in 2240"),
    (overfull("combat", (F_FREE_SP,)), "overstacked in 2240"),
    (lambda s: s.port_level.__setitem__(0, 9), "is at box 9"),
    (crowded_port, "the port of tobruk has handled more than its capacity"),
    (lambda s: s.landed.__setitem__(0, -1), "less than nothing"),
    (set_to("convoys_used", 6), "third coastal convoy"),
    (overfed, "feed 1 units"),
    (lambda s: s.rp.__setitem__(AXIS, 5), "has 5 resource points"),
    (two_delays, "lie where they cannot"),
    (lambda s: s.assets.__setitem__(0, 2), "too many markers of air_support_german"),
    (lambda s: s.assets.__setitem__(3, 3), "too many markers of strafing"),
    (lambda s: s.assets.__setitem__(9, 3), "too many markers of strafing"),
    (lambda s: s.assets.__setitem__(1, -1), "fewer markers than none"),
    (set_to("malta", 9), "in no box"),
]


@pytest.mark.parametrize(("wreck", "words"), WRECKS, ids=[words for _, words in WRECKS])
def test_what_must_hold_can_be_broken(wreck: Callable[[State], None], words: str) -> None:
    s = empty("axis", "movement")
    assert GAME.invariants(s) == []
    wreck(s)
    assert any(words in fault for fault in GAME.invariants(s)), GAME.invariants(s)


def test_no_more_remnants_than_counters() -> None:
    s = empty()
    brigades = ["AU_18", "AU_20", "AU_24", "AU_26", "NZ_4", "NZ_5", "NZ_6", "PO_CAR"]
    for number, name in enumerate(brigades):
        place(s, name, f"22{40 + number}", "remnant")
    assert not any("remnants" in fault for fault in GAME.invariants(s))
    put(s, U("IN_5"), RESERVE)
    s.step[U("IN_5")] = 2
    assert any("more remnants of AL_REM_INF" in fault for fault in GAME.invariants(s))


def test_a_brigade_may_be_motorised_in_a_marsh() -> None:
    s = empty()
    place(s, "BR_22GM", marsh())
    assert GAME.invariants(s) == []


def test_the_limit_may_be_exceeded_while_fights_go_on() -> None:
    s = empty("axis", "combat")
    place(s, STACK, "2240")
    s.stack = [GAME.framed((F_COMBAT, 1))]
    s.attacked = units("IT_19")
    assert GAME.invariants(s) == []
    s.phase, s.active = PHASES.index("recovery"), ALLIED
    assert GAME.invariants(s) == []


def test_who_has_retreated_may_be_too_many_when_the_fights_are_over() -> None:
    s = empty("axis", "combat")
    place(s, STACK, "2240")
    s.stack = [GAME.framed((F_FREE_SP,))]
    s.retreated = units(STACK[0])
    assert GAME.invariants(s) == []


def test_every_scenario_is_sound_at_the_start() -> None:
    for scenario in ("s1_enter_rommel", "s2_campaign", "s3_crusader"):
        assert GAME.invariants(new(scenario)) == []


# From one moment to the next


def told(kind: str, **data: object) -> Event:
    return Event(kind, "", dict(data), -1, None, False, False)


def before() -> State:
    s = empty("axis", "movement")
    place(s, ["GE_I5_5L", "AX_TR1"], "2240")
    for name, box in (("GE_I8", REMOVED), ("IT_VII", ELIMINATED), ("AX_CT1", ASIDE)):
        put(s, U(name), box)
    add_sp(s, AXIS, H("2240"), 2)
    s.rp = [3, 3]
    return s


def lose(s: State) -> None:
    lose_step(s, U("GE_I5_5L"), "10.3a")


LEAKS: list[tuple[Callable[[State], None], list[Event], list[Event], str]] = [
    (put_at("GE_I5_5L", ELIMINATED), [], [told("eliminated", unit=U("GE_I5_5L"))], "nothing told of it"),
    (put_at("IT_VII", H("2240")), [], [told("returned", unit=U("IT_VII"))], "nothing told of it"),
    (lose, [], [told("step_lost", unit=U("GE_I5_5L"))], "nothing told of it"),
    (put_at("IT_VII", UNUSED), [told("moved", unit=U("IT_VII"))], [], "IT_VII went from"),
    (put_at("GE_I8", H("2240")), [told("arrived", unit=U("GE_I8"))], [], "GE_I8 went from"),
    (
        put_at("IT_VII", REMOVED),
        [told("eliminated", unit=U("IT_VII"))],
        [told("removed", unit=U("IT_VII"))],
        "no rule said so",
    ),
    (
        lambda s: add_sp(s, AXIS, H("2240"), -1),
        [],
        [told("sp_destroyed", side=AXIS, count=1)],
        "changed by -1, and the events say 0",
    ),
    (
        lambda s: add_sp(s, ALLIED, H("3138"), 2),
        [],
        [told("sp_received", side=ALLIED, count=2)],
        "changed by 2, and the events say 0",
    ),
    (lambda s: None, [told("free_sp", side=AXIS)], [], "changed by 0, and the events say 1"),
    (lambda s: None, [told("ready", side=AXIS, unit=U("GE_DAK"))], [], "changed by 0, and the events say -1"),
    (set_to("msu", units("AX_TR1")), [], [told("free_sp", side=AXIS)], "supply points of the axis side changed by 1"),
    (
        lambda s: s.rp.__setitem__(AXIS, 1),
        [told("bought", side=AXIS, cost=1)],
        [told("bought", side=AXIS, cost=1), told("rp_lost", side=AXIS)],
        "resource points of the axis side changed by -2",
    ),
]


@pytest.mark.parametrize(("wreck", "silent", "said", "words"), LEAKS)
def test_what_comes_and_goes_is_told(
    wreck: Callable[[State], None], silent: list[Event], said: list[Event], words: str
) -> None:
    one = before()
    two = one.copy()
    assert GAME.leaks(one, two, []) == []
    wreck(two)
    assert any(words in leak for leak in GAME.leaks(one, two, silent)), GAME.leaks(one, two, silent)
    if said:
        assert GAME.leaks(one, two, said) == []


def test_supply_points_at_sea_and_on_lost_trucks_are_counted() -> None:
    one = before()
    two = one.copy()
    add_sp(two, AXIS, H("2240"), -2)
    two.convoy_sp = 2
    assert GAME.leaks(one, two, [])  # they have not sailed
    two.stack = [GAME.framed((F_AST, 0))]
    assert GAME.leaks(one, two, []) == []
    assert any("allied" in leak for leak in GAME.leaks(one, _lying(one), []))


def _lying(one: State) -> State:
    s = one.copy()
    s.stack = [GAME.framed((F_CAPTURE, H("2240"), 1))]
    recount(s, H("2240"))
    return s
