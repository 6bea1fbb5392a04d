"""Chapter 8: results."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.chain import COMBAT, begin
from sandtable.games.kasserine.combat.fight import FULL_SUPPORT, defenders
from sandtable.games.kasserine.combat.reckoning import (
    armor_at_risk,
    modifiers,
    reckon,
)
from sandtable.games.kasserine.combat.results import apply
from sandtable.games.kasserine.combat.showing import outlook
from sandtable.games.kasserine.combat.strengths import fight_defense
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.supply.lines import supplied
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import Result
from sandtable.games.kasserine.table.ids import MOBILE
from sandtable.games.kasserine.table.stacking import points_in
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, RetreatAt, StageAt

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
    mask,
    place,
    roll,
    start,
    texts,
    units,
    why,
    works,
)
from .ch08combatkit import (
    ARMORED_GUNS,
    GRENADIERS,
    GRENADIERS2,
    GUNS,
    PAK,
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

NOTHING = Result("", False, 0, False, False, False, 0, False, False, False)


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


def resolve(s: State, result: Result) -> None:
    """Apply a result to the fight and go on from there."""
    at_losses = next(i for i, step in enumerate(COMBAT) if step.__name__ == "settle_losses")
    apply(s, s.fight, result)
    start(s, steps.COMBATS, StageAt(steps.COMBAT_CHAIN, at_losses))


# 8.6


@pytest.mark.rule(
    "kasserine", "8.6", "8.61b", "8.61c", "8.61d", "8.61g", "8.62", "10.44c", "10.44d", "13.32", "12.43aa", "11.44"
)
def test_all_modifiers_are_added_up_and_limited_to_three() -> None:
    s = empty("allied_combat")
    place(s, ["us_1id_1_16", "br_1gds_3_gren"], "6733")
    place(s, GRENADIERS, "6732", disrupted=True)
    works(s, AXIS, "minefield", "6732")
    works(s, AXIS, "strongpoint", "6732")
    s.aims = {H("6732"): units("us_1id_1_16", "br_1gds_3_gren")}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(GRENADIERS), U("us_1id_1_16")]
    s.fight.planes = [units("ger_air_ii_stg_3"), units("us_air_33_fg")]
    s.fight.air = [FULL_SUPPORT, FULL_SUPPORT]
    found = [(item.rule, item.value) for item in modifiers(s, s.fight)]
    assert found == [("11.13b", 1), ("8.61d", 1), ("13.32", 1), ("10.44c", -1), ("10.44c", 2)]  # ER 6 against 7 - 1
    assert reckon(s, s.fight).drm == 3
    assert [(item.value, item.rule) for item in outlook(s, s.fight).terms[-2:]] == [("+2", "10.44c"), ("-1", "8.62")]
    place(s, "us_leader_harmon", "6733")
    assert ("13.32", 1) not in [(item.rule, item.value) for item in modifiers(s, s.fight)]


@pytest.mark.rule("kasserine", "8.63", "8.71a", "8.71b", "8.71c", "8.71d", "8.71e", "8.71f", "8.71g")
def test_every_cell_is_spelt_out() -> None:
    for crt in board.charts.crts:
        for column in range(len(crt.columns)):
            for roll_ in range(-2, 14):
                cell = crt.result(column, roll_)
                assert cell.attacker_loss == (2 if "A2" in cell.code else 1 if "A1" in cell.code else 0)
                assert cell.defender_loss == next((n for n in (3, 2, 1) if f"D{n}" in cell.code), 0)
                assert cell.attacker_retreats == ("AR" in cell.code)
                assert cell.defender_retreats == ("DR" in cell.code)
                assert cell.attacker_eliminated == (cell.code == "AE")
                assert cell.defender_eliminated == (cell.code == "DE")


# 8.7


@pytest.mark.rule("kasserine", "8.71a", "8.71b")
def test_a_retreat_is_called_by_who_goes_back() -> None:
    s = fight([PZ, PZG], [RIFLES])
    resolve(s, NOTHING._replace(attacker_retreats=True))
    assert {text.split()[1] for text in texts(s)} == {PZ, PZG}
    assert str(GAME.prompt(s).title) == "Retreat of the attackers of 6732"
    s = fight([PZ, PZG], [RIFLES])
    resolve(s, NOTHING._replace(defender_retreats=True))
    assert {text.split()[1] for text in texts(s)} == {RIFLES}
    assert str(GAME.prompt(s).title) == "Retreat from 6732"


@pytest.mark.rule("kasserine", "8.71e", "8.71f", "8.74a", "8.74aa", "8.75", "3.42b", "3.42bd")
def test_x16_losses_alone_make_nobody_retreat_and_the_lead_loses_first() -> None:
    s = fight([PZ, PZG], [RIFLES, RIFLES2])
    resolve(s, NOTHING._replace(attacker_loss=2, defender_loss=1))
    assert s.step[U(PZ)] == 1  # the lead
    assert set(texts(s)) == {f"lose {PZ}", f"lose {PZG}"}
    do(s, f"lose {PZG}")
    assert s.step[U(RIFLES)] == 1
    assert (at(s, RIFLES), at(s, PZ)) == ("6732", "6733")
    assert s.fight is None


@pytest.mark.rule("kasserine", "3.42ba", "3.42bb", "3.42bc", "8.72a", "8.72b", "9.43", "13.21", "11.33d", "9.41b")
@pytest.mark.parametrize(
    ("target", "mine", "lost"),
    [([RIFLES, TD], 0, True), ([RIFLES], 0, False), ([RIFLES], 1, True), ([RIFLES], 2, True)],
)
def test_x10_and_x11_a_shaded_cell_costs_an_armor_step(target: list[str], mine: int, lost: bool) -> None:
    s = fight([PZG, PZ], target)
    s.fight.mine = mine
    assert armor_at_risk(s, s.fight) == lost
    resolve(s, NOTHING._replace(shaded=True))
    assert s.step[U(PZ)] == int(lost)
    assert s.step[U(PZG)] == 0


@pytest.mark.rule("kasserine", "3.42ba", "8.72b")
def test_the_first_loss_of_a_shaded_cell_is_armor_even_if_infantry_leads() -> None:
    s = fight([PZG, PZ], [RIFLES, TD])
    resolve(s, NOTHING._replace(shaded=True, attacker_loss=1))
    assert (s.step[U(PZ)], s.step[U(PZG)]) == (1, 0)
    s = fight([PZG, GRENADIERS], [RIFLES, TD])  # no armor at all
    resolve(s, NOTHING._replace(shaded=True))
    assert (s.step[U(PZG)], s.step[U(GRENADIERS)]) == (0, 0)


@pytest.mark.rule("kasserine", "8.77")
def test_too_few_steps_spare_the_other_side_one() -> None:
    s = fight([PZ, PZG], ["us_iic_443_aa"])  # one step
    resolve(s, NOTHING._replace(attacker_loss=1, defender_loss=2))
    assert at(s, "us_iic_443_aa") == "eliminated"
    assert s.step[U(PZ)] == 0


@pytest.mark.rule("kasserine", "8.73", "9.15a", "9.15b")
def test_only_artillery_beside_the_hex_shares_the_attackers_fate() -> None:
    s = fight([PZ], [RIFLES])
    place(s, "ger_10pz_i_90", "6733")
    place(s, "ger_10pz_ii_90", "6734")
    s.fight.guns[AXIS] = units("ger_10pz_i_90", "ger_10pz_ii_90")
    resolve(s, NOTHING._replace(attacker_eliminated=True))
    assert at(s, "ger_10pz_i_90") == at(s, PZ) == "eliminated"
    assert at(s, "ger_10pz_ii_90") == "6734"


@pytest.mark.rule("kasserine", "8.76", "8.87a", "8.87b", "8.87ba", "8.87bb", "8.96")
def test_no_retreat_costs_the_lead_a_step_more() -> None:
    s = fight([PZ, PZG], [RIFLES, RIFLES2])
    s.fight.no_retreat = 1
    resolve(s, NOTHING._replace(defender_loss=1, defender_retreats=True))
    assert at(s, RIFLES) == "eliminated"  # the loss and the price of standing
    assert at(s, RIFLES2) == "6732"
    assert s.fight is None  # nobody is asked where they go
    s = fight([PZ, PZG], [RIFLES])
    s.fight.no_retreat = 1
    s.step[U(RIFLES)] = 1
    resolve(s, NOTHING._replace(defender_retreats=True))
    assert at(s, RIFLES) == "eliminated"
    assert at(s, PZ) == "6733"
    assert s.fight is None  # no advance was offered
    s = fight([PZ, PZG], [RIFLES])
    s.fight.no_retreat = 1
    resolve(s, NOTHING._replace(defender_disrupted=True))
    assert s.step[U(RIFLES)] == 0  # A45 no retreat was called for


# 8.8


def retreating(how: Retreat, unit: str = RIFLES, hex_: str = "6732", **others: str) -> State:
    s = empty("axis_combat")
    place(s, unit, hex_)
    for name, number in others.items():
        place(s, name, number)
    assert how.centre >= 0
    return s


@pytest.mark.rule("kasserine", "8.8", "8.8a", "8.8b", "8.8c", "8.81a", "8.81b")
def test_retreats_lead_away_one_or_two_hexes_past_what_can_be_passed() -> None:
    s = retreating(Retreat(H("6732"), 1, 2))
    one_or_two = ways(s, U(RIFLES), Retreat(H("6732"), 1, 2)).ends
    two = ways(s, U(RIFLES), Retreat(H("6732"), 2, 2)).ends
    grid = board.grid
    assert one_or_two == grid.within(H("6732"), 2) & ~mask("6732")
    assert two == one_or_two & ~grid.within(H("6732"), 1)
    place(s, PZ, "6730")
    ends = ways(s, U(RIFLES), Retreat(H("6732"), 2, 2)).ends
    assert not ends >> H("6730") & 1


@pytest.mark.rule("kasserine", "8.82b", "8.83a", "8.83b", "8.88a", "8.88b", "8.88c")
def test_retreats_end_outside_ezocs_or_with_friends_and_within_stacking() -> None:
    s = retreating(Retreat(H("6732"), 1, 1))
    place(s, PZ, "6733")
    how = Retreat(H("6732"), 1, 1)
    assert not ways(s, U(RIFLES), how).ends & mask("6632", "6832")  # in the ZOC of the panzers
    place(s, RIFLES2, "6632")
    assert ways(s, U(RIFLES), how).ends & mask("6632")
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar"], "6632")
    assert not ways(s, U(RIFLES), how).ends & mask("6632")  # 2 + 6 and 2 more


@pytest.mark.rule("kasserine", "8.8a", "8.8b", "8.81a", "8.82b", "8.83a", "7.24")
def test_a_retreat_that_is_refused_says_which_rule_is_in_its_way() -> None:
    s = retreating(Retreat(H("6732"), 2, 2))
    place(s, PZ, "6733")
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar", RIFLES2], "6530")
    start(s, RetreatAt(steps.RETREATS, AXIS, units(RIFLES), H("6732"), 2, 2, mask("6730")))

    def against(hex_: str) -> str:
        reason = why(s, f"retreat {RIFLES} {hex_}")
        return "" if reason is None else reason.rule

    assert against("6830") == ""
    assert against("6728") == "8.8a"
    assert against("6733") == "8.81a"
    assert against("6732") == "8.8"
    assert against("6731") == "8.8b"
    assert against("6730") == "7.24"
    assert against("6734") == "8.83a"
    assert against("6530") == "8.8a"
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar", RIFLES2], "6631")
    start(s, RetreatAt(steps.RETREATS, AXIS, units(RIFLES), H("6732"), 1, 2, 0))
    assert against("6631") == "8.82b"


@pytest.mark.rule("kasserine", "8.85")
def test_x8_a_supplied_end_that_is_full_is_no_other_way() -> None:
    s = retreating(Retreat(H("5231"), 1, 1), hex_="5232")
    for name, number in ((PZ, "5034"), (PZ2, "4833"), ("ger_21pz_i_5_pz", "5335"), ("ger_21pz_ii_5_pz", "5229")):
        place(s, name, number)
    how = Retreat(H("5231"), 1, 1)
    assert ways(s, U(RIFLES), how).ends == mask("5333")  # the only one in supply
    place(s, [GUNS, "us_34id_185_fa", "us_34id_175_fa", "us_34id_151_fa", "us_34id_34_id_hq"], "5333")
    assert points_in(s, H("5333"), ALLIED) == 9
    assert supplied(s, ALLIED) & mask("5333", "5133", "5233") == mask("5333")
    assert ways(s, U(RIFLES), how).ends == mask("5133", "5233")


@pytest.mark.rule("kasserine", "8.85")
def test_a_retreat_keeps_to_supply_where_it_can() -> None:
    s = retreating(Retreat(H("6732"), 1, 2))
    place(s, PZ, "6631")
    place(s, PZ2, "6634")
    how = Retreat(H("6732"), 1, 2)
    kept, fed = ways(s, U(RIFLES), how).ends, supplied(s, ALLIED)
    s.exited_by[AXIS] = mask("0111", "0501", "2401", "3901", "5001")  # no supply anywhere
    s.memo = {}
    anywhere = ways(s, U(RIFLES), how).ends
    assert kept == anywhere & fed
    assert 0 < kept < anywhere


def surrounded() -> State:
    """All hexes around 6732 are in EZOCs, those beyond to the north free."""
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, GRENADIERS, "6631")
    place(s, GRENADIERS2, "6831")
    return s


@pytest.mark.rule("kasserine", "8.86", "8.89a", "8.89b", "8.89ba", "8.89c", "8.89ca", "8.89cb", "8.89d", "8.8")
def test_x7_a_special_retreat_for_red_boxes_and_feet_but_not_for_guns() -> None:
    s = surrounded()
    place(s, [ARMORED_GUNS, GUNS], "6732")
    how = Retreat(H("6732"), 2, 2)
    assert ways(s, U(ARMORED_GUNS), how).ends == 0
    assert ways(s, U(ARMORED_GUNS), how).special
    assert ways(s, U(GUNS), how) == (0, 0)
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(ARMORED_GUNS, GUNS), H("6732"), 2, 2))
    assert at(s, GUNS) == "eliminated"
    if s.actor == ALLIED:
        do(s, texts(s)[0])
    assert s.actor == -1
    roll(s, 6)  # ER 5: the battalion has one step
    assert at(s, ARMORED_GUNS) == "eliminated"


@pytest.mark.rule("kasserine", "8.84a", "8.84b", "8.84c")
def test_who_flees_into_a_defending_hex_only_shares_its_fate() -> None:
    s = fight([PZ], [RIFLES])
    place(s, RIFLES2, "6731")
    s.aims[H("6731")] = units(PZG)
    place(s, PZG, "6831")
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(RIFLES), H("6732"), 1, 2))
    do(s, f"retreat {RIFLES} 6731")
    assert s.refugees == {H("6731"): units(RIFLES)}
    begin(s, At(steps.COMBATS), H("6731"))
    assert defenders(s, s.fight) == units(RIFLES2)
    assert fight_defense(s, s.fight).value == 4
    apply(s, s.fight, NOTHING._replace(defender_retreats=True))
    assert s.fight.retreating[ALLIED] == units(RIFLES, RIFLES2)


# 8.9


@pytest.mark.rule(
    "kasserine",
    "8.9",
    "8.91a",
    "8.91b",
    "8.91d",
    "8.91e",
    "8.92b",
    "8.93a",
    "8.93b",
    "8.94a",
    "8.97a",
    "8.97b",
    "3.93f",
    "11.32c",
)
def test_x5_x6_x15_who_advances_and_how_far() -> None:
    s = fight([PZ, PZG, PAK], [RIFLES])
    place(s, GRENADIERS, "6832")  # it only stood by
    s.fight.crt = MOBILE
    s.disrupted = units(PZG)
    resolve(s, NOTHING._replace(defender_eliminated=True))
    legal = texts(s)
    assert f"advance {PZ} 6732" in legal
    assert f"advance {PZ} 6731" in legal
    assert f"advance {PZG} 6732" in legal
    assert f"advance {PZG} 6731" not in legal  # disrupted: one hex
    assert rule_against(s, f"advance {PAK} 6732") == "8.97a"
    assert rule_against(s, f"advance {GRENADIERS} 6732") == "8.93a"
    assert "end_advance" in legal
    do(s, f"advance {PZ} 6731")
    assert at(s, PZ) == "6731"
    assert rule_against(s, f"advance {PZ} 6732") == "8.92a"
    s = fight([PZ], [RIFLES])
    resolve(s, NOTHING._replace(defender_eliminated=True))
    assert f"advance {PZ} 6731" not in texts(s)  # the Assault CRT: one hex, however far they ran
    s = empty("allied_combat")
    place(s, [TANKS, ARMORED_GUNS], "6733")
    place(s, GRENADIERS, "6732")
    s.aims = {H("6732"): units(TANKS)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.stack.clear()
    s.fight.lead = [U(GRENADIERS), U(TANKS)]
    s.fight.guns[ALLIED] = units(ARMORED_GUNS)
    resolve(s, NOTHING._replace(defender_eliminated=True))
    assert f"advance {ARMORED_GUNS} 6732" in texts(s)


@pytest.mark.rule("kasserine", "8.91c", "8.92a", "8.92c", "8.94b", "8.94c", "8.95", "12.41c")
def test_advances_ignore_ezocs_keep_to_stacking_and_come_before_the_next_combat() -> None:
    s = fight([PZ, PZ2, PZG, GRENADIERS], [RIFLES])
    place(s, RIFLES2, "6731")
    place(s, "ger_leader_rommel", "6733")
    s.aims[H("6731")] = units("ger_10pz_ii_69")
    place(s, "ger_10pz_ii_69", "6831")
    resolve(s, NOTHING._replace(defender_eliminated=True))
    assert "advance ger_leader_rommel 6732" in texts(s)
    do(s, f"advance {PZ} 6732", f"advance {PZ2} 6732", f"advance {PZG} 6732")  # beside the enemy: 3 + 3 + 2
    assert f"advance {GRENADIERS} 6732" not in texts(s)  # 2 more would be 10
    assert s.aims == {H("6731"): units("ger_10pz_ii_69")}
    assert s.attacked & units(PZ)
    s = fight([PZ], [RIFLES])
    resolve(s, NOTHING._replace(attacker_eliminated=True))
    assert s.fight is None  # no defender advances
    assert at(s, RIFLES) == "6732"


@pytest.mark.rule("kasserine", "8.43b", "8.43c", "10.42", "10.43", "10.45", "10.46", "10.15b", "10.14", "10.47")
def test_close_air_support_needs_an_hq_and_flies_once() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    four = ["ger_air_ii_stg_3", "ger_air_iii_stg_3", "ger_air_iii_skg_10", "ger_air_8_schg_2"]
    place(s, [*four, "ger_air_iii_kg_76"], "ready")
    s.aims = {H("6732"): units(PZ)}
    start(s, steps.COMBATS)
    do(s, "use_assault")
    assert not any(text.startswith("fly") for text in texts(s)) if s.actor >= 0 else True  # no HQ
    s = empty("axis_combat")
    place(s, [PZ, PZHQ], "6733")
    place(s, RIFLES, "6732")
    place(s, [*four, "ger_air_iii_kg_76"], "ready")
    s.aims = {H("6732"): units(PZ)}
    start(s, steps.COMBATS)
    do(s, "use_assault")
    assert rule_against(s, "fly ger_air_iii_kg_76") == "10.46"
    do(s, f"fly {four[0]}", f"fly {four[1]}", f"fly {four[2]}")
    assert s.fight.planes[AXIS] == units(*four[:3])
    assert s.fight.lead_plane[AXIS] == U(four[0])
    while s.fight is not None:
        if s.actor < 0:
            roll(s, 5)
        else:
            do(s, texts(s)[-1])
    assert at(s, four[0]) == at(s, four[2]) == "flown"
    assert at(s, four[3]) == "ready"
