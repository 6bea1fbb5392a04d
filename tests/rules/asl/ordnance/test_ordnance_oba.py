"""C1: Offboard Artillery in play, and Bombardment."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.asl.fire.sights import BLASTS
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance import batteries, ffe
from sandtable.games.asl.ordnance.batteries import ObaAt, accuracy, observer, push_shelling, seen_by
from sandtable.games.asl.table.ids import F_OBA, F_TURN, MINES_AP, PFPH, UNDER_SANGAR
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import (
    ACCESS,
    BATTERY,
    BLACK,
    BLAST,
    CALIBER,
    CONTACT,
    DRAWN,
    FFE_1,
    FFE_2,
    FFE_C,
    NO_ROUND,
    RED,
    SHELLED,
    SPOTTING,
    STAGE,
    put,
)
from sandtable.mechanics.masks import hexes_in

from ..kit import filled, ground
from ..vehiclekit import ALLIED, AXIS, Desk, E, event, kinds

SQUAD = "br_457#1"


def desk(scenario: str = "s08_totensonntag", prefix: str = "D1", phasing: int = AXIS) -> Desk:
    """The German 105 battery of 1941, with its observer off the map at D1.Q10."""
    found = Desk(scenario, prefix, phasing)
    found.s.phase = PFPH
    found.s.stack = [TurnAt(F_TURN, 2)]
    return found


def calling(d: Desk, side: int = AXIS) -> Desk:
    """The moment at which the observer may call."""
    push_shelling(d.s, side)
    return d.settle()


def told(d: Desk, what: int, side: int = AXIS) -> int:
    return d.s.oba[side * BATTERY + what]


def note(d: Desk, side: int = AXIS, **facts: int) -> None:
    names = {"access": ACCESS, "contact": CONTACT, "stage": STAGE, "hex": SHELLED, "drawn": DRAWN}
    for name, value in facts.items():
        d.s.oba[side * BATTERY + names[name]] = value


def falling(d: Desk, where: str, stage: int = FFE_1) -> Desk:
    note(d, access=1, contact=1, stage=stage, hex=d.hex(where))
    return d


@pytest.mark.rule("asl", "C1.2")
def test_a_battery_has_its_chits_and_a_side_without_one_is_not_asked() -> None:
    d = desk()
    assert [told(d, what) for what in (CALIBER, BLACK, RED)] == [105, 7, 3]
    assert told(d, CALIBER, ALLIED) == 0
    d.put(SQUAD, "N5")
    calling(d, ALLIED)
    assert not any(isinstance(f, ObaAt) for f in d.s.stack)


@pytest.mark.rule("asl", "C1.2")
def test_contact_a_black_chit_and_access() -> None:
    d = calling(desk())
    assert d.legal() == {"contact", "no-call"}
    odds = GAME.odds(d.s, GAME.parse("contact"))
    assert odds is not None
    assert sum(chance for _, chance in odds.results) == 1
    d.do("contact")
    d.roll(4, 4)  # 8: a German radio
    assert "chit" in kinds(d.roll(7))
    assert (told(d, BLACK), told(d, ACCESS), told(d, CONTACT)) == (6, 1, 1)
    assert any(one.startswith("spot-round") for one in d.legal())


@pytest.mark.rule("asl", "C1.2")
def test_no_contact_above_the_number_but_one_more_if_it_is_kept() -> None:
    d = calling(desk())
    d.do("contact")
    d.roll(4, 5)
    assert told(d, CONTACT) == 0
    d = falling(desk(), "N5", SPOTTING)
    calling(d)
    d.do("contact")
    d.roll(4, 5)
    assert told(d, CONTACT) == 1
    assert told(d, STAGE) == SPOTTING


@pytest.mark.rule("asl", "C1.2")
def test_a_red_chit_loses_contact_and_the_second_the_battery() -> None:
    d = calling(desk())
    d.do("contact")
    d.roll(1, 1)
    found = event(d.roll(8), "chit")
    assert (found["red"], found["over"]) == (True, False)
    assert (told(d, RED), told(d, CONTACT), told(d, ACCESS)) == (2, 0, 0)
    d = calling(desk())
    note(d, drawn=1)
    d.do("contact")
    d.roll(1, 1)
    assert event(d.roll(10), "chit")["over"]
    assert batteries.silent(d.s, AXIS)


@pytest.mark.rule("asl", "C1.3", "C1.63")
def test_a_spotting_round_falls_where_it_is_meant_to_on_a_one() -> None:
    d = desk()
    note(d, access=1, contact=1)
    d.settle(ObaAt(F_OBA, AXIS, 1))
    d.do("spot-round N5")
    assert told(d, STAGE) == NO_ROUND
    d.roll(1)
    assert (told(d, STAGE), told(d, SHELLED)) == (SPOTTING, d.hex("N5"))


@pytest.mark.rule("asl", "C1.3", "B.8")
def test_or_it_errs_by_the_dice() -> None:
    d = desk()
    note(d, access=1, contact=1)
    d.settle(ObaAt(F_OBA, AXIS, 1))
    d.do("spot-round N5")
    d.roll(2)
    d.roll(1, 3)  # north, three hexes
    assert told(d, SHELLED) == d.hex("N2")


@pytest.mark.rule("asl", "C1.3")
def test_only_what_the_observer_sees_is_shelled() -> None:
    d = desk("s07_sidi_bou_zid", "D6", ALLIED)
    note(d, ALLIED, access=1, contact=1)
    d.settle(ObaAt(F_OBA, ALLIED, 1))
    assert not seen_by(d.s, ALLIED) >> d.hex("H8") & 1, "behind the hill"
    assert d.rule("spot-round H8") == "C1.3"
    assert "spot-round D1.K6" in d.legal()


@pytest.mark.rule("asl", "C1.63")
def test_the_observer_off_the_map_looks_from_two_levels_up() -> None:
    d = desk()
    eye = batteries.observer(d.s, AXIS)
    assert eye is not None
    from sandtable.games.asl.boards.locations import elevation

    assert elevation(d.stage.field, eye) == d.stage.field.level[eye.hex] + 4
    assert accuracy(d.s, AXIS, d.hex("N5")) == (1, 0)


@pytest.mark.rule("asl", "F11.624", "C1.62", "F11.791")
def test_haze_and_hindrances_spoil_his_accuracy() -> None:
    d = desk("s05_hafid_ridge", phasing=ALLIED)
    note(d, ALLIED, access=1, contact=1)
    assert accuracy(d.s, ALLIED, d.hex("N5")) == (1, 2), "haze"
    eye = observer(d.s, ALLIED)
    assert eye is not None
    distant = max(hexes_in(seen_by(d.s, ALLIED)), key=lambda h: d.stage.grid.distance(eye.hex, h))
    assert d.stage.grid.distance(eye.hex, distant) >= 13
    assert accuracy(d.s, ALLIED, distant) == (1, 2), "the same at any range (F11.624)"
    clear = desk()
    clear.put("br_crus2#1", "P8", E)
    clear.s.smoke[clear.hex("P8")] = 1 << 2
    far = accuracy(clear.s, AXIS, clear.hex("N5"))
    near = accuracy(clear.s, AXIS, clear.hex("P8"))
    assert far[0] == near[0] == 1
    assert near[1] == 3, "SMOKE in the hex"


@pytest.mark.rule("asl", "C1.5")
def test_a_round_is_converted_as_it_lies_or_corrected_by_three_hexes() -> None:
    d = falling(desk(), "N5", SPOTTING)
    d.put(SQUAD, "N9")
    d.settle(ObaAt(F_OBA, AXIS, 1))
    assert {"effect N5", "effect N2", "harass N5"} <= d.legal()
    assert d.rule("effect N1") == "C1.5"
    for where, chances in (("N5", {"on the spot": 1}), ("N4", {"on the spot": Fraction(1, 6), "errs": Fraction(5, 6)})):
        odds = GAME.odds(d.s, GAME.parse(f"effect D1.{where}"))
        assert odds is not None
        assert {str(word): chance for word, chance in odds.results} == chances
    d.do("effect N5")
    assert told(d, STAGE) == FFE_1, "no dice: it is there"
    d = falling(desk(), "N5", SPOTTING)
    d.settle(ObaAt(F_OBA, AXIS, 1))
    d.do("effect N2")
    d.roll(6)
    d.roll(1, 6)  # three hexes of correction: one of error at most
    assert told(d, SHELLED) == d.hex("N1")


@pytest.mark.rule("asl", "C1.5", "C1.3")
def test_a_correction_of_one_hex_errs_by_one() -> None:
    d = desk()
    note(d, access=1, contact=1, stage=SPOTTING, hex=d.hex("N5"))
    calling(d)
    d.do("contact")
    d.roll(1, 1)
    d.do("effect N4")
    d.roll(6)
    d.roll(1, 6)  # northward, by one hex at most
    assert told(d, SHELLED) == d.hex("N3")


@pytest.mark.rule("asl", "C1.51", "C11.4", "F7.4b")
def test_sand_does_not_help_a_gun_that_is_hit_directly() -> None:
    """20 FP for the Gun: a K on 4; the halved 8 column has a 2MC there."""
    d = desk()
    d.s.stage = Desk("s08_totensonntag", field=ground({"M5": {"terrain": "sand"}})).under(ec="Dry").stage
    d.stage = d.s.stage
    d.put("br_228#1", "M5")
    d.put("br_at57#1", "M5", E)
    d.s.holder[d.unit("br_at57#1")] = d.unit("br_228#1")
    falling(d, "M5")
    ffe.strike(d.s, AXIS, d.hex("M5"), 0, 2, 2, 0)
    assert d.has("jammed", "br_at57#1")


@pytest.mark.rule("asl", "C1.5")
def test_an_ffe_goes_on_twice_and_is_over() -> None:
    d = falling(desk(), "N5")
    calling(d)
    d.do("contact")
    d.roll(3, 3)
    d.do("go-on")
    assert told(d, STAGE) == FFE_2
    d = falling(desk(), "N5", FFE_2)
    calling(d)
    d.do("contact")
    d.roll(3, 3)
    d.do("go-on")
    assert told(d, STAGE) == FFE_C
    d = falling(desk(), "N5", FFE_C)
    calling(d)
    assert (told(d, STAGE), told(d, ACCESS)) == (NO_ROUND, 0)
    assert d.legal() == {"contact", "no-call"}, "another mission may begin"


@pytest.mark.rule("asl", "C1.5")
def test_without_contact_it_lapses() -> None:
    d = falling(desk(), "N5")
    d.put(SQUAD, "N5")
    calling(d)
    assert d.legal() == {"contact", "cease"}
    d.do("contact")
    d.roll(6, 6)
    assert (told(d, STAGE), told(d, SHELLED)) == (NO_ROUND, -1)


@pytest.mark.rule("asl", "C1.51")
def test_every_location_of_its_area_is_attacked_friend_and_foe() -> None:
    d = falling(desk(), "N5")
    d.put(SQUAD, "N5")
    d.put("br_457#2", "N4")
    d.put("ge_467#1", "O5")
    d.put("br_457#3", "N8")
    note(d, access=0, contact=0)
    d.s.oba[AXIS * BATTERY + CALIBER] = 105
    ffe.shell_all(d.s)
    d.settle()
    found = []
    for _ in range(3):
        found.append(event(d.roll(6, 6), "shelling"))
        while GAME.is_chance(d.s) and "Shells" not in str(GAME.prompt(d.s).title):
            d.roll(1, 1)
    assert {one["hex"] for one in found} == {d.stage.out[d.hex(name)] for name in ("N5", "N4", "O5")}
    assert all(one["result"] == "PTC" for one in found), "20 FP, 12"


@pytest.mark.rule("asl", "C1.51")
def test_whoever_enters_it_is_attacked_once() -> None:
    d = falling(desk(), "N5")
    d.put(SQUAD, "N6")
    u = d.bit(SQUAD)
    ffe.shell_movers(d.s, u)
    ffe.shell_movers(d.s, u)
    assert len([f for f in d.s.stack if isinstance(f, ffe.ShellAt)]) == 1
    d.s.stack.pop()
    d.put(SQUAD, "N8")
    ffe.shell_movers(d.s, u)
    d.put(SQUAD, "N6")
    ffe.shell_movers(d.s, u)
    assert len([f for f in d.s.stack if isinstance(f, ffe.ShellAt)]) == 1
    d = falling(desk(), "D4.A1")  # the first hex of the map
    d.put(SQUAD, "D4.A1")
    ffe.shell_movers(d.s, u)
    assert len([f for f in d.s.stack if isinstance(f, ffe.ShellAt)]) == 1


@pytest.mark.rule("asl", "C1.51")
def test_shells_at_one_who_comes_spare_those_who_are_there() -> None:
    d = falling(desk(), "N5")
    d.put(SQUAD, "N5")
    d.put("br_457#2", "N5")
    ffe.shell_movers(d.s, d.bit(SQUAD))
    d.settle()
    d.roll(2, 3)
    assert d.s.shot == d.bit(SQUAD)


@pytest.mark.rule("asl", "C1.51", "A.9", "C3.7")
def test_those_who_tie_are_struck_together() -> None:
    """Three under a sangar: 2 - 3 for whoever is struck, 2 + 3 for the other, a 4MC on the column of 20."""
    d = falling(desk(), "N5")
    d.put("allied_sangar#1", "N5")
    names = sorted((SQUAD, "br_457#2", "br_457#3"), key=d.unit)
    for name in names:
        d.put(name, "N5")
        d.s.under[d.unit(name)] = UNDER_SANGAR
    ffe.shell_all(d.s)
    d.settle()
    d.roll(1, 1)
    d.roll(2, 5, 5)
    assert [d.where(name) for name in names] == ["N5", "-2", "-2"]


@pytest.mark.rule("asl", "C1.51", "F8.4a", "F8.41a", "F8.41c")
def test_shells_on_a_sangar() -> None:
    """EX-F8.41: +3 against OBA; a KIA after it removes the sangar; on a CH the one struck has -3, the other +3."""
    d = falling(desk(), "N5")
    d.put("allied_sangar#1", "N5")
    d.put(SQUAD, "N5")
    d.put("br_ldr_8m0#1", "N5")
    for name in (SQUAD, "br_ldr_8m0#1"):
        d.s.under[d.unit(name)] = UNDER_SANGAR
    assert [ffe.drm_of(d.s, d.unit(SQUAD), hit) for hit in (False, True)] == [3, -3]
    ffe.shell_all(d.s)
    d.settle()
    d.roll(1, 1)  # a Critical Hit
    first = d.unit(SQUAD) < d.unit("br_ldr_8m0#1")
    d.roll(*((6, 1) if first else (1, 6)))
    assert d.where(SQUAD) == "-2"
    assert d.where("allied_sangar#1") == "-2"


@pytest.mark.rule("asl", "C1.57", "F11.75a", "F11.75b", "F11.75c")
def test_an_ffe_hinders_sight() -> None:
    from sandtable.games.asl.boards.locations import Spot
    from sandtable.games.asl.fire.sights import dusty, look

    d = desk()
    assert dusty(d.s), "EC Dry on desert boards"
    a, b = Spot(d.hex("K5")), Spot(d.hex("S5"))
    assert not look(d.s, a, b).hindrances
    falling(d, "N5")
    found = look(d.s, a, b).hindrances
    assert [one.rule for one in found] == ["F11.75b"] * len(found)
    assert len(found) >= 2, "each hex of the Blast Area"
    d.s.oba[AXIS * BATTERY + 8] = batteries.HARASSING
    assert [one.rule for one in look(d.s, a, b).hindrances] == ["F11.75c"]
    d.s.oba[AXIS * BATTERY + CALIBER] = 65
    assert not look(d.s, a, b).hindrances, "70mm or more"


# C1.8 Bombardment


@pytest.mark.rule("asl", "C1.8")
def test_six_dice_spare_rows() -> None:
    assert ffe.spared_rows((1, 2, 2, 3, 4, 4)) == {1, 2, 9, 10}


@pytest.mark.rule("asl", "C1.8", "F7.4d", "F3.4a")
def test_the_drm_of_a_bombardment() -> None:
    """EX-F3.4-4: in a sangar in hammada +3 - 1 = +2, reversed: -2."""
    stones = ffe.bombardment_drm("hammada", "Dry", 3)
    assert [one.value for one in stones] == [2, -2]
    assert [one.value for one in ffe.bombardment_drm("sand", "Dry", 0)] == [2, -2]
    assert [one.value for one in ffe.bombardment_drm("sand", "Wet", 0)] == [2]
    types = desk().roster
    kinds_ = [types.types[types.type_of[id]] for id in ("ge_opel", "br_cara", "br_mat2")]
    assert [ffe.bombardment_morale(kind) for kind in kinds_] == [6, 8, 9]
    assert [ffe.bombarded(by) for by in (0, 1, 2)] == ["", "stopped", "eliminated"]


@pytest.mark.rule("asl", "C1.3", "C1.62")
def test_what_spoils_the_accuracy_is_added_to_the_die() -> None:
    d = desk("s05_hafid_ridge", phasing=ALLIED)
    note(d, ALLIED, access=1, contact=1)
    d.settle(ObaAt(F_OBA, ALLIED, 1))
    d.do("spot-round N5")
    found = event(d.roll(1), "accuracy")
    assert (found["drm"], found["number"], found["passed"]) == (2, 1, False)


@pytest.mark.rule("asl", "C1.3")
def test_a_round_off_the_map_is_lost_and_the_mission_with_it() -> None:
    """AMB-70"""
    d = falling(desk(), "N5", SPOTTING)
    batteries.falls(d.s, AXIS, -1, -1)
    assert (told(d, ACCESS), told(d, STAGE), told(d, SHELLED)) == (0, NO_ROUND, -1)


@pytest.mark.rule("asl", "C1.51", "F3.4a")
def test_shells_among_stones_are_worse_by_one() -> None:
    rocky = ground(filled("hammada", "N5"))
    d = Desk("s08_totensonntag", phasing=AXIS, field=rocky)
    among, open_ = d.put(SQUAD, "N5"), d.put("br_457#2", "P5")
    assert [(one.value, one.rule) for one in ffe.tem_of(d.s, among)] == [(-1, "F3.4a")]
    assert ffe.tem_of(d.s, open_) == ()


@pytest.mark.rule("asl", "B28.62")
def test_only_a_concentration_clears_mines() -> None:
    for blast, left in (("concentration", 0), ("harassing", 8)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        w, h = next(u for u in range(len(d.s.at)) if d.roster.of_kind[MINES_AP] >> u & 1), d.hex("N5")
        put(d.s, w, h)
        d.s.strength[w], d.s.read = 8, 1 << w
        d.s.oba[AXIS * BATTERY + BLAST] = BLASTS.index(blast)
        ffe.strike(d.s, AXIS, h, 0, 1, 1, 0)  # a KIA in either
        assert d.s.strength[w] == left
