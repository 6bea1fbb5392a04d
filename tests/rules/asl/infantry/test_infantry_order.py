"""A1 to A9, A25: what the core rules say of units, the sequence and the small print of fire and movement."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.fire.bursts import snaps
from sandtable.games.asl.fire.firepower import drms as every_drm
from sandtable.games.asl.fire.morale import break_
from sandtable.games.asl.fire.protection import claim_walls
from sandtable.games.asl.fire.sights import sees, smoke_in
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, left
from sandtable.games.asl.sequence import clear_defence
from sandtable.games.asl.table import weather
from sandtable.games.asl.table.ids import (
    AFPH,
    APH,
    DISPERSED,
    F_ADVANCE,
    F_END,
    F_ROUTS,
    F_TURN,
    FIRST,
    FULL,
    GRENADE,
    PFPH,
    RTPH,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
    UNDER_TRENCH,
    WP,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.smoke import age, blow, clouds
from sandtable.games.asl.table.state import Move, State, equivalents, good_order
from sandtable.games.asl.table.works import capacity, room
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.ending import EndAt
from sandtable.games.asl.turn.routs import RoutsAt

from ..infantrykit import (
    ADVANCING,
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LEADER,
    LMG,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    drms,
    give,
    kinds,
    legal,
    moving,
    place,
    rallying,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill, hillock

rule = partial(pytest.mark.rule, "asl")
SQUAD4 = "br_457#4"


# A1, A5.5, A.7


@rule("A1.21")
def test_mmc_have_two_sides() -> None:
    kind = ROSTER.types[ROSTER.type_of["it_346"]]
    assert (kind.fp, kind.range, kind.morale, kind.broken_morale) == (3, 4, 6, 5)
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.broken = bits(FOE)
    attack(s, AXIS, "M5")
    assert held_by(s, f"join {FOE}") == "A10.41"  # the broken side has no FP


@rule("A5.5")
def test_squad_equivalents() -> None:
    s = desert()
    place(s, [SQUAD, FOE, LEADER], "M5")
    s.type[U(FOE)] = ROSTER.type_of["it_136"]
    s.type[U(SQUAD2)] = ROSTER.type_of["br_228"]
    assert [equivalents(s, bits(name)) for name in (SQUAD, FOE, SQUAD2, LEADER)] == [2, 1, 1, 0]


@rule("A.7")
def test_good_order() -> None:
    s = desert()
    everybody = bits(SQUAD, SQUAD2, SQUAD3, LEADER)
    s.broken, s.captive, s.melee = bits(SQUAD), bits(SQUAD2), bits(SQUAD3)
    assert good_order(s, everybody) == bits(LEADER)


@rule("A.8")
def test_original_and_final_dice() -> None:
    """The coloured die alone decides ROF, the Original sum a breakdown, the Final sum the result."""
    s = desert()
    place(s, FOE, "M5")
    give(s, HMG, FOE)
    place(s, SQUAD, "P5")
    attack(s, AXIS, "P5")
    do(s, f"use {HMG}", "commit")
    assert "rate_of_fire" in kinds(roll(s, 3, 6))
    attack(s, AXIS, "P5")
    do(s, f"use {HMG}", "commit")
    assert "rate_of_fire" not in kinds(roll(s, 6, 3))


# A3


@rule("A3.3")
def test_a_move_is_finished_before_the_next() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, SQUAD2, "M7")
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert held_by(s, f"move {SQUAD2}") == "A3.3"
    assert held_by(s, "end-moves") == "A3.3"
    do(s, "halt", f"move {SQUAD2}", "halt")
    assert held_by(s, f"move {SQUAD}") == "A3.3"


@rule("A3.4")
def test_what_comes_off_after_defensive_fire() -> None:
    s = desert()
    s.fired = s.spent_fire = bits(FOE, SQUAD)
    s.residual = {H("M5"): 4}
    s.lanes = {U(HMG): H("M5")}
    clear_defence(s)
    assert s.fired == s.spent_fire == bits(SQUAD)  # what the phasing side did stays
    assert (s.residual, s.lanes) == ({}, {})


@rule("A3.6")
def test_the_phasing_side_routs_first() -> None:
    s = desert()
    s.stack = [TurnAt(F_TURN, RTPH)]
    for name, where in ((SQUAD, "M5"), (SQUAD2, "T5"), (FOE, "T6"), (FOE2, "M6")):
        place(s, name, where)
    s.broken = s.dm = bits(SQUAD, FOE)
    settle(s)
    assert side_of(s) == "allied"
    assert s.stack[-2:] == [RoutsAt(F_ROUTS, AXIS), RoutsAt(F_ROUTS, ALLIED)]


@rule("A3.8", "A4.51")
def test_pins_and_labour_end_with_the_player_turn_and_exhaustion_does_not() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    s.pinned = s.ti = s.cx = bits(SQUAD)
    GAME.frames[F_END].run(s, EndAt(F_END))
    assert (s.pinned, s.ti, s.cx) == (0, 0, bits(SQUAD))


# A4


@rule("A4.44")
def test_a_weapon_is_taken_up_on_five_or_less() -> None:
    for cx, die, taken in ((0, 5, True), (0, 6, False), (1, 5, False)):
        s = desert()
        place(s, SQUAD, "M5")
        place(s, LMG, "M5")
        moving(s)
        do(s, f"move {SQUAD}")
        s.cx = bits(SQUAD) if cx else 0
        do(s, f"take {LMG}")
        assert left(s) == 3 * HALF
        roll(s, die)
        assert (s.holder[U(LMG)] == U(SQUAD)) == taken
        assert held_by(s, f"take {LMG}") == "A4.44"  # one attempt an item
    s = desert()
    place(s, SQUAD, "M5")
    place(s, LMG, "M5")
    rallying(s, ALLIED)
    do(s, f"recover {SQUAD} {LMG}")
    roll(s, 5)
    assert s.holder[U(LMG)] == U(SQUAD)


@rule("A4.43")
def test_weapons_change_hands_in_the_rally_phase_within_a_location() -> None:
    s = desert()
    place(s, [SQUAD, SQUAD2], "M5")
    place(s, SQUAD3, "N5")
    give(s, LMG, SQUAD)
    rallying(s, ALLIED)
    assert held_by(s, f"transfer {LMG} {SQUAD3}") == "A4.43"
    do(s, f"transfer {LMG} {SQUAD2}")
    assert s.holder[U(LMG)] == U(SQUAD2)
    s = desert()
    place(s, [SQUAD, SQUAD2], "M5")
    place(s, FOE, "P5")
    give(s, LMG, SQUAD2)
    s.fired = bits(LMG)  # it has fired, whoever has it now
    attack(s, ALLIED, "P5")
    assert held_by(s, f"use {LMG}") == "A7.11"


@rule("A4.72")
def test_an_advance_that_takes_everything_makes_cx() -> None:
    s = desert({"N5": {"terrain": "brush", "level": 1}})
    place(s, [SQUAD, SQUAD2], "M5")
    s.cx = bits(SQUAD2)
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    assert held_by(s, f"advance {SQUAD2} N5") == "A4.72"
    do(s, f"advance {SQUAD} N5")
    assert s.cx & bits(SQUAD)
    s = desert()
    place(s, SQUAD, "M5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    do(s, f"advance {SQUAD} N5")
    assert s.cx == 0


# A5.12


@rule("A5.12")
def test_overstacking_costs_points_and_draws_fire() -> None:
    s = desert()
    place(s, [SQUAD2, SQUAD3, SQUAD4, "br_457#5"], "N5")
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert left(s) == 2 * HALF  # one squad too many there: 1 MF more
    s = desert()
    place(s, [SQUAD, SQUAD2, SQUAD3, SQUAD4], "M5")
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 1
    s = desert()
    place(s, [SQUAD, SQUAD2, SQUAD3, SQUAD4], "M5")
    place(s, FOE, "P5")
    attack(s, AXIS, "M5")
    assert drms(do(s, f"join {FOE}", "commit")) == -1


# A7, A8


@rule("A7.36")
def test_assault_fire_adds_one_after_all_halving() -> None:
    for kind, span, expected in (("br_648", "O5", 4), ("br_648", "R5", 1), ("br_458", "O5", 2)):
        s = desert()
        place(s, SQUAD, "M5")
        s.type[U(SQUAD)] = ROSTER.type_of[kind]
        place(s, FOE, span)
        s.phase = AFPH
        attack(s, ALLIED, span, ADVANCING)
        assert column(do(s, f"join {SQUAD}", "commit")) == expected


@rule("A8.23")
def test_a_higher_residual_replaces_a_lower_one() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    for name in (FOE, FOE2, "it_346#3"):
        place(s, name, "P5")
    s.residual = {H("N5"): 1}
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    while side_of(s) == "chance":
        roll(s, 6, 6)
    do(s, f"join {FOE}", f"join {FOE2}", "join it_346#3", "commit")  # 9 FP: the 8 column leaves 4
    roll(s, 6, 5)
    assert s.residual == {H("N5"): 4}
    s.residual = {H("N5"): 12}
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.residual = {H("N5"): 6}
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    while side_of(s) == "chance":
        roll(s, 6, 6)
    if side_of(s) == "axis":
        do(s, f"join {FOE}", "commit")
        roll(s, 6, 5)
    assert s.residual == {H("N5"): 6}


@rule("A25.4")
def test_the_british_and_their_friends_do_not_cower_but_the_free_french_do() -> None:
    for kind, cowers in (("br_457", 0), ("an_458", 0), ("in_457", 0), ("br_447", 1), ("ff_457", 1), ("ff_458", 1)):
        s = desert()
        place(s, SQUAD, "M5")
        s.type[U(SQUAD)] = ROSTER.type_of[kind]
        place(s, FOE, "P5")
        attack(s, ALLIED, "P5")
        do(s, f"join {SQUAD}", "commit")
        found = roll(s, 5, 5)
        assert next(one for one in found if one.kind == "attack_rolled").data["cowers"] == cowers, kind


@rule("F2.2c", "F6.5c", "F3.2c", "F7.2c")
@pytest.mark.parametrize("ground", ["scrub", "hammada", "sand", "hillock"])
def test_movers_are_in_the_open_in_scrub_hammada_sand_and_on_hillocks(ground: str) -> None:
    s = desert(hillock("a", "N5") if ground == "hillock" else filled(ground, "N5"))
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert drms(do(s, f"join {FOE}", "commit")) == -2


@rule("F8.3e", "F8.2c")
def test_a_sangar_never_grows() -> None:
    s = desert()
    place(s, "axis_sangar#1", "M5")
    assert capacity(s, H("M5"), UNDER_SANGAR) == 2
    assert float(s.stage.pack.tables["fortifications"]["sangar"]["bpv"]) == 0.5
    s.dug = {H("M5"): 3}
    assert capacity(s, H("M5"), UNDER_SANGAR) == 2


# A24 SMOKE that stays


@rule("A24.4")
def test_ordnance_smoke_thins_and_goes() -> None:
    s = desert()
    s.smoke = {H("M5"): 1 << 2 * FULL + ALLIED | 1 << 2 * WP + AXIS}
    age(s, ALLIED)
    assert s.smoke == {H("M5"): 1 << 2 * DISPERSED + ALLIED | 1 << 2 * WP + AXIS}
    age(s, ALLIED)
    assert s.smoke == {H("M5"): 1 << 2 * WP + AXIS}
    s.smoke = {H("M5"): 1 << 2 * FULL + ALLIED, H("N5"): 1 << 2 * DISPERSED + AXIS, H("O5"): 1 << 2 * GRENADE}
    blow(s)
    assert s.smoke == {H("M5"): 1 << 2 * DISPERSED + ALLIED}


@rule("A24.4")
def test_smoke_thins_at_the_start_of_its_owners_prep_fire_phase() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    s.smoke = {H("M5"): 1 << 2 * FULL + ALLIED, H("P5"): 1 << 2 * FULL + AXIS}
    s.stack = [TurnAt(F_TURN, PFPH)]
    settle(s)
    assert s.smoke == {H("M5"): 1 << 2 * DISPERSED + ALLIED, H("P5"): 1 << 2 * FULL + AXIS}


@rule("A24.61")
def test_full_smoke_drifts_one_hex_in_a_mild_breeze() -> None:
    s = desert()
    s.wind, s.toward = 1, 4
    s.smoke = {H("M5"): 1 << 2 * FULL + ALLIED, H("P5"): 1 << 2 * DISPERSED}
    assert clouds(s) == {**s.smoke, H("M6"): 1 << 2 * DISPERSED + ALLIED}
    assert smoke_in(s, H("M6")) == 2
    s.smoke = {}
    assert clouds(s) == {}


# B9.32


def walled(high: bool = False) -> State:
    s = desert(hill(1, "N5") if high else {}, [("M5", "N5", "wall"), ("N5", "O5", "wall")])
    place(s, SQUAD, "M5")
    place(s, FOE, "N5")
    return s


@rule("B9.32")
def test_wall_advantage_is_held_by_one_side_and_lost_by_breaking() -> None:
    s = walled()
    claim_walls(s)
    assert s.walled == bits(FOE)  # the side that waits is there first
    attack(s, ALLIED, "N5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 2
    s = walled()
    claim_walls(s)
    attack(s, AXIS, "M5")
    assert drms(do(s, f"join {FOE}", "commit")) == 0  # right across from its holder the wall is no help
    s = walled()
    claim_walls(s)
    break_(s, U(FOE), "A10.4")
    claim_walls(s)
    assert s.walled == bits(SQUAD)


@rule("B9.32", "F10.3c")
def test_who_is_below_a_hillside_wall_does_not_claim_it() -> None:
    s = walled(high=True)
    s.phasing = AXIS
    claim_walls(s)
    assert s.walled == bits(FOE)


@rule("F8.3c", "B27.44")
def test_a_sangar_has_room_for_both_sides_together_and_a_foxhole_for_each() -> None:
    for work, under, left_ in (("axis_sangar#1", UNDER_SANGAR, 0), ("axis_foxhole#1", UNDER_FOXHOLE, 2)):
        s = desert()
        place(s, work, "M5")
        place(s, FOE, "M5", under)
        assert room(s, H("M5"), under, AXIS) == 0
        assert room(s, H("M5"), under, ALLIED) == left_


@rule("F8.3b")
def test_with_a_gun_a_sangar_holds_a_crew_and_never_a_squad() -> None:
    s = desert()
    place(s, "axis_sangar#1", "M5")
    assert room(s, H("M5"), UNDER_SANGAR, AXIS) == 2
    gun = next(name for name in ROSTER.names if ROSTER.guns >> ROSTER.index[name] & 1)
    place(s, gun, "M5", UNDER_SANGAR)
    assert room(s, H("M5"), UNDER_SANGAR, AXIS) == 1


# A8.15 Snap Shots


def corner() -> State:
    """Woods hide where the mover comes from and where it goes; between them its hexside is seen."""
    s = desert(filled("woods", "N6", "L6"))
    place(s, SQUAD, "L5")
    place(s, FOE, "M8")
    return s


@rule("A8.15")
def test_a_snap_shot_at_a_hexside() -> None:
    s = corner()
    attack(s, AXIS, "M5", FIRST)
    assert s.attack is not None
    s.move = Move(movers=bits(SQUAD), came=H("L5"), hex=H("M5"), crossing=1, here=HALF)
    place(s, SQUAD, "M5")
    s.attack.movers, s.attack.snap = bits(SQUAD), 1
    settle(s)
    found = do(s, f"join {FOE}", "commit")
    assert (column(found), drms(found)) == (1, 0)  # 3 FP halved; neither FFNAM nor FFMO
    roll(s, 6, 5)
    assert s.residual == {}


@rule("F11.71b", "F11.62b", "A8.15")
@pytest.mark.parametrize(("edition", "found"), [(6, [("F11.71b", 3), ("F11.621", 1)]), (5, [])])
def test_dust_and_haze_lie_between_a_snap_shot_and_its_target(edition: int, found: list[tuple[str, int]]) -> None:
    s = desert(filled("woods", "N6", "L6"))
    s.edition = edition
    s.stage.script = {
        **s.stage.script,
        "conditions": {**s.stage.script["conditions"], "dust": "light", "haze": "intense"},
    }
    s.stage.script["conditions"]["ec"] = "Dry"
    weather.begin(s)
    place(s, SQUAD, "M1")
    place(s, FOE, "M8")
    attack(s, AXIS, "M1", FIRST)
    assert s.attack is not None
    s.move = Move(movers=bits(SQUAD), came=H("M2"), hex=H("M1"), crossing=1, here=HALF)
    s.attack.movers, s.attack.snap, s.attack.firers, s.attack.dusty = bits(SQUAD), 1, bits(FOE), 6
    assert sorted((one.rule, one.value) for one in every_drm(s, s.attack)) == sorted(found)


@rule("A8.15")
def test_a_snap_shot_is_offered_to_who_sees_the_hexside() -> None:
    s = desert(filled("woods", "N6", "N7"))
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    seen = sees(s, U(FOE), H("N5"), bits(SQUAD))
    snapped = snaps(s, U(FOE)) if s.move is not None else False
    assert ("snap" in legal(s)) == (snapped and not seen and side_of(s) == "axis")
    for where, edition, may in (("P5", 3, True), ("P5", 2, False), ("X5", 3, False)):
        s = desert()
        s.edition = edition
        place(s, [SQUAD, SQUAD2], "M5")
        place(s, FOE, where)  # it sees the hex too; from X5 it is out of range
        s.concealed = bits(FOE)
        moving(s)
        do(s, f"move {SQUAD}", "to N5")
        assert ("snap" in legal(s)) == may
        assert may or held_by(s, "snap") == "A8.15"


@rule("F8.6d")
def test_a_trench_protects_from_snap_shots() -> None:
    s = corner()
    place(s, "axis_trench#1", "M5")
    attack(s, AXIS, "M5", FIRST)
    assert s.attack is not None
    s.move = Move(movers=bits(SQUAD), came=H("L5"), hex=H("M5"), crossing=1, here=HALF)
    place(s, SQUAD, "M5", UNDER_TRENCH)
    s.attack.movers, s.attack.snap = bits(SQUAD), 1
    settle(s)
    assert drms(do(s, f"join {FOE}", "commit")) == 2


@rule("F8.6a", "F8.6d")
@pytest.mark.parametrize(("edition", "drm"), [(6, 2), (5, 0)])
def test_a_trench_protects_from_snap_shots_on_the_way_down_out_of_it(edition: int, drm: int) -> None:
    """From beneath a sangar on a hillock straight into lower ground; a step later it is like any other move."""
    s = desert(hillock("h", "M5"))
    s.edition = edition
    place(s, "allied_sangar#1", "M5")
    place(s, SQUAD, "M5", UNDER_SANGAR)
    place(s, FOE, "N7")
    moving(s)
    do(s, f"move {SQUAD}", "to M6")
    assert drms(do(s, "snap", f"join {FOE}", "commit")) == drm
    roll(s, 6, 5)
    do(s, "to L6")
    assert s.move is not None
    assert s.move.crossing == 1


# A5.1


@rule("A5.1")
def test_nobody_stays_where_there_are_too_many() -> None:
    s = desert()
    place(s, [SQUAD2, SQUAD3, SQUAD4], "N5")
    place(s, SQUAD, "M5")
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert held_by(s, "halt") == "A5.1"
    do(s, "to O5", "halt")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    assert held_by(settle(s), f"advance {SQUAD} N5") == "A5.1"


@rule("F8.3d")
def test_a_squad_deploys_to_man_a_gun_in_a_sangar() -> None:
    """Even Italians, and without a leader (AMB-28): half of it goes beneath, the other half stays above."""
    s = desert(phasing=AXIS)
    place(s, "axis_sangar#1", "M5")
    gun = next(n for n in ROSTER.names if ROSTER.guns & ROSTER.of_side[AXIS] & bits(n))
    place(s, gun, "M5", UNDER_SANGAR)
    place(s, FOE, "M5")
    moving(s)
    do(s, f"move {FOE}", "under")
    assert s.kind(U(FOE)).id == "it_136"
    assert s.under[U(FOE)] == UNDER_SANGAR
    other = s.here[H("M5")] & ROSTER.spare
    assert other.bit_count() == 1
    assert s.moved & other == other
    assert room(s, H("M5"), UNDER_SANGAR, AXIS) == 0


@rule("F8.3d", "B27.3")
def test_a_squad_that_finds_a_foxhole_does_not_deploy_to_man_a_gun_in_a_sangar() -> None:
    s = desert(phasing=AXIS)
    place(s, ["axis_sangar#1", "axis_foxhole#1"], "M5")
    s.strength[U("axis_foxhole#1")] = 1
    gun = next(n for n in ROSTER.names if ROSTER.guns & ROSTER.of_side[AXIS] & bits(n))
    place(s, gun, "M5", UNDER_SANGAR)
    place(s, FOE, "M5")
    moving(s)
    do(s, f"move {FOE}", "under")
    assert (s.kind(U(FOE)).id, s.under[U(FOE)]) == ("it_346", UNDER_FOXHOLE)
    assert not s.here[H("M5")] & ROSTER.spare
