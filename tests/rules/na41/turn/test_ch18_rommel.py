"""18.5 Rommel and movement. What he does to the dice is in the tests of combat and determined defense."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.ways import reach_of
from sandtable.games.na41.table.ids import EXTENDED, NORMAL
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import hexes_in

from ..kit import at, do, empty, names, of_kind, place, supplies, texts, units
from ..marchkit import phase, refusal, verbs

rule = pytest.mark.rule


def farthest(s: State) -> tuple[float, float]:
    """The most MPs that the stack on the move can spend: normal, extended."""
    r = reach_of(s)
    most = [max(r.way(h, mode)[0] for h in hexes_in(r.masks[mode])) / 6 for mode in (NORMAL, EXTENDED)]
    return most[0], most[1]


@rule("na41", "18.5a")
def test_rommel_adds_two_mps_to_a_mechanised_german_stack() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_115"], "2056")
    phase(s)
    do(s, "move GE_I5_5L", "join GE_115")
    assert farthest(s) == (5, 8)
    assert "to 2049 normal" not in texts(s)
    do(s, "rommel")
    assert farthest(s) == (7, 10)
    do(s, "to 2049 normal")
    assert at(s, "GE_115") == "2049"


@rule("na41", "18.5a")
@pytest.mark.parametrize("unit", ["IT_VII", "GE_155"])
def test_not_italians_and_nobody_on_foot(unit: str) -> None:
    s = empty()
    place(s, unit, "2044")
    phase(s)
    do(s, f"move {unit}")
    assert refusal(s, "rommel") == "18.5a"


@rule("na41", "18.5a")
def test_not_a_stack_with_an_italian_in_it() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "IT_VII"], "2044")
    phase(s)
    do(s, "move GE_I5_5L", "join IT_VII")
    assert refusal(s, "rommel") == "18.5a"


@rule("na41", "18.5a", "18.5d")
def test_once_a_game_turn() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_115"], "2044")
    phase(s)
    events = do(s, "move GE_I5_5L", "rommel")
    assert of_kind(events, "rommel")[0].rule == "18.5a"
    assert not s.rommel
    do(s, "to 2050 normal", "move GE_115")
    assert refusal(s, "rommel") == "18.5d"


@rule("na41", "18.5a")
def test_he_is_not_on_the_allied_side() -> None:
    s = empty("allied")
    place(s, "BR_3H", "2044")
    phase(s)
    do(s, "move BR_3H")
    assert refusal(s, "rommel") == "18.5a"


@rule("na41", "18.5b")
def test_the_stack_stays_with_him_but_may_be_dropped_off() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "2044")
    place(s, "IT_VII", "2044")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "rommel")
    assert refusal(s, "join IT_VII") == "18.5c"
    do(s, "to 2050 normal", "leave GE_I5_5L")
    assert "to 2052 normal" in texts(s)  # 8 of 6 + 2
    do(s, "to 2052 normal")
    assert (at(s, "GE_I5_5L"), at(s, "GE_AA3_5L")) == ("2050", "2052")
    assert s.stack_rommel == 0


@rule("na41", "18.5b")
def test_he_joins_before_the_stack_sets_out() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "2044")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "to 2046 normal")
    assert refusal(s, "rommel") == "18.5b"


@rule("na41", "18.5c")
def test_trucks_msus_and_replacements_go_with_him() -> None:
    s = empty()
    place(s, ["AX_TR1", "AX_TR2", "GE_RT1", "GE_155"], "2044")
    supplies(s, "axis", "2044", 1)
    phase(s)
    do(s, "move GE_RT1", "join AX_TR1", "join AX_TR2", "load GE_155", "load-sp", "rommel")
    assert "to 2050 normal" in texts(s)  # 4 + 2
    do(s, "to 2050 normal")
    assert names(s.group) == {"GE_RT1", "AX_TR1", "AX_TR2"}
    assert at(s, "GE_155") == "2050"


@rule("na41", "18.5c")
@pytest.mark.parametrize("mark", ["refreshed", "disrupted", "oos"])
def test_not_units_under_markers(mark: str) -> None:
    s = empty()
    place(s, "GE_I5_5L", "2044")
    setattr(s, mark, units("GE_I5_5L"))
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "rommel") == "18.5c"


@rule("na41", "18.5c")
def test_not_in_tactical_movement() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2044")
    phase(s)
    do(s, "move GE_I5_5L")
    assert "to 2045 tactical" in texts(s)
    do(s, "rommel")
    assert {text.split()[2] for text in texts(s) if text.startswith("to ")} == {"normal", "extended"}
    assert refusal(s, "to 2045 tactical") == "18.5c"


@rule("na41", "18.5e")
def test_he_is_no_unit() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2044")
    phase(s)
    before = dict(s.here)
    do(s, "move GE_I5_5L", "rommel")
    assert s.here == before
    assert not [unit for unit in s.board.units if "ROM" in unit]
    assert "halt" in verbs(s)


@rule("na41", "18.5a", "18.5c")
def test_his_stack_picks_nobody_up_on_the_way_who_may_not_follow_him() -> None:
    s = empty()
    place(s, "AX_TR1", "2044")
    place(s, ["IT_27", "GE_155", "GE_115"], "2046")
    s.oos = units("GE_115")
    phase(s)
    do(s, "move AX_TR1", "rommel", "to 2046 normal")
    assert {text for text in texts(s) if text.startswith("load ")} == {"load GE_155"}
    assert refusal(s, "load IT_27") == refusal(s, "load GE_115") == "18.5c"
