"""The worked examples of every rulebook have a diagram or a reason; what a diagram names exists and is drawn."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from sandtable import registry
from sandtable.engine.ledger import book
from sandtable.engine.packs import PackError
from sandtable.examples.cut import Drawing
from sandtable.examples.form import captions, drawn_ids, examples, read_examples
from sandtable.examples.picture import view_of
from sandtable.server.library import examples as served

GAMES = registry.names()


@pytest.mark.parametrize("name", GAMES)
def test_every_worked_example_has_a_diagram_or_a_reason(name: str) -> None:
    found = examples(registry.get(name))
    assert list(found) == list(captions(name))
    for one in found.values():
        assert one.none or (one.rules and one.hexes()), one.id
    assert drawn_ids(registry.get(name)) == [id for id, one in found.items() if not one.none]


@pytest.mark.parametrize("name", GAMES)
def test_the_words_of_a_diagram_are_those_of_the_book_in_both_languages(name: str) -> None:
    english, japanese = captions(name), captions(name, "ja")
    assert list(japanese) == list(english)
    for id, words in japanese.items():
        assert words, id
    shelf = book(name)
    assert shelf is not None
    for one in examples(registry.get(name)).values():
        for rule in one.rules:
            assert any(known == rule or re.match(rf"{re.escape(rule)}(?!\d)", known) for known in shelf.rules), one.id


@pytest.mark.parametrize("name", GAMES)
def test_what_stands_on_a_diagram_is_what_the_game_would_show(name: str) -> None:
    """Its position is a view: the game sets a table up from it, with every counter where the diagram has it."""
    game = registry.get(name)
    for one in examples(game).values():
        if one.none or not one.units or one.ground is not None:
            continue
        view = view_of(game, one)
        again = game.view(game.imagine(view, Random(1)), -1)
        stands = {unit["id"]: unit["hex"] for unit in again["units"] if "hex" in unit and "id" in unit}
        for unit in one.units:
            assert stands.get(unit["id"], unit["hex"]) == unit["hex"], (one.id, unit)
        told = told_of(name)[one.id]
        assert {item["unit"]: item["hex"] for item in told["counters"]} == {u["id"]: u["hex"] for u in one.units}


def told_of(name: str) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in json.loads(served.listed(name).body)}


@pytest.mark.parametrize("name", GAMES)
def test_every_diagram_is_drawn_and_shows_all_that_it_names(name: str) -> None:
    for id, told in told_of(name).items():
        one = examples(registry.get(name))[id]
        left, top, width, height = told["box"]
        spots = {hex_["id"]: hex_ for hex_ in told["grid"]["hexes"]}
        for hex_ in one.hexes():
            assert left <= spots[hex_]["x"] <= left + width, (id, hex_)
            assert top <= spots[hex_]["y"] <= top + height, (id, hex_)
        ground = served.ground(name, id, "css")
        assert ground is not None
        drawn = ElementTree.fromstring(ground.body)
        assert len(drawn) > 1
        assert len(ground.packed) < 160_000, "a page holds many of them"
        ids = {node.get("id") for node in drawn.iter() if node.get("id")}
        used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", ground.body.decode()))
        assert {a or b for a, b in used} <= ids
    assert served.ground(name, "X-none", "css") is None


def test_what_lies_outside_is_cut_away_and_nothing_within() -> None:
    """A line that leaves the part and comes back keeps both its ends; its long way round is drawn straight."""
    far = "".join(f"L{900 + k} {k}" for k in range(60))
    svg = (
        '<svg viewBox="0 0 1000 1000"><title>x</title><defs><clipPath id="a"><path d="M0 0h9"/></clipPath></defs>'
        f'<g clip-path="url(#a)"><path d="M10 10L20 20{far}L30 30Z M500 500l5 5"/></g>'
        '<g><text x="700" y="700">far <b>away</b></text></g><text x="40" y="40">near</text>'
        '<circle cx="800" cy="9" r="2"/>'
        "</svg>"
    )
    part = Drawing(svg).cut((0, 0, 100, 100), "p-")
    assert 'viewBox="0 0 100 100"' in part
    assert 'id="p-a"' in part
    assert "url(#p-a)" in part
    assert "M10 10L20 20" in part
    assert "L30 30Z" in part
    assert "M500 500" not in part
    assert part.count("L9") == 2  # where the way beside the part begins and ends
    assert "near" in part
    assert "far" not in part
    assert "circle" not in part
    whole = Drawing(svg).cut((0, 0, 1000, 1000), "")
    assert whole.count("L") == svg.count("L")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ('id = "X2"\nrules = ["99.9"]\nlit = ["6732"]', "has no rule 99.9"),
        ('id = "X2"\nrules = ["8.25"]\nlit = ["9999"]', "no hex 9999"),
        ('id = "X2"\nrules = ["8.25"]\ncounters = { "6732" = "nobody" }', "no counter 'nobody'"),
        ('id = "X2"\nlit = ["6732"]', "names its rules"),
        ('id = "X2"\nrules = ["8.25"]', "position or the reason"),
        ('id = "X2"\nnone = "why"\nlit = ["6732"]', "position or the reason"),
        ('id = "X2"\nrules = ["8.25"]\nletters = { "6732" = "advance here" }', "words stand in the rulebook"),
        ('id = "X2"\nrules = ["8.25"]\nways = ["6732"]', "list of lists"),
        ('id = "X2"\nrules = ["8.25"]\nlights = ["6732"]', "'lights' is not known"),
        ('id = "X2"\nrules = ["8.25"]\nlit = ["6732"]\n[example.ground]\nboard = "D1"', "one map for all"),
    ],
)
def test_a_fault_says_where_and_what(tmp_path: Path, row: str, fault: str) -> None:
    path = tmp_path / "worked.toml"
    path.write_text(f"[[example]]\n{row}\n")
    with pytest.raises(PackError, match=re.escape(fault)) as found:
        read_examples(registry.get("kasserine"), path)
    assert found.value.file == "examples/worked.toml"
