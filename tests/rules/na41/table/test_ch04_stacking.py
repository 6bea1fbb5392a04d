"""Chapter 4: stacking."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects
from sandtable.games.na41.table.ids import (
    ALLIED,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_COMBAT,
    F_MOVES,
    F_OVERSTACK,
    F_PORTS,
    F_RECOVERY,
)
from sandtable.games.na41.table.stacking import excess, fits, overstacked, points
from sandtable.games.na41.table.verbs import V_END_MOVES

from ..kit import GAME, H, at, board, do, empty, mask, names, of_kind, place, start, supplies, texts, units
from ..marchkit import phase, refusal
from ..phasekit import END, over

rule = pytest.mark.rule


@rule("na41", "4.1a", "4.2a")
def test_five_stacking_points_are_the_limit_for_either_side() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_GGFF"], "2050")  # 2 + 2 + 1
    place(s, ["BR_22G", "BR_16", "BR_KDG"], "2055")
    assert points(s, units("IT_27", "IT_28", "IT_GGFF")) == 5
    assert excess(s, H("2050"), AXIS) == excess(s, H("2055"), ALLIED) == 0
    assert not fits(s, H("2050"), units("IT_FAB"))
    place(s, "IT_FAB", "2050")
    place(s, "BR_11H", "2055")
    assert (excess(s, H("2050"), AXIS), excess(s, H("2055"), ALLIED)) == (1, 1)
    assert overstacked(s, AXIS) == H("2050")
    assert overstacked(s, ALLIED) == H("2055")


@rule("na41", "4.1b", "2.3.1c")
def test_markers_never_count() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_GGFF"], "2050", disrupted=True, oos=True)
    s.forts[AXIS] = s.strafing[AXIS] = s.lrdg = mask("2050")
    s.delay_axis[2] = H("2050")
    assert excess(s, H("2050"), AXIS) == 0
    start(s, (F_MOVES, 1), (F_OVERSTACK, AXIS))
    assert texts(s)[-1] == "end-moves"  # nobody has to be dropped


@rule("na41", "4.2a", "10.4.1a")
def test_a_remnant_has_the_value_of_its_own_counter() -> None:
    s = empty()
    place(s, "BR_22G", "2050")
    place(s, "BR_16", "2050", "reduced")
    place(s, "BR_14", "2050", "remnant")
    assert points(s, units("BR_22G", "BR_16", "BR_14")) == 5


@rule("na41", "4.2b", "4.2c")
def test_any_number_of_zero_value_units() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_GGFF"], "2050")
    more = ["GE_DAK", "IT_X", "IT_5A", "AX_TR1", "AX_TR2", "GE_RI1", "GE_RT1"]
    place(s, more, "2050")
    supplies(s, "axis", "2050", 9)
    assert excess(s, H("2050"), AXIS) == 0
    assert points(s, units(*more)) == 0
    free = board.asus | board.trucks | board.replacements
    assert all(points(s, 1 << u) == 0 for u in range(len(board.units)) if free >> u & 1)


@rule("na41", "4.3a", "2.3.3f")
@pytest.mark.parametrize("unit", ["GE_I5_5L", "GE_FL33"])
def test_one_silhouette_is_free(unit: str) -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_GGFF", unit], "2050")
    assert excess(s, H("2050"), AXIS) == 0
    assert points(s, units(unit)) == 0


@rule("na41", "4.3b")
def test_every_further_silhouette_counts_one() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "GE_I5_5L", "GE_FL33"], "2050")
    assert points(s, units("IT_27", "IT_28", "GE_I5_5L", "GE_FL33")) == 5
    place(s, "GE_II5_5L", "2050")
    assert excess(s, H("2050"), AXIS) == 1


@rule("na41", "4.3a", "4.3b")
def test_ex_4_3() -> None:
    s = empty()
    stack = ["GE_I5_5L", "GE_II5_5L", "GE_104_15", "GE_115"]  # 0 + 1 + 2 + 2
    place(s, stack, "2050")
    assert points(s, units(*stack)) == 5
    assert excess(s, H("2050"), AXIS) == 0


@rule("na41", "4.4.1a")
def test_the_limit_may_be_exceeded_while_units_move() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28"], "2050")
    place(s, ["IT_39", "IT_40"], "2051")
    phase(s)
    do(s, "move IT_39", "to 2050 tactical")
    assert excess(s, H("2050"), AXIS) == 1
    assert "move IT_27" in texts(s)  # the phase goes on
    do(s, "move IT_27", "to 2049 tactical")
    assert overstacked(s, AXIS) == -1


@rule("na41", "4.4.1b", "4.4.1c")
def test_at_the_end_of_the_phase_the_owner_eliminates_units() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_39", "AX_TR1", "IT_X"], "2050")
    place(s, ["BR_22G", "BR_16", "BR_14"], "2055")  # 4.4.1b not the other player
    start(s, (F_MOVES, 1), (F_OVERSTACK, AXIS))
    assert texts(s) == ["drop IT_27", "drop IT_28", "drop IT_39"]
    assert refusal(s, "drop IT_X") == "4.2b"
    assert refusal(s, "drop BR_22G") == "4.4.1c"
    place(s, "IT_VII", "2050")
    s.choices = None
    assert refusal(s, "drop IT_VII") == "4.3a", "it stacks free"
    place(s, "IT_VII", "2052")
    s.choices = None
    events = do(s, "drop IT_28")
    assert of_kind(events, "overstacked")
    assert at(s, "IT_28") == "eliminated"
    assert names(s.here[H("2050")]) == {"IT_27", "IT_39", "AX_TR1", "IT_X"}
    assert at(s, "BR_22G") == "2055"
    assert texts(s)[-1] == "end-moves"  # that was enough


@rule("na41", "4.4.1b", "3.2d")
def test_the_limit_is_enforced_after_the_ports_at_the_end_of_the_movement_phase() -> None:
    s = empty()
    place(s, "IT_27", "2050")
    phase(s)
    s.stack.append(GAME.framed((F_MOVES, 1)))
    frame = GAME.frames[F_MOVES]
    frame.take(s, s.stack[-1], (V_END_MOVES,))
    assert s.stack[-2:] == [GAME.framed((F_OVERSTACK, AXIS)), GAME.framed((F_PORTS,))]


@rule("na41", "4.4.1b")
def test_one_hex_alone_is_looked_at_when_an_attack_is_resolved() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28", "IT_39"], "2050")
    place(s, ["IT_19", "IT_20", "IT_40"], "2052")
    start(s, (F_OVERSTACK, AXIS), (F_OVERSTACK, AXIS, H("2052")))
    assert texts(s) == ["drop IT_19", "drop IT_20", "drop IT_40"]
    do(s, "drop IT_20")
    assert texts(s) == ["drop IT_27", "drop IT_28", "drop IT_39"]


@rule("na41", "4.4.1b")
def test_an_auto_ds_and_a_breakthrough_look_at_the_hexes_they_came_from() -> None:
    for kind, asked in ((AUTO_DS, True), (BREAKTHROUGH, True), (COMBAT, False)):
        s = empty()
        place(s, ["IT_27", "IT_28", "IT_39"], "2050")
        place(s, "IT_40", "2052")
        place(s, ["IT_19", "IT_20", "IT_61"], "2060")  # nobody attacked from there
        effects.begin(s, kind, H("2051"), units("IT_27", "IT_40", "IT_62"))  # the last is gone
        s.stack.append(GAME.framed((F_MOVES, 1)))
        effects.finish(s)
        start(s)
        assert (texts(s) == ["drop IT_27", "drop IT_28", "drop IT_39"]) == asked


@rule("na41", "4.4.1b", "3.2e")
def test_at_the_end_of_a_combat_phase_the_phasing_player_alone_is_judged() -> None:
    s = empty("axis", "combat")
    s.moved_at_all = 1  # 17.4a no free SP
    place(s, ["IT_27", "IT_28", "IT_39"], "2050")
    place(s, ["BR_22G", "BR_16", "BR_14"], "2060")
    start(s, END, (F_COMBAT,))
    assert texts(s) == ["drop IT_27", "drop IT_28", "drop IT_39"]
    do(s, "drop IT_39")
    assert over(s)
    assert overstacked(s, ALLIED) == H("2060")


@rule("na41", "4.4.1b", "12.1.4")
def test_own_units_that_retreated_in_it_have_until_the_end_of_the_next_movement_phase() -> None:
    """A disengagement (27.5), or the Full Retreat of units beside which an enemy came (13.3.2e)."""
    s = empty("axis", "combat")
    s.moved_at_all = 1
    place(s, ["IT_27", "IT_28"], "2050")
    place(s, "IT_39", "2050", disrupted=True)
    s.retreated = units("IT_39")
    start(s, END, (F_COMBAT, 1))
    assert over(s)
    place(s, "IT_40", "2050")  # the others are too many by themselves
    s.stack.clear()
    start(s, END, (F_COMBAT, 1))
    assert texts(s) == ["drop IT_27", "drop IT_28", "drop IT_40"], "not the one that retreated"
    assert refusal(s, "drop IT_39") == "12.1.4"
    do(s, "drop IT_40")
    assert over(s)
    s.stack.clear()
    start(s, END, (F_RECOVERY, 0))
    s.stack.clear()
    start(s, END, (F_MOVES,))
    do(s, "end-moves")
    assert texts(s) == ["drop IT_27", "drop IT_28", "drop IT_39"]


@rule("na41", "4.1a", "6.2a")
def test_there_is_no_limit_in_a_box() -> None:
    s = empty("axis")
    place(s, ["IT_27", "IT_28", "IT_39", "IT_40"], "tripoli")
    assert excess(s, H("tripoli"), AXIS) == 0
    assert overstacked(s, AXIS) == -1
    assert fits(s, H("tripoli"), units("IT_19", "IT_20"))


@rule("na41", "4.4.2a", "4.4.2b")
def test_nations_of_a_side_stack_together() -> None:
    s = empty()
    place(s, ["GE_115", "IT_27", "GE_MG2_5L", "IT_VII"], "2050")
    place(s, ["AU_20", "IN_CIH", "CZ_11", "BR_KDG", "BR_3H"], "2055")
    assert points(s, s.here[H("2050")]) == 5
    assert points(s, s.here[H("2055")]) == 5
    assert overstacked(s, AXIS) == overstacked(s, ALLIED) == -1
