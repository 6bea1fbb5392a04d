"""The worked examples on lines of sight.

Their pictures are lost (MISS-02), so each stands on ground laid out here as its words describe it; the letters of the
units are those of the book.
"""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.los.cover import covers
from sandtable.games.asl.los.screens import Screens, screened, vehicle, wreck_would_hinder
from sandtable.games.asl.los.sight import Sightlines

from ..kit import blocked_by, filled, ground, hill, hillock, look, sees, spot

rule = partial(pytest.mark.rule, "asl")

# EX-F4.5: a deir with tanks in it, squads outside and on a hillock

INNER = ("L5", "M5", "M6", "N5")
RIM = ("L4", "M4", "N4", "O5", "O6", "N6", "M7", "L6", "K6", "K5")


def deir_country() -> Battlefield:
    """H and I outside to the south, J, K, L inside, G on a hillock to the north, E and F outside to the north."""
    cells = {name: {"forms": {"deir"}, "mass": "d"} for name in INNER}
    cells |= {name: {"forms": {"deir", "lip"}, "mass": "d"} for name in RIM}
    inside = {*INNER, *RIM}
    plain = ground(cells)
    sides = []
    for name in RIM:
        h = plain.hex(f"D1.{name}")
        for _, n in plain.grid.neighbours[h]:
            other = plain.name(n).removeprefix("D1.")
            if other not in inside:
                sides.append((name, other, "lip", name))
    return ground({**cells, **hillock("g", "M1")}, sides)


PLACES = {"A": "M6", "J": "M5", "K": "M4", "H": "M9", "I": "N9", "E": "N2", "G": "M1", "L": "L5"}


def protected(field: Battlefield, firer: str, target: str) -> bool:
    found = covers(Sightlines(field), spot(field, PLACES[firer]), spot(field, PLACES[target]))
    return any(one.kind == "lip" for one in found)


@rule("F4.5a", "F4.5c")
def test_ex_f4_5_a_tank_is_hull_down_only_across_the_lip() -> None:
    """EX-F4.5-2, -3, -5, -7: HD or +1 only vs those outside at its level, not vs those within nor on the hillock."""
    field = deir_country()
    assert [name for name in "HIJKLG" if name != "A" and protected(field, name, "A")] == ["H", "I"]
    assert [name for name in "HIJLGE" if protected(field, name, "K")] == ["H", "I", "E"]
    assert not any(protected(field, firer, target) for firer in "AJKL" for target in "HIEG")


@rule("F4.51b")
def test_ex_f4_5_what_a_tank_in_a_deir_hinders() -> None:
    """EX-F4.5-2: tank A hinders H's LOS to K and to those beyond it in the deir, and none of G's."""
    field = deir_country()
    lines, tanks = Sightlines(field), Screens([vehicle(field, field.hex(f"D1.{PLACES['A']}"))])

    def hinders(a: str, b: str) -> bool:
        return screened(lines, spot(field, a), spot(field, b), tanks).hindrance > 0

    assert hinders(PLACES["H"], PLACES["K"])
    assert hinders(PLACES["H"], PLACES["J"])
    assert not hinders(PLACES["G"], "M8")  # from the hillock nothing of it
    assert not hinders(PLACES["H"], "M2")  # between two outside the deir it does not count
    assert not hinders(PLACES["L"], PLACES["J"])


@rule("F4.4b")
def test_ex_f4_5_6_a_foxhole_inside() -> None:
    """EX-F4.5-6: squad J in a foxhole has no LOS to H and I; all others see one another."""
    field = deir_country()
    assert sees(field, f"{PLACES['J']} dug", *(PLACES[name] for name in "HI")) == []
    everyone = [PLACES[name] for name in "AJKHIEGL"]
    for one in everyone:
        assert sees(field, one, *everyone) == everyone


@rule("F4.52b")
def test_ex_f4_52_what_a_fire_lane_passes_over() -> None:
    """EX-F4.52: a lane between two outside does not touch a vehicle in the deir; one that ends in it does."""
    field = deir_country()
    lines = Sightlines(field)
    tank = field.hex("D1.M5")
    assert not wreck_would_hinder(lines, spot(field, "M9"), spot(field, "M2"), tank)
    assert wreck_would_hinder(lines, spot(field, "M9"), spot(field, "M4"), tank)


# EX-F6.6: hillocks one behind the other


def hillock_country() -> Battlefield:
    """From south to north along hexrow M: A behind a hillock, E on it, a second, a third, and a fourth."""
    return ground(
        {**hillock("1", "M9"), **hillock("2", "M7"), **hillock("3", "M4"), **hillock("4", "M2"), **hill(1, "U5")}
    )


@rule("F6.44b")
def test_ex_f6_6_2_behind() -> None:
    """EX-F6.6-2: squad A sees past the hillock it is behind, and right behind the next: that squad claims its TEM."""
    field = hillock_country()
    assert sees(field, "M10", "M9", "M8", "M7", "M6", "M5", "M4", "M3") == ["M9", "M8", "M7", "M6", "M4"]
    assert [one.rule for one in covers(Sightlines(field), spot(field, "M10"), spot(field, "M6"))] == ["F6.5a"]


@rule("F6.44c", "F6.43b")
def test_ex_f6_6_3_entrenched_behind() -> None:
    """EX-F6.6-3, -10: squad B, Entrenched behind it, sees only what is as high; another such squad it never sees."""
    field = hillock_country()
    assert sees(field, "M10 dug", "M9", "M8", "M7", "M6", "M4", "M3") == ["M9", "M7", "M4"]
    assert blocked_by(field, "M6 dug", "M8 dug")
    assert blocked_by(field, "M8 dug", "M6 dug")


@rule("F6.44d")
def test_ex_f6_6_4_neither() -> None:
    """EX-F6.6-4: squads C and D, not adjacent to a hillock, see past the first only right behind it."""
    field = ground({**hillock("1", "M7"), **hillock("2", "M4")})
    assert sees(field, "M9", "M8", "M7", "M6", "M5", "M4", "M3") == ["M8", "M7", "M6", "M4"]


@rule("F6.41a", "F6.41b", "F6.52b")
def test_ex_f6_6_5_on() -> None:
    """EX-F6.6-5: E and F see all but what lies beyond the second other hillock; the one right behind it claims TEM."""
    field = hillock_country()
    assert sees(field, "M9", "M8", "M7", "M6", "M5", "M4", "M3", "M2", "M1") == [
        "M8",
        "M7",
        "M6",
        "M5",
        "M4",
        "M3",
        "M2",
    ]
    lines = Sightlines(field)
    claims = [name for name in ("M8", "M6", "M5", "M3") if covers(lines, spot(field, "M9"), spot(field, name))]
    assert claims == ["M3"]
    tanks = {name: Screens([vehicle(field, field.hex(f"D1.{name}"))]) for name in ("M7", "M6", "M5")}
    hinders = [
        name for name, one in tanks.items() if screened(lines, spot(field, "M9"), spot(field, "M4"), one).hindrance
    ]
    assert hinders == ["M7"]  # on a hillock between two hillocks; not those on the ground


@rule("F6.52b")
def test_ex_f6_6_6_a_hindrance_on_the_ground_counts_for_one_on_the_ground() -> None:
    """EX-F6.6-6: H, at level 0, to N on a hillock is affected by any Hindrance between, on a hillock or not."""
    field = ground({**hillock("1", "M4"), **hillock("2", "M1"), **filled("brush", "M6")})
    lines = Sightlines(field)
    for name in ("M5", "M3"):
        tank = Screens([vehicle(field, field.hex(f"D1.{name}"))])
        end = spot(field, "M4" if name == "M5" else "M1")
        plain = look(field, "M8", "M4" if name == "M5" else "M1").hindrance
        assert screened(lines, spot(field, "M8"), end, tank).hindrance == plain + 1, name
    assert look(field, "M8", "M4").hindrance == 1


@rule("F6.6b", "F6.42", "F6.51a")
def test_ex_f6_6_11_from_a_summit() -> None:
    """EX-F6.6-11: DD and EE on a summit see every squad shown; none claims hillock TEM vs them."""
    cells = {**hillock("1", "M8", summit=["M9"]), **hillock("2", "M6"), **hillock("3", "M4"), **hillock("4", "M2")}
    field = ground({**cells, **filled("brush", "M5")})
    others = ["M8", "M7", "M6", "M5", "M4", "M3", "M2", "M1", "M1 dug", "M5 dug"]
    assert sees(field, "M9", *others) == others
    lines = Sightlines(field)
    assert not any(covers(lines, spot(field, "M9"), spot(field, name)) for name in ("M7", "M5", "M3", "M1"))
    height = [one.rule for one in covers(lines, spot(field, "M7"), spot(field, "M9"))]
    assert height == ["B10.31"]
    assert not covers(lines, spot(field, "M6"), spot(field, "M9"))  # not vs fire from squads on hillocks
    assert look(field, "M9", "M3").hindrance == 0


@rule("F6.43a", "F6.41b")
def test_ex_f6_6_12_other_summits_hide_what_is_low() -> None:
    """EX-F6.6-12: with further summits, DD and EE lose sight of what lies a level below behind them."""
    field = ground({**hillock("1", "M8", summit=["M9"]), **hillock("2", "M5", summit=["M6"])})
    assert blocked_by(field, "M9", "M4") == "F6.43a"
    assert blocked_by(field, "M9", "M2") == "F6.43a"
    assert sees(field, "M9", "M8", "M7", "M6", "M5") == ["M8", "M7", "M6", "M5"]
    summit = ground({**hillock("1", "M8", summit=["M9"]), **hillock("2", summit=["M6"]), **hillock("3", summit=["M3"])})
    assert look(summit, "M9", "M3").clear


# EX-F7.513: two dunes with crests


def dune_country(west: str, east: str) -> Battlefield:
    """A's dune at K5 with its crest to the east, B's at Q5 with its crest to the west, C beyond B's at S6."""

    def dune(mass: str, height: str) -> dict[str, object]:
        forms = {"dune"} | ({"hillock", "high_dune"} if height == "High" else set())
        return {"terrain": "sand", "forms": forms, "mass": mass}

    crests = [("K5", "L4", "dune_crest", "K5"), ("K5", "L5", "dune_crest", "K5")]
    crests += [("Q5", "P4", "dune_crest", "Q5"), ("Q5", "P5", "dune_crest", "Q5")]
    return ground({"K5": dune("a", west), "Q5": dune("b", east)}, crests)


def gets(field: Battlefield, firer: str, target: str) -> list[str]:
    return [one.rule for one in covers(Sightlines(field), spot(field, firer), spot(field, target))]


@rule("F7.512a", "F7.513a", "F7.513b")
def test_ex_f7_513_1_two_low_dunes() -> None:
    """EX-F7.513-1: past B's crest A sees only Locations at level half or higher; both get +1 vs each other."""
    field = dune_country("Low", "Low")
    assert sees(field, "K5", "M5", "O5", "Q5", "S5", "U5") == ["M5", "O5", "Q5"]
    assert blocked_by(field, "K5", "S5") == "F7.512a"
    assert gets(field, "K5", "Q5") == gets(field, "Q5", "K5") == ["F7.513a"]
    assert [one.indirect for one in covers(Sightlines(field), spot(field, "K5"), spot(field, "Q5"))] == [0]
    assert blocked_by(field, "S5", "O5") == "F7.512a"


@rule("F7.512a", "F7.5c")
def test_ex_f7_513_2_two_high_dunes() -> None:
    """EX-F7.513-2: A and B are at level half and see each other; a High dune also hides as a hillock does."""
    field = dune_country("High", "High")
    assert field.level[field.hex("D1.K5")] == field.level[field.hex("D1.Q5")] == 1
    assert look(field, "K5", "Q5").clear
    assert blocked_by(field, "S5", "O5")
    assert blocked_by(field, "S5", "O5 dug")


@rule("F7.513a")
def test_ex_f7_513_3_low_and_high() -> None:
    """EX-F7.513-3: in mutual Direct Fire only B, who is higher, gets +1."""
    field = dune_country("Low", "High")
    assert look(field, "K5", "Q5").clear
    assert gets(field, "K5", "Q5") == ["F7.513a"]
    assert gets(field, "Q5", "K5") == []


# EX-F10.2, EX-F10.3: hillside walls and hedges


@rule("F10.2a", "F10.3c")
def test_ex_f10_2_across_the_walls_of_a_hillside() -> None:
    """Terraces of levels 1 to 3 with a wall at each edge: all are seen from below, those dug in only from beside."""
    cells = {**hill(1, "M5"), **hill(2, "M4"), **hill(3, "M3")}
    walls = [("M6", "M5", "wall", "M5"), ("M5", "M4", "wall", "M4"), ("M4", "M3", "wall", "M3")]
    field = ground({**cells, "M6": {"forms": {"wadi"}}}, walls)
    for viewer in ("M8", "M7", "M6 crest"):
        assert sees(field, viewer, "M5", "M4", "M3") == ["M5", "M4", "M3"]
    assert look(field, "M6 in", "M5").clear
    assert blocked_by(field, "M7", "M5 dug") == "B9.21"
    assert look(field, "M6 crest", "M5 dug").clear
    assert not any(one.kind == "wall" for one in covers(Sightlines(field), spot(field, "M4"), spot(field, "M6 crest")))


@rule("F10.3b", "F10.3c")
def test_ex_f10_3_who_is_behind_a_hillside_hedge() -> None:
    """EX-F10.3-1, -3: the squad below gets neither hedge TEM nor Wall Advantage; the squad level with it gets both."""
    field = ground({**hill(1, "M5"), "M6": {"forms": {"wadi"}}}, [("M5", "M6", "hedge", "M5")])
    lines = Sightlines(field)
    assert not [one for one in covers(lines, spot(field, "M5"), spot(field, "M6 in")) if one.kind == "hedge"]
    upper = [one for one in covers(lines, spot(field, "M6 in"), spot(field, "M5")) if one.kind == "hedge"]
    assert [(one.tem, one.wall_advantage) for one in upper] == [(1, True)]
