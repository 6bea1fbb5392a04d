"""A4, A10, A26, B20.9, B27.3, F.1C, F7.2c as version 5 reads them: whom a lip hides, whose rout must end in a house,
what comes of going through a hex; and as games begun before go on."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sandtable.games.asl.boards.costs import HALF
from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.close import CombatsAt
from sandtable.games.asl.fire.morale import CheckAt, break_
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import left
from sandtable.games.asl.table import weather
from sandtable.games.asl.table.ids import (
    ABOVE,
    CCPH,
    F_CHECK,
    F_COMBATS,
    F_RALLY_ROLL,
    F_ROUTS,
    GONE,
    MC,
    MPH,
    RPH,
    RTPH,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
    UNDER_TRENCH,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.flight import RouterAt, armed, must
from sandtable.games.asl.turn.rally import RollAt, calm
from sandtable.games.asl.turn.routs import RoutsAt, perish

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LEADER,
    OTHER_LEADER,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    bits,
    desert,
    do,
    give,
    kinds,
    legal,
    moving,
    place,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill, hillock

rule = partial(pytest.mark.rule, "asl")
MORTAR, RIFLE = "br_m51#1", "br_atr#1"


def routing(s: State, *broken: str) -> State:
    s.broken |= bits(*broken)
    s.dm |= bits(*broken)
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    return settle(s)


def router(s: State) -> RouterAt:
    return next(f for f in s.stack if isinstance(f, RouterAt))


def passed(s: State) -> None:
    while side_of(s) == "axis":
        do(s, "hold")


# A10.31


@rule("A10.31")
@pytest.mark.parametrize(("edition", "broken"), [(5, True), (4, False)])
def test_an_original_twelve_breaks_him_too_who_would_pass_with_it(edition: int, broken: bool) -> None:
    """A 10-3 beside another: 12 - 3 is not above his morale of 10."""
    s = desert()
    s.edition = edition
    place(s, [LEADER, OTHER_LEADER], "M5")
    s.type[U(LEADER)] = s.type[U(OTHER_LEADER)] = ROSTER.type_of["ge_ldr_10m3"]
    s.stack.append(CheckAt(F_CHECK, U(LEADER), MC, 0))
    settle(s)
    found = roll(s, 6, 6)
    assert next(one for one in found if one.kind == "check").data["passed"] != broken
    assert bool(s.broken & bits(LEADER)) == broken
    if broken:
        roll(s, 1)
        assert s.wounded == bits(LEADER)


# F7.2c, F4.5, A4.6b ground that is not open to him

BEHIND: dict[str, tuple[dict[str, Any], list[tuple[str, ...]]]] = {
    "dune crest": ({}, [("N5", "N6", "dune_crest", "N5")]),
    "wall": ({}, [("N5", "N6", "wall")]),
    "lip": ({"N5": {"forms": {"deir", "lip"}, "mass": "d"}}, [("N5", "N6", "lip", "N5")]),
    "hillock": (hillock("h", "N6"), []),
    "height": (hill(1, "N5"), []),
}


def behind(what: str, edition: int, where: str) -> State:
    hexes, sides = BEHIND.get(what, ({}, []))
    s = desert(hexes, sides)
    s.edition = edition
    place(s, SQUAD, where)
    place(s, FOE, "N8")
    return s


@rule("F7.2c", "A10.53", "A10.5")
@pytest.mark.parametrize("what", ["", *BEHIND])
@pytest.mark.parametrize("edition", [4, 5])
def test_nobody_is_interdicted_behind_what_protects_him(what: str, edition: int) -> None:
    protected = bool(what) and edition > 4
    s = behind(what, edition, "N6")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N5")
    assert GAME.is_chance(s) != protected
    s = behind(what, edition, "N5")
    s.broken = bits(SQUAD)
    assert must(s, U(SQUAD)) != protected


@rule("A10.5")
def test_a_lip_protects_against_nobody_who_looks_down_on_it() -> None:
    s = behind("lip", 5, "N5")
    s.stage.lay(desert({**BEHIND["lip"][0], **hill(1, "N8")}, BEHIND["lip"][1]).stage.field)
    s.broken = bits(SQUAD)
    assert must(s, U(SQUAD))


@rule("A10.5", "A10.53")
@pytest.mark.parametrize(
    ("weapon", "edition", "reach"), [(MORTAR, 5, 5), (MORTAR, 4, 11), (RIFLE, 5, 5), (RIFLE, 4, 12), ("br_lmg#1", 5, 7)]
)
def test_neither_mortars_nor_anti_tank_rifles_reach_for_routers(weapon: str, edition: int, reach: int) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    give(s, weapon, SQUAD)
    assert armed(s, U(SQUAD)) == reach


# F.1Cc


@rule("F.1Cc")
@pytest.mark.parametrize(("edition", "at"), [(5, "M5"), (4, "")])
def test_who_does_not_force_a_rout_is_not_the_end_of_him_who_cannot(edition: int, at: str) -> None:
    """The squad at five hexes reaches four; it is the machine gun at ten that makes him rout."""
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    place(s, FOE, "R5")
    place(s, FOE2, "W5")
    give(s, HMG, FOE2)
    s.broken = bits(SQUAD)
    assert must(s, U(SQUAD))
    perish(s, U(SQUAD))
    assert s.at[U(SQUAD)] == (H(at) if at else GONE)


@rule("F.1Cc")
def test_who_is_beside_him_is_the_end_of_him_in_brush_too() -> None:
    s = desert(filled("brush", "M5"))
    place(s, SQUAD, "M5")
    place(s, FOE, "M6")
    s.broken = bits(SQUAD)
    perish(s, U(SQUAD))
    assert s.at[U(SQUAD)] == GONE
    s = desert(filled("brush", "M5"))
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    s.broken = bits(SQUAD)
    perish(s, U(SQUAD))
    assert s.at[U(SQUAD)] == H("M5"), "brush is no Open Ground: he does not force it"


# B27.3, F8.6a out of an entrenchment


@rule("B27.3", "F8.6a", "A10.501")
@pytest.mark.parametrize(
    ("work", "under", "level", "edition", "spent"),
    [
        ("allied_foxhole#1", UNDER_FOXHOLE, 0, 5, 2),
        ("allied_foxhole#1", UNDER_FOXHOLE, 0, 4, 1),
        ("allied_foxhole#1", UNDER_FOXHOLE, 1, 5, 2),
        ("axis_trench#1", UNDER_TRENCH, 0, 5, 2),
        ("axis_trench#1", UNDER_TRENCH, 1, 5, 1),  # directly down
        ("", ABOVE, 0, 5, 1),
    ],
)
def test_a_router_comes_out_of_its_hole_for_one_mf(work: str, under: int, level: int, edition: int, spent: int) -> None:
    s = desert(hill(level, "N5"))
    s.edition = edition
    if work:
        place(s, work, "N5")
    place(s, SQUAD, "N5", under)
    place(s, FOE, "N6")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N4")
    assert router(s).spent == spent * HALF
    while GAME.is_chance(s):
        roll(s, 1, 1)
    do(s, "to N3")
    assert router(s).spent == (spent + 1) * HALF  # once


@rule("B27.3", "A10.501")
def test_who_lies_in_a_hole_goes_five_hexes() -> None:
    s = desert()
    place(s, "allied_foxhole#1", "W5")
    place(s, SQUAD, "W5", UNDER_FOXHOLE)
    place(s, FOE, "X5")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}")
    gone = 0
    while any(text.startswith("to ") for text in legal(s)):
        do(s, min(text for text in legal(s) if text.startswith("to ")))
        gone += 1
        while GAME.is_chance(s):
            roll(s, 1, 1)
    assert gone == 5


# A10.51, F.1Ca to the end of it


def toward_woods(edition: int, *inside: str) -> State:
    s = desert(filled("woods", "N2"))
    s.edition = edition
    place(s, SQUAD, "N6")
    place(s, FOE, "N8")
    place(s, inside, "N2")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N5")
    while GAME.is_chance(s):
        roll(s, 1, 1)
    return s


@rule("A10.51", "F.1Ca")
def test_a_rout_ends_in_the_woods_that_it_can_reach() -> None:
    s = toward_woods(5)
    assert held_by(s, "halt") == "A10.51"
    for name in ("N4", "N3", "N2"):
        do(s, f"to {name}")
        while GAME.is_chance(s):
            roll(s, 1, 1)
    assert s.at[U(SQUAD)] == H("N2")
    assert "halt" in legal(s)
    assert "halt" in legal(toward_woods(4))
    s = toward_woods(5)
    s.stack[-1] = router(s)._replace(spent=4 * HALF)
    s.choices = None
    assert "halt" in legal(s), "they are out of reach now"


@rule("A10.51", "A5.1")
def test_full_woods_are_no_goal() -> None:
    s = toward_woods(5, SQUAD2, SQUAD3, "br_457#4")
    assert "halt" in legal(s)


# A10.621, A10.62 desperation


@rule("A10.621")
@pytest.mark.parametrize(("edition", "phase", "kept"), [(5, RPH, True), (5, MPH, False), (4, RPH, False)])
def test_who_breaks_in_a_rally_phase_stays_desperate_beyond_it(edition: int, phase: int, kept: bool) -> None:
    s = desert()
    s.edition, s.phase = edition, phase
    place(s, SQUAD, "M5")
    break_(s, U(SQUAD), "A10.4")
    calm(s)
    assert bool(s.dm) == kept
    calm(s)
    assert not s.dm, "the next Rally Phase takes it off"


@rule("A10.621")
def test_whoever_rallies_is_not_remembered_as_desperate() -> None:
    s = desert()
    s.phase = RPH
    place(s, [SQUAD, LEADER], "M5")
    break_(s, U(SQUAD), "A10.4")
    s.stack.append(RollAt(F_RALLY_ROLL, U(SQUAD), U(LEADER)))
    settle(s)
    roll(s, 1, 1)
    assert not s.dismayed | s.dm


@rule("A10.62")
@pytest.mark.parametrize(("edition", "dm"), [(5, True), (4, False)])
def test_an_enemy_who_only_passes_beside_it_makes_a_broken_unit_desperate(edition: int, dm: bool) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "L6")
    s.broken = bits(SQUAD)
    moving(s)
    do(s, f"move {FOE}", "to M6")
    assert bool(s.dm) == dm


# A26.1 control


@rule("A26.1")
@pytest.mark.parametrize(("edition", "held"), [(5, {"M5", "M6", "M7"}), (4, {"M7"})])
def test_who_goes_through_a_hex_has_held_it(edition: int, held: set[str]) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    s.control = 0
    moving(s)
    do(s, f"move {SQUAD}", "to M6")
    passed(s)
    do(s, "to M7", "halt")
    passed(s)
    assert {name for name in ("M5", "M6", "M7") if s.control >> H(name) & 1} == held


@rule("A26.1")
@pytest.mark.parametrize(("edition", "held"), [(5, True), (4, False)])
def test_who_rallies_holds_his_hex_again(edition: int, held: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, LEADER], "M5")
    s.broken, s.control = bits(SQUAD), 0
    s.stack.append(RollAt(F_RALLY_ROLL, U(SQUAD), U(LEADER)))
    settle(s)
    roll(s, 1, 1)
    assert bool(s.control >> H("M5") & 1) == held


@rule("A26.1", "A11.2")
@pytest.mark.parametrize(("edition", "held"), [(5, True), (4, False)])
def test_who_withdraws_holds_the_hex_he_comes_to(edition: int, held: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE], "M5")
    s.melee, s.control = bits(SQUAD, FOE), 0
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    do(s, f"withdraw {SQUAD} M6")
    while "stand" in legal(s) or "end-combat" in legal(s):
        do(s, "stand" if "stand" in legal(s) else "end-combat")
    assert s.at[U(SQUAD)] == H("M6")
    assert bool(s.control >> H("M6") & 1) == held


# B20.9 out of the Crest


@rule("B20.9", "F5.4a")
@pytest.mark.parametrize(("edition", "cost"), [(5, 2), (4, 1)])
def test_leaving_the_crest_across_its_front_costs_one_mf_and_the_hex(edition: int, cost: int) -> None:
    s = desert({"N5": {"forms": {"wadi"}}})
    s.edition = edition
    place(s, SQUAD, "N5", at=Place.CREST)
    s.cafp[U(SQUAD)] = 3
    moving(s)
    do(s, f"move {SQUAD}", "to N6")
    passed(s)
    assert left(s) == (4 - cost) * HALF
    s = desert({"N5": {"forms": {"wadi"}}})
    s.edition = edition
    place(s, SQUAD, "N5", at=Place.CREST)
    s.cafp[U(SQUAD)] = 3
    moving(s)
    do(s, f"move {SQUAD}", "descend")
    passed(s)
    assert left(s) == 3 * HALF, "AMB-90"


# F8.6, B27.5 from trench to trench


def in_trenches(edition: int = 5, second: str = "axis_trench#2", full: bool = False) -> State:
    """Trenches in N5 and N4 (whoever dug them), an enemy in N6."""
    s = desert()
    s.edition = edition
    place(s, "axis_trench#1", "N5")
    place(s, second, "N4")
    place(s, SQUAD, "N5", UNDER_TRENCH)
    place(s, FOE, "N6")
    if full:
        place(s, SQUAD2, "N4", UNDER_SANGAR)
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}")
    return s


@rule("F8.6a", "F8.6c", "B27.5")
def test_a_router_goes_from_trench_to_trench_and_nobody_interdicts_it_there() -> None:
    s = in_trenches()
    assert held_by(s, "dive M4") == "F8.6b"
    found = do(s, "dive N4")
    assert "routed" in kinds(found)
    assert not GAME.is_chance(s)
    assert (s.at[U(SQUAD)], s.under[U(SQUAD)], router(s).spent) == (H("N4"), UNDER_TRENCH, HALF)
    do(s, "to N3")
    assert (s.under[U(SQUAD)], router(s).spent) == (ABOVE, 3 * HALF), "it comes out of it for 1 MF"
    assert GAME.is_chance(s), "and is interdicted"
    s = in_trenches()
    do(s, "to N4")
    assert GAME.is_chance(s)
    assert s.under[U(SQUAD)] == ABOVE


@rule("F8.6c", "F8.6e", "A19.12")
def test_only_where_there_is_room_and_for_none_who_crawls() -> None:
    assert "dive N4" in legal(in_trenches(second="axis_sangar#1"))
    assert "dive N4" not in legal(in_trenches(second="axis_sangar#1", full=True))
    assert "dive N4" not in legal(in_trenches(second="axis_foxhole#1"))
    assert "dive N4" not in legal(in_trenches(edition=4))
    s = in_trenches()
    s.disrupted = bits(SQUAD)
    s.choices = None
    assert "dive N4" not in legal(s)
    do(s, "crawl N4")
    assert s.under[U(SQUAD)] == ABOVE


# F11.794b


@rule("F11.794b", "F11.73d", "A8.22")
@pytest.mark.parametrize(
    ("dust", "edition", "drm"), [("heavy", 5, -1), ("heavy", 4, -2), ("light", 5, -2), ("very_heavy", 5, -1)]
)
def test_heavy_dust_cancels_ffmo_for_residual_fp_too(dust: str, edition: int, drm: int) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    s.stage.script = {**s.stage.script, "conditions": {**s.stage.script["conditions"], "dust": dust, "ec": "Dry"}}
    weather.begin(s)
    place(s, FOE, "N6")
    s.residual[H("N5")] = 4
    moving(s)
    do(s, f"move {FOE}", "to N5")
    found = roll(s, 3, 4)
    assert next(one for one in found if one.kind == "attack_rolled").data["drm"] == drm
