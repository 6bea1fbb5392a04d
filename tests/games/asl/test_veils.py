"""What is seen through screens, dust and darkness: the sets that are kept, beside lines looked at one by one."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import scenario_battlefield
from sandtable.games.asl.boards.locations import Place, Spot, places_of
from sandtable.games.asl.los.line import line_of_sight
from sandtable.games.asl.los.screens import Screen, Screens, fire_for_effect, smoke, vehicle, vehicle_dust
from sandtable.games.asl.los.tables import SightTable, as_spot, posture
from sandtable.games.asl.los.veils import Veils
from sandtable.games.asl.los.visibility import Air
from sandtable.games.asl.shown.models import ground
from tests.rules.asl.kit import hillock


def littered(table: SightTable, rng: Random) -> Screens:
    """Many vehicles, some of them IN wadis, some SMOKE and dust, an FFE."""
    field, hexes = table.field, table.field.grid.hexes
    found: list[Screen] = [vehicle(field, h) for h in rng.sample(hexes, 120)]
    beds = hexes_of(field.form["wadi"])
    found += [vehicle(field, h, inside=True) for h in rng.sample(beds, min(40, len(beds)))]
    found += [smoke(field, h, rng.choice((1, 2, 3)), rng.choice((2, 4))) for h in rng.sample(hexes, 12)]
    found += [vehicle_dust(field, h) for h in rng.sample(hexes, 12)]
    blast = field.grid.within(rng.choice(hexes), 1)
    return Screens([*found, *fire_for_effect(field, blast, "concentration", rng.random() < 0.5, 0)])


@pytest.mark.parametrize("scenario", ["s01_capuzzo_outpost", "s06_wadi_zigzaou"])
@pytest.mark.parametrize("air", [Air(), Air(dust="heavy"), Air(night=4, lit=1 << 200), Air(dust="very_heavy", night=9)])
def test_the_set_that_is_seen_is_that_of_all_lines(scenario: str, air: Air) -> None:
    table, rng = SightTable(scenario_battlefield(scenario)), Random(f"{scenario}{air}")
    field, screens = table.field, littered(table, rng)
    veils, hidden = Veils(table, screens, air), 0
    for h in rng.sample(field.grid.hexes, 6):
        one = Spot(h, rng.choice(places_of(field, h)), rng.random() < 0.5)
        how = rng.randrange(2)
        seen = veils.seen(one, how)
        for other in field.grid.hexes:
            plain = line_of_sight(table, one, as_spot(other, how), screens, air)
            assert plain.clear == bool(seen >> other & 1), (one, field.name(other))
            assert veils.look(one, as_spot(other, how)) == plain
        hidden += (table.seen_from(one, how) & ~seen).bit_count()
    assert hidden, "something must be hidden by what lies on the map"


def test_lines_from_above_the_map_and_from_vertices() -> None:
    table, rng = SightTable(scenario_battlefield("s01_capuzzo_outpost")), Random(3)
    screens, corner = littered(table, rng), table.field.grid.hexes[90]
    veils = Veils(table, screens)
    for one in (Spot(table.field.grid.hexes[40], Place.ABOVE), Spot(corner, vertex=2)):
        seen = veils.seen(one)
        for h in table.field.grid.hexes:
            assert bool(seen >> h & 1) == veils.look(one, Spot(h)).clear
            alone = Screens([smoke(table.field, h, 2)])
            for lying in (screens, alone):
                for a, b in ((one, Spot(h)), (Spot(h), one)):
                    assert Veils(table, lying).look(a, b) == line_of_sight(table, a, b, lying)
        some = Spot(rng.choice(table.field.grid.hexes))
        assert veils.sees(some, one) == veils.look(some, one).clear
        assert posture(some) == 0


def test_vehicles_that_only_the_target_sees_hide_it_too() -> None:
    """A6.5, F6.44d past a hillock not beside it a unit sees little; one on the next hillock sees all between."""
    start, names = ground(), []
    h = start.hex("D1.C9")
    for _ in range(12):
        names.append(start.name(h).removeprefix("D1."))
        h = start.grid.neighbour(h, 1)
    field = ground({**hillock("b", names[2]), **hillock("c", names[11])})
    a, b = (Spot(field.hex(f"D1.{name}")) for name in (names[0], names[11]))
    table = SightTable(field)
    for last, clear in ((9, True), (10, False)):
        screens = Screens([vehicle(field, field.hex(f"D1.{name}")) for name in names[4:last]])
        assert [Veils(table, screens).sees(*ends) for ends in ((a, b), (b, a))] == [clear, clear]
        assert line_of_sight(table, a, b, screens, Air()).clear == clear
