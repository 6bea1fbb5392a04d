"""What is shown of a table: the steps, the title, what lies on the map."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable import texts
from sandtable.engine.scene import Scene
from sandtable.engine.table import Table
from sandtable.engine.texts.text import Text, say
from sandtable.games.asl.fire.ift import ift
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import DUMMY, F_TURN, WORKS
from sandtable.games.asl.table.stage import roster
from sandtable.games.asl.table.state import State, put
from tests.rules.asl.infantrykit import ALLIED, AXIS, FOE, HMG, SQUAD, H, U, attack, desert, do, give, place

NEITHER = -1


def shown(s: State, side: int = 0) -> Scene:
    return GAME.scene(GAME.view(s, side))


def now(found: Scene) -> list[str]:
    return [say(one["title"]) for one in found["phases"] if one["state"] == "now"]


@pytest.mark.parametrize("scenario", ["s01_capuzzo_outpost", "s05_hafid_ridge"])
def test_the_set_up_is_no_rally_phase(scenario: str) -> None:
    """A2.9 comes before A3.1: the bar of steps says so until the first Player Turn begins, to everybody."""
    table = Table.new(GAME, scenario, seed=bytes(32))
    whose = []
    while table.state.stack[0] == (F_TURN, 0):  # nobody's turn has begun
        for viewer in (0, 1, NEITHER):
            found = shown(table.state, viewer)
            assert now(found) == ["Set-up"]
            assert say(found["title"]).startswith("Turn 1 of ")
            assert [one["state"] for one in found["phases"]] == ["now", *["next"] * 8]
            assert found["active"] == found["to_act"]
        whose.append(shown(table.state)["to_act"])
        words = {GAME.codec.text(action): action for action in GAME.legal(table.state)}
        table.act(words.get("accept") or words["end-bores"])
    assert {"axis", "allied"} == set(whose)
    found = shown(table.state)
    assert now(found) != ["Set-up"]
    assert len(found["phases"]) == 8
    assert say(found["title"]).startswith("Turn 1 of ")
    assert found["subtitle"] == GAME.map_of(scenario).scenarios[scenario]["title"]


def test_a_fire_lane_runs_from_its_gun_to_its_counter() -> None:
    """A9.22 its FP stands where the counter lies; who does not know the MG sees the counter alone."""
    s = desert()
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    s.lanes = {U(HMG): H("M4")}
    lane = [one for one in shown(s)["markers"] if one["kind"] == "fire_lane"]
    assert [one["hex"] for one in lane] == [f"D1.M{n}" for n in (8, 7, 6, 5, 4)]
    assert [one["directions"] for one in lane] == [["S", "N"]] * 4 + [["S"]]
    assert [one.get("label") for one in lane] == [None] * 4 + ["4"]


def test_who_waits_beyond_the_map_is_told_side_by_side() -> None:
    found = shown(GAME.new("s05_hafid_ridge"), 1)["boxes"]
    assert {say(one["title"]) for one in found} == {"Axis: To enter", "Allied: To enter"}
    assert {one["side"] for one in found} == {"axis", "allied"}


def test_pieces_that_stand_in_no_file_have_their_words_in_every_language() -> None:
    japanese = texts.speech(GAME, "ja")
    for kind in roster().types:
        if kind.kind in (DUMMY, *WORKS):
            assert kind.name in japanese


def test_what_comes_out_of_the_box_is_not_called_a_dummy() -> None:
    """A7.302, A1.31: half-squads and crews that come up in play."""
    spare = roster().index["allied_spare#1"]
    assert say(GAME.words.text(Text("{unit} routs", unit=spare))) == "New unit routs"
    assert GAME.map_of("s01_capuzzo_outpost").units["allied_spare#1"]["name"] == "New unit"
    assert "New unit" in texts.speech(GAME, "ja")


def test_a_wreck_lies_beneath_its_crew() -> None:
    s = GAME.new("s05_hafid_ridge")
    tank, man = roster().index["br_a10#1"], roster().index["br_457#1"]
    for u in (tank, man):
        put(s, u, s.stage.grid.hexes[40])
    s.wreck |= 1 << tank
    mine = [one["unit"] for one in shown(s, 1)["counters"] if one.get("unit") in ("br_a10#1", "br_457#1")]
    assert mine == ["br_457#1", "br_a10#1"]


def test_words_on_markers_and_counters_are_found_for_translation() -> None:
    source = 'items.append({"hex": h, "kind": "lane", "label": "Fire Lane"})\nother = {"label": "+2" if x else "?"}'
    assert {text for _, text in texts.said(source) if texts.is_words(text)} == {"Fire Lane"}


def test_own_fire_shows_its_target_to_nobody_else() -> None:
    s = desert()
    place(s, SQUAD, "M9")
    place(s, FOE, "M7")
    attack(s, ALLIED, "M7")
    for side, hexes in ((ALLIED, ["D1.M7"]), (AXIS, []), (NEITHER, [])):
        assert [one["hex"] for one in shown(s, side)["markers"] if one["kind"] == "target"] == hexes


def test_the_panel_of_fire_has_the_whole_table_and_says_what_each_result_does() -> None:
    """A7.3: the column that is read has the chances of the panel; a target under "?" tells no morale."""
    s = desert()
    place(s, SQUAD, "M9")
    place(s, FOE, "M7")
    attack(s, ALLIED, "M7")
    do(s, f"join {SQUAD}")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    table = odds.ladder
    assert table is not None
    assert [column.label for column in table.columns] == [str(fp) for fp in ift().columns]
    assert table.columns[table.base].label == "4"
    cells = table.columns[table.now].cells
    assert [(cell.result.replace("–", "-"), cell.chance) for cell in cells] == list(odds.results)
    assert sum(cell.chance for cell in cells) == 1
    assert say(next(cell.text for cell in cells if cell.result == "NMC")) == "a Morale Check"
    assert say(next(cell.text for cell in cells if cell.result == "–")) == "no effect"
    # morale 6: a Morale Check with +1 breaks on 6 or more, 26 of 36
    assert next(cell.good for cell in cells if cell.result == "1MC") == Fraction(26, 36)
    assert [(force.side, force.units, force.value) for force in table.forces] == [
        ("allied", (SQUAD,), "4"),
        ("axis", (FOE,), "6"),
    ]
    assert table.hex == "D1.M7"
    assert [force.hexes for force in table.forces] == [("D1.M9",), ("D1.M7",)]
    s.concealed |= 1 << U(FOE)
    s.choices = None
    unseen = GAME.odds(s, GAME.parse("commit"))
    assert unseen is not None
    assert unseen.ladder is not None
    assert unseen.ladder.forces[1].units == ()
    assert unseen.ladder.forces[1].value == "?"
    assert all(cell.good is None for column in unseen.ladder.columns for cell in column.cells)
