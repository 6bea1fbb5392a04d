"""8.4 The chain of coordination as it is shown before anything is rolled: each check in its order, with its chances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import Odds
from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.combat.fight import FULL_SUPPORT
from sandtable.games.kasserine.combat.reckoning import reckon
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import READY
from sandtable.games.kasserine.table.position import put

from ..kit import ALLIED, AXIS, GAME, H, State, U, do, empty, place, start, texts, units, weather

PZ, GRENADIERS, GUNS, HQ = "ger_10pz_i_7_pz", "ger_10pz_i_69", "ger_10pz_i_90", "ger_10pz_10_pz_hq"
TANKS, FIELD = "us_1ad_2_1_ar", "6732"


def odds(s: State, text: str) -> Odds:
    found = GAME.odds(s, GAME.codec.parse(text))
    assert found is not None
    return found


def fought() -> State:
    """Panzers and grenadiers attack tanks in the open, with guns behind them: the guns are asked for."""
    s = empty("axis_combat")
    place(s, [PZ, GRENADIERS], "6733")
    place(s, [GUNS, HQ], "6734")
    place(s, TANKS, FIELD)
    s.aims[H(FIELD)] = units(PZ, GRENADIERS)
    start(s, steps.COMBATS)
    do(s, f"lead {GRENADIERS}")
    while f"fire {GUNS}" not in texts(s):
        do(s, next(text for text in texts(s) if text in ("use_assault", "no_more_planes")))
    return s


@pytest.mark.rule("kasserine", "8.41a", "8.42a", "8.56")
def test_every_check_is_shown_in_its_order_with_what_it_brings() -> None:
    s = fought()
    plain = odds(s, "no_more_guns")
    assert [str(part.title).split(":")[0] for part in plain.parts] == ["1. Axis ground units"]
    do(s, f"fire {GUNS}")
    if "no_more_guns" in texts(s):
        shown = odds(s, "no_more_guns")
        assert [str(part.title).split(":")[0] for part in shown.parts] == ["1. Axis artillery", "2. Axis ground units"]
        do(s, "no_more_guns")
    guns = odds(s, "no_command")
    assert sum(chance for _, chance in guns.results) == 1
    later = [str(part.title) for part in guns.parts]
    assert later[0].startswith("2. Axis ground units")
    assert later[1].endswith("if all checks succeed")
    # With the guns' points in it, as reckoned when their check has succeeded
    trial = s.copy()
    trial.fight.artillery[AXIS] = FULL_SUPPORT
    found, ladder = reckon(trial, trial.fight), guns.parts[1].ladder
    assert ladder is not None
    assert ladder.forces[0].value == str(found.attack.value)
    helped = odds(s, f"command {HQ}")
    assert helped.results[0][1] > guns.results[0][1] or helped.results[0][1] == Fraction(1)
    assert s.fight.side != ALLIED


@pytest.mark.rule("kasserine", "6.66a", "6.66d")
def test_where_nothing_is_checked_no_check_has_to_succeed() -> None:
    s = empty("axis_movement")
    place(s, [PZ, HQ], "6733")
    place(s, TANKS, FIELD)
    put(s, U("ger_air_ii_stg_3"), READY)
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"overrun {FIELD}")
    assert str(odds(s, "no_more_planes").title) == f"Overrun of {FIELD}"


@pytest.mark.rule("kasserine", "12.22b", "12.35")
def test_the_card_of_a_headquarters_tells_what_it_has_now() -> None:
    net, spent = "us_1ad_1_ad_hq", "us_1ad_cca_hq"
    s = empty("allied_movement")
    place(s, [net, spent], "5224")

    def card(unit: str) -> str:
        return str(next(one for one in GAME.scene(GAME.view(s, AXIS))["counters"] if one.get("unit") == unit)["detail"])

    assert [part in card(net) for part in ("Command Points 2", "MA 8")] == [True, True]
    s.fire_net, s.spent = units(net), units(spent)
    assert [part in card(net) for part in ("Command Points 0", "MA 0")] == [True, True]
    assert [part in card(spent) for part in ("Command Points 0", "MA 8")] == [True, True]


def chances_of_guns(s: State, side: str = "allied") -> dict[str, str]:
    over = next(one for one in GAME.overlays(GAME.view(s, AXIS)) if one["id"] == f"coordination_{side}")
    return over["numbers"]


@pytest.mark.rule("kasserine", "8.41a", "12.31b", "3.73e")
def test_the_map_shows_how_well_guns_are_coordinated_by_hex() -> None:
    guns, net = "us_1ad_91_afa", "us_1ad_1_ad_hq"
    s = empty("axis_combat")
    place(s, guns, "6730")
    er, reach = s.board.er[s.board.unit_index[guns]][0], s.board.range[s.board.unit_index[guns]]
    plain = chances_of_guns(s)
    assert set(plain.values()) == {f"{er}0%"}
    assert {s.board.grid.names[h] for h in hexes_of(s.board.grid.within(H("6730"), reach))} == set(plain)
    weather(s, "rain")
    assert set(chances_of_guns(s).values()) == {f"{er - 1}0%"}
    weather(s, "dry")
    place(s, net, "6727")
    s.fire_net = units(net)
    helped = chances_of_guns(s)
    assert helped["6731"] == f"{min(er + 2, 10)}0%"
    far = next(name for name in helped if s.board.grid.distance(H("6727"), H(name)) > 4)
    assert helped[far] == f"{er}0%", "the net helps combats within its range alone"
    s.fired = units(guns)
    assert chances_of_guns(s) == {}
    area = {one["id"]: one["hexes"] for one in GAME.overlays(GAME.view(s, AXIS))}["fire_net_allied"]
    assert area == [s.board.grid.names[h] for h in hexes_of(s.board.grid.within(H("6727"), 4))]
    s.fire_net = 0
    assert {one["id"]: one["hexes"] for one in GAME.overlays(GAME.view(s, AXIS))}["fire_net_allied"] == []
