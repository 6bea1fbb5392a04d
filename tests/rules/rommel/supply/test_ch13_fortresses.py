"""13 Fortresses: control, fortress supply, capture and siege."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Event
from sandtable.games.rommel.combat.combat import dice_of
from sandtable.games.rommel.paths.withdrawal import Lines
from sandtable.games.rommel.supply.fortresses import besieged, captures, is_isolated
from sandtable.games.rommel.supply.supply import network, source_of, supplied_units, trace
from sandtable.games.rommel.supply.victory import judge
from sandtable.games.rommel.table.ids import (
    AXIS,
    BUILDUP,
    COMMONWEALTH,
    DIRS,
    F_DECLARE,
    F_OPTION,
    F_SUPPLY_CHECK,
    F_TURN,
    FINAL,
    INITIAL,
)
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import State, disrupt, eliminate, put, recover
from sandtable.games.rommel.turn.redeployment import sea_cost

from ..kit import GAME, H, U, at, battle, board, do, empty, hexes, kinds, new, place, start, texts, units, why

CW, AX = COMMONWEALTH, AXIS
BENGHAZI, TOBRUK, BARDIA = 0, 1, 2


def check(s: State, moment: int, side: int | None = None) -> list[Event]:
    """One supply check, to the first decision or back to the option of the Active player."""
    return start(s, (F_OPTION,), (F_SUPPLY_CHECK, s.active if side is None else side, moment, 0))


def tobruk(garrison: list[str], owner: str = "commonwealth") -> State:
    """Tobruk cut off on all sides, with a garrison; Bardia and Benghazi are the enemy's."""
    s = empty(owner)
    s.fort_owner = [1 - s.active, s.active, 1 - s.active]
    enemy = ["GE-PZ5", "GE-PZ8"] if s.active == CW else ["CW-7A", "CW-4A"]
    place(s, enemy[0], "0311")
    place(s, enemy[1], "0515")
    place(s, garrison, "0313")
    return s


AUSTRALIANS = ["CW-20A", "CW-24A", "CW-26A", "CW-18A", "CW-3IM", "CW-22G", "CW-7SG"]


# 13.0, 13.1 Control


@pytest.mark.rule("rommel", "13.0a")
def test_the_three_fortresses() -> None:
    assert board.fortress_names == ("Benghazi", "Tobruk", "Bardia")
    assert [board.names[h] for h in board.fortresses] == ["Benghazi", "Tobruk", "Bardia"]


@pytest.mark.rule("rommel", "13.0b", "1.7c")
def test_a_fortress_is_port_and_source_of_the_side_that_controls_it() -> None:
    assert all(board.ports[side] & board.fortress_mask == board.fortress_mask for side in (AX, CW))
    s = tobruk(["CW-20A"])
    check(s, INITIAL)
    assert s.fort_supply == units("CW-20A")
    s = tobruk(["CW-20A"])
    s.fort_owner[TOBRUK] = AX  # not theirs: no supply
    check(s, INITIAL)
    assert s.unsupplied == units("CW-20A")


@pytest.mark.rule("rommel", "13.1a")
def test_initial_control_is_that_of_the_deployment_area() -> None:
    for scenario in ("1940", "1941", "1942", "crusader"):
        s = new(scenario)
        areas = script(s).areas
        for f, h in enumerate(board.fortresses):
            if (areas[AX] | areas[CW]) >> h & 1:
                assert areas[s.fort_owner[f]] >> h & 1
            if s.occ[AX] >> h & 1:
                assert s.fort_owner[f] == AX
            if s.occ[CW] >> h & 1:
                assert s.fort_owner[f] == CW
    assert new("1940").fort_owner == [AX, AX, AX]


@pytest.mark.rule("rommel", "13.1b", "13.1c")
def test_E13_1() -> None:
    """An empty Tobruk still belongs to the Commonwealth, but does not cut the Axis supply line."""
    s = empty("axis")
    place(s, "GE-PZ5", "0314")
    place(s, "CW-20A", "0313")
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5")
    put(s, U("CW-20A"), H("0626"))
    captures(s)
    assert s.fort_owner[TOBRUK] == CW
    check(s, INITIAL)
    assert not s.unsupplied
    assert "0313" in hexes(network(s, AX).lines)


# 13.2 Combat (in combat.py and battles.py, with more tests in chapters 8 and 9)


def siege_battle(active: str) -> State:
    s = empty(active)
    place(s, ["CW-20A", "CW-7A", "GE-PZ5", "GE-104"], "0313")
    battle(s, "0313", "commonwealth", ["W"])
    return s


@pytest.mark.rule("rommel", "13.2a")
def test_defender_other_than_armour_rolls_double_dice_in_defensive_fire() -> None:
    s = siege_battle("axis")
    assert dice_of(s, H("0313"), U("CW-20A"), 0) == 2 * s.cv[U("CW-20A")]
    assert dice_of(s, H("0313"), U("CW-7A"), 0) == s.cv[U("CW-7A")]
    assert dice_of(s, H("0313"), U("GE-104"), 0) == s.cv[U("GE-104")]


@pytest.mark.rule("rommel", "13.2b")
def test_no_double_dice_when_the_defender_attacks_out() -> None:
    s = siege_battle("commonwealth")
    assert dice_of(s, H("0313"), U("CW-20A"), 0) == s.cv[U("CW-20A")]


@pytest.mark.rule("rommel", "13.2c", "13.2d")
def test_compulsory_battle_for_the_attacker() -> None:
    s = siege_battle("axis")
    start(s, (F_OPTION,), (F_DECLARE, 0))
    assert s.to_fight == 1 << H("0313")
    s = siege_battle("commonwealth")
    start(s, (F_OPTION,), (F_DECLARE, 0))
    assert s.to_fight == 0
    assert "fight 0313" in texts(s)
    s = siege_battle("axis")
    start(s, (F_OPTION,), (F_DECLARE, 1))  # blitz combat
    assert s.to_fight == 0
    assert "fight 0313" in texts(s)


# 13.3 Fortress supply


@pytest.mark.rule("rommel", "13.3a")
def test_isolated_means_no_overland_line_to_the_base() -> None:
    s = empty("commonwealth")
    assert not is_isolated(s, TOBRUK)
    place(s, "GE-PZ5", "0315")
    assert is_isolated(s, TOBRUK)
    assert not is_isolated(s, BARDIA)
    place(s, "CW-22G", "0413")  # by 0413, 0414 and Fort Capuzzo
    place(s, "CW-7A", "0414")
    assert not is_isolated(s, TOBRUK)
    disrupt(s, U("CW-22G"))
    disrupt(s, U("CW-7A"))
    assert is_isolated(s, TOBRUK)


@pytest.mark.rule("rommel", "13.3a")
def test_isolated_by_hexsides_of_a_battle_in_it() -> None:
    s = empty("commonwealth")
    place(s, ["CW-20A", "GE-PZ5"], "0313")
    battle(s, "0313", "commonwealth", ["W", "NW", "SW"])
    assert not is_isolated(s, TOBRUK)  # the coast road from the east is still the Defender's
    s.att_side[DIRS.index("E")] |= 1 << H("0313")
    assert not is_isolated(s, TOBRUK)  # and so is the trail by 0413
    s.att_side[DIRS.index("SE")] |= 1 << H("0313")
    assert is_isolated(s, TOBRUK)


@pytest.mark.rule("rommel", "13.3b", "13.3c", "13.3d")
def test_E13_3() -> None:
    """Tobruk, printed capacity 5: five units for the Commonwealth, two for the Axis."""
    assert board.capacity[TOBRUK] == (2, 5)
    s = tobruk(AUSTRALIANS[:6])
    check(s, BUILDUP, 0)
    for unit in AUSTRALIANS[:5]:
        do(s, f"supply {unit}")
    assert s.fort_supply & board.of_side[CW] == units(*AUSTRALIANS[:5])
    assert at(s, AUSTRALIANS[5]) == "dead"
    italians = ["IT-BRE", "IT-PAV", "IT-SAV"]
    s = tobruk(italians, "axis")
    check(s, BUILDUP, 0)
    do(s, "supply IT-BRE", "supply IT-SAV")
    assert s.fort_supply & board.of_side[AX] == units("IT-BRE", "IT-SAV")
    assert at(s, "IT-PAV") == "dead"


@pytest.mark.rule("rommel", "13.3b")
def test_a_fortress_that_is_not_isolated_assigns_nothing() -> None:
    s = empty("commonwealth")
    place(s, AUSTRALIANS[:6], "0313")
    check(s, INITIAL)
    assert not s.fort_supply
    assert not s.unsupplied


@pytest.mark.rule("rommel", "13.3e", "13.3h")
def test_assignment_at_the_initial_check() -> None:
    s = tobruk(AUSTRALIANS[:6])
    check(s, INITIAL)
    assert texts(s) == [f"supply {u}" for u in sorted(AUSTRALIANS[:6], key=U)] + ["assigned"]
    prompt = GAME.prompt(s)
    assert "Tobruk" in prompt.title
    assert "13.3e" in prompt.rules
    events = do(s, "supply CW-22G")
    assert [dict(e.data) for e in events] == [{"fortress": TOBRUK, "side": CW, "hex": H("0313")}]
    assert "unit" in (events[0].seen_by(CW) or {})
    assert "unit" not in (events[0].seen_by(AX) or {})
    assert "supply CW-22G" not in texts(s)
    do(s, "assigned")  # "may": the rest is kept back
    assert s.fort_supply == units("CW-22G")
    assert s.unsupplied == units(*AUSTRALIANS[:5])


@pytest.mark.rule("rommel", "13.3e")
def test_nobody_is_asked_when_there_is_enough_for_all() -> None:
    s = tobruk(AUSTRALIANS[:5])
    events = check(s, INITIAL)
    assert kinds(events) == ["fortress_supply"] * 5
    assert s.stack[-1] == (F_OPTION,)
    assert not s.unsupplied


@pytest.mark.rule("rommel", "13.3f")
def test_garrison_first() -> None:
    s = tobruk(AUSTRALIANS[:4])
    place(s, AUSTRALIANS[4:6], "0412")
    check(s, INITIAL)
    assert "supply CW-3IM" not in texts(s)
    reason = why(s, "supply CW-3IM")
    assert reason is not None
    assert reason.rule == "13.3f"
    do(s, *(f"supply {u}" for u in AUSTRALIANS[:4]))
    assert texts(s) == ["supply CW-3IM", "supply CW-22G", "assigned"]
    do(s, "supply CW-3IM")
    assert s.fort_supply == units(*AUSTRALIANS[:5])


@pytest.mark.rule("rommel", "13.3g")
def test_nearest_outside_units_next_and_the_owner_chooses_among_equals() -> None:
    """A53."""
    s = tobruk(["IT-BRE"], "axis")  # capacity 2
    place(s, "IT-PAV", "0513")  # two hexes away, by the El Adem road
    place(s, ["IT-SAV", "IT-TRE"], "0412")  # one hex away
    place(s, "GE-MG8", "0509")  # cannot trace to Tobruk
    check(s, FINAL)
    assert texts(s) == ["supply IT-TRE", "supply IT-SAV"]  # the garrison has been given its share
    rules = {u: why(s, f"supply {u}").rule for u in ("IT-PAV", "GE-MG8", "IT-BRE", "CW-20A", "IT-LIT")}  # type: ignore[union-attr]
    assert rules == {"IT-PAV": "13.3g", "GE-MG8": "13.3g", "IT-BRE": "13.3i", "CW-20A": "13.0b", "IT-LIT": "13.3g"}
    do(s, "supply IT-SAV")
    assert s.fort_supply == units("IT-BRE", "IT-SAV")


@pytest.mark.rule("rommel", "13.3g")
def test_outside_units_trace_by_the_ordinary_rules() -> None:
    """A53: with the fortress in place of the base, along the open coast road too."""
    s = tobruk([])
    place(s, "CW-22G", "0314")
    assert hexes(trace(s, CW, H("0313"))) >= {"0312", "0313", "0314", "0412", "0513", "0413"}
    check(s, INITIAL)
    assert s.fort_supply == units("CW-22G")


@pytest.mark.rule("rommel", "13.3g", "1.7c")
def test_units_with_base_supply_need_no_fortress() -> None:
    """A disrupted unit between two networks may be in reach of both."""
    s = tobruk(AUSTRALIANS[:5])
    place(s, "CW-7M", "0615")
    place(s, "CW-7A", "0614")
    place(s, "CW-2A", "0514", disrupted=True)
    assert trace(s, CW, H("0313")) & trace(s, CW) & 1 << H("0514")
    check(s, INITIAL)
    assert s.fort_supply == units(*AUSTRALIANS[:5])
    s = tobruk(AUSTRALIANS[:6])
    place(s, "CW-7A", "0622")
    check(s, INITIAL)
    reason = why(s, "supply CW-7A")
    assert reason is not None
    assert reason.rule == "13.3a"


@pytest.mark.rule("rommel", "13.3g", "12.5f")
def test_raiders_cut_off_in_the_fortress_get_nothing() -> None:
    s = tobruk(AUSTRALIANS[:6])
    place(s, "GE-104", "0313")
    battle(s, "0313", "commonwealth", ["W"])
    s.raiders = units("CW-20A")
    s.via[U("CW-20A")] = DIRS.index("W")
    check(s, INITIAL)
    assert "supply CW-20A" not in texts(s)
    reason = why(s, "supply CW-20A")
    assert reason is not None
    assert reason.rule == "12.5f"


@pytest.mark.rule("rommel", "13.3i")
def test_assignment_binds_for_the_turn() -> None:
    s = tobruk(AUSTRALIANS[:6])
    check(s, INITIAL)
    do(s, *(f"supply {u}" for u in AUSTRALIANS[:5]))
    assert s.unsupplied == units(AUSTRALIANS[5])
    assert source_of(s, U("CW-20A")) == H("0313")
    eliminate(s, U("CW-20A"), "9.5a")  # its share is not passed on
    put(s, U("CW-24A"), H("0622"))  # nor that of a unit which has gone into the base's supply
    assert source_of(s, U("CW-24A")) == H("0313")
    assert not supplied_units(s, CW) & units("CW-24A")
    assert network(s, CW).lines == 0
    check(s, FINAL)
    assert s.disrupted == units(AUSTRALIANS[5])
    check(s, INITIAL)  # in a later turn others may be chosen
    assert s.fort_supply == units(*AUSTRALIANS[2:6])
    assert source_of(s, U("CW-24A")) == H("0626")


@pytest.mark.rule("rommel", "13.3i")
def test_in_the_enemy_turn_the_base_counts_again_once_it_can_be_reached() -> None:
    s = tobruk(["CW-20A"])
    check(s, INITIAL)
    s.active = AX
    assert source_of(s, U("CW-20A")) == H("0313")
    put(s, U("GE-PZ8"), H("0902"))  # the road to Alexandria is open
    assert source_of(s, U("CW-20A")) == H("0626")
    s.active = CW
    assert source_of(s, U("CW-20A")) == H("0313")


@pytest.mark.rule("rommel", "13.3j", "5.3e")
def test_line_and_withdrawal_lead_to_the_fortress() -> None:
    s = tobruk([])
    s.option = 4
    place(s, "CW-22G", "0513")
    check(s, INITIAL)
    net = network(s, CW, H("0313"))
    assert hexes(net.lines) == {"0513", "0412", "0313", "0312"}  # straight, or by Acroma and the coast road
    assert [board.grid.names[n] for _, n in Lines(s).back(U("CW-22G"), H("0513"))] == ["0412"]
    assert network(s, CW).lines == 0


@pytest.mark.rule("rommel", "13.3k")
def test_unassigned_units_cannot_trace_or_withdraw_to_the_fortress() -> None:
    s = tobruk(["IT-BRE"], "axis")
    place(s, ["IT-TRE", "IT-TRI"], "0412")
    check(s, INITIAL)
    do(s, "supply IT-BRE", "supply IT-TRE")
    assert s.unsupplied == units("IT-TRI")
    assert not supplied_units(s, AX) & units("IT-TRI")
    assert Lines(s).has_line(U("IT-TRE"))
    assert not Lines(s).has_line(U("IT-TRI"))
    assert source_of(s, U("IT-TRI")) == H("0902")


@pytest.mark.rule("rommel", "13.3l")
def test_spare_capacity_at_the_final_check() -> None:
    """A5."""
    s = tobruk(["IT-BRE"], "axis")
    place(s, "IT-TRE", "0809")
    place(s, "IT-TRI", "0808")
    check(s, INITIAL)
    do(s, "supply IT-BRE")
    assert s.unsupplied == units("IT-TRE", "IT-TRI")
    put(s, U("IT-TRE"), H("0412"))
    put(s, U("IT-TRI"), H("0513"))
    events = check(s, FINAL)
    assert s.fort_supply == units("IT-BRE", "IT-TRE")  # one share was left, for the nearer
    assert s.unsupplied == units("IT-TRI")
    assert s.disrupted == units("IT-TRI")
    assert "fortress_supply" in kinds(events)


@pytest.mark.rule("rommel", "13.3l")
def test_keeping_capacity_back_for_the_final_check() -> None:
    s = tobruk(["IT-BRE", "IT-PAV", "IT-SAV"], "axis")
    check(s, INITIAL)
    do(s, "supply IT-BRE", "assigned")
    put(s, U("IT-PAV"), H("0809"))
    check(s, FINAL)
    assert s.fort_supply == units("IT-BRE", "IT-SAV")
    assert s.disrupted == units("IT-PAV")


@pytest.mark.rule("rommel", "13.3l")
def test_at_the_final_check_nothing_is_kept_back() -> None:
    s = tobruk(["IT-BRE", "IT-PAV", "IT-SAV"], "axis")
    s.unsupplied = units("IT-BRE", "IT-PAV", "IT-SAV")
    check(s, FINAL)
    assert texts(s) == ["supply IT-BRE", "supply IT-PAV", "supply IT-SAV"]
    reason = why(s, "assigned")
    assert reason is not None
    assert reason.rule == "13.3l"


@pytest.mark.rule("rommel", "13.3b", "12.7k")
def test_buildup_assignment_decides_who_survives() -> None:
    s = tobruk(AUSTRALIANS[:7])
    disrupt(s, U("CW-20A"))
    s.unsupplied = units(*AUSTRALIANS[:7])
    check(s, BUILDUP, 0)
    assert len(texts(s)) == 7
    do(s, *(f"supply {u}" for u in AUSTRALIANS[:5]))
    assert [at(s, u) for u in AUSTRALIANS[5:7]] == ["dead", "dead"]
    assert not s.disrupted
    assert not s.unsupplied


@pytest.mark.rule("rommel", "13.3b", "11.11a")
def test_protectors_that_die_at_the_buildup_check_leave_a_rout() -> None:
    s = tobruk(["IT-BRE", "IT-PAV", "IT-SAV"], "axis")
    place(s, "CW-2A", "0313")
    battle(s, "0313", "axis", ["E"])
    disrupt(s, U("IT-BRE"))
    disrupt(s, U("IT-PAV"))
    check(s, BUILDUP, 0)
    do(s, "supply IT-BRE")
    events = do(s, "supply IT-PAV")
    assert at(s, "IT-SAV") == "dead"
    assert "routed" in kinds(events)


# 13.4 Capture


@pytest.mark.rule("rommel", "13.4a")
def test_capture_needs_an_undisrupted_enemy_alone() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0313")
    place(s, "CW-20A", "0313", disrupted=True)
    captures(s)
    assert s.fort_owner[TOBRUK] == CW  # an owner's unit is there, even if disrupted
    put(s, U("CW-20A"), H("0626"))
    disrupt(s, U("GE-PZ5"))
    captures(s)
    assert s.fort_owner[TOBRUK] == CW
    recover(s, U("GE-PZ5"))
    captures(s)
    assert s.fort_owner[TOBRUK] == AX
    events = [e for e in s.events if e.kind == "captured"]
    assert [dict(e.data) for e in events] == [{"fortress": TOBRUK, "hex": H("0313"), "side": AX, "cards": 5}]


@pytest.mark.rule("rommel", "13.4a")
@pytest.mark.parametrize("active", ["axis", "commonwealth"])
def test_capture_is_tested_at_the_end_of_either_players_turn(active: str) -> None:
    """A52."""
    s = empty(active, option=None)
    place(s, "GE-PZ5", "0313")
    place(s, "IT-BRE", "0903")
    place(s, "CW-7A", "0622")
    start(s, (F_OPTION,), (F_TURN, 1))
    do(s, "pass", "end-moves")
    assert s.fort_owner[TOBRUK] == AX


@pytest.mark.rule("rommel", "13.4b")
def test_passing_through_captures_nothing() -> None:
    s = empty("axis", option=None)
    place(s, "GE-PZ5", "0312")
    place(s, "CW-7A", "0622")
    start(s, (F_OPTION,), (F_TURN, 1))
    do(s, "option basic 0", "group 0312 0", "move GE-PZ5", "to 0314 -")
    assert s.fort_owner[TOBRUK] == CW
    for _ in range(8):
        quiet = [t for t in ("end-move", "end-moves", "marches", "declared") if t in texts(s)]
        if not quiet:
            break
        do(s, quiet[0])
    assert s.stack[-1] == (F_OPTION,)
    assert s.fort_owner[TOBRUK] == CW
    assert s.bonus == [0, 0]


@pytest.mark.rule("rommel", "13.4c", "13.4d", "1.7e")
def test_E13_4a() -> None:
    """The Axis captures Benghazi: two bonus cards."""
    s = empty("axis")
    s.fort_owner[BENGHAZI] = CW
    place(s, "GE-PZ5", "0304")
    captures(s)
    assert s.bonus == [2, 0]


@pytest.mark.rule("rommel", "13.4c", "13.4d", "1.7e")
def test_E13_4b() -> None:
    """The Commonwealth captures Benghazi: one bonus card."""
    s = empty("commonwealth")
    place(s, "CW-7A", "0304")
    captures(s)
    assert s.bonus == [0, 1]


@pytest.mark.rule("rommel", "13.4d")
def test_bonus_is_the_capacity_it_had_for_the_former_owner() -> None:
    for f in range(3):
        assert board.bonus[f] == (board.capacity[f][CW], board.capacity[f][AX])
    s = empty("axis")
    s.fort_owner = [CW, CW, AX]
    place(s, "GE-PZ5", "0313")
    place(s, "CW-7A", "0415")
    captures(s)
    assert s.bonus == [5, 1]


@pytest.mark.rule("rommel", "13.4e")
def test_one_bonus_per_fortress_and_month() -> None:
    """A52: the first capture of the month earns it, later ones none."""
    s = empty("axis")
    place(s, "GE-PZ5", "0313")
    captures(s)
    assert s.bonus == [5, 0]
    put(s, U("GE-PZ5"), H("0902"))
    place(s, "CW-7A", "0313")
    captures(s)
    assert s.fort_owner[TOBRUK] == CW
    assert s.bonus == [5, 0]
    assert [e.data["cards"] for e in s.events if e.kind == "captured"] == [5, 0]
    place(s, "GE-PZ8", "0415")  # another fortress has its own
    captures(s)
    assert s.bonus == [7, 0]
    s.captured = [0, 0, 0]  # the next month
    put(s, U("CW-7A"), H("0626"))
    put(s, U("GE-PZ5"), H("0313"))
    captures(s)
    assert s.bonus == [12, 0]


@pytest.mark.rule("rommel", "13.4a", "13.3i")
def test_who_drew_on_a_captured_fortress_has_no_source() -> None:
    s = tobruk([])
    place(s, "CW-22G", "0412")
    check(s, INITIAL)
    assert s.fort_supply == units("CW-22G")
    put(s, U("GE-PZ5"), H("0313"))
    captures(s)
    assert not s.fort_supply
    assert source_of(s, U("CW-22G")) == H("0626")


# 13.5 Siege


@pytest.mark.rule("rommel", "13.5a")
def test_siege() -> None:
    """A18, A26."""
    s = empty("axis")
    tobruk_hex = H("0313")
    place(s, "GE-PZ5", "0411")
    assert not besieged(s, tobruk_hex, CW)
    put(s, U("GE-PZ5"), H("0412"))
    assert besieged(s, tobruk_hex, CW)
    assert not besieged(s, tobruk_hex, AX)  # one does not besiege oneself
    disrupt(s, U("GE-PZ5"))
    assert besieged(s, tobruk_hex, CW)
    place(s, "CW-7A", "0412")
    battle(s, "0412", "commonwealth")
    assert besieged(s, tobruk_hex, CW)  # in battle too
    put(s, U("GE-PZ5"), H("0313"))
    assert besieged(s, tobruk_hex, CW)  # enemies inside count
    place(s, "GE-PZ8", "0726")
    assert not besieged(s, H("0626"), CW)  # a base is never besieged


@pytest.mark.rule("rommel", "13.5b", "16.53c")
def test_siege_changes_the_cost_of_sea_movement() -> None:
    s = empty("commonwealth")
    assert sea_cost(s, H("0313"), H("0626"), CW) == 1
    place(s, "GE-PZ5", "0412")
    assert sea_cost(s, H("0313"), H("0626"), CW) == 4


@pytest.mark.rule("rommel", "13.5c", "17.3")
def test_siege_of_tobruk_matters_for_victory() -> None:
    s = empty("axis")
    place(s, ["CW-20A", "CW-7A"], "0313")
    place(s, ["GE-PZ5"], "0903")
    free = s.copy()
    judge(free)
    assert free.ended is not None
    assert (free.ended.winner, free.ended.level) == (CW, "positional")
    put(s, U("GE-PZ5"), H("0412"))
    judge(s)
    assert s.ended is not None
    assert s.ended.level != "positional"
