"""Chapter 6: forced marches."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.rommel.table.ids import DIRS
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, at, battle, board, do, empty, kinds, lucky, place, roll, texts, why
from ..movekit import go, goes, moving, to_act
from .ch06movementkit import reason

rule = pytest.mark.rule


def marches(s: State) -> set[str]:
    """The forced marches that may be declared: "UNIT HEX VIA"."""
    return {t.removeprefix("march ") for t in texts(s) if t.startswith("march ")}


# 6.4


@rule("rommel", "6.4a", "6.4b", "3.43b")
def test_one_hex_beyond_the_maximum_is_a_forced_march() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "IT-ARI"], "0810")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0813 -", "move GE-PZ8", "to 0812 -", "end-move")
    assert reason(s, "march GE-PZ5 0814 -") != ""  # not before the moves are over
    do(s, "end-moves")
    names = {m.split()[0] for m in marches(s)}
    assert names == {"GE-PZ5"}  # PZ8 has stopped short, Ariete has not moved
    assert {m.split()[1] for m in marches(s)} == {"0814", "0812", "0714", "0713", "0913", "0914"}
    assert reason(s, "march GE-PZ5 0815 -") == "6.4a"
    assert reason(s, "march GE-PZ8 0813 -") == "6.4a"
    assert reason(s, "march IT-ARI 0811 -") == "6.4a"
    do(s, "march GE-PZ5 0814 -")
    assert texts(s) == ["marches"]  # declared once
    assert reason(s, "march GE-PZ5 0814 -") == "6.4a"
    assert at(s, "GE-PZ5") == "0813"  # nothing happens before all are declared


@rule("rommel", "6.4c", "6.4d", "6.4e", "11.0a")
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_one_die_for_each_march(face: int) -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0813 -", "move GE-PZ8", "to 0807 -")
    do(s, "end-moves", "march GE-PZ5 0814 -", "march GE-PZ8 0806 -")
    do(s, "marches")
    assert to_act(s) == CHANCE
    assert [p for _, p in GAME.chances(s)] == [Fraction(1, 6)] * 6
    roll(s, face)
    assert to_act(s) == CHANCE  # the other one
    roll(s, 6)
    success = face >= 4
    assert at(s, "GE-PZ5") == ("0814" if success else "0813")
    assert bool(s.disrupted >> U("GE-PZ5") & 1) is not success
    assert at(s, "GE-PZ8") == "0806"


@rule("rommel", "6.4a", "6.4d")
def test_odds_of_a_march() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    moving(s)
    go(s, "GE-PZ5", "0813")
    do(s, "end-moves")
    odds = GAME.odds(s, GAME.parse("march GE-PZ5 0814 -"))
    assert odds is not None
    assert dict(odds.results) == {"success": Fraction(1, 2), "failure": Fraction(1, 2)}


@rule("rommel", "6.4a")
def test_a_march_may_engage_under_the_hexside_limits() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "IT-ARI"], "0810")
    place(s, "CW-24A", "0814")
    moving(s)
    do(s, "group 0810 0")
    for name in ("GE-PZ5", "GE-PZ8", "IT-ARI"):
        do(s, f"move {name}", "to 0813 -")
    do(s, "end-moves", "march GE-PZ5 0814 W", "march GE-PZ8 0814 W")
    assert "IT-ARI 0814 W" not in marches(s)  # they count as declared
    assert reason(s, "march IT-ARI 0814 W") == "7.1b"
    do(s, "marches")
    roll(s, 1, 6)
    assert at(s, "GE-PZ5") == "0813"
    assert at(s, "GE-PZ8") == "0814"
    assert s.attacked >> H("0814") & 1
    assert s.att_side[DIRS.index("W")] >> H("0814") & 1


@rule("rommel", "6.4a", "6.2c")
def test_the_whole_way_must_fit_the_maximum_and_one_hex() -> None:
    """A20: after the coast road bonus the extra hex is by coast road as well."""
    s = empty()
    place(s, "IT-BRE", "0504")
    moving(s)
    go(s, "IT-BRE", "0206")  # five hexes of coast road: all it can
    do(s, "end-moves")
    assert marches(s) == {"IT-BRE 0207 -", "IT-BRE 0205 -"}
    assert reason(s, "march IT-BRE 0307 -") == "6.2b"
    assert reason(s, "march IT-BRE 0208 -") == "6.4a"  # two hexes away
    s = empty()
    place(s, "IT-BRE", "0604")
    moving(s)
    go(s, "IT-BRE", "0504")  # one hex: off the road that is its maximum, along it four are left
    do(s, "end-moves")
    assert marches(s) == {"IT-BRE 0404 -", "IT-BRE 0505 -"}
    assert reason(s, "march IT-BRE 0403 -") == "6.4a"


@rule("rommel", "6.4a", "6.2b")
def test_a_march_along_the_road_after_a_move_across_country() -> None:
    s = empty()
    place(s, "IT-BRE", "0505")
    moving(s)
    go(s, "IT-BRE", "0504")  # its one hex, onto the coast road: no bonus, so the next hex is a march
    do(s, "end-moves")
    assert marches(s) == {f"IT-BRE {h} -" for h in ("0403", "0404", "0505", "0604")}


@rule("rommel", "6.4a", "6.3b")
def test_after_the_rommel_move_the_march_is_one_hex_more_still() -> None:
    s = empty()
    place(s, ["IT-BRE", "IT-PAV"], "0810")
    moving(s)
    do(s, "group 0810 1", "move IT-BRE", "to 0812 -", "move IT-PAV", "to 0811 -", "end-moves")
    assert {m.split()[0] for m in marches(s)} == {"IT-BRE"}


@rule("rommel", "6.4f", "5.2f")
def test_a_march_may_join_a_regroup_move() -> None:
    s = empty()
    place(s, "GE-PZ5", "0811")
    place(s, ["IT-BRE", "GE-MG8"], "0812")
    moving(s)
    do(s, "regroup 0811 0", "gather 0810")
    assert "join IT-BRE -" not in texts(s)
    do(s, "join GE-PZ5 -", "end-move", "end-moves")
    # Brescia could reach 0810 only with two hexes; MG 8 could have joined and did not
    assert marches(s) == {"IT-BRE 0810 -"}
    assert reason(s, "march IT-BRE 0811 -") == "6.4f"
    do(s, "march IT-BRE 0810 -", "marches")
    roll(s, 4)
    assert at(s, "IT-BRE") == "0810"


@rule("rommel", "6.4f", "6.3b")
def test_a_march_may_join_the_rommel_move() -> None:
    s = empty()
    place(s, "GE-PZ5", "0812")
    place(s, ["IT-BRE", "IT-PAV"], "0813")
    place(s, "IT-BOL", "0811")
    moving(s)
    do(s, "regroup 0812 1", "gather 0810", "join GE-PZ5 -", "end-move", "end-moves")
    assert {m.split()[0] for m in marches(s)} == {"IT-BRE", "IT-PAV"}  # three hexes: one, Rommel's, the march
    do(s, "march IT-BRE 0810 -", "marches")
    roll(s, 6)
    assert at(s, "IT-BRE") == "0810"


@rule("rommel", "6.4f", "5.2c")
@pytest.mark.parametrize("option", ["basic", "offensive"])
def test_a_regroup_move_may_consist_of_forced_marches(option: str) -> None:
    s = empty(option=option)
    place(s, "IT-BRE", "0812")
    place(s, "IT-PAV", "0811")
    moving(s)
    do(s, "regroup 0812 0")
    assert "gather 0914" in texts(s)  # two hexes from Brescia
    assert "gather 0815" not in texts(s)  # three
    do(s, "gather 0814")
    assert texts(s) == ["end-move"]
    do(s, "end-move")
    assert s.moved == 0
    do(s, "end-moves")
    assert marches(s) == {"IT-BRE 0814 -"}
    do(s, "march IT-BRE 0814 -", "marches")
    roll(s, 4)
    assert at(s, "IT-BRE") == "0814"


@rule("rommel", "5.2f")
def test_a_regroup_move_to_which_somebody_could_come_without_marching_needs_him_or_a_march() -> None:
    s = empty()
    place(s, "IT-BRE", "0812")
    moving(s)
    do(s, "regroup 0812 0", "gather 0813")
    assert texts(s) == ["join IT-BRE -"]
    assert reason(s, "end-move") == "5.1a"


@rule("rommel", "5.2a", "6.4f")
def test_nobody_marches_on_from_the_destination_of_a_regroup_move() -> None:
    """A55: a regroup move goes to one hex."""
    s = empty()
    place(s, "IT-BRE", "0811")
    place(s, ["IT-PAV", "CW-24A"], "0809")
    battle(s, "0809", "axis", ["W"])
    moving(s)
    do(s, "regroup 0810 0", "gather 0810", "join IT-BRE -", "join IT-PAV -", "end-move")
    lucky(s, 1)  # the pursuit
    do(s, "end-moves")
    assert (at(s, "IT-BRE"), at(s, "IT-PAV")) == ("0810", "0810")
    assert marches(s) == set()
    assert reason(s, "march IT-BRE 0910 -") == "5.2a"
    assert reason(s, "march IT-PAV 0910 -") == "5.2a"
    s = empty()
    place(s, "IT-BRE", "0811")
    moving(s)
    go(s, "IT-BRE", "0810")  # by a group move it may
    do(s, "end-moves")
    assert "IT-BRE 0910 -" in marches(s)


@rule("rommel", "6.4f", "4.2a")
def test_who_waits_to_march_into_one_regroup_move_is_not_taken_by_another() -> None:
    s = empty(option="offensive")
    place(s, "IT-BRE", "0810")
    place(s, "GE-PZ5", "0809")
    place(s, "IT-PAV", "0811")
    place(s, "IT-BOL", "0812")
    moving(s)
    do(s, "regroup 0810 0", "gather 0808", "join GE-PZ5 -", "end-move")
    do(s, "regroup 0811 0", "gather 0813", "join IT-BOL -", "end-move")
    assert marches(s) == {"IT-BRE 0808 -", "IT-PAV 0813 -"}  # three hexes are too far for either


@rule("rommel", "6.4g")
def test_a_failed_march_to_join_leaves_the_unit_where_it_was() -> None:
    s = empty()
    place(s, "GE-PZ5", "0811")
    place(s, "IT-BRE", "0812")
    moving(s)
    do(s, "regroup 0811 0", "gather 0810", "join GE-PZ5 -", "end-move", "end-moves")
    do(s, "march IT-BRE 0810 -", "marches")
    roll(s, 3)
    assert at(s, "IT-BRE") == "0812"
    assert s.disrupted >> U("IT-BRE") & 1
    assert s.cv[U("IT-BRE")] == board.max_cv[U("IT-BRE")]


@rule("rommel", "6.4f")
def test_a_march_to_join_may_engage() -> None:
    s = empty()
    place(s, "GE-PZ5", "0811")
    place(s, "IT-BRE", "0812")
    place(s, "CW-24A", "0810")
    moving(s)
    do(s, "regroup 0811 0", "gather 0810", "join GE-PZ5 E", "end-move", "end-moves")
    assert "IT-BRE 0810 E" in marches(s)
    do(s, "march IT-BRE 0810 E", "marches")
    assert s.via[U("IT-BRE")] == DIRS.index("E")
    roll(s, 6)
    assert at(s, "IT-BRE") == "0810"
    assert s.entered[6 + DIRS.index("E")] >> H("0810") & 1


@rule("rommel", "6.4h", "7.2f")
@pytest.mark.parametrize("face", [3, 4])
def test_a_march_after_disengaging_costs_a_step_if_it_fails(face: int) -> None:
    s = empty()
    place(s, ["IT-BRE", "CW-24A"], "0810")
    battle(s, "0810", "axis", ["E"])
    place(s, "CW-26A", "0807")
    moving(s)
    do(s, "group 0810 0", "move IT-BRE", "to 0809 -", "end-move")
    lucky(s, 1)  # pursuit by one unit of the same speed misses
    assert at(s, "IT-BRE") == "0809"
    do(s, "end-moves")
    assert "IT-BRE 0808 -" in marches(s)
    do(s, "march IT-BRE 0808 -", "marches")
    roll(s, face)
    lost = face < 4
    assert at(s, "IT-BRE") == ("0809" if lost else "0808")
    assert s.cv[U("IT-BRE")] == board.max_cv[U("IT-BRE")] - lost
    assert s.disrupted >> U("IT-BRE") & 1  # it disengaged in any case (7.2c)


@rule("rommel", "6.4h", "7.2f", "10.1b")
def test_a_disengaged_unit_marches_into_no_battle() -> None:
    s = empty()
    place(s, ["IT-BRE", "CW-24A"], "0810")
    battle(s, "0810", "axis", ["E"])
    place(s, "CW-26A", "0808")
    moving(s)
    do(s, "group 0810 0", "move IT-BRE", "to 0809 -", "end-move")
    lucky(s, 1)
    do(s, "end-moves")
    assert not any(m.split()[1] == "0808" for m in marches(s))
    assert reason(s, "march IT-BRE 0808 E") == "7.2f"


@rule("rommel", "6.4g", "6.4h", "11.3a")
@pytest.mark.parametrize("face", [2, 5])
def test_marching_out_of_a_battle_to_join(face: int) -> None:
    s = empty()
    place(s, "GE-PZ5", "0809")
    place(s, ["IT-BRE", "CW-24A"], "0810")
    battle(s, "0810", "axis", ["E"])
    moving(s)
    do(s, "regroup 0809 0", "gather 0808", "join GE-PZ5 -", "end-move", "end-moves")
    assert marches(s) == {"IT-BRE 0808 -"}
    odds = GAME.odds(s, GAME.parse("march IT-BRE 0808 -"))
    assert odds is not None
    assert any(t.rule == "6.4h" for t in odds.terms)
    do(s, "march IT-BRE 0808 -", "marches")
    events = roll(s, face)
    if face == 5:  # it is a full retreat, pursued
        assert "full_retreat" in kinds(events)
        lucky(s, 1)
        assert at(s, "IT-BRE") == "0808"
        assert s.disrupted >> U("IT-BRE") & 1
    else:  # disrupted in its hex with a step less, and nobody protects it: it routs
        assert "routed" in kinds(events)
        # a step for the failed march and a step for the rout
        assert s.cv[U("IT-BRE")] == board.max_cv[U("IT-BRE")] - 2


@rule("rommel", "6.4b")
def test_nobody_learns_from_the_question_whether_a_unit_could_march() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    moving(s)
    go(s, "GE-PZ5", "0811")  # it could not march: it has stopped short
    do(s, "end-moves")
    assert texts(s) == ["marches"]
    s = moving(empty())
    events = do(s, "end-moves")  # nobody moved: nobody is asked
    assert "march_declared" not in kinds(events)
    assert "marches" not in texts(s)


@rule("rommel", "6.4a", "11.4c", "6.0c")
def test_who_engaged_or_overran_marches_no_farther() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    place(s, "CW-4A", "0813", disrupted=True)
    place(s, "CW-24A", "0807")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0813 W", "move GE-PZ8", "to 0807 E", "end-move")
    while "end-moves" not in texts(s):
        if to_act(s) == CHANCE:
            lucky(s, 1)
        else:
            do(s, texts(s)[0])
    do(s, "end-moves")
    assert marches(s) == set()
    assert reason(s, "march GE-PZ8 0806 -") == "6.0c"


@rule("rommel", "6.4b", "6.4f", "7.1a")
def test_the_reason_against_a_march_names_the_hexside() -> None:
    s = empty()
    place(s, "IT-BRE", "0810")
    place(s, "GE-PZ5", "0809")
    place(s, "CW-24A", "0808")
    moving(s)
    do(s, "regroup 0810 0", "gather 0808", "join GE-PZ5 E", "end-move", "end-moves")
    assert marches(s) == {"IT-BRE 0808 E"}
    found = why(s, "march IT-BRE 0808 W")
    assert found is not None
    assert (found.rule, str(found.why).endswith("only by the side in the east")) == ("6.0a", True)
    assert reason(s, "march IT-BRE 0808 -") == "7.1a"
    do(s, "march IT-BRE 0808 E")
    s = empty()
    place(s, "GE-PZ5", "0807")
    place(s, "CW-24A", "0811")
    moving(s)
    go(s, "GE-PZ5", "0810")
    do(s, "end-moves")
    assert "GE-PZ5 0811 W" in marches(s)
    for side in ("-", "E"):
        found = why(s, f"march GE-PZ5 0811 {side}")
        assert found is not None
        assert (found.rule, str(found.why).endswith("through the west side")) == ("7.1a", True)


@rule("rommel", "5.3i")
def test_a_march_back_may_overrun_and_the_reason_against_it_says_how() -> None:
    """A50: a unit that withdraws may overrun."""
    s = empty(option="pass")
    place(s, "IT-BRE", "0311")
    place(s, "CW-24A", "0206", disrupted=True)
    moving(s)
    do(s, "group 0311 0", "move IT-BRE", "to 0207 -", "end-move")
    assert marches(s) == {"IT-BRE 0206 E"}
    assert reason(s, "march IT-BRE 0206 -") == "7.1a"


@rule("rommel", "6.4d", "11.4a", "11.4b")
@pytest.mark.parametrize("second", [2, 5])
def test_marching_units_overrun_when_nobody_else_is_to_come(second: int) -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "GE-AA3"], "0807")
    place(s, "CW-24A", "0811", disrupted=True)
    moving(s)
    do(s, "group 0807 0", "move GE-PZ5", "to 0810 -", "move GE-PZ8", "to 0810 -", "end-move", "end-moves")
    do(s, "march GE-PZ5 0811 W", "march GE-PZ8 0811 W", "marches")
    events = roll(s, 6)
    assert at(s, "GE-PZ5") == "0811"
    assert "routed" not in kinds(events)  # both attack before the rout is resolved
    events = roll(s, second)
    assert kinds(events).count("routed") == 1
    (pursuit,) = (e for e in events if e.kind == "pursuit")
    assert pursuit.data["dice"] == (4 if second == 5 else 2)  # two for each unit that is faster
    lucky(s, 1)
    assert s.overrun == 0
    assert at(s, "CW-24A") == "dead"  # it has no supply line to go back along


@rule("rommel", "5.3i")
def test_a_march_back_does_not_join_a_battle() -> None:
    """The line runs through a battle hex that the own side defends: supply passes it, a withdrawing unit does not."""
    s = empty(option="pass")
    place(s, "IT-BRE", "0311")
    place(s, ["IT-PAV", "CW-24A"], "0206")
    battle(s, "0206", "axis", ["NW"])
    moving(s)
    do(s, "group 0311 0", "move IT-BRE", "to 0207 -", "end-move")
    assert marches(s) == set()
    assert reason(s, "march IT-BRE 0206 E") == "5.3i"


@rule("rommel", "6.4a")
def test_forced_march_in_a_pass_turn_goes_back_along_the_line() -> None:
    s = empty(option="pass")
    place(s, "IT-BRE", "0311")
    moving(s)
    do(s, "group 0311 0", "move IT-BRE", "to 0207 -", "end-move")
    assert marches(s) == {"IT-BRE 0206 -"}  # A17


@rule("rommel", "17.1a", "6.4d")
def test_a_forced_march_may_leave_the_map() -> None:
    s = empty(active="commonwealth")
    place(s, "CW-4A", "1003")
    moving(s)
    assert "exit 1001" in goes(s, "CW-4A")  # two hexes and the third over the edge (M12)
    s = empty(active="commonwealth")
    place(s, ["CW-4A", "CW-7A"], "1004")
    moving(s)
    assert "1001" in goes(s, "CW-4A")  # three hexes of trail; no road leads on over the edge
    assert "exit 1001" not in goes(s, "CW-4A")
    do(s, "group 1004 0", "move CW-4A")
    assert reason(s, "exit 1001") == "17.1a"
    do(s, "to 1001 -", "end-move", "end-moves")
    assert "CW-4A 1001 -" in marches(s)
    do(s, "march CW-4A 1001 -", "marches")
    roll(s, 4)
    assert at(s, "CW-4A") == "exited"
    assert s.exited == [0, 1]


@rule("rommel", "17.1a", "6.4a")
def test_who_may_not_march_off_the_map() -> None:
    """M12: not a unit without supply, nor one that disengaged, nor one that could have gone off without a march."""
    s = empty(active="commonwealth")
    place(s, ["CW-4A", "CW-7A"], "1004")
    s.unsupplied |= 1 << U("CW-7A")
    moving(s)
    do(s, "group 1004 0", "move CW-4A", "to 1001 -", "move CW-7A", "to 1001 -", "end-moves")
    assert {m for m in marches(s) if "1001" in m} == {"CW-4A 1001 -"}
    assert reason(s, "march CW-7A 1001 -") == "17.1a"
    s = empty(active="commonwealth")
    place(s, ["CW-4A", "IT-BRE"], "1004")
    battle(s, "1004", "commonwealth", ["E"])
    moving(s)
    do(s, "group 1004 0", "move CW-4A", "to 1001 -", "end-move", "end-moves")  # Brescia is too slow to pursue
    assert at(s, "CW-4A") == "1001"
    assert not any("1001" in m for m in marches(s))
    s = empty(active="commonwealth")
    place(s, "CW-4A", "1003")
    moving(s)
    go(s, "CW-4A", "1001")
    do(s, "end-moves")
    assert not any("1001" in m for m in marches(s))
