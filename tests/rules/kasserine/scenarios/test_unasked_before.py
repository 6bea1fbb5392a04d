"""Rules that could be broken without anybody noticing until somebody broke them by hand, and what panels kept back."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.advance import go_forward
from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.fight import Fight
from sandtable.games.kasserine.combat.results import apply, finish
from sandtable.games.kasserine.combat.showing import fails, outlook
from sandtable.games.kasserine.paths.moves import move_leg, reaction_leg
from sandtable.games.kasserine.retreat.ways import Retreat, path, ways
from sandtable.games.kasserine.sequence import SEQUENCE
from sandtable.games.kasserine.shown.texts import LINES
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import Result
from sandtable.games.kasserine.table.ids import (
    A1_WEATHER,
    B1_MOVEMENT,
    B2_REACTION,
    B3_COMBAT,
    B4_MOTORIZED,
    C1_MOVEMENT,
    C2_REACTION,
    C3_COMBAT,
    C4_MOTORIZED,
    MOBILE,
    RAIN,
)
from sandtable.games.kasserine.table.position import steps_left
from sandtable.games.kasserine.table.ratings import attack_rating_terms, rating
from sandtable.games.kasserine.table.steps import At, BreakOutAt, HexAt
from sandtable.games.kasserine.table.zones import controls, zone
from sandtable.games.kasserine.turn.reaction import STAND
from sandtable.games.kasserine.turn.weather import set_weather

from ..kit import ALLIED, AXIS, H, State, U, at, board, do, empty, hexes, mask, place, roll, start, texts, units, works

PZ, PZ2, PZG = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_10pz_i_69"
FEW = "ita_imp_xl_ccnn"
RIFLES, RIFLES2, TANKS, GUNS = "us_34id_1_133", "us_34id_2_133", "us_1ad_2_1_ar", "us_34id_125_fa"
EVERYWHERE = mask("0111", "0501", "2401", "3901", "5001")  # where supply comes from
NOTHING = Result("A1", False, 0, False, False, False, 0, False, False, False)


# Chapters 3 and 6


@pytest.mark.rule("kasserine", "3.12b", "3.25")
def test_who_passes_by_takes_nothing_that_an_enemy_zone_covers() -> None:
    s = empty("axis_movement")
    place(s, RIFLES, "6531")
    place(s, PZ, "6734")
    start(s, steps.MOVES)
    do(s, f"move {PZ}", "to 6731")  # past 6631, and to a halt beside it
    assert zone(s, AXIS) & zone(s, ALLIED) & mask("6631")
    assert controls(s, ALLIED, H("6631"))
    assert controls(s, AXIS, H("6632"))


@pytest.mark.rule("kasserine", "6.32a", "3.74c", "6.41")
def test_on_foot_a_trail_and_a_wadi_cost_a_point_each_in_mud_too() -> None:
    def price(sky: str, kind: int) -> tuple[int, bool]:
        s = empty(sky=sky)
        d = next(d for d, n in board.grid.neighbours[H("5219")] if n == H("5218"))
        return s.ground.step(kind, H("5219"), d, H("5218"))

    assert price("dry", 1) == price("lingering_mud", 1) == (2 + 2, False)
    assert price("dry", 0) == price("lingering_mud", 0) == (2 + 4, False)
    assert price("rain", 0)[0] == -1


@pytest.mark.rule("kasserine", "6.67c", "6.67fa")
def test_an_overrunner_who_is_thrown_back_is_disrupted_and_loses_a_step_more() -> None:
    both = ("ita_cent_xiv_5b", "ita_cent_xxii_5b")
    s = empty("axis_movement")
    place(s, both, "6733")
    place(s, [RIFLES, RIFLES2, "us_34id_3_133"], "6732")
    start(s, steps.MOVES)
    do(s, f"stack {both[0]}", f"join {both[1]}", "overrun 6732", f"lead {both[0]}", f"lead {RIFLES}")
    roll(s, 9)  # 8 at 1:2, ER 5 against 4: A1AR
    while any(text.startswith(("retreat", "lose")) for text in texts(s)):
        do(s, texts(s)[-1])
    assert s.lost[1] == 2  # one by the table, one for the overrun
    assert s.disrupted == units(*both)
    assert s.moved & units(*both) == units(*both)
    assert all(board.grid.distance(H("6732"), H(at(s, name))) == 3 for name in both)


# Chapter 7


@pytest.mark.rule("kasserine", "15.13d", "7.34b")
def test_reactions_do_not_lead_where_a_scenario_lets_nobody_go() -> None:
    s = empty("axis_reaction", turn=2)
    place(s, PZ, "3033")
    leg = reaction_leg(s, U(PZ))
    assert not leg.everywhere() & mask("2933", "2932")
    assert leg.everywhere() & mask("3133")
    s = empty("axis_reaction", turn=5)
    place(s, PZ, "3033")
    assert reaction_leg(s, U(PZ)).everywhere() & mask("2933", "2932")


@pytest.mark.rule("kasserine", "7.41b", "11.33e")
def test_nobody_holds_an_enemy_minefield_by_no_retreat() -> None:
    s = empty("allied_reaction")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZ)}
    works(s, AXIS, "minefield", "6732")
    reason = STAND.why(H("6732"), s, None, {"hex": 0})
    assert reason is not None
    assert reason.rule == "7.41b"
    works(s, ALLIED, "strongpoint", "6732")
    assert STAND.why(H("6732"), s, None, {"hex": 0}) is None


@pytest.mark.rule("kasserine", "11.32c", "7.31")
def test_a_minefield_stops_who_reacts() -> None:
    s = empty("allied_reaction")
    place(s, TANKS, "6733")
    works(s, AXIS, "minefield", "6732")
    leg = reaction_leg(s, U(TANKS))
    assert leg.everywhere() & mask("6732")
    assert not leg.goes_on(H("6732"))
    assert not move_leg(s, U(TANKS)).goes_on(H("6732"))


# Chapters 8 and 11


@pytest.mark.rule("kasserine", "8.84b", "8.84c", "8.77")
def test_the_steps_of_those_who_fled_into_a_hex_do_not_count_for_its_losses() -> None:
    s = empty("axis_combat")
    place(s, [PZ, PZG], "6733")
    place(s, RIFLES, "6732")
    place(s, RIFLES2, "6732", reduced=True)
    s.aims = {H("6732"): units(PZ, PZG)}
    s.refugees = {H("6732"): units(RIFLES)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.stack.clear()
    s.fight.lead = [U(PZ), U(RIFLES2)]
    apply(s, s.fight, NOTHING._replace(attacker_loss=1, defender_loss=2, defender_disrupted=True))
    assert s.fight.owed == [0, 2]  # one step defends: the attacker is spared one
    assert s.disrupted == units(RIFLES2)


@pytest.mark.rule("kasserine", "8.71g", "9.15b")
def test_guns_that_support_from_beside_the_hex_are_disrupted_with_the_attackers() -> None:
    s = empty("axis_combat")
    place(s, [PZ, "ger_10pz_i_90"], "6733")
    place(s, "ger_10pz_ii_90", "6734")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.stack.clear()
    s.fight.lead, s.fight.guns = [U(PZ), U(RIFLES)], [units("ger_10pz_i_90", "ger_10pz_ii_90"), 0]
    apply(s, s.fight, NOTHING._replace(attacker_retreats=True, attacker_disrupted=True))
    assert s.disrupted == units(PZ, "ger_10pz_i_90")


@pytest.mark.rule("kasserine", "8.85", "8.89a")
def test_a_special_retreat_keeps_to_supply_where_it_can() -> None:
    s = empty("axis_combat")
    place(s, RIFLES, "5620")
    for name, hex_ in ((PZ, "5820"), (PZ2, "5519"), ("ger_21pz_i_5_pz", "5719"), ("ger_21pz_ii_5_pz", "6018")):
        place(s, name, hex_)
    how = Retreat(H("5521"), 1, 2)
    assert ways(s, U(RIFLES), how) == (0, mask("5821"))
    s.exited_by[AXIS] = EVERYWHERE
    s.memo = {}
    assert ways(s, U(RIFLES), how) == (0, mask("5821", "5819"))


@pytest.mark.rule("kasserine", "8.82a", "8.82b")
def test_a_retreat_passes_friends_among_whom_it_has_no_room_to_end() -> None:
    s = empty("axis_combat")
    place(s, RIFLES, "6732")
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar", RIFLES2, "us_34id_34_id_hq"], "6731")
    ends = ways(s, U(RIFLES), Retreat(H("6733"), 1, 2)).ends
    assert ends & mask("6731", "6730") == mask("6730")  # the only way there leads by 6731


@pytest.mark.rule("kasserine", "8.8", "11.45d")
def test_a_retreat_tries_no_minefield_that_it_can_pass() -> None:
    """A103: two ways lead from 6733 to 6631, by 6632 and by 6732."""
    s = empty("allied_combat")
    place(s, PZ, "6733")
    how = Retreat(H("6734"), 2, 2)
    ways_there = {"6632", "6732"}
    for mined in sorted(ways_there):
        s.mines[ALLIED] = s.untried = mask(mined)
        assert path(s, U(PZ), how, H("6631")) == [H(*(ways_there - {mined})), H("6631")]
    s.mines[ALLIED] = s.untried = mask(*ways_there)
    assert path(s, U(PZ), how, H("6631"))[-1] == H("6631")  # it has no choice
    s.mines[ALLIED], s.untried = mask("6632"), 0
    assert path(s, U(PZ), how, H("6631"))[0] == H("6732")  # a known one too
    s.edition = 5
    assert path(s, U(PZ), how, H("6631"))[0] == H("6632")


@pytest.mark.rule("kasserine", "13.11", "13.34")
def test_mountain_guns_are_no_better_against_a_mountain() -> None:
    s = empty("allied_combat")
    mountain = board.grid.index["6008"]
    for name, better in (("fr_xix_mtn_4", True), ("fr_xix_racl", False), (RIFLES, False)):
        rules = [item.rule for item in attack_rating_terms(s, U(name), mountain)]
        assert ("13.11" in rules) == better


@pytest.mark.rule("kasserine", "13.22c")
def test_a_trail_does_not_save_a_tiger_from_the_rain() -> None:
    on_trails = 0
    for m in board.terrain.trails:
        on_trails |= m
    found = hexes(on_trails & ~board.terrain.road_hexes & board.terrain.base["clear"])
    s = empty("weather", turn=6)
    place(s, "ger_army_1_501_tiger", min(found))
    set_weather(s, RAIN)
    assert at(s, "ger_army_1_501_tiger") == "eliminated"


@pytest.mark.rule("kasserine", "9.25")
def test_guns_that_were_attacked_have_fired_wherever_they_went() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, [RIFLES, GUNS], "6732")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.stack.clear()
    s.fight.lead = [U(PZ), U(RIFLES)]
    place(s, GUNS, "6730")
    finish(s)
    assert s.fired == units(GUNS)


@pytest.mark.rule("kasserine", "9.26a", "2.24", "8.97b")
def test_only_combat_units_silence_guns_by_coming_next_to_them() -> None:
    s = empty("allied_combat")
    place(s, ["us_1ad_27_afa", TANKS], "6733")
    place(s, "ger_10pz_i_90", "6731")
    go_forward(s, U("us_1ad_27_afa"), H("6732"), H("6732"), "8.9")
    assert not s.fired
    go_forward(s, U(TANKS), H("6732"), H("6732"), "8.9")
    assert s.fired == units("ger_10pz_i_90")


@pytest.mark.rule("kasserine", "10.18")
def test_air_units_that_flew_for_one_combat_in_rain_count_in_the_next() -> None:
    s = empty("axis_combat", sky="rain")
    place(s, [PZ, "ger_10pz_10_pz_hq"], "6733")
    place(s, PZ2, "6831")
    place(s, RIFLES, "6732")
    place(s, RIFLES2, "6730")
    four = ["ger_air_ii_stg_3", "ger_air_iii_stg_3", "ger_air_iii_skg_10", "ger_air_8_schg_2"]
    place(s, four, "ready")
    s.aims = {H("6732"): units(PZ), H("6730"): units(PZ2)}
    start(s, steps.COMBATS)
    do(s, "fight 6732", f"fly {four[0]}", f"fly {four[1]}", "no_more_planes")
    while s.fight is None or s.fight.target == H("6732"):
        roll(s, 5) if s.actor < 0 else do(s, texts(s)[-1])
    do(s, f"fly {four[2]}")
    assert s.flown_now == [3, 0]
    assert not any(text.startswith("fly") for text in texts(s))


@pytest.mark.rule("kasserine", "11.23b")
def test_who_builds_does_not_advance() -> None:
    s = empty("axis_combat")
    place(s, [PZ, PZG], "6733")
    place(s, RIFLES, "6732")
    s.building[AXIS] = mask("6733")
    s.builder = {H("6733"): U(PZG)}
    s.strong_left[AXIS] -= 1
    s.aims = {H("6732"): units(PZ, PZG)}
    start(s, steps.COMBATS)
    do(s, f"lead {PZ}", "use_assault")
    while s.actor < 0 or not any(text.startswith("advance") for text in texts(s)):
        if s.actor < 0:
            roll(s, 1)
        else:
            do(s, texts(s)[0])
    assert f"advance {PZ} 6732" in texts(s)
    assert f"advance {PZG} 6732" not in texts(s)
    assert at(s, PZG) == "6733"


@pytest.mark.rule("kasserine", "11.45d", "8.52a")
def test_a_hopeless_attack_turns_no_minefield() -> None:
    s = empty("axis_combat")
    place(s, FEW, "6733", reduced=True)
    place(s, [RIFLES, RIFLES2, "us_34id_3_133"], "6732")
    works(s, ALLIED, "minefield", "6732", untried=True)
    s.aims = {H("6732"): units(FEW)}
    start(s, steps.COMBATS)
    do(s, f"lead {RIFLES}")
    roll(s, 1)  # ground coordination
    assert at(s, FEW) == "eliminated"
    assert s.untried == mask("6732")


@pytest.mark.rule("kasserine", "8.89ca", "8.89cb", "3.43")
@pytest.mark.parametrize(("face", "left"), [(4, 2), (5, 1)])
def test_a_stack_that_breaks_out_loses_nothing_on_its_rating(face: int, left: int) -> None:
    s = empty("axis_combat")
    place(s, RIFLES, "6732")  # ER 4
    start(s, BreakOutAt(steps.BREAK_OUT_LEAD, units(RIFLES)))
    roll(s, face)
    assert steps_left(s, units(RIFLES)) == left


@pytest.mark.rule("kasserine", "12.42c")
def test_rommel_goes_to_none_but_the_nearest() -> None:
    s = empty("allied_movement")
    place(s, "ger_leader_rommel", "6732")
    place(s, PZ, "6731")
    place(s, PZG, "6632")
    place(s, PZ2, "6730")
    start(s, HexAt(steps.ROMMEL_FLEES, H("6732")))
    assert set(texts(s)) == {"flee 6731", "flee 6632"}
    do(s, "flee 6731")
    assert at(s, "ger_leader_rommel") == "6731"


# What is once a phase or once a turn may be done in the next


def opened(phase: int) -> State:
    """The moment in which a phase has begun, after one in which everything had been done that is done once."""
    s = empty()
    s.converted = s.arrived = s.moved = s.tried = s.reacted = s.attacked = units(PZ)
    s.avoided = s.stood = s.no_retreat = mask("6732")
    s.fired, s.spent = units(GUNS), units("us_34id_34_id_hq")
    s.rommel_overran = s.rommel_fought = s.harmon_fought = 1
    s.column, s.refugees = {0: 9}, {H("6732"): units(RIFLES)}
    s.aims = {}
    play = next(play for number, play in SEQUENCE if number == phase)
    play(s)
    return s


@pytest.mark.rule("kasserine", "12.34a", "5.37")
def test_a_headquarters_may_be_converted_again_in_the_next_turn() -> None:
    s = opened(A1_WEATHER)
    assert (s.converted, s.arrived) == (0, 0)


@pytest.mark.rule("kasserine", "12.42a", "14.22", "6.11")
@pytest.mark.parametrize("phase", [B1_MOVEMENT, C1_MOVEMENT])
def test_a_movement_phase_begins_anew(phase: int) -> None:
    s = opened(phase)
    assert (s.moved, s.rommel_overran, s.column) == (0, 0, {})


@pytest.mark.rule("kasserine", "7.26", "7.32", "7.42")
@pytest.mark.parametrize("phase", [B2_REACTION, C2_REACTION])
def test_a_reaction_phase_begins_anew(phase: int) -> None:
    s = opened(phase)
    assert (s.tried, s.reacted, s.avoided, s.stood, s.no_retreat) == (0, 0, 0, 0, 0)


@pytest.mark.rule("kasserine", "12.42b", "12.43a", "8.84a")
@pytest.mark.parametrize("phase", [B3_COMBAT, C3_COMBAT])
def test_a_combat_phase_begins_anew(phase: int) -> None:
    s = opened(phase)
    assert (s.rommel_fought, s.harmon_fought, s.refugees) == (0, 0, {})
    assert s.no_retreat  # of the reaction before it


@pytest.mark.rule("kasserine", "4.2f", "12.23ba", "12.23ca", "6.12", "7.42", "8.11")
@pytest.mark.parametrize("phase", [B4_MOTORIZED, C4_MOTORIZED])
def test_nothing_of_a_combat_phase_lasts(phase: int) -> None:
    s = opened(phase)
    assert (s.fired, s.spent, s.attacked, s.moved, s.no_retreat) == (0, 0, 0, 0, 0)


@pytest.mark.rule("kasserine", "12.43b")
def test_patton_is_felt_from_a_combat_phase_on() -> None:
    s = empty("allied_movement")
    place(s, ["us_leader_patton", RIFLES], "6733")
    assert rating(s, U(RIFLES)) == 4
    next(play for number, play in SEQUENCE if number == C3_COMBAT)(s)
    assert rating(s, U(RIFLES)) == 5


# What the panel tells


def overrun_of(*names: str) -> tuple[State, Fight]:
    s = empty("axis_movement")
    place(s, [PZ], "6733")
    place(s, names, "6732")
    found = Fight(board, overrun=1, target=H("6732"), side=AXIS, attackers=units(PZ))
    found.lead, found.crt = [U(PZ), U(names[0])], MOBILE
    return s, found


@pytest.mark.rule("kasserine", "6.67fa")
def test_the_step_that_a_failed_overrun_costs_is_weighed() -> None:
    s, fight = overrun_of(TANKS, "us_1ad_3_1_ar")
    assert fails(s, fight, NOTHING._replace(attacker_loss=1))
    assert not fails(s, fight, NOTHING._replace(defender_retreats=True))
    assert not fails(s, fight, NOTHING._replace(attacker_eliminated=True))
    ladder = outlook(s, fight).ladder
    assert ladder is not None
    column = ladder.columns[ladder.now]
    failing = sum(cell.chance for cell in column.cells if not cell.good)
    fight.overrun = 0
    plain = outlook(s, fight).ladder
    assert plain is not None
    assert failing
    assert column.lost[0] > plain.columns[plain.now].lost[0]
    assert any("the overrun fails and costs one more" in str(cell.text) for cell in column.cells)


@pytest.mark.rule("kasserine", "8.87a", "8.76")
def test_the_step_that_no_retreat_costs_is_weighed() -> None:
    s, fight = overrun_of(TANKS)
    fight.overrun = 0
    before = outlook(s, fight).ladder
    fight.no_retreat = 1
    after = outlook(s, fight).ladder
    assert before is not None
    assert after is not None
    told = " ".join(str(cell.text) for cell in after.columns[after.now].cells)
    assert "the defenders stay and lose one more" in told
    assert "the defenders retreat" not in told
    assert after.columns[5].lost[1] > before.columns[5].lost[1]


@pytest.mark.rule("kasserine", "8.41e", "8.41f")
def test_the_log_tells_half_the_support_from_none() -> None:
    line = LINES["coordinated"]
    assert callable(line)
    told = {"unit": "I/90", "check": "artillery", "passed": 0, "er": 7}
    assert "half" in str(line({**told, "roll": 9}))
    assert "no support" in str(line({**told, "roll": 10}))
    assert "no support" not in str(line({**told, "check": "ground", "roll": 10}))
