"""A2.5, A4.14, B28.41, F3.31, D9.31 What meets whoever comes on from beyond the edge, or goes along with a tank."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.ids import ALLIED, AXIS, F_MOVES, OFFMAP
from sandtable.games.asl.table.state import State, put
from sandtable.games.asl.vehicles.entry import entry_price

from ..kit import ground
from ..scenariokit import G, H, U, covered, opened, refusal
from ..vehiclekit import NNE, Desk, kinds

marked = pytest.mark.rule
SQUAD, TANK, FOE, MINE = "br_457#1", "br_stu1#1", "ge_467#1", "axis_known_minefield_ap#1"


# A2.5 from beyond the edge


def at_the_edge(edition: int = 5, turn: int = 2) -> State:
    """s09: the Axis comes on from the west, Italians on foot among them."""
    s = opened("s09")
    s.edition, s.turn, s.phasing = edition, turn, AXIS
    s.stack = [s.stack[0], MovesAt(F_MOVES)]
    s.choices = None
    GAME.settle(s)
    return s


def come_on(s: State, name: str, where: str) -> list[str]:
    return kinds(GAME.apply(s, (verbs.ENTER, U(s, name), G(s, where))))


@marked("asl", "A2.5", "B28.41")
@pytest.mark.parametrize(("edition", "met"), [(5, True), (4, False)])
def test_mines_at_the_edge_meet_whoever_comes_on(edition: int, met: bool) -> None:
    s = at_the_edge(edition)
    mine = next(w for w in range(len(s.at)) if s.stage.roster.names[w] == "allied_known_minefield_ap#1")
    put(s, mine, H(s, "D2.A8"))
    s.strength[mine] = 6
    assert ("mines" in come_on(s, "it_347#1", "D2.A8")) == met


@marked("asl", "A2.5", "A12.15", "A4.14")
@pytest.mark.parametrize(("edition", "met"), [(5, True), (4, False)])
def test_a_hidden_enemy_at_the_edge_keeps_them_off_the_map(edition: int, met: bool) -> None:
    s = at_the_edge(edition)
    foe = next(u for u in range(len(s.at)) if s.stage.roster.men >> u & 1 and s.stage.roster.side[u] == ALLIED)
    put(s, foe, H(s, "D2.A8"))
    s.hip |= 1 << foe
    s.concealed |= 1 << foe
    s.choices = None
    squad = U(s, "it_347#1")
    assert refusal(s, verbs.ENTER, squad, G(s, "D2.A8")) == "", "nobody could know"
    found = come_on(s, "it_347#1", "D2.A8")
    assert ("detected" in found) == met
    assert (s.at[squad] == OFFMAP) == met
    if met:
        assert not s.hip >> foe & 1
        assert refusal(s, verbs.ENTER, squad, G(s, "D2.A9")) == "A12.15"
        assert refusal(s, verbs.ENTER, U(s, "it_347#2"), G(s, "D2.A9")) == ""
        s.moved = 0
        s.choices = None
        assert refusal(s, verbs.ENTER, squad, G(s, "D2.A9")) == "", "in a later turn"


@marked("asl", "A2.5", "F3.31a")
@pytest.mark.parametrize(("edition", "met"), [(5, True), (4, False)])
def test_stones_at_the_edge_are_tried_by_whoever_drives_on(edition: int, met: bool) -> None:
    s = at_the_edge(edition)
    truck = next(
        u
        for u in range(len(s.at))
        if s.at[u] == OFFMAP and (made := s.kind(u).vehicle) is not None and made.move == "halftrack"
    )
    h = H(s, "D2.A5")
    with covered(s, h, "hammada"):
        GAME.apply(s, (verbs.ENTER, truck, G(s, "D2.A5")))
        rolled = GAME.is_chance(s) and GAME.prompt(s).rules[0] == "F3.31b"
        assert rolled == met


@marked("asl", "A2.5", "F9.1b", "F9.2a", "F3.31a")
@pytest.mark.parametrize(("edition", "along"), [(6, True), (5, False)])
def test_who_drives_on_along_a_track_uses_it(edition: int, along: bool) -> None:
    """s07: the track of D1 runs through K4, which lies beside rocks, and goes on to the west."""
    s = opened("s07")
    s.edition, s.turn, s.phasing = edition, 2, ALLIED
    s.stack = [s.stack[0], MovesAt(F_MOVES)]
    s.choices = None
    GAME.settle(s)
    half, h = U(s, "us_m3gmc#1"), H(s, "D1.K4")
    with covered(s, h, "scrub"):
        found = entry_price(s, half, h)
        assert found is not None
        assert found.points == (2 if along else 3)
        on_foot = entry_price(s, U(s, "us_666#1"), h)
        assert on_foot is not None
        assert on_foot.points == 1
    GAME.apply(s, (verbs.ENTER, half, G(s, "D1.K4")))
    rolled = GAME.is_chance(s) and GAME.prompt(s).rules[0] == "F3.31b"
    assert rolled != along


# D9.31 with a tank


def escorted(edition: int = 5, field: Battlefield | None = None) -> Desk:
    t = Desk("s05_hafid_ridge", field=field or ground(), phasing=ALLIED)
    t.under(date="1942-06-01", vehicle_dust=False, ec="Dry", wind_force="No Wind", dust="none")
    t.s.edition = edition
    for name in (TANK, SQUAD):
        t.put(name, "Q5", NNE)
    t.s.motion |= t.bit(TANK)
    return t


def off(t: Desk) -> list[str]:
    return kinds(t.driving(TANK).do(f"also {SQUAD}", "to Q4"))


@marked("asl", "D9.31", "B28.41")
@pytest.mark.parametrize("where", ["Q5", "Q4"])
@pytest.mark.parametrize(("edition", "met"), [(5, True), (4, False)])
def test_mines_meet_the_infantry_beside_a_tank_too(where: str, edition: int, met: bool) -> None:
    t = escorted(edition)
    t.put(MINE, where)
    t.s.strength[t.unit(MINE)] = 6
    found = off(t)
    while "mines" not in found and GAME.is_chance(t.s):
        found += kinds(t.roll(6) if len(GAME.legal(t.s)) == 6 else t.roll(6, 6))
    assert ("mines" in found) == met


@marked("asl", "D9.31", "A12.15", "A4.14")
@pytest.mark.parametrize(("edition", "at"), [(5, "Q5"), (4, "Q4")])
def test_the_infantry_stays_behind_where_enemies_lie_hidden(edition: int, at: str) -> None:
    t = escorted(edition)
    t.put(FOE, "Q4")
    t.s.hip |= t.bit(FOE)
    t.s.concealed |= t.bit(FOE)
    found = off(t)
    assert t.where(SQUAD) == at
    assert t.where(TANK) == "Q4"
    assert ("detected" in found) == (edition > 4)
    if edition > 4:
        assert t.has("moved", SQUAD)
        assert not t.has("hip", FOE)


@marked("asl", "D9.31", "A4.14")
@pytest.mark.parametrize(("edition", "rule"), [(5, "D9.31"), (4, "")])
def test_no_infantry_goes_with_a_tank_among_known_enemies(edition: int, rule: str) -> None:
    t = escorted(edition)
    t.put(FOE, "Q4")
    t.driving(TANK).do(f"also {SQUAD}")
    if rule:
        assert t.rule("to Q4") == rule
    else:
        assert "to Q4" in t.legal()
    alone = escorted(edition)
    alone.put(FOE, "Q4")
    assert "to Q4" in alone.driving(TANK).legal()


@marked("asl", "A10.62")
@pytest.mark.parametrize(("edition", "dm"), [(5, True), (4, False)])
def test_a_tank_that_passes_makes_a_broken_unit_desperate(edition: int, dm: bool) -> None:
    t = escorted(edition)
    t.put(FOE, "R3")
    t.s.broken |= t.bit(FOE)
    t.driving(TANK).do("to Q4")
    assert bool(t.s.dm) == dm
