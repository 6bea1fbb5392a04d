"""Chapter 2: units."""

from __future__ import annotations

import pytest

from sandtable.engine.drawing.palette import PALETTES
from sandtable.games.rommel.shown.look import STYLE
from sandtable.games.rommel.table.ids import (
    ANTITANK,
    ARMOUR,
    ARTILLERY,
    AXIS,
    CLASSES,
    COMMONWEALTH,
    F_CHALLENGE,
    F_FIRE_ROLL,
    F_MOVES,
    F_ROUND,
    INFANTRY,
)
from sandtable.games.rommel.table.state import State, lose_step

from ..kit import GAME, H, U, at, battle, board, do, empty, place, start, texts, units, why
from ..months import nets, spend

# 2.1 Colours


@pytest.mark.rule("rommel", "2.1a", "2.1b", "2.1c")
def test_colours_of_the_blocks() -> None:
    colours = {
        nation: {row["colour"] for row in board.pack.units.values() if row["nation"] == nation}
        for nation in set(board.nation)
    }
    assert colours.pop("german") == {"dark green on black"}
    assert colours.pop("italian") == {"light green on black"}
    assert colours  # the nations of the Commonwealth
    assert all(colour.startswith("tan on red") for found in colours.values() for colour in found)


def drawn(nation: str, side: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The colours (red, green, blue) in which the wood and the label of a block are drawn."""
    look, colours = STYLE.sides[side], PALETTES["light"]
    tokens = look.block, STYLE.nations.get(nation, look.label)
    wood, label = (tuple(bytes.fromhex(colours[token].removeprefix("#"))) for token in tokens)
    return wood, label


@pytest.mark.rule("rommel", "2.1a", "2.1b", "2.1c")
def test_blocks_are_drawn_in_their_colours() -> None:
    german, italian, british = drawn("german", "axis"), drawn("italian", "axis"), drawn("british", "commonwealth")
    assert german[0] == italian[0]
    assert max(german[0]) < 64  # black
    for red, green, blue in (german[1], italian[1]):
        assert green > max(red, blue)  # green labels
    assert max(german[1]) < 96 < 160 < min(italian[1][:2])  # a dark and a light one
    red, green, blue = british[0]
    assert red > 2 * max(green, blue)
    red, green, blue = british[1]
    assert red > green > blue > 128  # tan
    assert len({drawn(nation, "commonwealth") for nation in set(board.nation) - {"german", "italian"}}) == 1


@pytest.mark.rule("rommel", "2.1c")
def test_the_nation_of_a_commonwealth_unit_has_no_effect() -> None:
    """Units of one type and side differ in nothing but their steps."""
    values: dict[str, set[tuple[int, int, int]]] = {}
    for u, kind in enumerate(board.unit_types):
        if board.side[u] == COMMONWEALTH:
            values.setdefault(kind, set()).add((board.cls[u], board.speed[u], board.weight2[u]))
    assert all(len(found) == 1 for found in values.values())


# 2.2 Types


@pytest.mark.rule("rommel", "2.2a")
def test_four_classes_and_speeds_of_one_to_four() -> None:
    assert CLASSES == ("armour", "infantry", "antitank", "artillery")
    assert set(board.cls) == {ARMOUR, INFANTRY, ANTITANK, ARTILLERY}
    assert set(board.speed) == {1, 2, 3, 4}
    table = board.pack.tables["unit_types"]
    for u, kind in enumerate(board.unit_types):
        assert (CLASSES[board.cls[u]], board.speed[u]) == (table[kind]["class"], table[kind]["speed"])


@pytest.mark.rule("rommel", "2.2b")
def test_units_of_one_type_move_and_fire_alike() -> None:
    reach: dict[str, set[tuple[str, ...]]] = {}
    for name in ("GE-104", "GE-155", "IT-TRI", "CW-7SG", "CW-3IM"):
        s = empty(("axis", "commonwealth")[board.side[U(name)]], "basic")
        place(s, name, "0809")
        start(s, (F_MOVES, 0, 0))
        do(s, "group 0809 0", f"move {name}")
        found = tuple(t for t in texts(s) if t.startswith("to "))
        reach.setdefault(f"{board.unit_types[U(name)]}", set()).add(found)
    assert len(reach) >= 2
    assert all(len(found) == 1 for found in reach.values())
    assert len({found for each in reach.values() for found in each}) > 1


# 2.3 Steps


@pytest.mark.rule("rommel", "2.3a", "2.4b")
@pytest.mark.parametrize(("name", "step"), [("IT-ARI", 1), ("CW-22G", 1), ("GE-PZ5", 2), ("CW-4A", 2)])
def test_a_step_is_one_cv_or_two_for_an_elite_unit(name: str, step: int) -> None:
    s = empty(("axis", "commonwealth")[board.side[U(name)]], None)
    base = ("0902", "0626")[board.side[U(name)]]
    place(s, name, base)
    full = board.max_cv[U(name)]
    lose_step(s, U(name), "9.5a")
    assert s.cv[U(name)] == full - step
    nets(s, "0902", "0626")
    spend(s, board.side[U(name)])
    do(s, f"rebuild {name}")
    assert s.cv[U(name)] == full


@pytest.mark.rule("rommel", "2.3b")
def test_printed_values_are_whole_steps_and_losses_go_down_them() -> None:
    for name, row in board.pack.units.items():
        s = empty()
        place(s, name, "0902")
        start(s, (F_CHALLENGE,))
        shown = []
        while at(s, name) == "0902":
            block = next(b for b in GAME.view(s, board.side[U(name)])["units"] if b.get("id") == name)
            shown.append(block["cv"])
            lose_step(s, U(name), "9.5a")
        assert shown == [int(cv) for cv in row["cv_values"].split("|")]
        assert len(shown) == int(row["steps"]) <= 4  # a block has four edges


@pytest.mark.rule("rommel", "2.3c")
def test_units_begin_at_their_maximum_unless_the_scenario_says_otherwise() -> None:
    reduced = GAME.new("battleaxe")
    for name in board.units:
        if reduced.at[U(name)] >= 0 and name not in ("CW-3IM", "GE-PZ5", "GE-MG8", "IT-ARI"):
            assert reduced.cv[U(name)] == board.max_cv[U(name)]
    assert [reduced.cv[U(name)] for name in ("CW-3IM", "GE-PZ5", "GE-MG8", "IT-ARI")] == [1, 4, 2, 3]


@pytest.mark.rule("rommel", "2.3d")
def test_elimination_is_for_good() -> None:
    s = empty("axis", None)
    place(s, "GE-SIG", "0902")
    place(s, "IT-BRE", "0902", cv=1)
    lose_step(s, U("GE-SIG"), "9.5a")
    lose_step(s, U("IT-BRE"), "9.5a")
    assert at(s, "GE-SIG") == at(s, "IT-BRE") == "dead"
    assert not s.here[H("0902")]
    nets(s, "0902")
    spend(s)
    for verb in ("rebuild", "redeploy", "refit", "ship"):
        for unit in ("GE-SIG", "IT-BRE"):
            assert why(s, f"{verb} {unit}") is not None


# 2.4 Elite units


@pytest.mark.rule("rommel", "2.4a")
def test_who_is_elite() -> None:
    for name in board.units:
        u = U(name)
        elite = bool(board.elite >> u & 1)
        if board.nation[u] == "german":
            assert elite
        elif elite:
            assert board.side[u] == COMMONWEALTH
            assert board.cls[u] == ARMOUR
    british = {name for name in board.units if board.side[U(name)] == COMMONWEALTH}
    elites = {name for name in british if board.elite >> U(name) & 1}
    assert elites == {"CW-4A", "CW-2A", "CW-1AT", "CW-8A", "CW-9A"}
    armour = {name for name in british if board.cls[U(name)] == ARMOUR}
    assert elites < armour  # some, not all
    assert not any(board.elite >> u & 1 for u, nation in enumerate(board.nation) if nation == "italian")


@pytest.mark.rule("rommel", "2.4b")
def test_elite_units_have_two_cv_a_step() -> None:
    for u in range(len(board.units)):
        assert board.step_cv[u] == (2 if board.elite >> u & 1 else 1)
        assert board.max_cv[u] % board.step_cv[u] == 0


def fired_at(name: str, hits: int) -> State:
    """A Commonwealth block fires at a lone Axis one and scores so many hits."""
    s = empty("axis", "basic")
    place(s, name, "0704")
    place(s, "CW-22A", "0704")
    battle(s, "0704", defender="commonwealth")
    start(s, (F_ROUND, H("0704"), 0, 0))
    while s.stack[-1][0] != F_FIRE_ROLL:
        do(s, texts(s)[0])
    do(s, f"hits {hits}")
    while s.stack and GAME.to_act(s) == AXIS and texts(s)[0].startswith("lose"):
        do(s, texts(s)[0])
    return s


@pytest.mark.rule("rommel", "2.4c")
def test_an_elite_step_takes_two_hits_together() -> None:
    full = board.max_cv[U("GE-PZ5")]
    assert [fired_at("GE-PZ5", n).cv[U("GE-PZ5")] for n in (0, 1, 2, 3)] == [full, full, full - 2, full - 2]
    full = board.max_cv[U("IT-ARI")]
    assert [fired_at("IT-ARI", n).cv[U("IT-ARI")] for n in (0, 1, 2)] == [full, full - 1, full - 2]
    assert fired_at("GE-PZ5", 1).here[H("0704")] == units("GE-PZ5", "CW-22A")
