"""B25.65, E3, F11.6-F11.76 Wind, dust, haze and sun as the game goes on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.fire.air import DustAt, dlv
from sandtable.games.asl.fire.firepower import drms
from sandtable.games.asl.fire.group import odds_of
from sandtable.games.asl.fire.sights import look
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table import verbs, weather
from sandtable.games.asl.table.ids import F_DUST_DIE, F_WIND, PREP
from sandtable.games.asl.table.state import Attack, State
from sandtable.games.asl.turn.winds import WindAt, blows

from ..scenariokit import SCENARIOS, H, bare, lay, opened


def windy(scenario: str) -> State:
    s = bare(scenario)
    weather.begin(s)
    s.stack.append(WindAt(F_WIND))
    GAME.settle(s)
    return s


@pytest.mark.rule("asl", "E3.2")
@pytest.mark.parametrize(
    ("scenario", "dust", "haze", "sun"),
    [
        ("s02", "light", "none", "none"),
        ("s04", "moderate", "none", "late_afternoon"),
        ("s05", "none", "intense", "none"),
        ("s06", "none", "none", "none"),
        ("s09", "none", "haze", "none"),
    ],
)
def test_the_weather_is_as_the_scenario_sets_it(scenario: str, dust: str, haze: str, sun: str) -> None:
    s = bare(scenario)
    weather.begin(s)
    air = weather.air(s)
    assert (air.dust, air.haze, air.sun) == (dust, haze, sun)


@pytest.mark.rule("asl", "B25.65", "A3.1")
def test_each_rally_phase_begins_with_the_wind() -> None:
    s = opened("s02")
    while GAME.prompt(s).title != "Does the wind change?":
        GAME.apply(s, (verbs.ACCEPT,))
    assert GAME.is_chance(s)
    assert not blows(bare("s01"))


@pytest.mark.rule("asl", "B25.65")
@pytest.mark.parametrize(("die", "wind", "toward"), [(1, 1, 4), (2, 1, 5), (3, 1, 2), (4, 1, 1), (5, 2, 3), (6, 0, 3)])
def test_a_two_changes_the_wind(die: int, wind: int, toward: int) -> None:
    s = windy("s02")
    assert (s.wind, s.toward) == (1, 3)
    GAME.apply(s, (verbs.ROLLED, 1, 1))
    GAME.apply(s, (verbs.FELL, die))
    assert (s.wind, s.toward) == (wind, toward)


@pytest.mark.rule("asl", "B25.65", "F11.74c")
def test_a_twelve_brings_gusts_for_this_player_turn_and_takes_vehicle_dust_away() -> None:
    s = windy("s02")
    tank = lay(s, "br_stu1#1", "D1.L4")
    s.trail[tank] = H(s, "D1.L5")
    GAME.apply(s, (verbs.ROLLED, 6, 6))
    assert s.gusts == 1
    assert s.trail == {}
    s.stack.append(WindAt(F_WIND))
    GAME.settle(s)
    GAME.apply(s, (verbs.ROLLED, 3, 4))
    assert s.gusts == 0


@pytest.mark.rule("asl", "F11.76b", "F11.76d")
def test_heavy_wind_with_gusts_raises_dust_and_lets_it_fall_one_step() -> None:
    s = windy("s02")
    s.wind = weather.HEAVY
    GAME.apply(s, (verbs.ROLLED, 6, 6))
    assert DUSTS[s.density] == "moderate"
    for _ in range(2):
        s.stack.append(WindAt(F_WIND))
        GAME.settle(s)
        GAME.apply(s, (verbs.ROLLED, 3, 4))
        assert DUSTS[s.density] == "light"


def shot(scenario: str, firer: str, at: str, target: str, where: str) -> tuple[State, Attack]:
    s = bare(scenario)
    weather.begin(s)
    one = lay(s, firer, at)
    lay(s, target, where)
    s.phasing = s.stage.roster.side[one]
    s.attack = Attack(fire=PREP, side=s.phasing, target=H(s, where), firers=1 << one)
    return s, s.attack


@pytest.mark.rule("asl", "F11.621", "E3.1")
def test_haze_is_in_the_panel_of_small_arms() -> None:
    s, attack = shot("s05", "ge_467#1", "D4.K5", "br_457#1", "D4.R5")
    assert ("F11.621", 1) in [(one.rule, one.value) for one in drms(s, attack)]
    s, attack = shot("s05", "ge_467#1", "D4.K5", "br_457#1", "D4.N5")
    assert "F11.621" not in [one.rule for one in drms(s, attack)]


@pytest.mark.rule("asl", "F11.612")
def test_the_low_sun_blinds_who_fires_west() -> None:
    s, attack = shot("s04", "in_457#1", "D2.P7", "ge_468#1", "D2.L7")
    assert ("F11.612", 2) in [(one.rule, one.value) for one in drms(s, attack)]
    s, attack = shot("s04", "ge_468#1", "D2.L7", "in_457#1", "D2.P7")
    assert "F11.612" not in [one.rule for one in drms(s, attack)]


@pytest.mark.rule("asl", "F11.71b", "F11.72")
def test_dust_adds_half_of_a_die_to_every_shot() -> None:
    s, attack = shot("s04", "ge_468#1", "D2.L7", "in_457#1", "D2.P7")
    found = dict.fromkeys(range(7), 0)
    for face in found:
        attack.dusty = face
        found[face] = sum(one.value for one in drms(s, attack) if one.rule == "F11.72")
    assert found == {0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
    s.density = DUSTS.index("light")
    attack.dusty = 1
    assert not [one for one in drms(s, attack) if one.rule == "F11.71b"]
    attack.dusty = 6
    assert [one.value for one in drms(s, attack) if one.rule == "F11.71b"] == [3]


@pytest.mark.rule("asl", "F11.71b")
def test_the_die_of_dust_falls_before_the_dice_and_the_panel_knows_all_its_faces() -> None:
    s, attack = shot("s04", "ge_468#1", "D2.L7", "in_457#1", "D2.P7")
    odds = odds_of(s, attack)
    assert odds is not None
    assert sum(chance for _, chance in odds.results) == 1
    assert [one.value for one in odds.terms if one.rule == "F11.71b"] == ["+1…+3"]
    s.stack.append(DustAt(F_DUST_DIE, 0))
    GAME.settle(s)
    assert [chance for _, chance in GAME.chances(s)] == [Fraction(1, 6)] * 6


@pytest.mark.rule("asl", "E3.1", "F11.794b")
def test_at_range_0_only_the_die_of_dust_counts() -> None:
    s, _ = shot("s04", "in_457#1", "D2.P7", "ge_468#1", "D2.P7")
    here = Spot(H(s, "D2.P7"))
    assert [one.kind for one in dlv(s, here, here, False, 4)] == ["dust"]


@pytest.mark.rule("asl", "F11.73b", "F11.6c")
def test_heavy_dust_hinders_by_range_and_hides_what_is_far() -> None:
    s, _ = shot("s02", "ge_arm_8m1#1", "D1.A5", "br_arm_8m1#1", "D1.K5")
    a = Spot(H(s, "D1.A5"))
    near, far = Spot(H(s, "D1.G5")), Spot(H(s, "D1.Q5"))
    assert look(s, a, far).clear
    s.density = DUSTS.index("heavy")
    assert look(s, a, near).hindrance == look_plain(s, a, near) + 3
    assert not look(s, a, far).clear


def look_plain(s: State, a: Spot, b: Spot) -> int:
    return s.stage.sights.look(a, b).hindrance


@pytest.mark.rule("asl", "F11.71a")
def test_there_is_no_dust_on_moist_ground() -> None:
    s = bare("s06")
    weather.begin(s)
    s.density = DUSTS.index("light")
    assert weather.density(s) == "none"
    assert weather.die_drms(s) == [0]
    assert SCENARIOS["s06"] == s.stage.scenario
