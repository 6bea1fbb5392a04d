"""A2.5, A2.6, A2.9 Groups of the scenarios: set-up by area, entry from beyond the edge, exit."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.costs import HALF
from sandtable.games.asl.boards.locations import Place, may_centre
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.exits import edge_of, leave_map
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.forces import crews, force_of, forces
from sandtable.games.asl.table.ids import ALLIED, AXIS, EXITED, F_DRIVER, F_DUMMY_MINES, F_MOVES, FOXHOLE, OFFMAP, SQUAD
from sandtable.games.asl.table.minefields import WAITING
from sandtable.games.asl.table.scenarios import lay as lay_out
from sandtable.games.asl.table.state import State, put
from sandtable.games.asl.vehicles.driving import DriverAt, begin
from sandtable.mechanics.masks import hexes_in

from ..scenariokit import SCENARIOS, G, H, U, acts, bare, lay, opened, refusal, until


@pytest.mark.rule("asl", "A2.9")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_proposal_stands_in_the_areas_of_its_groups(scenario: str) -> None:
    s = opened(scenario)
    assert GAME.invariants(s) == []
    for force in forces(s.stage.scenario):
        for u in (u for u in range(len(s.at)) if force.members >> u & 1):
            if force.when == "setup" and s.at[u] >= 0:
                assert force.area >> s.at[u] & 1, s.stage.roster.names[u]
            elif force.when != "setup":
                assert s.at[u] == OFFMAP
    assert WAITING not in s.at


def test_pieces_are_counted_through_the_groups_of_a_side() -> None:
    s = bare("s02")
    names = {force.id: force.members.bit_count() for force in forces(s.stage.scenario)}
    assert names == {"kg_stephan": 13, "squadron_a": 7, "squadron_b": 4, "squadron_c": 3}
    late = force_of(s.stage.scenario, U(s, "br_stu1#11"))
    assert late is not None
    assert (late.id, late.turn, late.edge) == ("squadron_c", 2, "S")


@pytest.mark.rule("asl", "A2.9")
def test_a_group_sets_up_in_its_own_area() -> None:
    s = GAME.new(SCENARIOS["s02"], {})
    stuart, other = U(s, "br_stu1#1"), U(s, "br_stu1#7")
    assert refusal(s, verbs.PLACE, stuart, G(s, "D1.L4")) == ""
    assert refusal(s, verbs.PLACE, stuart, G(s, "D1.X5")) == "A2.9"
    assert refusal(s, verbs.PLACE, other, G(s, "D1.X5")) == ""
    GAME.apply(s, (verbs.PLACE, stuart, G(s, "D1.L4")))
    assert s.at[stuart] == H(s, "D1.L4")
    assert refusal(s, verbs.PLACE, U(s, "br_stu1#2"), G(s, "D1.L4")) == "A5.1"


def test_a_vehicle_is_pointed_once_at_set_up() -> None:
    s = GAME.new(SCENARIOS["s02"], {})
    stuart = U(s, "br_stu1#1")
    assert refusal(s, verbs.POINT, stuart, 2) == "A2.9"
    GAME.apply(s, (verbs.PLACE, stuart, G(s, "D1.L4")))
    assert refusal(s, verbs.POINT, stuart, s.vca[stuart]) == "D3.11"
    GAME.apply(s, (verbs.POINT, stuart, 2))
    assert (s.vca[stuart], s.tca[stuart]) == (2, 2)
    assert refusal(s, verbs.POINT, stuart, 3) == "A2.9"


@pytest.mark.rule("asl", "F.1Aa")
def test_a_gun_comes_with_its_crew_and_is_emplaced_where_the_desert_lets_it() -> None:
    s = GAME.new(SCENARIOS["s09"], {})
    gun = U(s, "br_at57#1")
    crew = crews(s.stage.scenario)[gun]
    field = s.stage.field
    area = force_of(s.stage.scenario, gun)
    assert area is not None
    places = [h for h in field.grid.hexes if area.area >> h & 1 and h in s.stage.out]
    scrub = next(h for h in places if field.terrain[h] == "scrub")
    bare_ = next(h for h in places if field.terrain[h] == "open")
    GAME.apply(s, (verbs.PLACE, gun, s.stage.out[scrub]))
    assert (s.at[crew], s.holder[gun]) == (scrub, crew)
    assert s.emplaced >> gun & 1
    assert acts(s, verbs.HIDE) == [(verbs.HIDE, gun)]
    GAME.apply(s, (verbs.HIDE, gun))
    assert s.hip >> gun & s.hip >> crew & 1
    second = U(s, "br_at57#2")
    GAME.apply(s, (verbs.PLACE, second, s.stage.out[bare_]))
    assert not s.emplaced >> second & 1
    assert refusal(s, verbs.HIDE, second) == "A12.3"


@pytest.mark.rule("asl", "F.1Ab")
def test_a_proposal_may_decline_emplacement() -> None:
    s = opened("s03")
    assert not s.emplaced >> U(s, "it_inf65#1") & 1


@pytest.mark.rule("asl", "F.1Ab", "F2.3a")
@pytest.mark.parametrize(("edition", "covered"), [(5, False), (4, True)])
def test_scrub_conceals_no_gun_that_declines_to_be_emplaced(edition: int, covered: bool) -> None:
    s = GAME.new(SCENARIOS["s09"], {})
    s.edition = edition
    gun = U(s, "br_at57#1")
    crew, area = crews(s.stage.scenario)[gun], force_of(s.stage.scenario, gun)
    assert area is not None
    scrub = next(h for h in hexes_in(area.area) if s.stage.field.terrain[h] == "scrub" and h in s.stage.out)
    GAME.apply(s, (verbs.PLACE, gun, s.stage.out[scrub]))
    assert s.concealed >> gun & s.concealed >> crew & 1
    GAME.apply(s, (verbs.DECLINE, gun))
    assert not s.emplaced >> gun & 1
    assert (s.concealed >> gun & 1, s.concealed >> crew & 1) == (covered, covered)


# Entry


@pytest.mark.rule("asl", "A2.5")
def test_a_vehicle_enters_by_its_edge_for_the_cost_of_the_hex() -> None:
    s = opened("s02")
    until(s, verbs.ENTER)
    panzer = U(s, "ge_pz3g#1")
    leader = U(s, "ge_arm_9m1#1")
    assert refusal(s, verbs.ENTER, panzer, G(s, "D4.E1")) == ""
    assert refusal(s, verbs.ENTER, panzer, G(s, "D4.E2")) == "A2.5"
    assert refusal(s, verbs.ENTER, leader, G(s, "D4.E1")) == "D6.1"
    GAME.apply(s, (verbs.ENTER, panzer, G(s, "D4.E1")))
    assert s.at[panzer] == s.at[leader] == H(s, "D4.E1")
    assert s.motion >> panzer & 1
    assert s.move is not None
    assert (s.move.spent, s.move.allowed) == (HALF, 13 * HALF)
    assert s.vca[panzer] == 2


@pytest.mark.rule("asl", "A2.5")
def test_nobody_enters_before_his_turn_but_later_if_he_likes() -> None:
    s = opened("s02")
    late = U(s, "br_stu1#11")
    s.phasing, s.stack = ALLIED, s.stack[:1]
    s.stack.append(MovesAt(F_MOVES))
    GAME.settle(s)
    assert refusal(s, verbs.ENTER, late, G(s, "D1.K10")) == "A2.5"
    s.turn = 2
    s.choices = None
    assert refusal(s, verbs.ENTER, late, G(s, "D1.K10")) == ""
    s.turn = 5
    assert refusal(s, verbs.ENTER, late, G(s, "D1.K10")) == ""


@pytest.mark.rule("asl", "A2.5")
def test_infantry_enters_on_foot_and_passengers_with_their_lorries() -> None:
    s = opened("s09")
    s.turn, s.phasing = 2, AXIS
    until(s, verbs.ENTER)
    foot, rider, halftrack = U(s, "it_347#1"), U(s, "ge_467#1"), U(s, "ge_spw2511#1")
    assert refusal(s, verbs.ENTER, rider, G(s, "D2.A2")) == "D6.1"
    GAME.apply(s, (verbs.ENTER, foot, G(s, "D2.A8")))
    assert s.at[foot] == H(s, "D2.A8")
    assert s.at[U(s, "it_mmg#1")] == s.at[foot]
    until(s, verbs.HALT)
    GAME.apply(s, (verbs.HALT,))
    until(s, verbs.ENTER)
    GAME.apply(s, (verbs.ENTER, halftrack, G(s, "D2.A2")))
    assert s.at[rider] == s.at[U(s, "ge_mmg#1")] == H(s, "D2.A2")


@pytest.mark.rule("asl", "A2.51")
def test_who_is_off_the_map_is_no_target_and_sees_nothing() -> None:
    s = opened("s02")
    panzer = U(s, "ge_pz3g#1")
    assert not any(units >> panzer & 1 for units in s.here.values())
    view = GAME.view(s, ALLIED)
    assert next(one for one in view["units"] if one["id"] == "ge_pz3g#1")["box"] == "off_map"


# Exit


@pytest.mark.rule("asl", "A2.6")
def test_a_vehicle_leaves_by_the_edge_before_it() -> None:
    s = bare("s10")
    tank = lay(s, "it_m14#1", "D1.GG5")
    s.stack.append(DriverAt(F_DRIVER))
    s.phasing = AXIS
    s.vca[tank] = s.tca[tank] = 4
    s.motion |= 1 << tank
    s.stack.pop()
    begin(s, tank)
    GAME.settle(s)
    assert refusal(s, verbs.EXIT) == "A2.6"
    s.vca[tank] = 1
    s.choices = None
    GAME.apply(s, (verbs.EXIT,))
    assert s.at[tank] == EXITED
    assert s.exits == {tank: 1}


@pytest.mark.rule("asl", "A2.6")
def test_infantry_leaves_from_an_edge_hex_with_what_it_carries() -> None:
    s = bare("s01")
    squad = lay(s, "br_457#1", "D1.K1")
    gun = U(s, "br_lmg#1")
    s.holder[gun] = squad
    put(s, gun, s.at[squad])
    assert edge_of(s, H(s, "D1.K5"), ALLIED) == -1
    edge = edge_of(s, s.at[squad], ALLIED)
    assert edge == 0
    leave_map(s, 1 << squad, edge)
    assert (s.at[squad], s.at[gun]) == (EXITED, EXITED)
    assert GAME.invariants(s) == []


def in_the_wadi(edition: int = 6) -> State:
    """s06 before the first side's set-up, with the dice for dummy minefields fallen."""
    s = GAME.new(SCENARIOS["s06"], {})
    s.edition = edition
    while s.stack[-1][0] == F_DUMMY_MINES or GAME.to_act(s) != AXIS:
        GAME.apply(s, GAME.roll(s, lambda _: 1).action if GAME.is_chance(s) else (verbs.ACCEPT,))
    return s


@pytest.mark.rule("asl", "F5.4a", "F5.4b", "F5.43f")
def test_infantry_and_guns_set_up_at_the_crest_of_a_wadi() -> None:
    s = in_the_wadi()
    force = next(one for one in forces(s.stage.scenario) if one.id == "forward_line")
    field = s.stage.field
    wadi, ours = force.area & field.form["wadi"], force.members
    squad = next(u for u in range(len(s.at)) if ours >> u & 1 and s.kind(u).kind == SQUAD and s.at[u] == WAITING)
    gun = next(g for g, crew in crews(s.stage.scenario).items() if ours >> g & 1)
    crew = s.holder[gun]
    h = next(x for x in hexes_in(wadi) if any(may_centre(field, x, d) for d in range(6)))
    assert refusal(s, verbs.SET_CREST, squad, 0) == "F5.4a"
    for u in (squad, gun):
        GAME.apply(s, (verbs.PLACE, u, s.stage.out[h]))
    assert s.place[squad] == s.place[gun] == s.place[crew] == Place.IN
    s.emplaced |= 1 << gun
    s.choices = None
    fronts = {d for d in range(6) if may_centre(field, h, d)}
    assert {action[2] for action in acts(s, verbs.SET_CREST) if action[1] == squad} == fronts
    for barred in set(range(6)) - fronts:
        assert refusal(s, verbs.SET_CREST, squad, barred) == "F5.4b"
    d = min(fronts)
    for u in (squad, crew):
        GAME.apply(s, (verbs.SET_CREST, u, d))
    assert [(s.place[u], s.cafp[u]) for u in (squad, crew, gun)] == [(Place.CREST, d)] * 3
    assert not s.emplaced >> gun & 1
    assert refusal(s, verbs.SET_CREST, squad, d) == "F5.4a", "each of them once"
    hole = next(w for w in range(len(s.at)) if s.kind(w).kind == FOXHOLE and s.stage.roster.side[w] == AXIS)
    lay_out(s, hole, h)
    assert not s.under[squad]
    assert not s.emplaced >> gun & 1
    GAME.apply(s, (verbs.ACCEPT,))
    assert s.place[squad] == Place.CREST
    assert GAME.invariants(s) == []


@pytest.mark.rule("asl", "F5.4a")
def test_games_of_version_5_set_nobody_up_at_a_crest() -> None:
    s = in_the_wadi(5)
    force = next(one for one in forces(s.stage.scenario) if one.id == "forward_line")
    squad = next(u for u in range(len(s.at)) if force.members >> u & 1 and s.kind(u).kind == SQUAD)
    h = hexes_in(force.area & s.stage.field.form["wadi"])[0]
    GAME.apply(s, (verbs.PLACE, squad, s.stage.out[h]))
    assert acts(s, verbs.SET_CREST) == []
