"""Rules that earlier editions knew otherwise, and doubts that are settled: as they are now, and before."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.coordination import check_terms
from sandtable.games.kasserine.combat.fight import Fight
from sandtable.games.kasserine.combat.results import apply
from sandtable.games.kasserine.movement.arrivals import gates
from sandtable.games.kasserine.paths.moves import reaction_leg
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.shown.texts import LINES
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import Result
from sandtable.games.kasserine.table.ids import ARTILLERY_CHECK, ELIMINATED, MOBILE
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.script import script_of
from sandtable.games.kasserine.table.steps import At, RetreatAt
from sandtable.games.kasserine.table.zones import zone
from sandtable.games.kasserine.turn.declaration import targets
from sandtable.games.kasserine.turn.reaction import AVOID

from ..combat.ch08combatkit import (
    ARMORED_GUNS,
    PZ,
    PZ2,
    PZG,
    RIFLES,
    RIFLES2,
    TANKS,
    advance_of,
    advancing,
    fight,
    why_no_advance,
)
from ..kit import ALLIED, AXIS, GAME, H, U, at, board, do, empty, hexes, mask, place, roll, start, texts, units, why

NOTHING = Result("", False, 0, False, False, False, 0, False, False, False)
RACL = "fr_xix_racl"
BEFORE = 4
GUARDS = next(
    g for g in script_of(board, "s1_historical").groups if g.side == ALLIED and g.turn == 4 and g.letter == "C"
)


@pytest.mark.rule("kasserine", "8.93b", "8.97b")
def test_artillery_on_foot_supports_without_a_marker_and_does_not_advance() -> None:
    s = empty("allied_combat")
    place(s, [TANKS, RACL, ARMORED_GUNS], "6733")
    f = Fight(board, target=H("6732"), side=ALLIED, attackers=units(TANKS))
    f.origins, f.guns[ALLIED] = mask("6733"), units(RACL, ARMORED_GUNS)
    s.fight = f
    assert advancing(s) == units(TANKS, ARMORED_GUNS)
    assert why_no_advance(s, RACL, "6732") == "8.93b"
    s.edition = BEFORE
    assert advancing(s) == units(TANKS, ARMORED_GUNS, RACL)


@pytest.mark.rule("kasserine", "8.91b", "8.94a")
def test_the_second_hex_of_an_advance_may_be_the_one_that_it_began_in() -> None:
    """The advance goes through the defending hex: its works are lost, and it is the attacker's now (3.12a)."""
    s = fight([PZ], [RIFLES])
    s.fight.crt = MOBILE
    put(s, U(RIFLES), ELIMINATED)
    s.control &= ~mask("6732")
    assert hexes(advance_of(s, PZ)) == {"6732", "6631", "6632", "6731", "6733", "6831", "6832"}
    s.stack.clear()
    start(s, steps.ADVANCES)
    do(s, f"advance {PZ} 6733")
    assert at(s, PZ) == "6733"
    assert s.control & mask("6732")
    s.edition = BEFORE
    assert "6733" not in hexes(advance_of(s, PZ))


@pytest.mark.rule("kasserine", "14.13a")
def test_a_group_that_has_waited_has_paid_for_another_place() -> None:
    """A97: its own place is C and its turn 4: on turn 5 it may come at B or D, on turn 6 at S; back costs again."""
    first = GUARDS.units[0]
    name = board.units[first]

    def entry(turn: int, letter: str, edition: int = 5) -> int:
        s = empty("allied_movement", turn=turn)
        s.edition = edition
        for u in GUARDS.units:
            s.at[u], s.due[u] = -2, GUARDS.turn
            s.group[u] = script_of(board, "s1_historical").groups.index(GUARDS)
            s.gate[u] = board.entry_letters.index("C")
        start(s, steps.MOVES)
        do(s, f"reroute {name} {letter}")
        return s.due[first]

    assert [entry(4, letter) for letter in "ASBD"] == [7, 6, 5, 5]
    assert [entry(5, letter) for letter in "ASBD"] == [7, 6, 5, 5]
    assert [entry(6, letter) for letter in "ASBD"] == [7, 6, 6, 6]
    assert [entry(6, letter, BEFORE) for letter in "ASBD"] == [9, 8, 7, 7]
    s = empty("allied_movement", turn=6)
    for u in GUARDS.units:
        s.at[u], s.due[u] = -2, GUARDS.turn
        s.group[u] = script_of(board, "s1_historical").groups.index(GUARDS)
        s.gate[u] = board.entry_letters.index("C")
    start(s, steps.MOVES)
    do(s, f"reroute {name} B")
    assert gates(s, first) == mask("2401")
    assert f"enter {name}" in texts(s)
    other = s.copy()
    do(other, f"reroute {name} D")
    assert other.due[first] == 8, "as far from its own place on the other side: it goes there by way of it"
    do(s, f"reroute {name} C")
    assert s.due[first] == 7
    assert f"enter {name}" not in texts(s)


@pytest.mark.rule("kasserine", "15.13d", "8.81b")
def test_divided_command_forbids_neither_a_retreat_nor_an_attack() -> None:
    """A98: who may not enter some columns may be driven there, and may attack what stands there."""
    s = empty("axis_movement", turn=2)
    place(s, PZ, "3025")
    there = hexes(ways(s, U(PZ), Retreat(H("3125"), 1, 2)).ends)
    assert "2925" in there
    place(s, RIFLES, "2925")
    assert hexes(targets(s)) == {"2925"}


@pytest.mark.rule("kasserine", "8.85", "5.24")
@pytest.mark.parametrize(("edition", "counted"), [(5, True), (6, False)])
def test_who_retreats_does_not_count_on_himself_for_the_line_behind_him(edition: int, counted: bool) -> None:
    """A102: the line from 5631 leads back through the hex that is given up, past the panzers around it."""
    s = empty("axis_combat")
    s.edition = edition
    place(s, RIFLES, "5732")
    for name, hex_ in ((PZ, "6033"), (PZ2, "5531"), ("ger_21pz_i_5_pz", "5733"), ("ger_21pz_ii_5_pz", "5533")):
        place(s, name, hex_)
    how = Retreat(H("5732"), 1, 2)
    assert bool(ways(s, U(RIFLES), how).ends & mask("5631")) == counted
    place(s, RIFLES2, "5732")  # goes as well
    assert bool(ways(s, U(RIFLES), how).ends & mask("5631")) == counted
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(RIFLES, RIFLES2), H("5732"), 1, 2))
    reason = why(s, f"retreat {RIFLES} 5631")
    assert (reason is None) == counted
    if reason is not None:
        assert reason.rule == "8.85"


@pytest.mark.rule("kasserine", "7.22b", "8.85", "8.82b")
def test_a_stack_avoids_combat_though_the_only_hex_in_supply_holds_not_all_of_it() -> None:
    """X8: where the first has filled that hex, it is no other path for the second."""
    both = (TANKS, "us_1ad_3_1_ar")
    s = empty("allied_reaction")
    place(s, both, "5334")
    for name, hex_ in ((PZ, "5531"), (PZ2, "5230"), ("ger_21pz_i_5_pz", "5434"), ("ger_21pz_ii_5_pz", "5135")):
        place(s, name, hex_)
    place(s, ["us_34id_125_fa", "us_34id_185_fa"], "5432")  # 4 points, and 3 each of the tanks
    s.aims = {H("5334"): units("ger_21pz_i_5_pz")}
    before = s.copy()
    before.edition = 5
    reason = AVOID.why(H("5334"), before, None, {"hex": H("5334")})
    assert reason is not None
    assert reason.rule == "8.82b"
    start(s, steps.AVOIDING)
    do(s, "avoid 5334", f"lead {TANKS}")
    roll(s, 1)
    for name in both:
        do(s, next(text for text in texts(s) if text.startswith(f"retreat {name}")))
    assert at(s, TANKS) == "5432"
    assert board.grid.distance(H("5334"), H(at(s, both[1]))) == 2
    assert at(s, both[1]) != "5432"


@pytest.mark.rule("kasserine", "8.85", "8.71b")
def test_who_stays_in_the_hex_of_an_attacker_keeps_its_line_open() -> None:
    s = empty("axis_combat")
    for name, hex_ in ((PZ, "6033"), (PZ2, "5531"), ("ger_21pz_i_5_pz", "5733"), ("ger_21pz_ii_5_pz", "5533")):
        place(s, name, hex_)
    place(s, [RIFLES, RIFLES2], "5732")
    s.fight = Fight(board, target=H("5733"), side=ALLIED, attackers=units(RIFLES))
    s.fight.retreating = [0, units(RIFLES)]
    how = Retreat(H("5733"), 1, 2)
    assert ways(s, U(RIFLES), how).ends & mask("5631")
    s.fight.retreating = [0, units(RIFLES, RIFLES2)]
    s.memo = {}
    assert not ways(s, U(RIFLES), how).ends & mask("5631")


@pytest.mark.rule("kasserine", "8.41c", "13.33")
def test_artillery_of_another_nation_coordinates_worse_on_both_sides() -> None:
    """A99"""
    f = Fight(board, target=H("6732"), side=AXIS, attackers=units(PZ))
    for guns, terms in (("ger_10pz_i_90", []), ("ita_cent_i_131", [1])):
        s = empty("axis_combat")
        place(s, [PZ, guns], "6733")
        place(s, RIFLES, "6732")
        f.lead, f.lead_gun = [U(PZ), U(RIFLES)], [U(guns), -1]
        assert [term.value for term in check_terms(s, f, AXIS, ARTILLERY_CHECK)] == terms


@pytest.mark.rule("kasserine", "8.72b", "8.77", "3.42bb")
@pytest.mark.parametrize(
    ("edition", "loss", "owed"), [(6, 1, 1), (6, 2, 1), (6, 0, 1), (6, 3, 2), (5, 1, 0), (5, 2, 1), (5, 0, 1)]
)
def test_mitigation_comes_before_the_armor_step_which_is_lost_in_any_case(edition: int, loss: int, owed: int) -> None:
    """A86: a defender too small spares the attacker a step of the cell, but never the armor step."""
    s = fight([PZ, PZG], ["us_iic_67_aa"])  # one step, defense printed in red
    s.edition = edition  # games begun before the sixth edition go on as they were ruled
    assert board.red_defense >> U("us_iic_67_aa") & 1
    apply(s, s.fight, NOTHING._replace(shaded=True, attacker_loss=loss, defender_loss=2))
    assert (s.fight.owed[AXIS], s.fight.armor_owed) == (owed, min(owed, 1))


@pytest.mark.rule("kasserine", "6.14a", "6.63c", "6.62b")
def test_who_points_at_an_enemy_beside_the_stack_is_told_what_keeps_it_from_the_overrun() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    place(s, "us_34id_2_133", "6730")
    s.stack_units, s.stack_spent = units(PZ), -1
    start(s, At(steps.STACK_MOVES))
    hint = GAME.hint(s, GAME.parse("overrun 6732"))
    assert hint is not None
    assert (hint["cost"], hint["of"], hint["path"]) == ("3", "8 MP", ["6732"])
    s.stack_spent, s.memo = 12, {}
    reason = why(s, "to 6732")
    assert reason is not None
    assert reason.rule == "6.63c"
    reason = why(s, "to 6730")
    assert reason is not None
    assert reason.rule == "6.14a", "not beside the stack"


@pytest.mark.rule("kasserine", "8.72a")
def test_the_log_has_the_star_of_a_shaded_cell() -> None:
    line = LINES["result"]
    assert callable(line)
    told = {"face": 3, "roll": 0, "result": "D1DRd", "shaded": 1}
    assert str(line(told)) == "Roll 3, modified 0: D1DRd*"
    assert str(line({**told, "shaded": 0})) == "Roll 3, modified 0: D1DRd"


@pytest.mark.rule("kasserine", "7.33b")
def test_who_reacts_into_an_ezoc_stops_there() -> None:
    s = empty("allied_reaction")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    place(s, "us_34id_2_133", "6632")  # a friend beside the enemy
    place(s, TANKS, "6631")
    leg = reaction_leg(s, U(TANKS))
    assert leg.everywhere() & mask("6632", "6731") == mask("6632", "6731")
    assert zone(s, AXIS) & mask("6632", "6731") == mask("6632")
    assert not leg.goes_on(H("6632"))
    assert leg.goes_on(H("6731"))


@pytest.mark.rule("kasserine", "6.61", "3.93e", "5.14e")
def test_nobody_who_is_disrupted_or_out_of_supply_joins_a_stack() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, PZG, "6733", disrupted=True)
    place(s, "ger_10pz_i_86", "6733", oos=True)
    place(s, "ger_10pz_ii_86", "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}")
    for unit, rule in ((PZG, "6.61"), ("ger_10pz_i_86", "6.61"), ("ger_10pz_ii_86", "")):
        reason = why(s, f"join {unit}")
        assert ("" if reason is None else reason.rule) == rule
