"""Chapter 14: carried advance."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    COMBAT,
    F_AUTO_ADVANCE,
    F_COMBAT,
    F_FREE_SP,
    F_MOVES,
    F_PLAYER_TURN,
)
from sandtable.games.na41.table.position import desert_behind, eliminate, set_order
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import units_of

from .. import fights
from ..advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_EAST,
    ON_FOOT,
    OTHER_FOE,
    RECON,
    SOUTH_EAST,
    TANK,
    TANKS,
    WEST,
    advance,
    group,
    groupable,
    march,
    over,
    plod,
    prepared,
    steps,
    to,
    won,
)
from ..kit import (
    GAME,
    H,
    U,
    at,
    do,
    empty,
    kinds,
    mask,
    names,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from ..retreatkit import REST, forbidden
from .ch14advancekit import reach

rule = pytest.mark.rule


# 14.5


@rule("na41", "14.5a", "6.3.3a")
def test_prohibited_terrain_is_prohibited_and_the_own_box_open() -> None:
    s = won({"2478": ON_FOOT}, hex_="2479")
    assert "2379" in steps(s, ON_FOOT)
    s = won({"2478": TANK}, hex_="2479")
    assert "2379" not in steps(s, TANK), "a marsh"
    assert forbidden(s, f"advance {TANK} 2379") == "14.5a"
    s = won({"1602": TANK}, hex_="1603")
    march(s, TANK, "1601")
    assert "tripoli" in steps(s, TANK)
    march(s, TANK, "tripoli")
    assert at(s, TANK) == "tripoli"
    assert over(s)


@rule("na41", "14.5b")
def test_mechanised_units_end_their_advance_in_the_jebel_but_by_road() -> None:
    s = won({"3516": TANK}, hex_="3517")
    march(s, TANK, "3517")
    assert not steps(s, TANK)
    s = won({"3821": TANK}, hex_="3822")
    march(s, TANK, "3822")
    assert steps(s, TANK) == {"3823", "3821"}
    assert forbidden(s, f"advance {TANK} 3722") == "14.5b"
    s = won({"3217": TANK}, hex_="3216")  # at the edge of the jebel
    march(s, TANK, "3216")
    assert steps(s, TANK) == {"3316", "3217"}
    assert forbidden(s, f"advance {TANK} 3215") == "14.5b"


@rule("na41", "14.5b")
def test_units_on_foot_pass_the_jebel() -> None:
    s = won({"3516": ON_FOOT}, hex_="3517")
    march(s, ON_FOOT, "3517")
    assert "3417" in steps(s, ON_FOOT)


@rule("na41", "14.5c", "5.5b")
def test_the_second_desert_hex_ends_an_advance() -> None:
    s = won({"2328": TANK}, hex_="2228")
    march(s, TANK, "2228", "2229")
    assert over(s)
    assert desert_behind(s, units(TANK)) == 2, "it counts for a retreat in the same phase too"
    s = won({"2328": TANK}, hex_="2228")
    march(s, TANK, "2228", "2329", "2229")
    assert steps(s, TANK)
    assert desert_behind(s, units(TANK)) == 1


@rule("na41", "14.5d", "9.6f")
def test_mechanised_units_cross_an_escarpment_only_by_road() -> None:
    s = won({"3820": GUNNERS, "3615": TANK}, hex_="3821")
    assert "3821" not in steps(s, GUNNERS)
    assert forbidden(s, f"advance {GUNNERS} 3821") == "14.5d"
    assert "3616" in steps(s, TANK)


@rule("na41", "14.5e")
def test_units_on_foot_cross_an_escarpment_first_and_into_the_attacked_hex() -> None:
    s = won({"3820": ON_FOOT}, hex_="3821")
    assert "3821" in steps(s, ON_FOOT)
    assert "3720" not in steps(s, ON_FOOT)
    assert forbidden(s, f"advance {ON_FOOT} 3720") == "14.5e"
    s = won({"3922": ON_FOOT}, hex_="3821")
    assert "3822" not in steps(s, ON_FOOT)
    march(s, ON_FOOT, "3821")
    assert "3922" not in steps(s, ON_FOOT)
    s = won({"3721": ON_FOOT}, hex_="3820")
    assert "3820" in steps(s, ON_FOOT)
    march(s, ON_FOOT, "3821")
    assert "3820" not in steps(s, ON_FOOT), "not with the second hex"


# 14.6


@rule("na41", "14.6", "8.7b", "8.7c", "17.2.3a")
def test_enemy_non_combat_units_do_not_stop_an_advance() -> None:
    s = prepared({WEST: TANK}, {EAST: "AL_TR1"})
    supplies(s, "allied", EAST)
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, FIELD, EAST)
    assert at(s, "AL_TR1") == "eliminated"
    assert kinds(roll(s, 3)) == ["sp_captured"]
    assert FAR_EAST in steps(s, TANK)


@rule("na41", "13.3.2e")
def test_units_in_full_retreat_give_way_to_an_advance() -> None:
    s = prepared({WEST: TANK}, {FAR_EAST: "BR_3H"})
    set_order(s, U("BR_3H"), 2)
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, FIELD, EAST)
    assert s.actor == ALLIED
    while s.actor == ALLIED:
        do(s, texts(s)[0])
    assert at(s, "BR_3H") != FAR_EAST
    assert steps(s, TANK)


@rule("na41", "12.5.1e")
def test_a_port_falls_to_an_advance() -> None:
    """The garrison of Tobruk lived by its port, and has been eliminated."""
    s = prepared({"3137": TANK}, {"3138": FOE}, {"3037": TANKS, "3038": GUNNERS})
    effects.begin(s, COMBAT, H("3138"), units(TANK))
    s.fight.result = results.cell("DS")
    eliminate(s, U(FOE), "10.1b")
    s.stack.append(REST)
    effects.follow_up(s)
    start(s)
    plod(s)
    assert at(s, FOE) == "eliminated"
    march(s, TANK, "3138")
    assert at(s, FOE) == "surrender_left"


@rule("na41", "12.5.1e")
def test_who_had_full_supply_does_not_surrender_because_the_advance_cut_its_road() -> None:
    """A26 asks how the garrison lived when it was attacked: the tanks are across the road before Bardia is entered."""
    s = fights.combat()
    place(s, [TANK, TANKS], "3045")
    place(s, "BR_2RB", "2946")
    assert supply_lines.full(s, ALLIED) >> H("2946") & 1
    fights.attack(s, TANK, TANKS, hex_="2946")
    fights.force(s, "DR4 r")
    fights.give_way(s)
    where = at(s, "BR_2RB")
    plod(s)
    march(s, TANK, "2945", "2845")
    do(s, "done")
    assert not supply_lines.full(s, ALLIED) >> H("2946") & 1
    march(s, TANKS, "2946")
    assert at(s, "BR_2RB") == where


@rule("na41", "12.5.1e", "8.9.2a")
def test_a_garrison_that_an_auto_ds_destroyed_surrenders_when_the_port_is_entered() -> None:
    s = empty("axis")
    s.rommel = 0
    place(s, [TANK, TANKS, "GE_I8", "GE_II8", GUNNERS], "3137")
    place(s, "BR_1DLI", "3138")
    place(s, RECON, "3037")
    place(s, "GE_AA33", "3038")
    assert not supply_lines.full(s, ALLIED) >> H("3138") & 1
    start(s, (F_PLAYER_TURN, 2), (F_MOVES,))
    do(s, "crush 3138")
    while texts(s)[0].startswith("join "):
        do(s, texts(s)[0])
    assert at(s, "BR_1DLI") == "eliminated"
    do(s, "end-moves")
    plod(s)
    march(s, names(s.advancing).pop(), "3138")
    assert at(s, "BR_1DLI") == "surrender_left"


@rule("na41", "9.5.7a", "16.3.5a")
def test_an_advance_takes_what_it_enters() -> None:
    s = prepared({"3137": TANK})
    s.forts[ALLIED] = mask("3138")
    advance(s, {"3137": TANK}, hex_="3138")
    plod(s)
    march(s, TANK, "3138")
    assert not s.forts[ALLIED]
    assert s.control >> H("3138") & 1


@rule("na41", "17.1.2c", "S1.2d")
def test_who_is_bound_to_its_hex_is_told_why_it_does_not_advance() -> None:
    s = won({"2478": ["PO_CAR", "BR_2R"]}, foes={"2675": TANK}, hex_="2477", active="allied")
    assert "BR_2R" in {text.split()[1] for text in texts(s) if text.startswith("advance ")}
    assert forbidden(s, "advance PO_CAR 2477") == "S1.2d"
    s = won({"3138": "BR_2R"}, others={"3138": "AL_TOB"}, hex_="3137", active="allied")
    assert forbidden(s, "advance AL_TOB 3137") == "17.1.2c"


# 8.9.2


def claimed() -> State:
    """Two Auto DS have been made: tanks cleared the field, and a regiment a hex far away."""
    s = empty("axis", "combat")
    s.rommel = 0
    place(s, TANK, WEST)
    place(s, ON_FOOT, "1644")
    place(s, FOE, "2147")
    s.claims = {H(FIELD): units(TANK), H("1645"): units(ON_FOOT)}
    s.auto = units(TANK, ON_FOOT)
    start(s, REST, (F_AUTO_ADVANCE,))
    return s


@rule("na41", "8.9.2a")
def test_marked_units_advance_at_the_full_rate_at_the_end() -> None:
    s = claimed()
    assert set(texts(s)) == {f"to {FIELD} normal", "to 1645 normal"}
    do(s, f"to {FIELD} normal")
    plod(s)
    assert not s.auto & units(TANK), "the marker has come off"
    assert not steps(s, ON_FOOT)
    assert reach(s, TANK, FIELD, "1845", "1846", "1847", "1848") == 4
    march(s, ON_FOOT, "1645")
    do(s, "done")
    assert over(s)
    assert not s.auto
    assert not s.claims
    assert s.fight.attackers == 0, "nobody attacks any more"


@rule("na41", "8.9.2b", "15.2.2a")
def test_one_stack_of_an_auto_ds_may_break_through() -> None:
    s = claimed()
    do(s, f"to {FIELD} normal")
    assert groupable(s) == {TANK}
    group(s, TANK)
    to(s, FIELD, NORTH_EAST)
    assert at(s, TANK) == NORTH_EAST


@rule("na41", "8.9.2a", "8.9.1d")
def test_a_marked_unit_that_is_gone_or_disrupted_does_not_advance() -> None:
    s = empty("axis", "combat")
    place(s, TANK, WEST, disrupted=True)
    s.claims = {H(FIELD): units(TANK, TANKS)}
    start(s, REST, (F_AUTO_ADVANCE,))
    assert over(s)


# 17.4


def idle(active: str = "axis") -> State:
    s = empty(active, "combat")
    place(s, "GE_DAK", "1602")
    place(s, "AL_XIII", "2478")
    return s


@rule("na41", "17.4a", "17.4b")
def test_whoever_neither_attacked_nor_marched_gets_a_supply_point() -> None:
    s = idle()
    s.advanced = s.disengaged = units(TANK)
    start(s, REST, (F_FREE_SP,))
    assert texts(s) == sorted(texts(s), key=lambda t: GAME.parse(t))
    assert set(texts(s)) == {"free-sp italy", "free-sp tripoli", "free-sp 1602"}
    events = do(s, "free-sp 1602")
    assert s.sp[AXIS] == {H("1602"): 1}
    assert of_kind(events, "free_sp")
    assert over(s)
    assert not s.advanced | s.disengaged, "the phase is over"


@rule("na41", "17.4a")
@pytest.mark.parametrize("deed", ["attacked_at_all", "moved_at_all"])
def test_there_is_none_after_an_attack_or_a_march(deed: str) -> None:
    s = idle()
    setattr(s, deed, 1)
    start(s, REST, (F_FREE_SP,))
    assert over(s)
    assert not s.sp[AXIS]


@rule("na41", "17.4b")
def test_an_hq_without_full_supply_gets_none() -> None:
    s = idle()
    place(s, "IT_X", FIELD)
    start(s, REST, (F_FREE_SP,))
    assert f"free-sp {FIELD}" in texts(s)
    s = idle()
    place(s, "IT_X", FIELD)
    for foe, where in ((FOE, NORTH_EAST), (OTHER_FOE, WEST), ("BR_3H", SOUTH_EAST)):
        place(s, foe, where)
    start(s, REST, (F_FREE_SP,))
    assert f"free-sp {FIELD}" not in texts(s)
    assert forbidden(s, f"free-sp {FIELD}") == "17.4b"


@rule("na41", "17.4b")
def test_the_only_place_is_taken_at_once() -> None:
    s = empty("allied", "combat")
    start(s, REST, (F_FREE_SP,))
    assert over(s)
    assert s.sp[ALLIED] == {H("nile_delta"): 1}


@rule("na41", "8.9.2a", "8.9.1d", "3.2e")
def test_from_the_auto_ds_in_the_movement_phase_to_the_advance_at_the_end_of_the_combat_phase() -> None:
    s = empty("axis", "movement")
    s.rommel = 0
    place(s, [TANK, TANKS, GUNNERS], WEST)
    place(s, "BR_1DLI", FIELD)
    place(s, RECON, "1503")
    place(s, "CZ_11", "1504")
    start(s, REST, (F_COMBAT,), (F_MOVES,))
    do(s, f"crush {FIELD}")
    while "end-moves" not in texts(s):
        do(s, "commit" if "commit" in texts(s) else texts(s)[0])
    assert at(s, "BR_1DLI") in ("eliminated", "surrender_left")
    marked = s.auto
    assert marked
    assert at(s, TANK) == WEST, "nobody advances yet"
    do(s, "end-moves")
    while "end-combat" not in texts(s):
        do(s, texts(s)[-1])
    do(s, "end-combat")
    plod(s)
    assert {U(text.split()[1]) for text in texts(s) if text.startswith("advance")} == set(units_of(marked))
    do(s, "done")
    assert over(s)
    assert not s.sp[AXIS], "and no free supply point after an Auto DS"


@rule("na41", "8.3e", "14.1a")
def test_an_attack_is_followed_by_its_advance_and_the_phase_goes_on() -> None:
    s = empty("axis", "combat")
    s.rommel = 0
    place(s, [TANK, TANKS], WEST)
    place(s, "BR_1DLI", FIELD)
    place(s, RECON, "1503")
    place(s, "CZ_11", "1504")
    start(s, REST, (F_COMBAT,))
    do(s, f"attack {FIELD}")
    while not steps(s, TANK) and s.stack[-1][0] != F_COMBAT:
        if s.actor < 0:
            roll(s, 6)
        else:
            do(s, next((t for t in ("commit", "yield", "no-supply") if t in texts(s)), texts(s)[0]))
    march(s, TANK, FIELD)
    while "done" in texts(s):
        do(s, "done")
    assert "end-combat" in texts(s)
    assert at(s, TANK) == FIELD
