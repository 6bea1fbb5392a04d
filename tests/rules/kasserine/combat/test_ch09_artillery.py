"""Chapter 9: artillery and anti-tank units."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.advance import go_forward
from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.fight import NO_CHECK, Fight
from sandtable.games.kasserine.combat.results import finish
from sandtable.games.kasserine.combat.strengths import batteries, defense_in, fight_attack, fight_defense
from sandtable.games.kasserine.combat.support import FIRE
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.position import eliminate
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At

from ..kit import ALLIED, AXIS, H, U, board, do, empty, place, start, units

PZ, GRENADIERS, HOWITZERS = "ger_10pz_i_7_pz", "ger_47gr_i_47", "ger_10pz_i_90"
RIFLES, GUNS, GUNS2, HQ, AT_GUN = (
    "us_34id_1_133",
    "us_34id_125_fa",
    "us_34id_151_fa",
    "us_34id_34_id_hq",
    "br_6ad_72_at",
)


def fight(*target: str) -> State:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, target, "6732")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.stack.clear()
    s.fight.lead = [U(PZ), U(target[0])]
    return s


def barred(s: State, unit: str, side: int) -> str:
    reason = FIRE.why(U(unit), s, side, {"unit": 0})
    return "" if reason is None else reason.rule


@pytest.mark.rule("kasserine", "9.1a", "9.1b", "9.12", "9.13a", "9.13c", "9.13d", "3.93g", "9.0b")
def test_who_can_support_a_combat() -> None:
    s = fight(RIFLES)
    place(s, HOWITZERS, "6736")  # range 3, four hexes away
    assert board.range[U(HOWITZERS)] == 3
    assert barred(s, HOWITZERS, AXIS) == "9.13a"
    place(s, HOWITZERS, "6735")
    assert barred(s, HOWITZERS, AXIS) == ""
    for mark, rule in (("fired", "9.13c"), ("oos", "9.13d"), ("disrupted", "9.13d")):
        setattr(s, mark, units(HOWITZERS))
        assert barred(s, HOWITZERS, AXIS) == rule
        setattr(s, mark, 0)
    assert barred(s, PZ, AXIS) == "9.1a"
    s.fight.guns[AXIS] = units(HOWITZERS)
    assert barred(s, HOWITZERS, AXIS) == "8.41c"
    assert s.fight.artillery[AXIS] == NO_CHECK  # nothing counts before its check
    assert fight_attack(s, s.fight).value == 7


@pytest.mark.rule("kasserine", "9.14b", "9.14c", "9.17")
def test_a_battery_fires_once_a_phase_and_only_for_a_combat() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, "ger_10pz_ii_7_pz", "6834")
    place(s, HOWITZERS, "6734")
    place(s, RIFLES, "6732")
    place(s, "us_34id_2_133", "6934")
    s.aims = {H("6732"): units(PZ), H("6934"): units("ger_10pz_ii_7_pz")}
    start(s, steps.COMBATS)
    do(s, "fight 6732", "use_assault", f"fire {HOWITZERS}")
    s.fired |= units(HOWITZERS)
    assert not batteries(s, AXIS, H("6934"))


@pytest.mark.rule("kasserine", "9.21", "9.22", "9.23", "9.24a", "8.41b", "9.27")
def test_artillery_in_a_defending_hex_defends_or_supports() -> None:
    assert fight_defense(*_of(fight(GUNS))).value == 1
    assert fight_defense(*_of(fight(GUNS, GUNS2))).value == 2
    assert fight_defense(*_of(fight(GUNS, AT_GUN, HQ))).value == 1 + 3 + 1
    assert fight_defense(*_of(fight(RIFLES, GUNS))).value == 4 + 4  # its support, without a check
    assert fight_defense(*_of(fight(RIFLES, GUNS, GUNS2))).value == 4 + 4  # 9.3b no more than the troops


def _of(s: State) -> tuple[State, Fight]:
    return s, s.fight


@pytest.mark.rule("kasserine", "9.24b")
def test_artillery_with_troops_in_a_defending_hex_supports_no_other() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, GRENADIERS, "6830")
    place(s, RIFLES, "6732")
    place(s, ["us_34id_2_133", GUNS], "6730")
    place(s, GUNS2, "6729")
    s.aims = {H("6732"): units(PZ), H("6730"): units(GRENADIERS)}
    begin(s, At(steps.COMBATS), H("6732"))
    assert batteries(s, ALLIED, H("6732")) == units(GUNS2)


@pytest.mark.rule("kasserine", "9.25")
def test_artillery_that_was_attacked_has_fired() -> None:
    s = fight(RIFLES, GUNS)
    finish(s)
    assert s.fired == units(GUNS)


@pytest.mark.rule("kasserine", "9.26a", "9.26b")
def test_artillery_is_silenced_by_an_enemy_that_advances_next_to_it() -> None:
    s = fight("us_34id_2_133")
    place(s, GUNS, "6731")
    place(s, GUNS2, "6729")
    eliminate(s, U("us_34id_2_133"), "8.71d")
    go_forward(s, U(PZ), H("6732"), H("6732"), "8.9")
    assert s.fired == units(GUNS)


@pytest.mark.rule("kasserine", "9.28")
def test_nothing_supports_a_defense_strength_of_nothing() -> None:
    s = fight("us_34id_2_133")
    place(s, GUNS, "6730")
    assert barred(s, GUNS, ALLIED) == ""
    assert defense_in(s, s.fight) == 4
    weak = [board.units[u] for u in range(board.count) if board.combat >> u & 1 and not board.defense[u][0]]
    assert not weak  # no counter shows it: the bar is held for packs of one's own
    s.fight.target = H("6745")  # a hex without any defense
    assert barred(s, GUNS, ALLIED) in ("9.13a", "9.1b", "9.28")
