"""16 Supply and attrition: isolation."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import advance
from sandtable.games.na41.combat.strengths import armour, defence_total, quality
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS, PHASES, POOL, SURRENDER_LEFT
from sandtable.games.na41.table.position import put, touch, zone
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn import replacements
from sandtable.games.na41.turn.supply_phase import claimants, has_water, isolation_terms
from sandtable.mechanics.masks import hexes_in

from ..kit import (
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    kinds,
    mask,
    names,
    of_kind,
    place,
    roll,
    supplies,
    texts,
    units,
)
from ..phasekit import over, supply_phase
from ..turnkit import moving
from .ch16supplykit import DEEP, besieged, full

# 16.5 Isolation


def cut_off(unit: str) -> State:
    """An Allied unit deep in the desert with a white marker, an enemy beside it."""
    s = empty("allied", "supply")
    place(s, unit, DEEP, oos=True)
    place(s, "GE_I5_5L", "1623")
    return s


@pytest.mark.rule("na41", "16.5.1a", "16.5.2a", "16.5.3")
@pytest.mark.parametrize(("face", "lost"), [(1, True), (4, True), (5, False), (6, False)])
def test_a_unit_out_of_supply_twice_rolls(face: int, lost: bool) -> None:
    s = cut_off("BR_2R")
    supply_phase(s)
    events = roll(s, face)
    assert over(s)
    assert bool(of_kind(events, "step_lost")) == lost
    assert s.step[U("BR_2R")] == lost
    roll_again = empty("allied", "supply")
    place(roll_again, "BR_2R", DEEP)
    supply_phase(roll_again)
    assert over(roll_again)  # the first time there is no roll


@pytest.mark.rule("na41", "16.5.1a")
def test_a_line_to_a_friend_in_supply_saves_from_the_roll() -> None:
    garrison = ["AU_18", "AU_20"]
    s = besieged(*garrison)
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    place(s, "AU_24", "3138", oos=True)
    place(s, "GE_FL33", "3037")  # the enemy is beside it: water is no excuse (16.5.1c)
    supply_phase(s)
    do(s, *(f"feed {name}" for name in garrison))
    assert names(s.isolated) == {"AU_24"}
    assert over(s)
    assert at(s, "AU_24") == "3138"
    s.port_level[port] = len(board.port_track[port]) - 1  # now the friends have nothing either
    s.stack = []
    supply_phase(s)
    assert not over(s)


@pytest.mark.rule("na41", "16.5.1a", "2.3.1b")
def test_trucks_do_not_roll() -> None:
    s = cut_off("AL_TR1")
    supply_phase(s)
    assert names(s.isolated) == {"AL_TR1"}
    assert over(s)


@pytest.mark.rule("na41", "16.5.1c")
@pytest.mark.parametrize("source", ["sp", "msu", "asu", "truck", "depleted", "far", "beside"])
def test_water_within_three_hexes_spares_the_roll(source: str) -> None:
    s = empty("allied", "supply")
    place(s, "BR_2R", DEEP, oos=True)
    if source in ("sp", "beside"):
        supplies(s, "allied", "1625")
    elif source == "far":
        supplies(s, "allied", "1626")
    elif source in ("msu", "truck"):
        place(s, "AL_TR1", "1625", msu=source == "msu")
    else:
        place(s, "AL_XIII", "1625", depleted=source == "depleted")
    if source == "beside":
        place(s, "AX_TR1", "1621")
    supply_phase(s)
    assert over(s) == (source in ("sp", "msu", "asu"))


@pytest.mark.rule("na41", "16.5.1c")
def test_towns_and_landmarks_give_water() -> None:
    for hex_, dry in (("1243", False), ("1245", True)):  # three and five hexes from Giarabub, cut off by a ring
        s = empty("axis", "supply")
        place(s, "GE_AA3_5L", hex_, oos=True)
        for unit, h in (("BR_2R", "1341"), ("BR_6R", "1141"), ("BR_1R", "1344")):
            place(s, unit, h)
        put(s, U("BR_1R"), H("1442"))
        touch(s)
        supply_phase(s)
        assert names(s.isolated) == {"GE_AA3_5L"}
        assert over(s) != dry


@pytest.mark.rule("na41", "16.5.1b", "16.5.2b", "16.5.2c", "16.5.2e")
def test_asus_do_not_roll_but_die_alone() -> None:
    s = cut_off("AL_XIII")
    place(s, "BR_2R", "1620", oos=True)
    supply_phase(s)
    assert over(s)
    assert at(s, "AL_XIII") == DEEP
    s = cut_off("AL_XIII")
    events = supply_phase(s)
    assert over(s)
    assert s.at[U("AL_XIII")] == SURRENDER_LEFT
    assert of_kind(events, "surrendered")[0].rule == "16.5.2c"
    s = cut_off("AL_XIII")
    place(s, "AL_TR1", DEEP, isolated=True)  # a truck is a unit that is no ASU
    supply_phase(s)
    assert at(s, "AL_XIII") == DEEP
    s = empty("allied", "supply")
    place(s, "AL_XIII", DEEP)
    supply_phase(s)
    assert at(s, "AL_XIII") == DEEP  # the marker is white


@pytest.mark.rule("na41", "16.5.2d", "16.5.2e")
def test_the_last_step_goes_to_the_surrender_box() -> None:
    s = cut_off("BR_2R")
    s.step[U("BR_2R")] = board.steps_of[U("BR_2R")] - 1
    supply_phase(s)
    roll(s, 4)
    assert at(s, "BR_2R") == "surrender_left"


@pytest.mark.rule("na41", "16.5.4a", "16.5.4b", "16.5.4c", "16.5.4d", "17.1.2d")
def test_isolation_modifiers_add_up() -> None:
    def rules(s: State, unit: str) -> list[tuple[int, str]]:
        return [(value, rule) for value, rule, _ in isolation_terms(s, U(unit))]

    s = empty("axis", "supply")
    place(s, "GE_I5_5L", DEEP, isolated=True)
    place(s, "IT_16", DEEP, isolated=True)
    place(s, "GE_DAK", "1621", isolated=True)
    s.forts[AXIS] = mask("1623")
    touch(s)
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4a"), (1, "16.5.4b"), (1, "16.5.4c")]
    assert rules(s, "IT_16") == [(1, "16.5.4a"), (1, "16.5.4b"), (-1, "16.5.4c")]
    place(s, "BR_2R", "1620")
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4b"), (1, "16.5.4c")]  # the HQ has an enemy beside it
    s.forts[AXIS], s.building[AXIS] = 0, s.forts[AXIS]  # 9.5.4b
    touch(s)
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4c")]


@pytest.mark.rule("na41", "16.5.4a")
def test_a_friendly_airfield_helps_and_an_enemy_one_does_not() -> None:
    s = empty("axis", "supply")
    place(s, "IT_16", "2852", isolated=True)
    controlled_by(s, "axis", "2851")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4a", "16.5.4c"]
    place(s, "AL_TR1", "2850")  # only a combat unit beside it makes it unusable
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4a", "16.5.4c"]
    place(s, "BR_2R", "2850")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4c"]
    put(s, U("BR_2R"), POOL)
    controlled_by(s, "allied", "2851")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4c"]


@pytest.mark.rule("na41", "16.5.3", "16.5.4d")
def test_the_modifiers_count_for_the_roll() -> None:
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", DEEP, oos=True)
    place(s, "BR_2R", "1623")
    supply_phase(s)
    roll(s, 4)  # elite: 5
    assert s.step[U("GE_I5_5L")] == 0
    place(s, "IT_16", "1620", oos=True)
    place(s, "BR_6R", "1619")
    s.stack.clear()
    supply_phase(s)
    events = roll(s, 5, 3)  # low quality: 4; elite: 4
    assert [e.data["lost"] for e in of_kind(events, "isolation")] == [True, True]


def test_ex_16_5() -> None:
    """EX-16.5 seven units out of supply for two Supply Phases: all but A and B roll; B, an ASU, dies if the others
    are gone. (The picture is lost: A is taken to have water, A41.)"""
    s = empty("allied", "supply")
    six = ["BR_2R", "BR_6R", "BR_1R", "BR_3H", "BR_7H"]
    place(s, [*six, "AL_XIII"], DEEP, oos=True)
    place(s, "BR_RNF", "1620", oos=True)
    supplies(s, "allied", "1619")
    place(s, "GE_I5_5L", "1623")
    events = supply_phase(s)
    rolled = 0
    while not over(s):
        events += roll(s, 6)
        rolled += 1
    assert rolled == len(six)
    assert {board.units[e.data["unit"]] for e in of_kind(events, "isolation")} == set(six)
    assert at(s, "AL_XIII") == DEEP
    for name in (*six, "BR_RNF"):
        s.step[U(name)] = board.steps_of[U(name)] - 1
    put(s, U("BR_RNF"), H("1422"))
    place(s, "GE_II5_5L", "1423")
    s.stack.clear()
    supply_phase(s)
    while not over(s):
        roll(s, 1)
    assert at(s, "AL_XIII") == "surrender_left"
    assert "eliminated" not in kinds(events)


@pytest.mark.rule("na41", "7.1a", "16.2a", "16.2b")
def test_overlays_show_supply_and_zones() -> None:
    from sandtable.games.na41.game import GAME

    s = besieged("AU_18")
    place(s, "BR_2R", DEEP)
    found = {overlay["id"]: overlay for overlay in GAME.overlays(GAME.view(s, ALLIED))}
    assert "3138" in found["port_supply_allied"]["hexes"]
    assert found["port_supply_allied"]["numbers"]["3138"] == "8"
    assert found["supply_allied"]["cut"] == [DEEP]
    assert set(found["supply_axis"]["hexes"]) == hexes(supply_lines.full(s, AXIS) & board.land)
    assert "3037" in found["zoc_axis"]["hexes"]


# 16.4 Penalties (movement: chapter 5, attack: chapter 9, advance: chapter 14, replacements: chapter 19)


@pytest.mark.rule("na41", "16.4e")
def test_units_out_of_supply_keep_defence_zoc_and_quality() -> None:
    s = empty("axis", "combat")
    place(s, ["BR_2R", "AU_18"], "2240")
    defenders = units("BR_2R", "AU_18")
    place(s, "GE_I5_5L", "2241")

    def worth() -> tuple[object, ...]:
        shift = armour(s, H("2240"), units("GE_I5_5L"), defenders)
        return defence_total(s, H("2240"), defenders), zone(s, ALLIED), quality(s, U("AU_18")), shift

    before = worth()
    s.oos = s.isolated = defenders
    touch(s)
    assert worth() == before


@pytest.mark.rule("na41", "16.4c")
def test_a_unit_out_of_supply_advances_one_hex() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2240")
    s.allowance = 4
    assert advance.length(s, U("GE_I5_5L")) == 4
    s.oos = units("GE_I5_5L")
    assert advance.length(s, U("GE_I5_5L")) == 1


@pytest.mark.rule("na41", "16.4d")
def test_a_unit_out_of_supply_takes_no_replacement() -> None:
    s = empty("axis", "initial")
    place(s, "GE_I5_5L", "2011", "reduced")
    place(s, "GE_RT1", "2011")
    assert names(replacements.TAKERS.free(replacements.reduced(s), s, U("GE_RT1"))) == {"GE_I5_5L"}
    s.oos = units("GE_I5_5L")
    assert not replacements.TAKERS.free(replacements.reduced(s), s, U("GE_RT1"))


@pytest.mark.rule("na41", "16.4a")
def test_a_marker_counts_at_once_for_where_a_unit_can_go() -> None:
    """What was worked out about its reach before it was marked is forgotten."""
    s = empty("allied", "movement")
    place(s, "BR_2R", DEEP)
    moving(s)
    do(s, "move BR_2R")
    assert any(text.endswith("normal") for text in texts(s))
    do(s, "halt")
    s.stack, s.phase = [], PHASES.index("supply")
    supply_phase(s)
    assert names(s.oos) == {"BR_2R"}
    s.stack, s.phase = [], PHASES.index("movement")
    moving(s)
    do(s, "move BR_2R")
    assert not any(text.endswith("normal") for text in texts(s))


# What each of these leaves out was left out by nothing before


@pytest.mark.rule("na41", "16.2b", "16.2c")
def test_units_in_full_supply_take_nothing_of_a_port() -> None:
    s = empty("allied", "supply")
    place(s, ["AU_18", "AU_20", "AU_24"], "2660")
    port = board.port_ids.index("mersa_matruh")
    s.port_level[port] = board.port_track[port].index(1)
    assert full(s, ALLIED, "2660")
    assert claimants(s, ALLIED) == {}
    event = of_kind(supply_phase(s), "supply")[0]
    assert over(s)
    assert (event.data["full"], event.data["by_port"]) == (3, 0)


@pytest.mark.rule("na41", "16.2b", "16.2d")
def test_who_can_trace_to_two_ports_goes_where_there_is_room() -> None:
    s = empty("allied", "supply")
    for port, name in enumerate(board.port_ids[:5]):
        s.port_level[port] = board.port_track[port].index(1 if name in ("tobruk", "bardia") else 0)
    for unit, h in (("GE_I5_5L", "2642"), ("GE_II5_5L", "2746"), ("GE_MG8_5L", "2847"), ("IT_16", "2747")):
        place(s, unit, h)
    both = (
        supply_lines.fed_by(s, ALLIED, H("3138"))
        & supply_lines.fed_by(s, ALLIED, H("2946"))
        & ~supply_lines.full(s, ALLIED)
    )
    between = min(hexes(both & board.land & ~mask("3138", "2946")))
    place(s, ["AU_18", "AU_20", "AU_24", "AU_26"], between)
    found = claimants(s, ALLIED)
    assert set(found.values()) == {mask("3138", "2946")}
    supply_phase(s)
    assert over(s)
    assert not s.oos  # two of each


@pytest.mark.rule("na41", "16.5.2a", "16.5.2c")
def test_the_enemys_units_neither_roll_nor_die_in_this_supply_phase() -> None:
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", "1622")
    place(s, "BR_2R", "1623", isolated=True)
    supply_phase(s)
    assert over(s)
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", "1619", isolated=True)
    place(s, "AL_XIII", "1623", isolated=True)
    place(s, "GE_DAK", "1620", isolated=True)
    supply_phase(s)
    assert at(s, "AL_XIII") == "1623"


@pytest.mark.rule("na41", "16.5.1c")
def test_a_town_alone_gives_water() -> None:
    town = next(h for h in hexes_in(board.towns) if not board.landmarks & board.grid.within(h, 3))
    s = empty("allied", "supply")
    place(s, "BR_2R", board.grid.names[town])
    assert has_water(s, U("BR_2R"))


@pytest.mark.rule("na41", "16.5.4b")
def test_a_fortification_helps_only_at_the_end_of_a_line() -> None:
    s = empty("axis", "supply")
    place(s, "IT_16", DEEP, isolated=True)
    for hex_, rules in (("1623", ["16.5.4b", "16.5.4c"]), ("1630", ["16.5.4c"])):
        s.forts[AXIS] = mask(hex_)
        touch(s)
        assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == rules


@pytest.mark.rule("na41", "16.1d")
def test_the_check_tells_who_is_supplied_how() -> None:
    s = besieged("AU_18", "BR_2R")
    s.oos = units("AU_18", "GE_I5_5L")
    place(s, "BR_6R", DEEP)
    data = of_kind(supply_phase(s), "supply")[0].data
    assert (data["full"], data["by_port"]) == (0, 2)
    assert (data["units"], data["red"], data["back"]) == ([U("BR_6R")], [], ["AU_18"])
    assert names(s.oos) == {"BR_6R", "GE_I5_5L"}
