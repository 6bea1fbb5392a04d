"""Chapter 11: strongpoints and minefields."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.coordination import check_terms
from sandtable.games.kasserine.combat.fight import Fight
from sandtable.games.kasserine.paths.moves import move_leg
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import GROUND_CHECK
from sandtable.games.kasserine.table.position import disrupt, mine_value
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, HexAt, SideAt, StageAt
from sandtable.games.kasserine.turn.reorganization import open_engineers

from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    at,
    board,
    do,
    empty,
    kinds,
    mask,
    new,
    of_kind,
    place,
    start,
    texts,
    units,
    why,
    works,
)

PZ, PZG, GRENADIERS = "ger_10pz_i_7_pz", "ger_10pz_i_69", "ger_47gr_i_47"
RIFLES, TANKS = "us_34id_1_133", "us_1ad_2_1_ar"


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


def engineers(side: int = AXIS) -> State:
    s = empty("engineer")
    place(s, [GRENADIERS, PZ], "7024")
    place(s, [RIFLES, TANKS], "0311")
    start(s, SideAt(steps.ENGINEERS, side))
    return s


@pytest.mark.rule("kasserine", "11.0", "11.1", "11.22", "11.23a", "11.21a", "3.93h", "11.21b")
def test_who_begins_a_strongpoint_and_where() -> None:
    s = engineers()
    assert rule_against(s, f"build {PZ}") == "11.22"
    s.disrupted = units(GRENADIERS)
    s.choices = None
    assert rule_against(s, f"build {GRENADIERS}") == "11.22"
    s.disrupted = 0
    s.choices = None
    do(s, f"build {GRENADIERS}")
    assert s.building[AXIS] == mask("7024")
    assert s.strong_left[AXIS] == 5
    place(s, "ger_47gr_ii_47", "7024")
    s.choices = None
    assert rule_against(s, "build ger_47gr_ii_47") == "11.21a"
    place(s, "ger_47gr_iii_47", "6924")
    place(s, "us_34id_2_133", "6823")
    s.strong_left[AXIS] = 0
    s.choices = None
    assert rule_against(s, "build ger_47gr_iii_47") == "11.1"
    s.strong_left[AXIS] = 1
    s.choices = None
    assert rule_against(s, "build ger_47gr_iii_47") in ("", "11.21c")  # an EZOC is no bar by itself


@pytest.mark.rule("kasserine", "11.21c")
def test_a_strongpoint_needs_supply() -> None:
    s = empty("engineer")
    place(s, RIFLES, "6733")
    place(s, PZ, "6732")
    place(s, PZG, "6734")
    start(s, SideAt(steps.ENGINEERS, ALLIED))
    assert rule_against(s, f"build {RIFLES}") == "11.21c"


@pytest.mark.rule("kasserine", "11.23b", "11.23ba", "11.23c", "11.14", "11.13a")
def test_construction_takes_a_turn_and_ends_if_the_builder_goes_or_is_disrupted() -> None:
    s = engineers()
    do(s, f"build {GRENADIERS}")
    open_engineers(s)
    assert s.strongpoints[AXIS] == mask("7024")
    assert not s.building[AXIS]
    assert not s.builder
    s = engineers()
    do(s, f"build {GRENADIERS}")
    disrupt(s, units(GRENADIERS), "8.71g")
    assert not s.building[AXIS]
    assert s.strong_left[AXIS] == 6
    s = engineers()
    do(s, f"build {GRENADIERS}")
    s.phase, s.active = 5, AXIS
    start(s, steps.MOVES)
    assert rule_against(s, f"move {GRENADIERS}") == "11.23b"
    place(s, GRENADIERS, "6924")
    assert not s.building[AXIS]


@pytest.mark.rule("kasserine", "11.12a", "11.12b", "11.15a", "11.15c")
def test_an_enemy_strongpoint_costs_one_more_and_falls() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    works(s, ALLIED, "strongpoint", "6732")
    way = move_leg(s, U(PZ)).to(H("6732"))
    assert way is not None
    assert way.cost == 4
    assert move_leg(s, U(PZ)).goes_on(H("6732"))
    left = s.strong_left[ALLIED]
    start(s, steps.MOVES)
    do(s, f"move {PZ}", "to 6732")
    assert not s.strongpoints[ALLIED]
    assert s.strong_left[ALLIED] == left + 1


@pytest.mark.rule("kasserine", "11.15b")
def test_the_owner_may_remove_a_strongpoint() -> None:
    s = empty("engineer")
    works(s, AXIS, "strongpoint", "6733")
    start(s, SideAt(steps.ENGINEERS, AXIS))
    assert rule_against(s, "raze 6732") == "11.15b"
    do(s, "raze 6733")
    assert not s.strongpoints[AXIS]
    assert s.strong_left[AXIS] == 6


# minefields


@pytest.mark.rule("kasserine", "11.32a", "11.32b", "11.32c", "11.33e", "11.34")
def test_enemy_mines_cost_two_more_and_stop_motors() -> None:
    s = empty("axis_movement")
    place(s, [PZ, GRENADIERS], "6733")
    works(s, ALLIED, "minefield", "6732")
    for name, goes_on in ((PZ, False), (GRENADIERS, True)):
        leg = move_leg(s, U(name))
        way = leg.to(H("6732"))
        assert way is not None
        assert way.cost == 6
        assert leg.goes_on(H("6732")) == goes_on
    s = empty("axis_movement")
    place(s, PZ, "6733")
    works(s, AXIS, "minefield", "6732")
    way = move_leg(s, U(PZ)).to(H("6732"))
    assert way is not None
    assert way.cost == 2


@pytest.mark.rule("kasserine", "11.41a", "11.41b", "11.41c", "11.42a", "11.42b", "11.43a", "11.43b", "11.43c", "11.47")
def test_where_and_how_many_mines_are_laid() -> None:
    s = empty("engineer")
    place(s, RIFLES, "6922")
    start(s, SideAt(steps.ENGINEERS, AXIS))
    assert rule_against(s, "lay 6922") == "11.47"
    assert rule_against(s, "lay 6921") == "11.43b"
    place(s, "ger_10pz_i_90", "6921")
    s.choices = None
    assert rule_against(s, "lay 6921") in ("", "11.43c")
    assert rule_against(s, "lay 7024") == ""  # nobody is there
    do(s, "lay 7024")
    assert rule_against(s, "lay 7024") == "11.41b"
    do(s, "lay 7005")
    assert rule_against(s, "lay 7004") == "11.41c"
    assert s.mines_left[AXIS] == 2
    s.laid[AXIS], s.mines_left[AXIS] = 0, 0
    s.choices = None
    assert rule_against(s, "lay 7004") == "11.42b"


@pytest.mark.rule("kasserine", "11.42c", "11.42d", "11.46a", "11.46b")
def test_mines_are_cleared_by_enemy_combat_units_in_the_engineer_phase_for_good() -> None:
    s = empty("engineer")
    place(s, PZ, "6733")
    place(s, "ger_10pz_i_90", "6735")
    works(s, ALLIED, "minefield", "6733", "6735")
    works(s, AXIS, "minefield", "6833")
    left = list(s.mines_left)
    open_engineers(s)
    assert s.mines == [mask("6833"), mask("6735")]  # artillery clears nothing
    assert s.mines_left == left
    start(s, SideAt(steps.ENGINEERS, AXIS))
    assert not any(text.startswith("raze") for text in texts(s))


@pytest.mark.rule("kasserine", "11.44", "11.33b", "11.45f")
def test_what_known_minefields_are_worth() -> None:
    s = empty()
    works(s, AXIS, "minefield", "6733")
    works(s, ALLIED, "minefield", "6732", "6731")
    s.double = mask("6731")
    assert [mine_value(s, H(n)) for n in ("6733", "6732", "6731", "6730")] == [1, 1, 2, 0]


@pytest.mark.rule("kasserine", "11.45a", "11.45b", "11.45c")
def test_nobody_knows_what_an_untried_minefield_is_worth() -> None:
    s = new("s1_historical")
    assert s.hidden == [3, 6, 3]
    for side in (AXIS, ALLIED, -1):
        view = GAME.view(s, side)
        scene = GAME.scene(view)
        labels = {
            item["label"] for item in scene["markers"] if item["kind"] == "minefield" and item["side"] == "allied"
        }
        assert labels == {"Untried"}
    assert mine_value(s, H("5723")) == 0
    s = empty("engineer")
    start(s, SideAt(steps.ENGINEERS, ALLIED))
    do(s, "lay 0211")
    assert s.untried == mask("0211")
    assert s.hidden == [3, 6, 3]  # drawn when it is revealed


@pytest.mark.rule("kasserine", "11.45d", "11.45g", "11.45f")
@pytest.mark.parametrize("value", [0, 1, 2])
def test_entering_reveals_one_of_the_markers_left(value: int) -> None:
    s = empty("axis_movement")
    place(s, GRENADIERS, "6733")
    works(s, ALLIED, "minefield", "6732", untried=True)
    start(s, steps.MOVES)
    do(s, f"move {GRENADIERS}", "to 6732")
    assert s.actor == -1
    assert dict(GAME.chances(s)) == {
        (1, 0): Fraction(1, 4),
        (1, 1): Fraction(1, 2),
        (1, 2): Fraction(1, 4),
    }
    events = do(s, f"reveal {value}")
    assert "revealed" in kinds(events)
    assert at(s, GRENADIERS) == "6732"
    assert bool(s.mines[ALLIED]) == (value > 0)
    assert mine_value(s, H("6732")) == value
    assert not s.untried
    assert sum(s.hidden) == 11
    assert of_kind(events, "revealed")[0].final


@pytest.mark.rule("kasserine", "11.45d", "11.45e", "8.61d")
def test_an_attack_reveals_it_when_the_modifiers_are_determined() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    works(s, ALLIED, "minefield", "6732", untried=True)
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZ), U(RIFLES)]
    assert s.fight.mine == -1
    assert {t.rule for t in check_terms(s, s.fight, AXIS, GROUND_CHECK)} == {"11.45e"}
    s.stack.clear()
    start(s, StageAt(steps.COMBAT_CHAIN, 14))
    assert s.stack[-1] == HexAt(steps.REVEAL_MINE, H("6732"))
    events = do(s, "reveal 2")
    assert s.fight.mine == 2
    assert of_kind(events, "odds")[0].data["drm"] == -1  # 2 for the mines, 3 less for the ER
    assert board.charts.minefield_mix == (3, 6, 3)


@pytest.mark.rule("kasserine", "11.45e")
@pytest.mark.parametrize(
    ("mined", "untried", "attacker", "worse"),
    [(ALLIED, True, AXIS, 1), (ALLIED, False, AXIS, 0), (AXIS, False, ALLIED, 0), (ALLIED, True, ALLIED, 0)],
)
def test_only_an_untried_minefield_of_the_defender_hampers_coordination(
    mined: int, untried: bool, attacker: int, worse: int
) -> None:
    s = empty("axis_combat" if attacker == AXIS else "allied_combat")
    place(s, PZ, "6733" if attacker == AXIS else "6732")
    place(s, TANKS, "6732" if attacker == AXIS else "6733")
    works(s, mined, "minefield", "6732", untried=untried)
    fight = Fight(s.board, target=H("6732"), side=attacker, attackers=units(PZ if attacker == AXIS else TANKS))
    fight.lead[:] = [U(PZ), U(TANKS)]
    assert sum(term.value for term in check_terms(s, fight, attacker, GROUND_CHECK)) == worse
