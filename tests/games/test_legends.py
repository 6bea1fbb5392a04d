"""How a game is read: everything that its table shows stands in its legend, under rules that its book has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import registry, texts
from sandtable.engine.ledger import book
from sandtable.engine.packs import Pack, PackError, pack_of
from sandtable.engine.packs.legend import GROUNDS, Legend, lookup, read_legend
from sandtable.server.library import catalogue
from sandtable.server.wire.library import LegendText

GAMES = registry.names()


def legend(name: str) -> Legend:
    game: Any = registry.get(name)
    pack = pack_of(game)
    assert pack is not None
    return read_legend(texts.home(game) / "data" / "legend.toml", pack.tables)


def maps(name: str) -> list[Pack]:
    """Every map of a game: one, or one for each scenario."""
    game: Any = registry.get(name)
    found = [pack_of(game, scenario.id) for scenario in game.scenarios()]
    return list({id(pack): pack for pack in found if pack is not None}.values())


def first_counters(name: str) -> list[dict[str, Any]]:
    """The counters of every scenario as both sides see them before the first move."""
    game: Any = registry.get(name)
    found: list[dict[str, Any]] = []
    for scenario in game.scenarios():
        state = game.new(scenario.id)
        for side in range(len(game.info.sides)):
            found += game.scene(game.view(state, side))["counters"]
    return found


def figures(counter: dict[str, Any]) -> list[str]:
    """The places of the numbers that are drawn on a counter."""
    strength = counter.get("strength") or ""
    cut = re.split(r"(?<=.)-", strength) if strength else []
    return [
        *(f"strength.{i}" for i in range(len(cut))),
        *(f"values.{i}" for i in range(len(counter.get("values", ())))),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_of_a_legend_is_in_the_book(name: str) -> None:
    shelf = book(name)
    assert shelf is not None
    found = legend(name)
    parts = [part for reading in found.counters for part in reading.parts]
    effects = [effect for ground in found.grounds for effect in ground.effects]
    ruled = [*parts, *found.marks, *found.markers, *found.grounds, *effects, *found.terms]
    assert len(ruled) > 60
    assert [one for one in ruled if one.rule not in shelf.rules] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_ground_of_the_maps_is_in_the_legend(name: str) -> None:
    known = {(ground.of, ground.id) for ground in legend(name).grounds}
    wanted: set[tuple[str, str]] = set()
    for pack in maps(name):
        wanted |= {("terrain", kind) for kind in pack.terrain}
        wanted |= {("hexside", kind) for kind in pack.sides}
        wanted |= {("way", kind) for kind in pack.links}
        wanted |= {("tag", tag) for tag in pack.tags if not re.search("[:=]", tag)}
    silent = {("tag", tag) for tag in ("named", "impassable", "sea", "water", "crossing")}
    assert sorted(wanted - known - silent) == []
    assert {ground.of for ground in legend(name).grounds} <= set(GROUNDS)


@pytest.mark.parametrize("name", GAMES)
def test_every_number_on_a_counter_is_named(name: str) -> None:
    found = legend(name)
    pack = pack_of(registry.get(name))
    assert pack is not None
    seen: set[str] = set()
    for counter in first_counters(name):
        if counter.get("hidden") or not counter.get("symbol"):
            continue
        reading = next(one for one in found.counters if not one.kinds or counter["symbol"] in one.kinds)
        seen.add(reading.name)
        named = {part.part for part in reading.parts}
        if any(part.startswith("row.") and part != "row.speed" for part in named):  # drawn from its row
            row = pack.units.get(counter.get("row", ""))
            assert row is None or any(row.cells.get(part.removeprefix("row.")) for part in named), counter
            continue
        assert [place for place in figures(counter) if place not in named and counter["symbol"] != "dummy"] == [], (
            counter
        )
    always = {one.name for one in found.counters} - {"wreck", "unknown unit", "mobile supply unit", "dummy"}
    assert seen >= always


@pytest.mark.parametrize("name", GAMES)
def test_a_legend_names_each_thing_once(name: str) -> None:
    found = legend(name)
    for many in (
        [mark.id for mark in found.marks],
        [marker.id for marker in found.markers],
        [(ground.of, ground.id) for ground in found.grounds],
        [form for term in found.terms for form in (term.term, *term.also)],
    ):
        assert len(many) == len(set(many))
    assert all(len(term.text) > 10 for term in found.terms)
    assert len(found.terms) >= 15


@pytest.mark.parametrize("name", GAMES)
def test_every_mark_of_a_scene_is_in_the_legend(name: str) -> None:
    """The marks that scenes may show, as their modules list them."""
    game: Any = registry.get(name)
    package = type(game).__module__.rpartition(".")[0]
    modules = [__import__(f"{package}.shown.{part}", fromlist=["x"]) for part in ("scene", "look")]
    if name == "na41":
        modules.append(__import__(f"{package}.shown.counters", fromlist=["x"]))
    found = legend(name)
    marks = {mark for module in modules for mark in getattr(module, "SHOWN_MARKS", {}).values()}
    listed = {word for module in modules for word in getattr(module, "MARK_WORDS", ())}
    known = {mark.id for mark in found.marks}
    signs = known | {marker.id for marker in found.markers}
    assert marks or listed
    assert sorted(marks - known) == []
    assert sorted(word for word in listed if word not in signs and word.replace(" ", "_") not in signs) == []


@pytest.mark.parametrize("name", GAMES)
def test_every_marker_of_a_scene_is_in_the_legend(name: str) -> None:
    """The kinds of markers, as they stand in the module that shows them."""
    game: Any = registry.get(name)
    source = (texts.home(game) / "shown" / "scene.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r'"kind": "(\w+)"', source)) | set(re.findall(r'_marker\([^,]+, "(\w+)"', source))
    kinds |= set(re.findall(r'"kind": "(\w+)" if \S+ else "(\w+)"', source) and ("assault", "battle"))
    known = {marker.id for marker in legend(name).markers}
    assert kinds
    assert sorted(kinds - known - {"points"}) == []


@pytest.mark.parametrize("name", GAMES)
def test_what_is_served_is_the_legend(name: str) -> None:
    served = catalogue.legend(name)
    assert served is not None
    found = msgspec.json.decode(served.body, type=LegendText)
    assert [term.term for term in found.terms] == [term.term for term in legend(name).terms]
    assert [ground.id for ground in found.grounds] == [ground.id for ground in legend(name).grounds]


def test_numbers_come_from_the_charts() -> None:
    pack = pack_of(registry.get("kasserine"))
    assert pack is not None
    rough = next(ground for ground in legend("kasserine").grounds if (ground.of, ground.id) == ("terrain", "rough"))
    chart = lookup(pack.tables, "tec.hex.rough")
    told = {effect.name: effect.value for effect in rough.effects}
    assert told["MP, motorized"] == str(chart["mot_dry"])
    assert told["die of an attack"] == f"+{chart['drm']}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('mark = [{ id = "a", name = "a", rule = "1" }]', "the mark 'a' needs text"),
        ('mark = [{ id = "a", name = "a", text = "b", rule = "1", tone = "x" }]', "the mark 'a' has no tone"),
        ('ground = [{ of = "sky", id = "a", name = "a", rule = "1" }]', "'sky' is none of"),
        ("[[picture]]", "nothing is called 'picture' here"),
        ('[[chart]]\nof = "way"\nat = "x"\ncolumns = [{ at = "y" }]', "the column 'y' needs name, rule"),
    ],
)
def test_what_is_wrong_with_a_legend_is_said(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "legend.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=re.escape(fault)):
        read_legend(path, {})
