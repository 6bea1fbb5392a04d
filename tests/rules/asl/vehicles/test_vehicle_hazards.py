"""F3.31, F7.31, D8 Rocks, sand and bog under wheels and tracks in play; F11.74 the dust behind them."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.table.ids import AXIS, F_MUD
from sandtable.games.asl.vehicles.risks import Mud, MudAt, along_way

from ..kit import filled, ground
from ..vehiclekit import NNE, NNW, SSE, Desk, E, W, kinds

TANK, TRUCK, OPEL = "br_stu1#1", "br_3ton#1", "ge_opel#1"
ROCKS = ground(filled("hammada", "Q4"))
SANDS = ground(filled("sand", "Q4"))


def desk(vehicle: str, field: Battlefield, where: str = "Q5", dust: bool = False, **conditions: str) -> Desk:
    t = Desk(field=field, phasing=AXIS if vehicle.startswith("ge_") else 1)
    t.under(date="1942-06-01", vehicle_dust=dust, **conditions)
    t.put(vehicle, where, NNE, motion=True)
    return t.driving(vehicle)


@pytest.mark.rule("asl", "F3.31a", "F3.31b", "F3.31c", "F3.31e")
def test_a_heavy_truck_among_rocks() -> None:
    """EX-F3.31-3: an Opel that enters hammada for 6 MP is immobilized on an Original 10."""
    t = desk(OPEL, ROCKS)
    t.do("to Q4")
    t.roll(5, 4)
    assert not t.has("immobile", OPEL)
    t = desk(OPEL, ROCKS)
    t.do("to Q4")
    t.roll(5, 5)
    assert t.has("immobile", OPEL)
    assert t.s.move is None


@pytest.mark.rule("asl", "F3.31e", "F3.31f", "F3.31i")
def test_double_cost_is_paid_at_once_and_helps() -> None:
    """EX-F3.31-1, -2: beside the rocks for 2 MP only a 12 immobilizes, for 1 MP an 11."""
    t = desk(OPEL, ROCKS, "Q6")
    before = t.left
    t.do("carefully Q5")
    assert t.left == before - 2
    assert len(t.s.track[t.unit(OPEL)]) == 1
    t.roll(6, 5)
    assert not t.has("immobile", OPEL)
    t = desk(OPEL, ROCKS, "Q6")
    t.do("to Q5")
    t.roll(6, 5)
    assert t.has("immobile", OPEL)


@pytest.mark.rule("asl", "F3.31a", "F3.31k")
def test_turning_among_rocks_is_tried_vertex_by_vertex() -> None:
    t = desk(OPEL, ROCKS, "Q4")
    t.do("turn e")
    t.roll(1, 1)
    t.do("turn-carefully sse")
    t.roll(5, 5)  # +1 for the heavy truck: 11
    assert not t.has("immobile", OPEL)
    free = desk(OPEL, ground())
    assert free.rule("turn-carefully e") == "F3.31e"
    assert free.rule("carefully Q4") == "F3.31e"


@pytest.mark.rule("asl", "F3.31a")
def test_tracks_do_not_mind_rocks() -> None:
    t = desk(TANK, ROCKS)
    t.do("to Q4")
    assert t.who == "allied"


@pytest.mark.rule("asl", "F7.31a", "F7.31b", "F7.31c", "D8.21")
def test_a_tank_in_the_sand() -> None:
    """A tank of Normal ground pressure bogs on an Original 11 in sand and on a 12 beside it."""
    t = desk("ge_pz3g#1", SANDS)
    t.do("to Q4")
    t.roll(6, 4)
    assert not t.has("bogged", "ge_pz3g#1")
    t = desk("ge_pz3g#1", SANDS)
    t.do("to Q4")
    t.roll(6, 5)
    assert t.has("bogged", "ge_pz3g#1")
    assert not t.has("motion", "ge_pz3g#1")
    assert t.s.move is None
    t = desk("ge_pz3g#1", SANDS, "Q6")
    t.do("to Q5")
    t.roll(6, 5)
    assert not t.has("bogged", "ge_pz3g#1")


@pytest.mark.rule("asl", "F7.31f")
def test_the_rocks_are_tried_before_the_sand() -> None:
    """Open Ground beside both: a truck that is immobilized by the rocks rolls for the sand no more."""
    both = ground(filled("hammada", "Q4") | filled("sand", "P4"))
    t = desk(OPEL, both, "Q6")
    t.do("to Q5")
    t.roll(1, 1)
    assert t.who == "chance"
    t.roll(1, 1)
    assert t.who == "axis"
    t = desk(OPEL, both, "Q6")
    t.do("to Q5")
    t.roll(6, 6)
    assert t.has("immobile", OPEL)
    assert not t.has("bogged", OPEL)
    assert t.s.move is None


@pytest.mark.rule("asl", "F9.2a", "F3.31a", "F7.31a")
def test_a_track_spares_both_rolls() -> None:
    field = ground(filled("hammada", "Q4"))
    field.tracks = tuple(mask | (1 << field.hex("D1.Q5") if d == 0 else 0) for d, mask in enumerate(field.tracks))
    t = desk(OPEL, field)
    before = t.left
    t.do("to Q4")
    assert t.who == "axis"
    assert t.left == before - 5


@pytest.mark.rule("asl", "F3.31a", "F7.31a", "F9.2a")
@pytest.mark.parametrize(
    ("before", "after", "along"), [(NNE, E, False), (SSE, E, True), (E, NNE, True), (W, NNW, True)]
)
def test_who_turns_toward_where_the_track_goes_on_is_on_it(before: int, after: int, along: bool) -> None:
    """A track that begins in Q5 leads north: NNE and NNW have it before them."""
    field = ground(filled("hammada", "Q5"))
    field.tracks = tuple(mask | (1 << field.hex("D1.Q5") if d == 0 else 0) for d, mask in enumerate(field.tracks))
    t = desk(OPEL, field)
    u, h = t.unit(OPEL), t.hex("Q5")
    t.s.vca[u] = after
    assert along_way(t.s, u, h, before) == along
    assert along_way(t.s, u, h, -1), "who comes on there comes along it (AMB-155)"


@pytest.mark.rule("asl", "D8.2")
def test_woods_bog() -> None:
    """A tank of Normal ground pressure at half MP in woods: +1 +3, so an 8 bogs it."""
    field = ground(filled("woods", "Q4"))
    t = desk("ge_pz3g#1", field)
    t.do("to Q4")
    t.roll(4, 3)
    assert not t.has("bogged", "ge_pz3g#1")
    t = desk("ge_pz3g#1", field)
    t.do("to Q4")
    t.roll(4, 4)
    assert t.has("bogged", "ge_pz3g#1")


@pytest.mark.rule("asl", "D8.2", "D3.4")
def test_an_armor_leader_helps_in_bogs() -> None:
    t = Desk(field=ground(filled("woods", "Q4")), phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_pz3g#1", "Q5", motion=True)
    t.board("ge_arm_8m1#1", "ge_pz3g#1")
    t.driving("ge_pz3g#1").do("to Q4")
    t.roll(4, 4)
    assert not t.has("bogged", "ge_pz3g#1")


@pytest.mark.rule("asl", "D8.3", "F7.311")
def test_bog_removal() -> None:
    def stuck(vehicle: str = TANK, mired: bool = False) -> Desk:
        t = Desk(field=SANDS).under(vehicle_dust=False)
        t.put(vehicle, "Q4", NNE, bogged=True)
        t.s.mired = t.bit(vehicle) if mired else 0
        t.driving(vehicle)
        assert t.rule("start") == "D8.3"
        t.do("unbog")
        return t

    t = stuck()
    whole = t.left
    t.roll(2, 3)
    assert not t.has("bogged", TANK)
    assert t.has("motion", TANK)
    assert t.left == whole - 6
    t = stuck()
    t.roll(5, 1)
    assert t.has("bogged", TANK)
    assert t.has("mired", TANK)
    assert t.s.move is None
    t = stuck()
    t.roll(6, 1)
    assert t.has("immobile", TANK)
    t = stuck(mired=True)
    t.roll(5, 1)
    assert t.has("immobile", TANK)
    t = stuck(TRUCK)
    whole = t.left
    t.roll(1, 3)
    assert t.left == whole - 6


# F11.74


@pytest.mark.rule("asl", "F11.74a", "F11.74b", "F11.74c")
def test_dust_rises_behind_a_vehicle() -> None:
    """EX-F11.74-1: none in the hex of the Start; then in the hex left for 2 MP or less."""
    t = Desk(field=ground()).under(vehicle_dust=True, ec="Dry")
    t.put(TANK, "Q6", NNE)
    t.driving(TANK).do("start", "to Q5")
    assert not t.s.trail
    t.do("to Q4")
    assert t.s.trail == {t.unit(TANK): t.hex("Q5")}
    t.do("to Q3")
    assert t.s.trail == {t.unit(TANK): t.hex("Q4")}


@pytest.mark.rule("asl", "F11.74e", "F11.74h")
def test_spending_three_raises_no_dust() -> None:
    t = desk(TANK, ground(), dust=True, ec="Dry")
    before = t.left
    t.do("slowly Q4")
    assert t.left == before - 3
    assert not t.s.trail
    t.do("turn e", "turn nne")
    assert not t.s.trail
    calm = desk(TANK, ground(), ec="Moderate", dust=True)
    assert calm.rule("slowly Q4") == "F11.74e"
    calm.do("to Q4")
    assert not calm.s.trail


@pytest.mark.rule("asl", "F11.74b")
def test_wind_takes_the_dust() -> None:
    t = desk(TANK, ground(), dust=True, ec="Dry", wind_force="Heavy Wind")
    t.do("to Q4")
    assert not t.s.trail


@pytest.mark.rule("asl", "F11.74c", "F11.74f", "F11.74g")
def test_dust_goes_when_its_vehicle_moves_on_or_stands() -> None:
    """EX-F11.74-2"""
    from sandtable.games.asl.vehicles.dust import settle_stopped

    t = Desk(field=ground()).under(vehicle_dust=True, ec="Dry")
    u = t.put(TANK, "Q5", NNE, motion=True)
    t.s.trail[u] = t.hex("Q6")
    settle_stopped(t.s)
    assert t.s.trail, "in Motion it stays"
    t.driving(TANK)
    assert "dust_settles" in kinds(t.do("delay"))
    t.s.trail[u] = t.hex("Q6")
    t.s.motion = 0
    settle_stopped(t.s)
    assert not t.s.trail


@pytest.mark.rule("asl", "F11.73c", "F11.731b")
def test_heavy_dust_slows_vehicles() -> None:
    for word, opened, price in (("heavy", False, 2), ("very_heavy", False, 3), ("very_heavy", True, 2)):
        t = Desk(field=ground()).under(dust=word, vehicle_dust=False)
        t.put(TANK, "Q5", NNE, motion=True, **({"exposed": True} if opened else {}))
        t.driving(TANK)
        before = t.left
        t.do("to Q4")
        assert before - t.left == price, (word, opened)


@pytest.mark.rule("asl", "D8.23")
def test_what_falls_for_mud_is_what_may_fall() -> None:
    t = Desk(field=ROCKS)
    u = t.put(TANK, "Q5", NNE)
    f = MudAt(F_MUD, u, 2, 6)
    falls = Mud().chances(t.s, f)
    assert [action for action, _ in falls] == Mud().legal(t.s, f)
    assert sum(chance for _, chance in falls) == 1


def bend(*sides: tuple[str, int]) -> Battlefield:
    """Open Ground with hammada at R5; the track leaves these hexes by these sides."""
    field = ground(filled("hammada", "R5"))
    masks = list(field.tracks)
    for name, d in sides:
        h = field.hex(f"D1.{name}")
        masks[d] |= 1 << h
        masks[(d + 3) % 6] |= 1 << field.grid.neighbour(h, d)
    field.tracks = tuple(masks)
    return field


@pytest.mark.rule("asl", "F3.31a", "F9.2a")
@pytest.mark.parametrize(("edition", "rolls"), [(6, False), (5, True)])
def test_a_bend_of_the_track_spares_the_roll(edition: int, rolls: bool) -> None:
    """Q5 lies beside rocks: north into it along the track, which goes on to the north-east."""
    t = desk(OPEL, bend(("Q6", 0), ("Q5", 1)), "Q6")
    t.s.edition = edition
    t.s.vca[t.unit(OPEL)] = NNW
    t.do("to Q5")
    assert t.who == "axis"
    t.do("turn nne")
    assert (t.who == "chance") == rolls


@pytest.mark.rule("asl", "F3.31a", "F3.31k")
@pytest.mark.parametrize(
    ("sides", "facing", "turn"), [((("Q6", 0), ("Q5", 1)), NNE, "nnw"), ((("Q5", 1),), NNW, "nne")]
)
def test_other_turns_on_a_track_are_tried(sides: tuple[tuple[str, int], ...], facing: int, turn: str) -> None:
    """Away from where the track goes on, and toward it for one who has come across the open."""
    t = desk(OPEL, bend(*sides), "Q6")
    t.s.vca[t.unit(OPEL)] = facing
    t.do("to Q5")
    if t.who == "chance":
        t.roll(1, 1)
    t.do(f"turn {turn}")
    assert t.who == "chance"
