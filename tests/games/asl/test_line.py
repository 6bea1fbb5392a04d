"""The whole line of sight, as fire, clients and the computer ask for it."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.los.arcs import between
from sandtable.games.asl.los.geometry import path
from sandtable.games.asl.los.line import can_see, line_of_sight, sight_table, thread
from sandtable.games.asl.los.screens import Screens, smoke, vehicle
from sandtable.games.asl.los.tables import SightTable
from sandtable.games.asl.los.visibility import Air
from tests.rules.asl.kit import filled, ground, hillock, spot


def test_one_table_for_all() -> None:
    field = battlefield({"boards": [{"id": "D1"}]})
    assert sight_table(field) is sight_table(field)
    assert sight_table(field, 1) is not sight_table(field)


def test_everything_on_one_line() -> None:
    field = ground(filled("brush", "M6"))
    table = SightTable(field)
    screens = Screens([vehicle(field, field.hex("D1.M5"))])
    a, b = spot(field, "M8"), spot(field, "M4")
    los = line_of_sight(table, a, b, screens, Air(dust="heavy"))
    assert [(one.kind, one.drm) for one in los.hindrances] == [("brush", 1), ("vehicle", 1), ("dust", 2)]
    assert can_see(table, a, b, screens, Air(dust="heavy"))
    thick = line_of_sight(table, a, b, screens, Air(dust="very_heavy"))
    assert thick.block is not None
    assert not can_see(table, a, b, screens, Air(dust="very_heavy"))
    assert not can_see(table, a, b, air=Air(night=2))
    assert can_see(table, a, b)
    full = Screens([smoke(field, field.hex("D1.M7"), 3), smoke(field, field.hex("D1.M5"), 3)])
    assert not can_see(table, a, b, full)
    hidden = ground(hillock("h", "M6"))
    assert not can_see(SightTable(hidden), spot(hidden, "M8"), spot(hidden, "M3"))


def test_the_thread() -> None:
    field = ground(hillock("h", "M6"))
    table = SightTable(field)
    found = thread(table, spot(field, "M9"), spot(field, "M3"))
    assert [field.name(h) for h in found.hexes] == [f"D1.M{n}" for n in range(9, 2, -1)]
    assert [field.name(h) for h in found.unseen] == ["D1.M4", "D1.M3"]  # M5 lies right behind the hillock
    assert found.rule == "F6.44d"
    assert found.reason is not None
    assert found.reason.facts == {"hex": field.hex("D1.M6")}
    assert "{hex}" in found.reason.template
    brush = ground(filled("brush", "M6"))
    clear = thread(SightTable(brush), spot(brush, "M9"), spot(brush, "M3"))
    assert (clear.rule, clear.unseen, clear.reason) == ("A6.7", (), None)
    assert [brush.name(one.hex) for one in clear.hindrances] == ["D1.M6"]
    same = thread(table, spot(field, "M9"), spot(field, "M9"))
    assert (same.rule, len(same.hexes)) == ("A6.1", 1)


@pytest.mark.rule("asl", "A6.1")
def test_the_hexes_between_two_centres_are_those_of_the_path() -> None:
    """What lies on a line is found column by column; the path knows the same hexes one by one."""
    field = battlefield({"boards": [{"id": "D1"}]})
    rng = Random(6)
    hexes = field.grid.hexes
    for _ in range(400):
        a, b = rng.choice(hexes), rng.choice(hexes)
        (ac, ay), (bc, by) = field.place[a], field.place[b]
        met = {field.at.get((ac + step.at[0], ay + step.at[1]), -1) for step in path(bc - ac, by - ay).steps} - {-1}
        assert set(hexes_of(between(field, a, b))) == met
