"""What is left of Chapter C in play: desert."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.ordnance.aim import bears, facing, hull_down, plunges, shot_of, tem_of, tube_of
from sandtable.games.asl.table.ids import (
    ADVANCING,
    F_MOVES,
    MPH,
    UNDER_SANGAR,
)
from sandtable.games.asl.table.state import Shoot

from ..vehiclekit import ALLIED, AXIS, NNE, Desk, E, W, event, kinds
from .ordnanceshotskit import CREW, GUN, SQUAD, TANK, aimed, desk, panel, ready

# F5 Guns and vehicles at the rim of a wadi


def at_the_rim() -> tuple[Desk, Any]:
    d = Desk("s07_sidi_bou_zid", "D6", AXIS)
    wadi = [h for h in d.stage.grid.hexes if d.stage.field.has("wadi", h) and h in d.stage.out]
    return d, wadi


@pytest.mark.rule("asl", "F5.426b", "F5.426d", "F5.43h")
def test_from_the_crest_a_gun_does_not_fire_down() -> None:
    d, wadi = at_the_rim()
    field = d.stage.field
    u, crew = d.unit(GUN), d.unit(CREW)
    from sandtable.games.asl.boards.locations import Spot
    from sandtable.games.asl.table.state import put

    h = wadi[0]
    put(d.s, crew, h)
    put(d.s, u, h)
    d.s.holder[u] = crew
    gun = tube_of(d.s, u)
    assert gun is not None
    level = field.level[h]
    low = next(one for one in d.stage.grid.hexes if field.level[one] <= level - 2) if level >= 2 else -1
    same = next(one for one in d.stage.grid.hexes if field.level[one] == level and one != h and one not in wadi)
    d.s.place[u] = d.s.place[crew] = Place.CREST
    assert not plunges(d.s, u, gun, Spot(same))
    far = next(one for one in wadi if d.stage.grid.distance(one, h) > 3 and field.level[one] <= level)
    bottom = Spot(far, Place.IN)
    assert plunges(d.s, u, gun, bottom) == (not d.stage.sights.sees(Spot(h, Place.IN), bottom))
    if low >= 0:
        assert plunges(d.s, u, gun, Spot(low))
    assert not plunges(d.s, u, gun, Spot(h, Place.IN)), "into its own wadi hex"
    mortar = tube_of(d.s, d.unit("ge_mtr81#1"))
    assert mortar is not None
    assert not plunges(d.s, u, mortar, bottom)
    d.s.place[u] = Place.IN
    assert not plunges(d.s, u, gun, bottom)


@pytest.mark.rule("asl", "F5.423a", "F5.42g")
def test_a_vehicle_at_the_rim_is_hull_down_and_its_hull_gun_does_not_turn() -> None:
    d, wadi = at_the_rim()
    from sandtable.games.asl.table.state import put

    h = wadi[0]
    grid, sights = d.stage.grid, d.stage.sights
    from sandtable.games.asl.boards.locations import Spot

    tank = d.unit("ge_pz3n#1")
    put(d.s, tank, h)
    d.s.place[tank] = Place.CREST
    seen = [
        one
        for one in grid.hexes
        if grid.distance(one, h) > 3
        and sights.sees(Spot(one), Spot(h))
        and not sights.sees(Spot(one), Spot(h, Place.IN))
    ]
    firer = d.unit("us_m4#1")
    put(d.s, firer, seen[0])
    shoot = Shoot(side=ALLIED, gun=1 << firer, type=0, hex=h, target=1 << tank, shell=1)
    found = hull_down(d.s, shoot, tank)
    assert found is not None
    assert found.rule == "F5.423a"
    hull = d.unit("it_smv40#1")
    put(d.s, hull, h)
    d.s.place[hull] = Place.CREST
    gun = tube_of(d.s, hull)
    assert gun is not None
    way = facing(d.s, hull, gun)
    from sandtable.games.asl.los.arcs import in_arc

    outside = next(one for one in grid.hexes if not in_arc(d.stage.field, h, way, one))
    assert not bears(d.s, hull, gun, outside)
    d.s.place[hull] = Place.IN
    assert bears(d.s, hull, gun, outside)


# D4.2 HD in play


@pytest.mark.rule("asl", "D4.2", "C3.9", "F6.5a")
def test_a_hull_hit_on_a_tank_that_is_hull_down_is_no_hit() -> None:
    """Behind the hillock of board D1 in s05."""
    d = Desk("s05_hafid_ridge", phasing=AXIS)
    field, grid = d.stage.field, d.stage.grid
    from sandtable.games.asl.boards.locations import Spot
    from sandtable.games.asl.los.cover import covers

    pairs = (
        (a, b)
        for b in grid.hexes
        if any(field.has("hillock", n) for _, n in grid.neighbours[b]) and not field.has("hillock", b)
        for a in grid.hexes
        if 2 <= grid.distance(a, b) <= 6
        and d.stage.sights.sees(Spot(a), Spot(b))
        and any(one.rule == "F6.5a" for one in covers(d.stage.sights.lines, Spot(a), Spot(b)))
        and a in d.stage.out
        and b in d.stage.out
    )
    a, b = next(pairs)
    from sandtable.games.asl.table.state import put

    for u, h in ((CREW, a), (GUN, a), ("br_crus1#1", b)):
        put(d.s, d.unit(u), h)
    d.s.holder[d.unit(GUN)] = d.unit(CREW)
    ready(d)
    d.do(f"lay {GUN}", "at-vehicle br_crus1#1", "load AP", "shoot")
    assert "to_hit" in kinds(d.roll(3, 1))
    assert d.s.shoot is None, "hull: a miss"


# F7.41, F8.4b Guns in sand and in sangars


@pytest.mark.rule("asl", "F8.4b", "C11.2")
def test_a_gun_emplaced_in_a_sangar_claims_the_better_of_both() -> None:
    d = desk()
    gun, crew = "br_at57#1", "br_228#1"
    d.put("allied_sangar#1", "R5")
    d.put(crew, "R5")
    d.put(gun, "R5", NNE, emplaced=True)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    for name in (gun, crew):
        d.s.under[d.unit(name)] = UNDER_SANGAR
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"]["Q"] == 2
    d.s.emplaced = 0
    assert [one.rule for one in tem_of(d.s, d.s.shoot, d.unit(crew))] == ["F8.4a"]  # type: ignore[arg-type]


@pytest.mark.rule("asl", "F7.41a", "F7.41b")
def test_emplaced_in_sand_is_worth_one_unless_it_is_wet(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.games.asl.fire import protection

    d = desk()
    d.s.emplaced = d.bit(GUN)
    words = list(d.stage.field.terrain)
    words[d.hex("N5")] = "sand"
    monkeypatch.setattr(d.stage.field, "terrain", words)
    found = protection.emplaced(d.s, d.unit(CREW))
    assert found is not None
    assert (found.value, found.rule) == (1, "F7.41a")
    monkeypatch.setattr(protection, "wet", lambda s: True)
    found = protection.emplaced(d.s, d.unit(CREW))
    assert found is not None
    assert (found.value, found.rule) == (2, "F7.41b")


@pytest.mark.rule("asl", "C2.6", "C10.1")
def test_a_limbered_gun_fires_so_only_if_it_can() -> None:
    d = desk()
    d.s.limbered = d.bit(GUN)
    d.put(SQUAD, "R5")
    d.put("ge_467#1", "N5")
    ready(d)
    assert d.rule(f"lay {GUN}") == "C3.3"
    d = desk("ge_aa88#1", CREW)
    d.s.limbered = d.bit("ge_aa88#1")
    d.put(TANK, "R5", W)
    ready(d)
    assert "lay ge_aa88#1" in d.legal()
    gun = tube_of(d.s, d.unit("ge_aa88#1"))
    assert gun is not None
    assert gun.rof == 1


@pytest.mark.rule("asl", "C3.7", "C7.1")
def test_a_critical_hit_on_a_tank_doubles_the_basic_tk() -> None:
    d = desk()
    d.put("br_mat2#1", "R5", W)
    aimed(d, "at-vehicle br_mat2#1", "load AP", "shoot")
    d.roll(1, 1)
    assert event(d.roll(6, 6), "to_kill")["number"] == 26 - 8


# C10.2, F5.43, D4.3, F8.6f, F11


@pytest.mark.rule("asl", "C10.2", "C10.3")
def test_a_gun_that_is_not_quickly_set_up_does_not_fire_after_it_was_moved() -> None:
    for gun, rule in (("ge_at50#1", ""), ("ge_aa88#1", "C10.2")):
        d = desk(gun, CREW)
        d.put("ge_467#1", "N5")
        d.put(SQUAD, "R5")
        d.s.moved = d.bit(gun)
        ready(d, ADVANCING)
        if rule:
            assert d.rule(f"lay {gun}") == rule
        else:
            d.do(f"lay {gun}", "at-infantry R5", "load HE")
            assert panel(d)["cases"]["B"] == 2


@pytest.mark.rule("asl", "F5.43a", "F5.43b", "F5.43c", "F5.43g")
def test_a_gun_takes_the_crest_with_its_crew_and_keeps_it() -> None:
    from sandtable.games.asl.boards.locations import crest_front
    from sandtable.games.asl.los.arcs import in_arc
    from sandtable.games.asl.movement.cover import take_crest
    from sandtable.games.asl.table.state import put

    d, wadi = at_the_rim()
    u, crew = d.unit(GUN), d.unit(CREW)
    h = wadi[0]
    put(d.s, crew, h)
    put(d.s, u, h)
    d.s.holder[u] = crew
    side = next(k for k in range(6) if not d.stage.field.side("wadi", h, k))
    take_crest(d.s, side, 1 << crew)
    assert (d.s.place[u], d.s.cafp[u]) == (Place.CREST, side)
    d.s.place[crew] = Place.IN
    assert d.s.place[u] == Place.CREST
    d.s.place[crew] = Place.CREST
    gun = tube_of(d.s, u)
    assert gun is not None
    front = crest_front(d.stage.field, h, side)
    d.s.vca[u] = side
    behind = next(
        one
        for one in d.stage.grid.hexes
        if all(not in_arc(d.stage.field, h, v, one) for v in range(6) if {v, (v + 1) % 6} & set(front))
    )
    assert not bears(d.s, u, gun, behind), "a NT Gun keeps one of its Crest hexsides in its CA"
    assert bears(d.s, u, gun._replace(mount="T"), behind)


@pytest.mark.rule("asl", "F8.6f", "F8.52b")
def test_who_pushes_a_gun_comes_out_first() -> None:
    gun = "ge_at37#1"
    d = desk(gun, CREW)
    d.put("axis_sangar#1", "N5")
    d.s.under[d.unit(CREW)] = UNDER_SANGAR
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {CREW}")
    assert d.rule(f"push {gun} N6") == "F8.6f"
    d.s.under[d.unit(gun)] = UNDER_SANGAR
    assert d.rule(f"push {gun} N6") == "F8.52b"


@pytest.mark.rule("asl", "F11.623a", "F11.623b", "F11.62b")
def test_haze_by_what_is_in_the_hex() -> None:
    """Intense Heat Haze at 8 hexes: +1 against Infantry and empty hexes, nothing against a hex with a vehicle."""
    found = {}
    for there in ((), (SQUAD,), (SQUAD, "br_crus1#1")):
        d = Desk("s05_hafid_ridge", phasing=AXIS)
        d.put(CREW, "N5")
        d.put(GUN, "N5", E)
        d.s.holder[d.unit(GUN)] = d.unit(CREW)
        for name in there:
            d.put(name, "V5")
        aimed(d, "at-area V5")
        found[len(there)] = panel(d)["cases"].get("R", 0)
    assert found == {0: 1, 1: 1, 2: 0}
    d = Desk("s05_hafid_ridge", phasing=AXIS)
    d.put(CREW, "N5")
    d.put(GUN, "N5", E)
    d.s.holder[d.unit(GUN)] = d.unit(CREW)
    d.put(SQUAD, "V5")
    d.put("br_crus1#1", "V5")
    aimed(d, "at-infantry V5", "load HE")
    assert panel(d)["cases"]["R"] == 1, "the mixed hex is a matter of the Area type"


@pytest.mark.rule("asl", "F11.732b")
def test_extremely_heavy_dust_wears_weapons_out() -> None:
    from sandtable.games.asl.boards.climate import DUSTS
    from sandtable.games.asl.ordnance.bursts import out_of_order
    from sandtable.games.asl.table.weather import grit

    d = desk()
    d.put(SQUAD, "O5")
    shoot = Shoot(side=AXIS, gun=d.bit(GUN), type=1, hex=d.hex("O5"), shell=0, first=5, second=6)
    assert grit(d.s) == 0
    assert not out_of_order(d.s, shoot)
    d.s.density = DUSTS.index("extremely_heavy")
    assert grit(d.s) == 1
    assert out_of_order(d.s, shoot)


@pytest.mark.rule("asl", "F11.75f")
def test_wind_does_not_disturb_the_dust_of_shells() -> None:
    from sandtable.games.asl.boards.locations import Spot
    from sandtable.games.asl.fire.sights import look
    from sandtable.games.asl.table.state import FFE_1, SHELLED, STAGE
    from sandtable.games.asl.table.weather import HEAVY

    d = desk()
    d.s.oba[STAGE], d.s.oba[SHELLED] = FFE_1, d.hex("N5")
    a, b = Spot(d.hex("K5")), Spot(d.hex("S5"))
    calm = [one.rule for one in look(d.s, a, b).hindrances]
    d.s.wind, d.s.gusts = HEAVY, 1
    assert [one.rule for one in look(d.s, a, b).hindrances] == calm
    assert calm


@pytest.mark.rule("asl", "F5.426a")
def test_a_vehicle_at_the_rim_fires_in_any_direction_without_penalty() -> None:
    from sandtable.games.asl.ordnance.to_hit import cases
    from sandtable.games.asl.table.state import put

    d, wadi = at_the_rim()
    tank = d.unit("ge_pz3n#1")
    put(d.s, tank, wadi[0])
    d.s.exposed = 1 << tank
    shoot = Shoot(side=AXIS, gun=1 << tank, type=2, hex=wadi[3], shell=0)
    plain = [one.case for one in cases(shot_of(d.s, shoot))]
    d.s.place[tank] = Place.CREST
    assert [one.case for one in cases(shot_of(d.s, shoot))] == plain


@pytest.mark.rule("asl", "A8.26", "F3.4b", "A8.2")
def test_stones_raise_the_residual_fp_of_a_hit_in_play() -> None:
    """50mm HE is 6 FP: 2 Residual FP, 4 among stones."""
    found = {}
    for where in ("R5", "P7"):
        d = desk(facing=E)
        d.put(SQUAD, where)
        from sandtable.games.asl.ordnance.bursts import residual
        from sandtable.games.asl.table.ids import FIRST

        shoot = Shoot(fire=FIRST, side=AXIS, gun=d.bit(GUN), type=1, hex=d.hex(where), shell=0, hit=d.bit(SQUAD))
        residual(d.s, shoot)
        found[where] = d.s.residual[d.hex(where)]
    assert found == {"R5": 2, "P7": 4}


@pytest.mark.rule("asl", "F9.2b")
def test_a_track_does_not_clear_the_stones_away() -> None:
    from sandtable.games.asl.ordnance.aim import burst_of
    from sandtable.games.asl.ordnance.shells import splinters
    from sandtable.games.asl.table.state import put

    d = Desk("s07_sidi_bou_zid", "D1", AXIS)
    field = d.stage.field
    tracks = 0
    for mask in field.tracks:
        tracks |= mask
    h = next(one for one in d.stage.grid.hexes if tracks >> one & 1 and field.terrain[one] == "hammada")
    for name, where in ((CREW, "N5"), (GUN, "N5")):
        d.put(name, where)
    d.s.holder[d.unit(GUN)] = d.unit(CREW)
    put(d.s, d.unit("us_666#1"), h)
    shoot = Shoot(side=AXIS, gun=d.bit(GUN), type=2, hex=h, shell=0)
    found = splinters(field.terrain[h], burst_of(d.s, shoot))
    assert found is not None
    assert found.value == -1
    assert any(one.rule == "F3.4a" for one in tem_of(d.s, shoot, d.unit("us_666#1")))


@pytest.mark.rule("asl", "F7.42c", "F7.42d", "F7.42e", "F7.42f")
def test_a_foxhole_in_sand_caves_in() -> None:
    """EX-F7.42: a squad lost to a KIA costs one; a half-squad nothing; two squads the whole of a 2S foxhole."""
    from sandtable.games.asl.fire.ift import RESULTS
    from sandtable.games.asl.ordnance.effects import caves_in
    from sandtable.games.asl.table.ids import UNDER_FOXHOLE
    from sandtable.games.asl.table.state import eliminate
    from sandtable.games.asl.works.ruin import CollapseAt

    def fought(lost: tuple[str, ...], word: str = "1KIA", caliber: float = 75) -> tuple[int, int]:
        """The strength of the foxhole afterwards, and what the survivors lie beneath."""
        d = Desk("s08_totensonntag", phasing=AXIS)
        h = next(one for one in d.stage.grid.hexes if d.stage.field.terrain[one] == "sand" and one in d.stage.out)
        from sandtable.games.asl.table.state import put

        names = ("br_457#1", "br_457#2", "br_248#1")
        hole = next(u for u, name in enumerate(d.roster.names) if name.startswith("allied_foxhole"))
        put(d.s, hole, h)
        d.s.strength[hole] = 2
        for name in names:
            put(d.s, d.unit(name), h)
            d.s.under[d.unit(name)] = UNDER_FOXHOLE
        caves_in(d.s, h, caliber, RESULTS.index(word), d.bit(*names))
        for name in lost:
            eliminate(d.s, d.unit(name))
        frame = d.s.stack[-1]
        if isinstance(frame, CollapseAt):
            GAME.frames[frame[0]].run(d.s, frame)
        left = [name for name in names if d.s.at[d.unit(name)] >= 0]
        return d.s.strength[hole], d.s.under[d.unit(left[0])] if left else 0

    assert fought(("br_457#1",)) == (1, UNDER_FOXHOLE)
    assert fought(("br_457#1", "br_248#1")) == (1, UNDER_FOXHOLE)
    assert fought(("br_248#1",)) == (2, UNDER_FOXHOLE)
    assert fought(("br_457#1", "br_457#2")) == (0, 0)
    assert fought(("br_457#1",), "K/2") == (2, UNDER_FOXHOLE), "one unit picked"
    assert fought(("br_457#1",), "3MC") == (2, UNDER_FOXHOLE), "no MC does it"
    assert fought(("br_457#1",), caliber=57) == (2, UNDER_FOXHOLE)


@pytest.mark.rule("asl", "B28.62", "F.7f")
def test_a_concentration_clears_mines() -> None:
    from sandtable.games.asl.ordnance import ffe
    from sandtable.games.asl.table.ids import MINES_AP
    from sandtable.games.asl.table.state import FFE_1, SHELLED, STAGE, put

    d = desk()
    h = d.hex("N5")
    d = Desk("s08_totensonntag", phasing=AXIS)
    mines = [u for u in range(len(d.s.at)) if d.roster.of_kind[MINES_AP] >> u & 1]
    w = mines[0]
    put(d.s, w, h)
    d.s.strength[w] = 8
    d.s.read = 1 << w
    d.s.oba[STAGE], d.s.oba[SHELLED] = FFE_1, h
    ffe.shell_all(d.s)
    d.settle()
    d.roll(2, 2)  # 20 FP: an Original 4 is a K
    assert d.s.strength[w] == 6


@pytest.mark.rule("asl", "F8.52a", "F8.52c", "F8.3b")
def test_a_gun_is_pushed_into_a_sangar_and_out_of_it() -> None:
    """2 MF, and the sangar's +1: M# 11 needs an 8."""
    gun = "ge_at37#1"
    d = desk(gun, CREW)
    d.put("axis_sangar#1", "N5")
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {CREW}", f"push-in {gun}")
    d.roll(4, 4)
    assert d.s.under[d.unit(gun)] == d.s.under[d.unit(CREW)] == UNDER_SANGAR
    assert d.s.move is not None
    assert d.s.move.spent == 4
    d.do(f"push-in {gun}")
    d.roll(4, 5)
    assert d.s.under[d.unit(gun)] == UNDER_SANGAR, "a 9 is too much"
    d = desk(gun, CREW)
    d.put("axis_sangar#1", "N5")
    d.put("ge_467#1", "N5")
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {CREW}", "also ge_467#1", f"push-in {gun}")
    d.roll(4, 5)
    assert d.s.under[d.unit(gun)] == UNDER_SANGAR, "with help from outside"
    assert d.s.under[d.unit("ge_467#1")] != UNDER_SANGAR
    d = desk(gun, CREW)
    d.put("axis_sangar#1", "N5")
    d.put("ge_467#1", "N5")
    d.s.under[d.unit("ge_467#1")] = UNDER_SANGAR
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {CREW}")
    assert d.rule(f"push-in {gun}") == "F8.3b"
