"""The Caucasus table made drawable and told in words."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.drawing import draw_map
from sandtable.games.caucasus.shown.look import STYLE
from sandtable.games.caucasus.shown.scene import BOX_TITLES, PHASE_TITLES, scene
from sandtable.games.caucasus.shown.texts import LINES, PHASE_WORDS
from sandtable.games.caucasus.table.ids import BOXES, F_MOVES, PHASES, SOVIET
from sandtable.games.caucasus.table.state import State

from ...rules.caucasus.kit import GAME, empty, new, place, start


def shown(s: State, side: int = 0) -> dict[str, dict[str, object]]:
    return {str(c.get("unit")): dict(c) for c in GAME.scene(GAME.view(s, side))["counters"]}


def test_a_counter_shows_what_is_printed_on_it() -> None:
    s = empty("axis")
    place(s, "GE-13Pz", "1333")
    place(s, "GE-1Mtn", "1334", shows="reduced", disrupted=True)
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-Train", "1932")
    counters = shown(s)
    panzer = counters["GE-13Pz"]
    assert (panzer["strength"], panzer["values"], panzer["steps"]) == ("10-9", ["6"], [3, 3])
    assert panzer["boxed"] == ["", "elite", ""]
    assert panzer["tank"] == "A"
    assert panzer["tank_hollow"] is False
    mountain = counters["GE-1Mtn"]
    assert mountain["strength"] == "3⁵-4"
    assert mountain["marks"] == ["disrupted"]
    assert mountain["steps"] == [1, 2]
    assert counters["GE-17A-HQ"]["strength"] == "(2)"
    assert counters["SU-Train"]["values"] == ["R"]


def test_a_counter_shows_what_matters_in_the_phase() -> None:
    s = empty("axis")
    place(s, "GE-13Pz", "1333")
    b = 1 << s.board.unit_index["GE-13Pz"]
    s.moved |= b
    s.attacked |= b
    s.phase = PHASES.index("axis_first_combat")
    assert shown(s)["GE-13Pz"]["marks"] == ["attacked"]
    s.phase = PHASES.index("axis_second_movement")
    assert shown(s)["GE-13Pz"]["marks"] == ["moved"]
    s.active = SOVIET
    s.phase = PHASES.index("soviet_first_movement")
    assert shown(s)["GE-13Pz"]["marks"] == []


def test_the_unit_on_the_move_is_marked_as_acting() -> None:
    s = empty("axis")
    place(s, ["GE-13Pz", "GE-73"], "1333")
    start(s, (F_MOVES, 0))
    assert not [u for u, item in shown(s).items() if "acting" in str(item["marks"])]
    GAME.apply(s, GAME.codec.parse("move GE-73"))
    assert [u for u, item in shown(s).items() if "acting" in str(item["marks"])] == ["GE-73"]


def test_the_bar_names_the_side_that_sets_up() -> None:
    assert GAME.scene(GAME.view(new("tournament"), 0))["active"] == "soviet"


def test_cavalry_is_called_so_once() -> None:
    s = empty("axis")
    place(s, "RO-5Cav", "1333")
    assert str(shown(s)["RO-5Cav"]["detail"]).count("cavalry") == 1


def test_the_strongest_of_a_stack_lies_on_top() -> None:
    s = empty("axis")
    place(s, ["GE-210StG", "GE-73", "GE-13Pz"], "1333")
    stack = [c["unit"] for c in GAME.scene(GAME.view(s, 0))["counters"] if c.get("hex") == "1333"]
    assert stack == ["GE-13Pz", "GE-73", "GE-210StG"]


def test_the_phase_bar_leaves_second_impulses_out_in_bad_weather() -> None:
    s = empty("axis", turn=8)
    assert len(GAME.scene(GAME.view(s, 0))["phases"]) == len(PHASES) - 1
    s.bad = 1
    ids = [p["id"] for p in GAME.scene(GAME.view(s, 0))["phases"]]
    assert not [i for i in ids if "_second_" in i]
    assert len(ids) == len(PHASES) - 5


def test_every_phase_and_box_has_its_title() -> None:
    assert set(PHASE_TITLES) == set(PHASES)
    assert set(BOXES.values()) - {"unused"} == set(BOX_TITLES)


def test_par_is_shown_with_its_meaning() -> None:
    s = empty("axis", turn=6)
    points = next(t for t in GAME.scene(GAME.view(s, 0))["tracks"] if t["id"] == "vp")
    assert points["value"] == "0 (par 7)"
    assert points["tone"] == "bad"


def test_every_verb_has_its_words() -> None:
    assert GAME.verbs is not None
    assert all(verb.label for verb in GAME.verbs)
    assert set(PHASE_WORDS) == set(PHASES)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_event_of_a_game_has_its_line(seed: int) -> None:
    rng = Random(seed)
    s = new("tournament")
    for _ in range(900):
        if GAME.to_act(s) is None:
            break
        legal = GAME.legal(s)
        chance = GAME.to_act(s) == CHANCE
        action = GAME.roll(s, lambda n: rng.randint(1, n)).action if chance else rng.choice(legal)
        assert GAME.action_label(s, action)
        for event in GAME.apply(s, action):
            seen = GAME.event_json(event, 0)
            assert seen is not None
            line = GAME.describe(seen)
            assert line
            assert "{" not in line
            assert event.kind in LINES
    assert scene(GAME.board, GAME.view(s, 1))["counters"]


def test_the_map_names_its_cities_ports_and_entries() -> None:
    svg = draw_map(GAME.pack, STYLE, width=1200)
    for name in ("Rostov", "Krasnodar", "Grozny", "Tbilisi", "Astrakhan", "Black Sea"):
        assert name in svg
    letters = {letter: svg.count(f">{letter}</text>") for letter in "ABCDEFGHIJ"}
    assert letters["A"] >= 6
    assert all(letters.values())
