"""Chapter 8: combat, from the choice of leads to the advance, and the book's worked examples."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.coordination import check_terms, commanders
from sandtable.games.kasserine.combat.fight import FULL_SUPPORT, HALF_SUPPORT, Fight, defenders
from sandtable.games.kasserine.combat.leading import shifter
from sandtable.games.kasserine.combat.reckoning import (
    combined_arms,
    mobile_allowed,
    modifiers,
    reckon,
)
from sandtable.games.kasserine.combat.strengths import batteries, fight_attack, fight_defense
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import HOPELESS
from sandtable.games.kasserine.table.ids import ARTILLERY_CHECK, GROUND_CHECK
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, CheckAt

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
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
    works,
)
from .ch08combatkit import (
    GRENADIERS,
    GRENADIERS2,
    GUNS,
    HQ,
    PZ,
    PZ2,
    PZG,
    PZHQ,
    RIFLES,
    RIFLES2,
    TANKS,
    TD,
    fight,
)

# 8.0, 8.1


@pytest.mark.rule("kasserine", "8.0b", "8.11", "8.18")
def test_the_attacker_chooses_the_order_and_each_unit_fights_once() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, PZ2, "6834")
    place(s, RIFLES, "6732")
    place(s, RIFLES2, "6934")
    s.aims = {H("6732"): units(PZ), H("6934"): units(PZ2)}
    start(s, steps.COMBATS)
    assert set(texts(s)) == {"fight 6732", "fight 6934"}
    do(s, "fight 6934")
    assert s.aims == {H("6732"): units(PZ)}
    assert s.attacked == units(PZ2)


@pytest.mark.rule("kasserine", "8.17", "12.12b", "9.14a")
def test_the_whole_hex_defends() -> None:
    s = fight([PZ], [RIFLES, RIFLES2, HQ])
    assert fight_defense(s, s.fight).value == 4 + 4 + 1
    assert defenders(s, s.fight) == units(RIFLES, RIFLES2, HQ)


# 8.2


@pytest.mark.rule("kasserine", "8.21", "8.22a", "8.23", "8.61a")
def test_the_best_terrain_of_the_defenders_hex_counts_once() -> None:
    both = board.terrain.woods & board.terrain.base["rough"] | board.terrain.woods & board.terrain.hill
    assert all(board.terrain_drm[h] == 1 for h in board.grid.hexes if both >> h & 1)
    assert board.terrain_drm[H("6008")] == 2
    assert board.terrain_drm[H("6733")] == 0
    s = fight([GRENADIERS], [RIFLES], "5908", "6008")  # out of the mountains into the plain
    assert "8.22a" not in {item.rule for item in modifiers(s, s.fight)}


@pytest.mark.rule("kasserine", "8.22c")
def test_a_hexside_counts_if_all_attack_across_one() -> None:
    s = fight([GRENADIERS], [RIFLES], "2338", "2339")
    assert "8.22c" in {item.rule for item in modifiers(s, s.fight)}
    other = next(
        board.grid.names[n]
        for d, n in board.grid.neighbours[H("2338")]
        if not board.terrain.wadis[d] >> H("2338") & 1 and not board.terrain.escarpments[d] >> H("2338") & 1
    )
    place(s, GRENADIERS2, other)
    s.fight.attackers |= units(GRENADIERS2)
    assert "8.22c" not in {item.rule for item in modifiers(s, s.fight)}


@pytest.mark.rule("kasserine", "8.25b", "9.16", "9.0a", "8.12c")
def test_x3_artillery_supports_into_terrain_it_could_not_enter() -> None:
    s = fight([GRENADIERS], ["fr_xix_mtn_4"], "6008", "5908")
    place(s, "ger_10pz_i_90", "5708")
    assert not s.ground.exits[0][H("5908")] >> H("6008") & 1
    assert batteries(s, AXIS, H("6008")) == units("ger_10pz_i_90")


# 8.3


@pytest.mark.rule("kasserine", "8.31a", "8.31b", "8.61f", "13.11")
def test_the_leads_make_the_difference_of_er() -> None:
    s = fight([PZ], [RIFLES])
    assert {item.rule: item.value for item in modifiers(s, s.fight)} == {"8.61f": 4 - 7}
    s = empty("allied_combat")
    place(s, "us_army_1rngr", "5908")  # ER 8, 10 against a mountain hex
    place(s, GRENADIERS, "6008")
    s.aims = {H("6008"): units("us_army_1rngr")}
    begin(s, At(steps.COMBATS), H("6008"))
    s.fight.lead = [U(GRENADIERS), U("us_army_1rngr")]
    assert {item.rule: item.value for item in modifiers(s, s.fight)}["8.61f"] == 7 - 10


@pytest.mark.rule("kasserine", "8.32", "8.32a", "8.32b", "11.13a", "11.33a")
def test_when_the_mobile_crt_may_be_chosen() -> None:
    s = fight([PZ], [RIFLES])
    assert mobile_allowed(s, s.fight) == ""
    assert mobile_allowed(fight([PZG], [RIFLES]), fight([PZG], [RIFLES]).fight) == "8.32b"
    for sky in ("rain", "lingering_mud"):
        wet = fight([PZ], [RIFLES], sky=sky)
        assert mobile_allowed(wet, wet.fight) == "8.32a"
    for kind in ("strongpoint", "minefield"):
        s = fight([PZ], [RIFLES])
        works(s, ALLIED, kind, "6732")
        assert mobile_allowed(s, s.fight) == "8.32a"
    for terrain in (board.terrain.hill, board.terrain.mountain, board.terrain.towns):
        assert terrain & ~board.assault_forced == 0
    s = fight([GRENADIERS], [RIFLES], "0817", "0818")
    s.fight.attackers |= units(PZ)
    assert mobile_allowed(s, s.fight) == "8.32a"


@pytest.mark.rule("kasserine", "8.32", "8.4a", "8.4b", "8.4c", "8.43a", "17.2a", "17.2b", "9.11", "8.42a")
def test_the_chain_of_a_combat_in_its_order() -> None:
    s = empty("axis_combat")
    place(s, [PZ, PZHQ], "6733")
    place(s, "ger_10pz_i_90", "6734")
    place(s, [RIFLES, HQ], "6732")
    place(s, GUNS, "6730")
    place(s, ["ger_air_ii_stg_3", "us_air_31_fg"], "ready")
    s.aims = {H("6732"): units(PZ)}
    start(s, steps.COMBATS)
    seen: list[tuple[int, tuple[str, ...]]] = []
    while s.actor >= 0 and s.fight is not None and s.fight.roll == 0 and len(seen) < 30:
        words = {text.split()[0] for text in texts(s)}
        seen.append((s.actor, tuple(sorted(words))))
        pick = next(
            (t for t in texts(s) if t.startswith(("fly", "fire", "use_mobile"))),
            next((t for t in texts(s) if t.startswith("no_")), texts(s)[0]),
        )
        events = do(s, pick)
        while s.actor < 0 and s.fight is not None and "odds" not in [e.kind for e in events]:
            events = roll(s, 1)
            if of_kind(events, "coordinated"):
                seen.append((-1, (str(of_kind(events, "coordinated")[0].data["check"]),)))
            if of_kind(events, "odds"):
                break
        if of_kind(events, "odds"):
            break
    checks = [words[0] for actor, words in seen if actor == -1]
    assert checks == ["0", "0", "1", "2", "2"]  # artillery, artillery, ground, air, air
    order = [words[0] for actor, words in seen if actor >= 0]
    assert order.index("use_assault") < order.index("fly") < order.index("fire")


# 8.4


@pytest.mark.rule("kasserine", "8.41a", "8.41c", "8.41g", "9.13b")
def test_one_roll_for_all_artillery_and_all_of_it_has_fired() -> None:
    s = fight([PZ], [RIFLES])
    place(s, ["ger_10pz_i_90", "ger_10pz_ii_90"], "6734")
    s.fight.guns[AXIS] = units("ger_10pz_i_90", "ger_10pz_ii_90")
    s.fight.lead_gun[AXIS] = U("ger_10pz_i_90")
    s.stack.append(CheckAt(steps.COORDINATION, AXIS, ARTILLERY_CHECK))
    roll_one(s, 9)
    assert s.fight.artillery[AXIS] == HALF_SUPPORT
    assert s.fired == units("ger_10pz_i_90", "ger_10pz_ii_90")


def roll_one(s: State, face: int) -> None:
    frame = GAME.frames[s.stack[-1][0]]
    frame.take(s, s.stack[-1], (0, face))


@pytest.mark.rule("kasserine", "8.41f", "8.42b", "8.42c", "8.56", "8.43e", "8.43f", "8.43d", "10.44a", "10.44b")
def test_what_checks_come_to() -> None:
    for check, face, wanted in (
        (ARTILLERY_CHECK, 7, ("artillery", FULL_SUPPORT)),
        (ARTILLERY_CHECK, 10, ("artillery", 3)),
        (2, 7, ("air", FULL_SUPPORT)),
        (2, 8, ("air", 3)),
    ):
        s = fight([PZ], [RIFLES])
        place(s, "ger_10pz_i_90", "6734")
        place(s, "ger_air_ii_stg_3", "ready")
        s.fight.guns[AXIS], s.fight.lead_gun[AXIS] = units("ger_10pz_i_90"), U("ger_10pz_i_90")
        s.fight.planes[AXIS], s.fight.lead_plane[AXIS] = units("ger_air_ii_stg_3"), U("ger_air_ii_stg_3")
        s.stack.append(CheckAt(steps.COORDINATION, AXIS, check))
        roll_one(s, face)
        assert getattr(s.fight, wanted[0])[AXIS] == wanted[1]
    for face, failed in ((7, 0), (8, 1)):
        s = fight([PZ], [RIFLES])
        s.stack.append(CheckAt(steps.COORDINATION, AXIS, GROUND_CHECK))
        roll_one(s, face)
        assert s.fight.ground_failed == failed
        assert sum(push.value for push in reckon(s, s.fight).shifts) == -2 * failed


@pytest.mark.rule("kasserine", "3.72b", "3.73e", "12.23b1", "12.23b2", "12.13c", "17.1", "12.14a")
def test_the_modifiers_of_checks() -> None:
    def terms(sky: str, side: int, check: int) -> int:
        s = fight([PZ], [RIFLES], sky=sky)
        place(s, "ger_10pz_i_90", "6734")
        place(s, GUNS, "6730")
        s.fight.lead_gun = [U("ger_10pz_i_90"), U(GUNS)]
        return sum(term.value for term in check_terms(s, s.fight, side, check))

    for check in (0, 1, 2):
        assert terms("dry", AXIS, check) == 0
        assert terms("cloudy", AXIS, check) == (1 if check == 2 else 0)
        assert terms("rain", AXIS, check) == 2
        assert terms("rain", ALLIED, check if check != 1 else 0) == 1
    s = fight([PZ], [RIFLES])
    place(s, PZHQ, "6736")
    assert commanders(s, s.fight, AXIS, GROUND_CHECK) == units(PZHQ)
    s.fight.points[AXIS], s.fight.on[AXIS] = 3, GROUND_CHECK
    assert sum(term.value for term in check_terms(s, s.fight, AXIS, GROUND_CHECK)) == -3
    place(s, PZHQ, "6738")  # five hexes from the lead unit
    assert commanders(s, s.fight, AXIS, GROUND_CHECK) == 0


@pytest.mark.rule("kasserine", "12.31b", "12.31c", "12.32b", "12.33", "3.93d")
def test_x9_fire_net_and_command_points_of_another_formation_both_count() -> None:
    s = empty("allied_combat")
    place(s, TANKS, "6733")
    place(s, PZG, "6732")
    place(s, [GUNS, HQ], "6734")
    place(s, "us_1ad_cca_hq", "6735")
    s.fire_net = units(HQ)
    s.aims = {H("6732"): units(TANKS)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZG), U(TANKS)]
    s.fight.lead_gun[ALLIED] = U(GUNS)
    assert commanders(s, s.fight, ALLIED, GROUND_CHECK) == units("us_1ad_cca_hq")
    s.fight.points[ALLIED], s.fight.on[ALLIED] = 1, GROUND_CHECK
    assert {t.rule: t.value for t in check_terms(s, s.fight, ALLIED, ARTILLERY_CHECK)} == {"12.31b": -2}
    assert {t.rule: t.value for t in check_terms(s, s.fight, ALLIED, GROUND_CHECK)} == {"12.23b": -1}
    s.disrupted = units(HQ)
    assert not check_terms(s, s.fight, ALLIED, ARTILLERY_CHECK)


# 8.5


@pytest.mark.rule("kasserine", "8.52", "8.52a", "8.52b", "8.52c")
def test_x1_odds_are_rounded_for_the_defender() -> None:
    assault, mobile = board.charts.crts
    assert assault.columns[assault.column(8, 5)] == "3:2"
    assert mobile.columns[mobile.column(8, 5)] == "3:2"
    assert assault.columns[assault.column(99, 5)] == "7:1"
    assert mobile.columns[mobile.column(99, 5)] == "8:1"
    assert assault.column(1, 3) == 0
    assert assault.column(2, 7) == HOPELESS


@pytest.mark.rule("kasserine", "8.52a")
def test_hopeless_attacks_are_wiped_out_without_a_die() -> None:
    s = empty("axis_combat")
    place(s, "ger_47gr_14_47", "6733")  # attack 1
    place(s, [RIFLES, RIFLES2], "6732")
    s.aims = {H("6732"): units("ger_47gr_14_47")}
    start(s, steps.COMBATS)
    do(s, f"lead {RIFLES}")
    events = roll(s, 5)  # ground coordination
    assert of_kind(events, "eliminated")
    assert at(s, "ger_47gr_14_47") == "eliminated"


@pytest.mark.rule("kasserine", "8.51a", "8.51b", "9.3a", "9.3b")
def test_support_never_counts_more_than_the_troops() -> None:
    s = fight(["ger_47gr_a24"], [RIFLES])  # attack 3
    place(s, ["ger_10pz_i_90", "ger_10pz_ii_90"], "6734")
    s.fight.guns[AXIS] = units("ger_10pz_i_90", "ger_10pz_ii_90")
    s.fight.artillery[AXIS] = FULL_SUPPORT
    assert fight_attack(s, s.fight).value == 6
    place(s, [GUNS, "us_34id_151_fa", "us_34id_185_fa"], "6730")
    s.fight.guns[ALLIED] = units(GUNS, "us_34id_151_fa", "us_34id_185_fa")
    s.fight.artillery[ALLIED] = FULL_SUPPORT
    assert fight_defense(s, s.fight).value == 8


@pytest.mark.rule("kasserine", "8.53", "8.54", "8.54a", "8.54b", "8.54c", "9.42", "9.41a")
def test_x12_combined_arms_need_tanks_with_infantry_and_no_anti_tank_defense() -> None:
    assert combined_arms(*_with([PZ, PZG], [RIFLES]))
    assert not combined_arms(*_with(["ger_10pz_ii_69", PZG], [RIFLES]))  # panzergrenadiers are no tanks
    assert not combined_arms(*_with([PZ, PZ2], [RIFLES]))
    assert combined_arms(*_with([PZ, "ger_21pz_580_aa"], [RIFLES]))
    for defender in (TANKS, TD, "us_iic_67_aa"):
        assert not combined_arms(*_with([PZ, PZG], [RIFLES, defender]))
    assert combined_arms(*_with([PZ, PZG], [RIFLES, "us_iic_443_aa"]))  # light AA
    s = fight([PZ, PZG], [RIFLES])
    assert [push.rule for push in reckon(s, s.fight).shifts] == ["8.54"]


def _with(attackers: list[str], target: list[str]) -> tuple[State, Fight]:
    s = fight(attackers, target)
    return s, s.fight


@pytest.mark.rule("kasserine", "8.55a", "8.55b", "12.42b", "12.43a")
def test_rommel_and_harmon_shift_one_combat_a_phase() -> None:
    s = fight([PZ], [RIFLES])
    assert shifter(s, AXIS) == shifter(s, ALLIED) == -1
    place(s, "ger_leader_rommel", "6733")
    place(s, "us_leader_harmon", "6732")
    assert shifter(s, AXIS) == U("ger_leader_rommel")
    assert shifter(s, ALLIED) == U("us_leader_harmon")
    s.rommel_fought = s.harmon_fought = 1
    assert shifter(s, AXIS) == shifter(s, ALLIED) == -1
    s.fight.rommel = s.fight.harmon = 1
    assert [push.value for push in reckon(s, s.fight).shifts] == [1, -1]
