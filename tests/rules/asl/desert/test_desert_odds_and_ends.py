"""F.1A, F.2A, F.3, F.8, F.9, F2.3, F11.7, F12.4, F13.3: rules of Chapter F that stand between its larger ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.boards.costs import Mover, entry_price
from sandtable.games.asl.boards.hazards import Vehicle, hammada_check, sand_bog_check
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.fire.air import dlv
from sandtable.games.asl.fire.attack import lowered
from sandtable.games.asl.fire.firepower import cohorts, common_drms, share
from sandtable.games.asl.fire.group import cower
from sandtable.games.asl.fire.protection import candidates, tem_of
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.cover import covers
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.ordnance.acquisition import unskilled
from sandtable.games.asl.ordnance.aim import bears, tube_of
from sandtable.games.asl.table import verbs, weather
from sandtable.games.asl.table.counters import captured_use
from sandtable.games.asl.table.ids import F_GROUP, F_WIND, UNDER_SANGAR, UNDER_TRENCH
from sandtable.games.asl.table.scenarios import emplaces, lay
from sandtable.games.asl.table.state import Attack, eliminate, make_wreck, put
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn.rally import rally_drm
from sandtable.games.asl.turn.winds import WindAt

from ..infantrykit import (
    ADVANCING,
    ALLIED,
    AXIS,
    FOE,
    PREP,
    SQUAD,
    U,
    desert,
    do,
    legal,
    moving,
    place,
    rule,
    settle,
)
from ..kit import filled, ground, hillock
from ..kit import spot as point
from ..scenariokit import SCENARIOS, H, acts, opened, refusal
from ..vehiclekit import Desk

marked = partial(pytest.mark.rule, "asl")
TYPES = {one.id: one for one in Desk().roster.types}


# F.1A Guns and their emplacement


@marked("F.1Ac", "F13.1d", "F13.2c", "F.1Aa")
@pytest.mark.parametrize(
    ("alternate", "there"), [([], False), (["broken"], True), (["steppe"], True), (["olive_grove"], False)]
)
def test_emplacement_is_free_on_broken_ground_and_on_the_steppe(alternate: list[str], there: bool) -> None:
    field = battlefield({"boards": [{"id": "D1"}], "alternate": alternate})
    d = Desk(field=field)
    bare = next(h for h in field.grid.hexes if field.terrain[h] == "open")
    assert emplaces(d.s, d.unit("br_at40#1"), bare) is there


@marked("F2.3b", "F.1Aa", "F.1Ab")
def test_a_gun_in_scrub_may_be_hidden_emplaced_or_decline_it() -> None:
    s = GAME.new(SCENARIOS["s09"], {})
    gun = s.stage.roster.index["br_at57#1"]
    field = s.stage.field
    area = [h for h in field.grid.hexes if h in s.stage.out and field.terrain[h] == "scrub"]
    at = next(h for h in area if refusal(s, verbs.PLACE, gun, s.stage.out[h]) == "")
    GAME.apply(s, (verbs.PLACE, gun, s.stage.out[at]))
    assert s.emplaced >> gun & s.concealed >> gun & 1
    assert (verbs.HIDE, gun) in acts(s, verbs.HIDE)
    assert (verbs.DECLINE, gun) in acts(s, verbs.DECLINE)
    hidden = s.copy()
    GAME.apply(hidden, (verbs.HIDE, gun))
    assert hidden.emplaced >> gun & hidden.hip >> gun & 1
    assert refusal(hidden, verbs.DECLINE, gun) == "F.1Ab", "what is hidden stays Emplaced (AMB-59)"
    GAME.apply(s, (verbs.DECLINE, gun))
    assert not s.emplaced >> gun & 1
    assert refusal(s, verbs.HIDE, gun) == "A12.3", "un-Emplaced in scrub it cannot be hidden"


@marked("F8.3a", "F8.3b", "F8.4b", "F.1Aa")
def test_a_gun_sets_up_beneath_a_sangar_with_its_crew() -> None:
    """AMB-01 that is an entrenchment, so it is Emplaced there."""
    s = GAME.new(SCENARIOS["s10"], {})
    index = s.stage.roster.index
    gun, sangar, squad = index["ff_at47#1"], index["allied_sangar#1"], index["ff_457#1"]
    bare = next(h for h in s.stage.field.grid.hexes if h in s.stage.out and s.stage.field.terrain[h] == "open")
    for u in (sangar, gun, squad):
        lay(s, u, bare)
    crew = s.holder[gun]
    assert (s.under[gun], s.under[crew]) == (UNDER_SANGAR, UNDER_SANGAR)
    assert s.emplaced >> gun & 1
    assert s.under[squad] == 0, "with a Gun there is no room for a squad"
    late = index["ff_at25#1"]
    other = next(
        h for h in s.stage.field.grid.hexes if h in s.stage.out and h != bare and s.stage.field.terrain[h] == "open"
    )
    lay(s, late, other)
    assert not s.emplaced >> late & 1
    lay(s, index["allied_sangar#2"], other)
    assert s.emplaced >> late & 1, "a sangar that is built around it later shelters it as well"


# F.2A hills of board 25


@marked("F.2Ab", "F3.31m", "F.2Aa")
def test_rocks_and_sand_count_on_hills_whose_costs_are_those_of_chapter_b() -> None:
    field = battlefield({"boards": [{"id": "D6"}]})
    hills = [h for h in field.grid.hexes if field.chapter_b >> h & 1 and field.terrain[h] == "open"]
    truck = Vehicle("truck")
    rocky = [h for h in hills if hammada_check(field, truck, h) is not None]
    assert rocky, "some hill hex lies beside hammada"
    for h in rocky:
        assert any(field.terrain[n] == "hammada" for _, n in field.grid.neighbours[h])
    h = rocky[0]
    come = next(n for _, n in field.grid.neighbours[h] if field.level[n] == field.level[h])
    price = entry_price(field, Mover("truck"), Spot(come), Spot(h))
    assert price is not None
    assert price.points == 4, "Chapter B Open Ground"
    hill = ground({"M5": {"level": 1}, "M6": {"level": 1, "terrain": "sand"}})
    hill.chapter_b |= 1 << hill.hex("D1.M5")
    assert sand_bog_check(hill, truck, hill.hex("D1.M5")) is not None


# F.3 Desert Victory Points


@marked("F.3a", "F.3b", "F.3c", "A26.21")
def test_vehicles_and_guns_score_desert_points() -> None:
    """EX-F.3: a PzKpfw IV F2 8 instead of 4, an 88 6 instead of 2."""
    d = Desk("s09_snipe", "D2")
    tank, gun = d.put("ge_pz4f2#1", "Q5"), d.put("ge_aa88#1", "Q6")
    make_wreck(d.s, tank, False)
    assert d.s.lost_points[AXIS] == 8
    eliminate(d.s, gun)
    assert d.s.lost_points[AXIS] == 8 + 6


# F.8, F.9 the Free French


@marked("F.8a")
@pytest.mark.parametrize(("id", "cowers"), [("ff_457#1", 1), ("br_457#1", 0), ("ff_458#1", 1)])
def test_free_french_cower_and_the_british_do_not(id: str, cowers: int) -> None:
    d = Desk("s10_bir_hakeim" if id.startswith("ff") else "s05_hafid_ridge")
    d.put(id, "X5")
    attack = Attack(fire=PREP, side=ALLIED, target=d.hex("X7"), firers=d.bit(id))
    assert cower(d.s, attack, 3, 3) == cowers


@marked("F.8a", "A7.36")
def test_free_french_have_assault_fire_from_december_1943() -> None:
    d = Desk("s10_bir_hakeim")
    u = d.put("ff_457#1", "X5")
    attack = Attack(fire=ADVANCING, side=ALLIED, target=d.hex("X8"), firers=1 << u)
    assert share(d.s, attack, u, False).fp == 2
    d.under(date="1943-11-30")
    assert share(d.s, attack, u, False).fp == 2
    d.under(date="1943-12-01")
    assert share(d.s, attack, u, False).fp == 3


@marked("F.8b")
def test_free_french_artillery_is_as_the_british() -> None:
    modules = {one["nation"]: one for one in asl_pack().tables["oba"]["module"]}
    keys = ("chits_black", "chits_red", "accuracy_dr", "contact_radio", "contact_phone")
    assert [modules["free_french"][key] for key in keys] == [modules["british"][key] for key in keys]
    assert asl_pack().tables["to_hit"]["colour"]["free_french"] == asl_pack().tables["to_hit"]["colour"]["british"]


@marked("F.8A", "F.8C", "A21.1")
def test_free_french_use_british_and_french_made_weapons_as_their_own() -> None:
    now = "1942-05"
    for id in ("br_mmg", "br_at40", "fr_mmg", "fr_lmg", "ff_art75", "ff_at47"):
        assert not captured_use(TYPES[id], "free_french", now), id
    assert not captured_use(TYPES["fr_m60"], "free_french", now)
    for id in ("fr_mmg", "ff_art75"):  # F.8C
        assert captured_use(TYPES[id], "british", now)
        assert captured_use(TYPES[id], "german", now)
        assert not captured_use(TYPES[id], "vichy_french", now)
    d = Desk("s10_bir_hakeim")
    squad, mmg = d.put("ff_457#1", "X5"), d.unit("fr_mmg#1")
    d.give("fr_mmg#1", "ff_457#1")
    attack = Attack(fire=PREP, side=ALLIED, target=d.hex("X8"), weapons=1 << mmg)
    assert lowered(d.s, attack, mmg) == 0
    foe = d.put("it_447#1", "X6")
    d.s.holder[mmg] = foe
    assert lowered(d.s, attack, mmg) == 2, "captured by an Italian: B# 2 lower"
    gun = d.put("ff_at25#1", "X5")
    assert not unskilled(d.s, gun, d.put("br_228#1", "X5")) or TYPES["br_228"].nation == "british"
    assert squad >= 0


@marked("F.8B", "F.9e")
def test_american_weapons_in_french_and_british_hands() -> None:
    assert captured_use(TYPES["us_m60"], "free_french", "1943-11")
    assert not captured_use(TYPES["us_m60"], "free_french", "1943-12")
    assert not captured_use(TYPES["us_baz43"], "free_french", "1944-06")
    for user in ("british", "indian", "free_french"):
        assert not captured_use(TYPES["us_mmg"], user, "1943-02")
        assert not captured_use(TYPES["us_50cal"], user, "1943-02")
    assert captured_use(TYPES["us_m60"], "british", "1944-01"), "all American mortars and bazookas are captured"
    assert captured_use(TYPES["us_baz43"], "indian", "1944-01")
    assert captured_use(TYPES["br_mmg"], "american", "1943-02")
    chart = asl_pack().tables["nationality"]
    assert chart["free_french"]["inherent_crew_morale"] == chart["british"]["inherent_crew_morale"]


# F5.41b, F5.43 Crest


def rim() -> Any:
    wadi = {name: {"forms": {"wadi"}} for name in ("N5", "N6", "N7")}
    return desert(wadi, [("N5", "N6", "wadi"), ("N6", "N7", "wadi")], phasing=ALLIED)


@marked("F5.41b", "F5.41c")
def test_heavy_weapons_fire_from_a_crest_through_its_front_alone() -> None:
    """N6 faces O6 in the east; a MMG does not fire west, a LMG does so as Area Fire."""
    s = rim()
    put(s, U("br_457#1"), H(s, "D1.N6"))
    s.place[U(SQUAD)], s.cafp[U(SQUAD)] = Place.CREST, 1
    for w in ("br_mmg#1", "br_lmg#1"):
        s.holder[U(w)] = U(SQUAD)
        put(s, U(w), H(s, "D1.N6"))
    place(s, FOE, "P6")
    place(s, "it_346#2", "L6")
    from sandtable.games.asl.fire.group import GroupAt

    s.attack = Attack(fire=PREP, side=ALLIED, target=H(s, "D1.P6"))
    s.stack.append(GroupAt(F_GROUP))
    settle(s)
    assert {"use br_mmg#1", "use br_lmg#1"} <= legal(s)
    assert share(s, s.attack, U("br_lmg#1"), True).fp == 2
    s.attack = Attack(fire=PREP, side=ALLIED, target=H(s, "D1.L6"))
    settle(s)
    assert "use br_lmg#1" in legal(s)
    assert rule(s, "use br_mmg#1") == "F5.41b"
    assert "B20.9" in [r for r, _ in share(s, s.attack, U("br_lmg#1"), True).notes]
    mortar = U("br_m51#1")
    s.holder[mortar] = U(SQUAD)
    put(s, mortar, H(s, "D1.N6"))
    tube = tube_of(s, mortar)
    assert tube is not None
    assert bears(s, mortar, tube, H(s, "D1.P6"))
    assert not bears(s, mortar, tube, H(s, "D1.L6"))


@marked("F5.43d", "F5.43f")
def test_a_gun_at_the_crest() -> None:
    """+2 across its front against Direct Fire that does not see INTO the wadi, not against what falls from above;
    and Emplaced it is not."""
    s = rim()
    gun, crew = U("br_at40#1"), U("br_228#1")
    for u in (gun, crew):
        put(s, u, H(s, "D1.N6"))
        s.place[u] = Place.IN
    s.holder[gun] = crew
    s.emplaced |= 1 << gun
    from sandtable.games.asl.movement.cover import take_crest

    take_crest(s, 1, 1 << crew)
    assert s.place[gun] == Place.CREST
    assert not s.emplaced
    far, west = Spot(H(s, "D1.R6")), Spot(H(s, "D1.K6"))
    for u in (gun, crew):
        assert [(one.value, one.rule) for one in tem_of(s, [far], u)] == [(2, "B20.9")]
        assert not tem_of(s, [west], u)
        assert not candidates(s, [far], u, indirect=True)
    hill = desert(
        {"N6": {"forms": {"wadi"}}, "O6": {"level": 1}},
        phasing=ALLIED,
    )
    for u in (gun, crew):
        put(hill, u, H(hill, "D1.N6"))
        hill.place[u], hill.cafp[u] = Place.CREST, 1
    hill.holder[gun] = crew
    above = Spot(H(hill, "D1.O6"))
    assert not [one for one in tem_of(hill, [above], crew) if one.rule == "B20.9"], "it sees INTO the wadi"


# F6.412c


@marked("F6.412c")
def test_rubble_covers_like_a_hedge_from_a_hillock() -> None:
    field = ground({**hillock("a", "M9"), **filled("cactus_patch", "M7")})
    lines = Sightlines(field)
    found = covers(lines, point(field, "M9"), point(field, "M6"))
    assert [(one.rule, one.tem, one.indirect) for one in found] == [("F6.412c", 1, 0)]
    assert not covers(lines, point(field, "M9"), point(field, "M5")), "not right behind it"
    flat = ground(filled("cactus_patch", "M7"))
    assert not covers(Sightlines(flat), point(flat, "M9"), point(flat, "M6")), "the firer is on no hillock"


# F11.6, F11.7 the air


@marked("F11.6b", "E3.1", "F11.711a")
def test_low_visibility_adds_to_the_dice_and_cancels_nothing() -> None:
    s = desert(phasing=AXIS)
    s.stage.script = {**s.stage.script, "conditions": {**s.stage.script["conditions"], "dust": "light", "ec": "Dry"}}
    weather.begin(s)
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    moving(s)
    do(s, f"move {FOE}", "to M7")
    s.attack = Attack(fire=1, side=ALLIED, target=H(s, "D1.M7"), firers=1 << U(SQUAD), movers=1 << U(FOE), dusty=6)
    found = [*cohorts(s, s.attack)[0].drms, *common_drms(s, s.attack)]
    rules = {one.rule: one for one in found}
    assert rules["F11.71b"].value == 3
    assert rules["A4.6b"].value == -1, "FFMO stays"
    assert not rules["F11.71b"].outside, "it lowers no Residual FP"


@marked("F11.7a", "F11.74a", "F11.76b")
def test_where_dust_comes_from() -> None:
    """By the scenario, from wheels and tracks, and from the wind."""
    assert weather.density(opened("s10")) == "light"
    d = Desk("s05_hafid_ridge", phasing=ALLIED, field=ground())
    d.under(ec="Very Dry", dust="none", vehicle_dust=True, wind_force="No Wind", gusts_at_start=False)
    d.put("br_crus1#1", "Q5", 1, motion=True)
    d.driving("br_crus1#1")
    assert not d.s.trail
    d.do(next(one for one in sorted(d.legal()) if one.startswith("to ")))
    assert list(d.s.trail) == [d.unit("br_crus1#1")]
    windy = Desk("s05_hafid_ridge")
    windy.under(ec="Very Dry", dust="none", wind_force="Heavy Wind", gusts_at_start=False)
    windy.settle(WindAt(F_WIND))
    windy.roll(6, 6)  # Gusts
    assert weather.density(windy.s) == "light"


@marked("F11.792", "F11.79")
def test_no_dust_inside_a_building() -> None:
    s = desert(filled("building_stone", "M5"))
    s.stage.script = {**s.stage.script, "conditions": {**s.stage.script["conditions"], "dust": "moderate", "ec": "Dry"}}
    weather.begin(s)
    inside, outside = Spot(H(s, "D1.M5")), Spot(H(s, "D1.M7"))
    assert [one.drm for one in dlv(s, outside, outside, False, 5)] == [3]
    assert dlv(s, inside, inside, False, 5) == []
    assert [one.drm for one in dlv(s, inside, outside, False, 5)] == [3], "out of it there is dust"


# F12.4 overlays X1 and X2


@marked("F12.43a", "F12.43b")
def test_the_cluster_of_x1() -> None:
    s = desert(filled("building_stone", "M5"))
    h = H(s, "D1.M5")
    s.stage.field.tags["tem4"] = 1 << h
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    assert [(one.value, one.rule) for one in tem_of(s, [spot(s, U(FOE))], U(SQUAD))] == [(4, "F12.43a")]
    out = Attack(fire=PREP, side=ALLIED, target=H(s, "D1.M7"), firers=1 << U(SQUAD))
    own = Attack(fire=PREP, side=ALLIED, target=h, firers=1 << U(SQUAD))
    assert share(s, out, U(SQUAD), False).fp == 2
    assert share(s, own, U(SQUAD), False).fp == 12, "within its own hex it is not halved"
    overlay = asl_pack().overlays["ovX1"]
    assert "tem4" in overlay["hexes"][0]["tags"]
    assert {one["kind"] for one in overlay["hexsides"]} == {"cliff"}
    assert len(overlay["hexsides"]) == 6


@marked("F12.44a", "F12.44b")
def test_a_tomb_is_poor_cover_and_no_building() -> None:
    s = desert({**filled("tomb", "M5"), **filled("building_stone", "Q5")})
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    firer = [spot(s, U(FOE))]
    assert [one.value for one in tem_of(s, firer, U(SQUAD))] == [1]
    s.encircled |= 1 << U(SQUAD)
    assert not tem_of(s, firer, U(SQUAD))
    s.broken |= 1 << U(SQUAD)
    assert not [one for one in rally_drm(s, U(SQUAD), -1) if one[0] == -1], "no rally bonus"
    place(s, SQUAD, "Q5")
    assert [one for one in rally_drm(s, U(SQUAD), -1) if one[0] == -1]
    from sandtable.games.asl.turn.flight import RouterAt, toward_cover

    near = desert({**filled("tomb", "M6")})
    place(near, SQUAD, "M5")
    near.broken |= 1 << U(SQUAD)
    around = near.stage.field.accessible(H(near, "D1.M5"))
    assert toward_cover(near, RouterAt(0, U(SQUAD), 0, 0), around) == around, "it draws no router"


@marked("A10.6")
def test_a_trench_helps_to_rally() -> None:
    s = desert()
    place(s, SQUAD, "M5", UNDER_TRENCH)
    s.broken |= 1 << U(SQUAD)
    assert (-1, "A10.6") in [one[:2] for one in rally_drm(s, U(SQUAD), -1)]
    s.under[U(SQUAD)] = 2  # a foxhole
    assert (-1, "A10.6") not in [one[:2] for one in rally_drm(s, U(SQUAD), -1)]


# F13.3 cactus hedges


@marked("F13.3a", "F13.3b")
def test_a_cactus_hedge_is_crossed_with_pain() -> None:
    s = desert(sides=[("M5", "M6", "hedge"), ("M5", "M6", "cactus")], phasing=ALLIED)
    place(s, SQUAD, "M5")
    moving(s)
    do(s, f"move {SQUAD}")
    assert "to M6" in legal(s)
    early = s.copy()
    do(s, "to M6")
    while GAME.to_act(s) == AXIS:
        do(s, "hold")
    assert s.pinned >> U(SQUAD) & s.cx >> U(SQUAD) & 1, "a Minimum Move"
    do(early, "to M4")
    while GAME.to_act(early) == AXIS:
        do(early, "hold")
    do(early, "to M5")
    while GAME.to_act(early) == AXIS:
        do(early, "hold")
    assert rule(early, "to M6") == "F13.3a"
    field = s.stage.field
    a, b = Spot(field.hex("D1.M5")), Spot(field.hex("D1.M6"))
    assert entry_price(field, Mover("cavalry"), a, b) is None
    assert entry_price(field, Mover("cavalry", wagon=True), a, b) is None
    assert entry_price(field, Mover("tracked"), a, b) is not None


@marked("F13.3a", "A4.72", "A10.52")
def test_a_cactus_hedge_in_advance_and_rout() -> None:
    from sandtable.games.asl.table.ids import F_ROUTER
    from sandtable.games.asl.turn.advance import exhausting
    from sandtable.games.asl.turn.flight import RouterAt

    s = desert(sides=[("M5", "M6", "hedge"), ("M5", "M6", "cactus")], phasing=ALLIED)
    place(s, SQUAD, "M5")
    assert exhausting(s, U(SQUAD), H(s, "D1.M6"))
    assert not exhausting(s, U(SQUAD), H(s, "D1.M4"))
    s.broken |= 1 << U(SQUAD)
    s.stack.append(RouterAt(F_ROUTER, U(SQUAD), 0, 1))
    settle(s)
    assert rule(s, "to M6") == "F13.3a"
    assert {"crawl M6", "to M4"} <= legal(s)
