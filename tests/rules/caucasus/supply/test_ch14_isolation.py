"""Chapter 14: isolation."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.combat import strengths
from sandtable.games.caucasus.movement import replacements
from sandtable.games.caucasus.supply import supply_lines
from sandtable.games.caucasus.table.ids import (
    AXIS,
    COMBAT,
    D1,
    F_ADVANCE,
    F_MOVES,
    NO_SUPPORT,
    R_INFANTRY,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, put, touch, zone
from sandtable.games.caucasus.turn.supply_phase import attrition_terms

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
)
from .ch14supplykit import map_of, only_e, phase

# 14.4, 14.5 What it means


@pytest.mark.rule("caucasus", "14.4a", "14.5")
def test_14_4a_14_5_attack_strength_is_halved() -> None:
    s = empty("axis", 5, "axis_first_combat")
    place(s, "SU-4RD", "1828")
    for oos, limited, strength in ((False, False, 7), (True, False, 4), (False, True, 4)):
        s.oos = s.limited = 0
        place(s, "GE-5SS", "1728", oos=oos, limited=limited)
        assert strengths.attack_strength(s, U("GE-5SS"), H("1828")) == strength


@pytest.mark.rule("caucasus", "14.4b", "14.5")
def test_14_4b_a_shift_if_all_defenders_are_out_of_supply() -> None:
    s = empty("axis", 5, "axis_first_combat")
    place(s, "GE-73", "1728")
    place(s, ["SU-4RD", "SU-74RD"], "1828", oos=True)

    def rules() -> list[str]:
        return [p.rule for p in strengths.shifts(s, COMBAT, H("1828"), units("GE-73"), 0, NO_SUPPORT)]

    assert "14.4b" in rules()
    s.oos = units("SU-4RD")
    assert "14.4b" not in rules()
    s.oos, s.limited = 0, units("SU-4RD", "SU-74RD")
    assert "14.4b" not in rules()


@pytest.mark.rule("caucasus", "14.4c", "14.5")
def test_14_4c_two_hexes_whatever_they_cost() -> None:
    s = empty("axis", 5)
    place(s, "GE-13Pz", "1728", oos=True)
    start(s, (F_MOVES, 0))
    do(s, "move GE-13Pz")
    reach = {text.split()[1] for text in texts(s) if text.startswith("to ")}
    assert {board.grid.distance(H("1728"), H(h)) for h in reach} == {1, 2}
    s = empty("axis", 5)
    place(s, "GE-13Pz", "1728", limited=True)
    start(s, (F_MOVES, 0))
    do(s, "move GE-13Pz")
    assert max(board.grid.distance(H("1728"), H(t.split()[1])) for t in texts(s) if t.startswith("to ")) > 2


@pytest.mark.rule("caucasus", "14.4d", "14.5")
def test_14_4d_no_replacements_out_of_supply() -> None:
    for oos, limited, may in ((True, False, False), (False, True, True)):
        s = empty("axis", 5)
        place(s, "GE-73", "1728", shows="reduced", oos=oos, limited=limited)
        s.replacements[R_INFANTRY] = 1
        assert bool(replacements.rebuildable(s)) == may


@pytest.mark.rule("caucasus", "14.5")
def test_14_5_limited_supply_does_not_shorten_an_advance() -> None:
    s = empty("axis", 5, "axis_first_combat")
    place(s, "GE-13Pz", "1728", limited=True)
    s.fight.target = s.fight.vacated = H("1828")
    s.fight.attackers, s.fight.result = units("GE-13Pz"), D1
    start(s, (F_MOVES, 0), (F_ADVANCE, -1, 0))
    do(s, "advance GE-13Pz 1828", "advance GE-13Pz 1928")
    assert at(s, "GE-13Pz") == "1928"


# 14.6 Isolation


def encircled(unit: str = "GE-73", hex_: str = "1728") -> State:
    """A unit with enemies on three sides, so that all six hexes around it are in EZOC."""
    s = map_of("axis" if unit.startswith(("GE", "RO", "EA", "IT", "SL")) else "soviet")
    foes = ("SU-4RD", "SU-74RD", "SU-176RD") if s.active == AXIS else ("GE-125", "GE-198", "GE-9")
    place(s, unit, hex_)
    for foe, (_, n) in zip(foes, board.grid.neighbours[H(hex_)][::2], strict=True):
        place(s, foe, board.grid.names[n])
    return s


def modifier(s: State, unit: str) -> list[tuple[int, str]]:
    return [(value, rule) for value, rule, _ in attrition_terms(s, U(unit))]


@pytest.mark.rule("caucasus", "14.6a", "14.6c", "14.6d")
def test_14_6a_isolated_units_roll_at_once_and_every_turn() -> None:
    s = encircled("RO-10")
    phase(s)
    assert s.oos == units("RO-10")
    assert GAME.to_act(s) == -1
    events = roll(s, 4)
    assert s.step[U("RO-10")] == 1
    told = of_kind(events, "attrition")[0]
    assert told.final
    assert (told.data["die"], told.data["drm"], told.data["lost"]) == (4, 0, True)
    s.stack = []
    phase(s)
    roll(s, 5)
    assert s.step[U("RO-10")] == 1
    s.stack = []
    phase(s)
    roll(s, 1)
    assert at(s, "RO-10") == "cadre"  # a last step can be lost this way


@pytest.mark.rule("caucasus", "14.6d")
def test_14_6d_each_unit_of_a_stack_rolls() -> None:
    s = encircled("RO-10")
    place(s, "RO-19", "1728")
    phase(s)
    first = GAME.prompt(s).title
    roll(s, 1)
    assert GAME.prompt(s).title != first
    roll(s, 6)
    assert sorted([s.step[U("RO-10")], s.step[U("RO-19")]]) == [0, 1]


@pytest.mark.rule("caucasus", "14.6a", "14.6b")
def test_14_6b_only_who_has_no_line_of_any_length_rolls() -> None:
    s = encircled("RO-10")
    put(s, U("SU-176RD"), -1)  # one side open
    phase(s)
    assert GAME.to_act(s) == AXIS


@pytest.mark.rule("caucasus", "14.6e", "14.6a")
def test_14_6e_hqs_are_exempt() -> None:
    s = encircled("GE-17A-HQ")
    phase(s)
    assert s.oos == units("GE-17A-HQ")
    assert GAME.to_act(s) == AXIS


@pytest.mark.rule("caucasus", "14.6f", "15.1d")
def test_14_6f_city_or_hq() -> None:
    s = encircled("RO-10")
    assert modifier(s, "RO-10") == []
    place(s, "GE-17A-HQ", "1728")
    assert modifier(s, "RO-10") == [(2, "14.6f")]
    s = encircled("RO-10", "2136")  # Krasnodar
    controlled_by(s, "axis", "2136")
    assert modifier(s, "RO-10") == [(2, "14.6f")]
    controlled_by(s, "soviet", "2136")
    assert modifier(s, "RO-10") == []


@pytest.mark.rule("caucasus", "14.6f")
def test_14_6f_the_line_to_the_city_may_have_any_length() -> None:
    """A39. Krasnodar is far from 1728, and the only Soviet place."""
    s = map_of("soviet")
    s.control = board.places & ~(1 << H("2136"))
    place(s, "SU-4RD", "1728")
    assert modifier(s, "SU-4RD") == [(2, "14.6f")]


@pytest.mark.rule("caucasus", "14.6g", "14.6j")
def test_14_6g_town() -> None:
    s = encircled("RO-10", "1932")  # Kropotkin, a town: the unit stands in it (14.6j)
    controlled_by(s, "axis", "1932")
    assert modifier(s, "RO-10") == [(1, "14.6g")]
    place(s, "GE-17A-HQ", "1932")
    assert modifier(s, "RO-10") == [(2, "14.6f")]  # not both


@pytest.mark.rule("caucasus", "14.6f", "14.6j")
def test_14_6j_inside_the_city() -> None:
    s = encircled("RO-10", "2136")
    controlled_by(s, "axis", "2136")
    assert modifier(s, "RO-10") == [(2, "14.6f")]


@pytest.mark.rule("caucasus", "14.6h")
def test_14_6h_germans_and_guards() -> None:
    for unit, expected in (("GE-73", 1), ("RO-10", 0), ("SL-Fast", 0), ("SU-2Gds", 1), ("SU-4RD", 0)):
        s = encircled(unit)
        s.control = 0 if s.active == AXIS else board.places
        touch(s)
        assert sum(value for value, _ in modifier(s, unit)) == expected


@pytest.mark.rule("caucasus", "14.6i")
def test_14_6i_desert() -> None:
    s = encircled("RO-10", "1717")
    assert s.ground.desert >> H("1717") & 1
    assert modifier(s, "RO-10") == [(-2, "14.6i")]
    phase(s)
    roll(s, 6)
    assert s.step[U("RO-10")] == 1


@pytest.mark.rule("caucasus", "14.6f", "14.6h")
def test_x_14_6a() -> None:
    """A German unit that can trace a line to a city loses a step only on a 1."""
    for die, lost in ((1, 1), (2, 0)):
        s = encircled("GE-73", "2136")
        controlled_by(s, "axis", "2136")
        phase(s)
        roll(s, die)
        assert s.step[U("GE-73")] == lost


@pytest.mark.rule("caucasus", "15.3e")
def test_15_3e_the_flotilla_traces_supply_and_suffers_attrition() -> None:
    s = only_e()
    place(s, "SU-Azov", "1338")
    place(s, "GE-73", "1337")
    place(s, "GE-125", "1438")
    phase(s)
    assert s.oos == units("SU-Azov")
    roll(s, 1)
    assert at(s, "SU-Azov") == "removed"


# What can be laid over the map


@pytest.mark.rule("caucasus", "14.1c", "14.1d", "6.1a", "14.3g")
def test_overlays_show_supply_zones_and_control_of_both_sides() -> None:
    s = only_e()
    place(s, "SU-4RD", "1517")
    place(s, "GE-73", "1518")
    place(s, "GE-125", "1416")
    place(s, "GE-198", "1616")
    start(s, (F_MOVES, 0))
    laid = {o["id"]: o for o in GAME.overlays(GAME.view(s, SOVIET))}
    assert laid["supply_soviet"]["cut"] == ["1517"]
    assert set(laid["supply_soviet"]["hexes"]) == hexes(supply_lines.full(s, SOVIET))
    assert set(laid["limited_axis"]["hexes"]) == hexes(supply_lines.limited(s, AXIS) & ~supply_lines.full(s, AXIS))
    assert set(laid["zoc_soviet"]["hexes"]) == hexes(zone(s, SOVIET))
    assert set(laid["rail_soviet"]["hexes"]) == hexes(supply_lines.connected_rail(s, SOVIET))
    assert set(laid["control_soviet"]["hexes"]) == {"1013", "1014"}
    assert laid["control_axis"]["numbers"]["3510"] == "5"


@pytest.mark.rule("caucasus", "8.1a")
def test_an_overlay_counts_what_the_enemy_could_bring_against_a_hex() -> None:
    s = only_e()
    place(s, "SU-4RD", "1517")
    place(s, "GE-73", "1519")  # MA 3, attack 5
    place(s, "GE-13Pz", "1521")  # MA 6, attack 10
    start(s, (F_MOVES, 0))
    laid = {o["id"]: o for o in GAME.overlays(GAME.view(s, SOVIET))}["threat_axis"]["numbers"]
    assert laid["1517"] == "15"
    assert laid["1523"] == "15"
    assert laid["1524"] == "10"  # the division comes no farther than 1522
    assert "1519" not in laid
    assert "1530" not in laid
    s.disrupted |= 1 << s.board.unit_index["GE-13Pz"]
    laid = {o["id"]: o for o in GAME.overlays(GAME.view(s, SOVIET))}["threat_axis"]["numbers"]
    assert laid["1517"] == "5"
