"""Chapter 18: the scenarios. The book does not have it (M10): the files of the pack are the law here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

from sandtable.games.rommel import game
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_BUILDUP,
    F_MONTH,
    F_MOVES,
    F_OPTION,
    POOL,
    REFIT,
    SIDES,
    UNUSED,
)
from sandtable.games.rommel.table.scenarios import OPTIONS, due, option_bits, option_names, script_of
from sandtable.mechanics.scripts import lasting

from ..kit import GAME, U, at, board, empty, mask, new, place, start, texts, why
from ..turns import quiet, top

FOLDER = Path(game.__file__).parent / "data"
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("scenarios/*.toml"))}
ALL = pytest.mark.parametrize("scenario", list(FILES))


@pytest.mark.rule("rommel", "0.1b")
def test_the_eight_scenarios() -> None:
    listed = [scenario.id for scenario in GAME.scenarios()]
    ours = ["first_battle"]  # for beginners; no scenario of the book
    assert sorted({*listed} - {*ours}) == [
        "1940",
        "1941",
        "1942",
        "battleaxe",
        "campaign",
        "crusader",
        "gazala",
        "pursuit",
    ]
    for scenario in GAME.scenarios():
        assert scenario.title == FILES[scenario.id]["title"]
        assert scenario.length == lasting(FILES[scenario.id]["months"], "month")


@ALL
@pytest.mark.rule("rommel", "0.3e", "2.3c")
def test_blocks_and_strengths(scenario: str) -> None:
    """Every block is in exactly one place, at its maximum CV unless the scenario says otherwise."""
    file = FILES[scenario]
    s = GAME.new(scenario)
    boxed = [unit for box in file["boxes"].values() for unit in box]
    coming = [unit for units in file["reinforcements"].values() for unit in units]
    for name in board.units:
        u = U(name)
        if name in file["setup"]:
            assert at(s, name) == file["setup"][name]
        elif name in boxed:
            assert s.at[u] == REFIT
        elif name in coming or name in file["due_after_end"]["units"]:
            assert s.at[u] == POOL
        else:
            assert s.at[u] == UNUSED
            continue
        assert s.cv[u] == file["strength"].get(name, board.max_cv[u])
    for name in file["not_used"]["units"]:
        assert at(s, name) == "unused"
    assert not s.disrupted
    assert GAME.invariants(s) == []


@ALL
@pytest.mark.rule("rommel", "13.1a")
def test_fortresses_belong_to_the_side_in_whose_area_they_lie(scenario: str) -> None:
    file = FILES[scenario]
    s = GAME.new(scenario)
    for i, name in enumerate(board.fortress_names):
        owner = SIDES[s.fort_owner[i]]
        assert owner == file["fortress_control"][name]
        assert board.grid.names[board.fortresses[i]] in file["deployment_areas"][owner]


@ALL
@pytest.mark.rule("rommel", "14.1a")
def test_minefields_at_the_start(scenario: str) -> None:
    file = FILES[scenario]["minefields"]
    s = GAME.new(scenario)
    assert s.mines_open == mask(*file["disclosed"])
    assert s.mines == [mask(*file["secret"]["axis"]), mask(*file["secret"]["commonwealth"])]
    seen = [GAME.view(s, side)["minefields"] for side in (AXIS, COMMONWEALTH)]
    assert [sorted(view["secret"]) for view in seen] == [
        file["secret"]["axis"],
        file["secret"]["commonwealth"],
    ]


@ALL
@pytest.mark.rule("rommel", "16.4c")
def test_months_and_arrivals(scenario: str) -> None:
    file = FILES[scenario]
    play = script_of(board, scenario)
    assert play.months[play.first_month - 1] == file["first_month_name"]
    assert play.months[play.last_month - 1] == file["last_month_name"]
    assert play.last_month - play.first_month + 1 == file["months"]
    for month, units in file["reinforcements"].items():
        assert [due(board, scenario, U(name)) for name in units] == [int(month)] * len(units)
    assert all(due(board, scenario, U(name)) == play.last_month + 1 for name in file["due_after_end"]["units"])
    assert all(due(board, scenario, U(name)) is None for name in file["setup"])
    assert min(play.due.values(), default=99) > play.first_month


@ALL
@pytest.mark.rule("rommel", "0.4a")
def test_hands(scenario: str) -> None:
    s = new(scenario)
    assert [s.real[i] + s.dummy[i] for i in (0, 1)] == [FILES[scenario]["supply_cards"]["initial"][x] for x in SIDES]
    play = script_of(board, scenario)
    monthly = FILES[scenario]["supply_cards"]["monthly"]
    assert [play.cards(play.first_month + 1, i) for i in (0, 1)] == [monthly[x] for x in SIDES]


@ALL
@pytest.mark.rule("rommel", "3.3g")
def test_the_first_month_that_may_be_challenged(scenario: str) -> None:
    play = script_of(board, scenario)
    assert play.first_challenge_month == FILES[scenario]["first_challenge_month"] == play.first_month + 1


@pytest.mark.rule("rommel", "6.3c", "16.3c")
def test_the_italian_campaign_of_1940() -> None:
    play = script_of(board, "1940")
    assert (play.rommel_move, play.dice_per_player) == (False, 1)
    for scenario in FILES:
        if scenario != "1940":
            assert (script_of(board, scenario).rommel_move, script_of(board, scenario).dice_per_player) == (
                True,
                2,
            )
    for scenario, offered in (("1940", False), ("1941", True)):
        s = empty("axis", "basic", scenario=scenario)
        place(s, "IT-ARI", "0902")
        start(s, (F_MOVES, 0, 0))
        assert ("group 0902 1" in texts(s)) == offered
    s = empty("axis", "basic", scenario="1940")
    place(s, "IT-ARI", "0902")
    start(s, (F_MOVES, 0, 0))
    assert why(s, "group 0902 1").rule == "6.3c"


@pytest.mark.rule("rommel", "3.3h")
def test_crusader_begins_with_the_commonwealth() -> None:
    s = new("crusader")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert (s.active, s.first) == (COMMONWEALTH, COMMONWEALTH)
    assert [scenario for scenario in FILES if script_of(board, scenario).first_player] == ["crusader"]


@pytest.mark.rule("rommel", "16.0b")
def test_only_gazala_has_a_buildup_in_its_first_month() -> None:
    for scenario in FILES:
        s = new(scenario)
        opened = any(f[0] == F_BUILDUP for f in s.stack)
        assert opened == (scenario == "gazala")
        assert (script_of(board, scenario).first_menu is not None) == opened


@pytest.mark.rule("rommel", "0.1b", "16.6b")
def test_the_campaign_joins_two_years() -> None:
    """After January 1942 play goes on from the positions reached, with the cards of 1942."""
    first, second, both = (script_of(board, name) for name in ("1941", "1942", "campaign"))
    assert both.setup == first.setup
    assert (both.first_month, both.last_month) == (first.first_month, second.last_month) == (1, 20)
    assert FILES["campaign"]["joined"]["second_begins_month"] == second.first_month == first.last_month + 1
    for month in range(2, 21):
        year = first if month <= first.last_month else second
        assert [both.cards(month, side) for side in (0, 1)] == [year.cards(month, side) for side in (0, 1)]
    for name in board.units:
        u = U(name)
        if u in first.due:
            assert both.due[u] == first.due[u]
        elif u in second.due:
            assert both.due[u] == second.due[u]
    s = new("campaign")
    s.month = 10
    s.stack = []
    where = [h for h in s.at if h >= 0]
    start(s, (F_MONTH, 0))
    assert s.month == 11
    assert [h for h in s.at if h >= 0] == where  # the set-up of 1942 is not used
    assert s.ended is None


@ALL
def test_a_whole_scenario_at_random(scenario: str) -> None:
    """Whatever the players do, months pass, the game ends, and everything stays in order."""
    rng = Random(4)
    s = GAME.new(scenario)
    months = [s.month]
    for count in range(20_000):
        if s.ended is not None:
            break
        if GAME.to_act(s) == -1:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
        else:
            action = rng.choice(list(GAME.legal(s)))
        GAME.apply(s, action)
        if s.month != months[-1]:
            months.append(s.month)
        if count % 20 == 0:
            assert GAME.invariants(s) == []
    assert s.ended is not None
    play = script_of(board, scenario)
    assert months[0] in (play.first_month - 1, play.first_month)
    assert months[-1] <= play.last_month


def test_options() -> None:
    assert [option.id for option in GAME.options()] == list(board.pack.tables["options"])
    for option in OPTIONS:
        assert option.default == board.pack.tables["options"][option.id]["default"]
        assert option_names(option_bits({option.id: True}))[option.id]
    assert option_bits({}) == 0
    with pytest.raises(ValueError, match="no option is called fog"):
        GAME.new("1941", {"fog": True})
    with pytest.raises(ValueError, match="no scenario is called"):
        GAME.new("1943")
