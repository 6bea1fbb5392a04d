"""Edges of the rules, and what they say: of moves."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.games.kasserine.movement.arrivals import (
    entry_points,
    expected,
    gates,
    group_of,
    perhaps_shut_out,
    places,
    shut,
    shut_out,
)
from sandtable.games.kasserine.movement.orders import leg_of, why_far
from sandtable.games.kasserine.movement.stacks import PROHIBITED, TARGET, overrun_cost, passing
from sandtable.games.kasserine.movement.walking import set_out
from sandtable.games.kasserine.paths.moves import bans, ends, move_leg, off_limits, step_away, ways_on
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ground import HALF
from sandtable.games.kasserine.table.ids import INTERDICTION, MOBILE
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.ratings import mover
from sandtable.games.kasserine.table.script import Script
from sandtable.games.kasserine.table.stacking import limit, points
from sandtable.games.kasserine.table.steps import HexAt, SideAt
from sandtable.games.kasserine.table.zones import zone
from sandtable.games.kasserine.turn.air import AirAt, VictimAt, cut_off, readiness
from sandtable.games.kasserine.turn.declaration import candidates
from sandtable.games.kasserine.turn.reaction import interdictors
from sandtable.games.kasserine.turn.weather import reinforcements
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.charts import HALTS, due
from sandtable.mechanics.paths.legs import Leg

from ..combat.ch08combatkit import (
    ARMORED_GUNS,
    GRENADIERS,
    GUNS,
    HQ,
    PZ,
    PZ2,
    PZG,
    PZHQ,
    RIFLES,
    RIFLES2,
    TANKS,
    TD,
    advance_of,
    advancing,
    fight,
    why_no_advance,
)
from ..combat.test_ch08_results import rule_against
from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    at,
    board,
    do,
    empty,
    mask,
    new,
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
    works,
)
from ..turn.test_ch14_arrivals import DAK, GUARDS, turn
from .edgesofruleskit import BESIDE

rule = pytest.mark.rule


# 6, 15 Where units may not go


@rule("kasserine", "15.13d", "6.01", "6.14a")
def test_what_keeps_a_unit_from_a_hex_is_said() -> None:
    s = new("s1_historical")
    s.turn, s.phase = 4, 5
    place(s, PZ, "3048")
    place(s, RIFLES, "3047")
    leg = leg_of(s, U(PZ))
    for text, wanted in (("2948", "15.13d"), ("2947", "15.13d"), ("3048", "6.01"), ("3047", "6.14a")):
        assert why_far(s, U(PZ), H(text), leg).rule == wanted


@rule("kasserine", "15.13d", "15.13e", "15.33b")
def test_special_rules_bind_those_whom_they_name() -> None:
    for scenario, turn_ in (("s1_historical", 3), ("s3_kasserine_pass", 6)):
        s = new(scenario)
        s.turn, s.phase = turn_, 5
        for u in range(board.count):
            assert bool(bans(s, "may_not_enter", u)) == bool(off_limits(s, u))


@rule("kasserine", "8.91b", "11.32c")
def test_a_minefield_stops_motorized_units_alone() -> None:
    for unit, goes_on in ((PZ, False), (GRENADIERS, True)):
        s = fight([unit], [RIFLES])
        works(s, ALLIED, "minefield", "6732")
        place(s, RIFLES, "6722")
        s.fight.crt = MOBILE
        assert bool(advance_of(s, unit) & mask("6731")) == goes_on
        assert why_no_advance(s, unit, "6731") == ("" if goes_on else "11.32c")


@rule("kasserine", "6.16")
def test_ways_out_of_supply_and_back_are_those_of_a_plain_search() -> None:
    """Which hexes out of supply may be passed, against a search that tries every step."""
    rng = Random(616)
    passed = 0
    for unit, hex_ in ((PZ, "3848"), (GRENADIERS, "5918"), (PZG, "4119"), (PZ, "6733")):
        for _ in range(6):
            s = empty("axis_motorized_movement")
            place(s, unit, hex_)
            place(s, RIFLES, board.grid.names[rng.choice(hexes_of(board.grid.within(H(hex_), 3) & ~mask(hex_)))])
            works(s, ALLIED, "minefield", *(board.grid.names[h] for h in rng.sample(around(hex_, 4), 3)))
            leg = move_leg(s, U(unit))
            ends = sum(1 << h for h in rng.sample(around(hex_, 5), 12))
            overruns = {h: rng.randrange(2, 7) for h in rng.sample(around(hex_, 3), 3)}
            found = ways_on(leg, ends, overruns)
            assert found == plainly(leg, ends, overruns)
            passed += found.bit_count()
    assert passed > 50
    s = empty("axis_movement")
    roads = [h for h in board.grid.hexes if any(price == 1 for _, _, price, _ in leg.chart.steps[h])]
    for h in rng.sample(roads, 40):  # along roads, with few points left
        place(s, PZ, board.grid.names[h])
        leg = move_leg(s, U(PZ), rng.randrange(2, 6))
        ends = sum(1 << n for n in rng.sample(around(board.grid.names[h], 2), 5))
        assert ways_on(leg, ends, {}) == plainly(leg, ends, {})


@rule("kasserine", "6.16")
def test_which_overruns_let_a_stack_pass_out_of_supply() -> None:
    """A17, A83; in games of the second edition nothing did."""
    rng = Random(83)
    passed = 0
    for unit, hex_ in ((PZ, "3840"), (PZG, "4119"), (PZ, "6733"), (PZ, "5918")):
        for _ in range(6):
            s = empty("axis_movement")
            place(s, unit, hex_)
            foes = rng.sample(around(hex_, 3), 2)
            for name, h in zip((RIFLES, RIFLES2), foes, strict=True):
                place(s, name, board.grid.names[h], reduced=True)
            leg = move_leg(s, U(unit))
            outside = leg.everywhere()
            overruns: dict[Hex, int] = {}
            for target in hexes_of(TARGET.free(mask(*(board.grid.names[h] for h in foes)), s, units(unit))):
                for h in hexes_of(board.grid.around(1 << target) & outside):
                    price = overrun_cost(s, units(unit), h, target)
                    if price != PROHIBITED:
                        overruns[h] = min(price, overruns.get(h, price))
            found = passing(s, units(unit), leg, 0)
            assert found == plainly(leg, 0, overruns)
            passed += found.bit_count()
            s.edition = 2
            assert passing(s, units(unit), leg, 0) == 0
    assert passed > 30
    s = empty("axis_movement")
    place(s, PZ, BESIDE)
    assert passing(s, units(PZ), move_leg(s, U(PZ)), 0) == 0, "nobody to overrun, nowhere to end"


@rule("kasserine", "6.61", "7.14a", "6.68")
def test_who_may_overrun_and_who_may_join() -> None:
    asked = 0
    for u in units_of(board.toothless & board.red & board.of_side[AXIS]):
        for reduced in (False, True)[: board.steps[u]]:
            s = empty("axis_movement")
            place(s, board.units[u], "6733", reduced=reduced)
            start(s, steps.MOVES)
            weak = board.attack[u][int(reduced)] == 0
            assert (rule_against(s, f"stack {board.units[u]}") == "7.14a") == weak
            asked += weak
    assert asked
    s = empty("axis_movement")
    place(s, [board.units[u] for u in units_of(board.red & board.of_side[AXIS] & board.ground)], "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"join {PZ2}", f"join {PZG}")  # 3, 3 and 2
    left = limit(s) - points(s, s.stack_units)
    for u in units_of(s.here[H("6733")] & board.red & ~s.stack_units):
        assert (rule_against(s, f"join {board.units[u]}") == "6.68") == (points(s, 1 << u) > left)


@rule("kasserine", "6.13", "15.13d")
def test_a_step_away_is_open_to_those_whom_no_rule_keeps_out() -> None:
    s = new("s1_historical")
    s.turn, s.phase = 4, 5
    for u in units_of(s.on_map[AXIS] & board.ground):
        place(s, board.units[u], "3020")
        s.memo = {}
        assert not step_away(s, u) & off_limits(s, u)
        free = s.ground.exits[mover(s, u)][H("3020")] & ends(s, u) & ~s.occ[ALLIED]
        assert step_away(s, u) == free & ~off_limits(s, u)


def around(hex_: str, n: int) -> list[Hex]:
    return hexes_of(board.grid.within(H(hex_), n) & ~mask(hex_))


def plainly(leg: Leg, ends: Mask, overruns: Mapping[Hex, int]) -> Mask:
    """The same, worked out over and over until nothing changes."""
    ends &= ~leg.closed
    outside = leg.everywhere() & ~(ends | leg.stop)
    region = outside | 1 << leg.start
    on = {h: price for h, price in overruns.items() if region >> h & 1}
    changed = True
    while changed:
        changed = False
        for a in hexes_of(region):
            for n, _, price, flags in leg.chart.steps[a]:
                cost = price + due(leg.entering, n)
                farther = 0 if ends >> n & 1 else on.get(n, 99) if region >> n & 1 and not flags & HALTS else 99
                if cost + farther < on.get(a, 99):
                    on[a] = cost + farther
                    changed = True
    return sum(
        1 << h
        for h in hexes_of(outside)
        if 0 <= leg.found.cost(h) <= leg.points - on.get(h, 99) and not leg.found.halts(h)
    )


@rule("kasserine", "3.12a", "3.21")
def test_a_headquarters_takes_what_it_passes_and_nothing_beside_it() -> None:
    for unit, beside in ((PZHQ, False), (PZ, True)):
        s = empty("axis_movement")
        place(s, unit, "6733")
        s.control = 0
        start(s, steps.MOVES)
        do(s, f"move {unit}", "to 6730")
        taken = s.control
        assert not taken & ~board.grid.within(H("6732"), 4), "nothing far away"
        assert bool(taken & mask("6630", "6631", "6830", "6831")) == beside or unit == PZ


@rule("kasserine", "11.45d")
def test_an_untried_minefield_that_is_passed_is_turned() -> None:
    for side, unit, turned in ((AXIS, GRENADIERS, True), (ALLIED, RIFLES, False)):
        s = empty("axis_movement" if side == AXIS else "allied_movement")
        s.hidden[:] = [1, 1, 1]
        place(s, unit, "6733")
        works(s, ALLIED, "minefield", "6732", untried=True)
        start(s, steps.MOVES)
        s.stack.pop()
        set_out(s, units(unit), [H("6732"), H("6731")], 4)
        GAME.settle(s)
        assert GAME.is_chance(s) == turned


@rule("kasserine", "12.41ba", "11.45d")
def test_a_leader_who_is_passed_is_taken() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, "us_leader_harmon", "6732")
    start(s, steps.MOVES)
    s.stack.pop()
    set_out(s, units(PZ), [H("6732"), H("6731")], 4)
    GAME.settle(s)
    assert at(s, "us_leader_harmon") == "eliminated"
    assert at(s, PZ) == "6731"


@rule("kasserine", "12.45")
def test_a_leader_joins_units_of_his_nation() -> None:
    s = new("s2_campaign")
    hosts = places(s, U("us_leader_patton"))
    assert hosts
    nation = board.of_nation[board.nation[U("us_leader_patton")]] & board.ground
    assert all(s.here[h] & nation for h in hexes_of(hosts))


# 7 Declarations and reaction


@rule("kasserine", "7.14b", "8.13")
def test_who_is_declared_elsewhere_lends_a_weak_stack_no_strength() -> None:
    s = empty("axis_movement")
    place(s, RIFLES, "6732")
    place(s, RIFLES2, "6734")
    place(s, [PZ, "ger_47gr_14_47"], "6733")
    s.oos = units("ger_47gr_14_47")  # attack 1, halved to 0
    s.aims = {H("6734"): units(PZ), H("6732"): 0}
    assert candidates(s, HexAt(0, H("6732"))) == 0
    s.aims = {H("6732"): units(PZ)}
    assert candidates(s, HexAt(0, H("6732"))) == units("ger_47gr_14_47")


@rule("kasserine", "8.93a")
def test_nobody_advances_while_the_enemy_holds_the_hex() -> None:
    s = fight([PZ], [RIFLES])
    place(s, PZHQ, "6733")
    assert advancing(s) == 0


@rule("kasserine", "7.22c", "8.18")
def test_who_has_followed_has_attacked() -> None:
    s = empty("allied_reaction")
    place(s, [PZ, PZG], "6733")
    place(s, TANKS, "6732")
    s.aims = {H("6732"): units(PZ, PZG)}
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    roll(s, 1)
    do(s, f"retreat {TANKS} 6730", f"advance {PZ} 6732")
    assert s.attacked & units(PZ, PZ2, PZG) == units(PZ)


@rule("kasserine", "10.36b", "3.43")
def test_an_interdictor_makes_the_roll_worse() -> None:
    s = empty("allied_reaction")
    place(s, PZ, "6733")
    place(s, TANKS, "6732")
    s.aims = {H("6732"): units(PZ)}
    put(s, U("ger_air_ii_stg_3"), INTERDICTION)
    put(s, U("us_air_33_fg"), INTERDICTION)
    assert interdictors(s) == units("ger_air_ii_stg_3"), "those of the side that attacks"
    start(s, steps.AVOIDING)
    do(s, "avoid 6732", "harass ger_air_ii_stg_3")
    told = of_kind(roll(s, 4), "reaction")[0].data
    assert (told["roll"], told["passed"]) == (5, 0)


@rule("kasserine", "2.24", "8.13")
def test_a_headquarters_is_told_that_it_does_not_attack() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZ2, PZHQ], "6733")
    place(s, RIFLES, "6732")
    start(s, steps.DECLARATIONS)
    do(s, "declare 6732")
    assert rule_against(s, f"attack_with {PZHQ}") == "2.24"


# 10 Air units


@rule("kasserine", "10.12", "10.51b")
def test_a_new_turn_counts_air_units_from_nothing() -> None:
    s = empty("air_readiness")
    s.flown_now[:], s.bombed = [3, 2], mask("6733")
    readiness(s)
    assert (s.flown_now, s.bombed) == ([0, 0], 0)


@rule("kasserine", "10.56b")
def test_a_unit_alone_in_a_bombed_hex_loses_the_step_without_a_question() -> None:
    for alone in (PZHQ, PZ):
        s = empty("joint_air")
        place(s, alone, "6733")
        start(s, AirAt(steps.BOMB_LOSS, AXIS, hex=H("6733")))
        assert s.step[U(alone)] == 1 or at(s, alone) == "eliminated"
    assert U(PZHQ) == 0


@rule("kasserine", "10.37a", "10.37b")
def test_as_many_are_put_out_of_supply_as_the_table_says() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS, GUNS, TD, ARMORED_GUNS], "0311")
    start(s, VictimAt(steps.RAID_VICTIMS, AXIS, 2))
    for victim in (TANKS, GUNS):
        do(s, f"starve {victim}")
        if s.actor == ALLIED:
            do(s, "bear")
    assert s.oos == units(TANKS, GUNS)
    assert not [text for text in texts(s) if text.startswith("starve")]


@rule("kasserine", "10.37a")
def test_the_supply_interdiction_table_has_a_row_for_each_number_of_air_units() -> None:
    stukas = ["ger_air_ii_stg_3", "ger_air_iii_stg_3", "ger_air_iii_skg_10"]
    for n, wanted in ((1, (1, 1, 1, 0, 0, 0)), (2, (2, 1, 1, 1, 1, 1)), (3, (3, 2, 2, 2, 1, 1))):
        counts = []
        for face in range(1, 7):
            s = empty("joint_air")
            place(s, [RIFLES, TANKS, GUNS], "0311")
            for name in stukas[:n]:
                put(s, U(name), INTERDICTION)
            start(s, AirAt(steps.RAIDS, AXIS))
            do(s, *(f"raid {name}" for name in stukas[:n]))
            if s.actor == AXIS and "end_raid" in texts(s):
                do(s, "end_raid")
            counts.append(of_kind(roll(s, face), "raided")[0].data["count"])
        assert tuple(counts) == wanted


@rule("kasserine", "10.37b", "12.34a")
def test_what_is_told_of_units_cut_off_and_of_fire_nets() -> None:
    s = empty("joint_air")
    place(s, TANKS, "0311")
    s.events = []
    cut_off(s, U(TANKS), "10.37b")
    assert of_kind(s.events, "supply")[0].data == {"side": ALLIED, "units": [U(TANKS)], "supply": 2}
    s = empty("allied_movement")
    place(s, HQ, "6733")
    start(s, steps.MOVES)
    for net in (1, 0):
        told = of_kind(do(s, f"convert {HQ}"), "converted")[0].data
        assert told["net"] == net
        s.converted, s.choices = 0, None  # in a later turn


@rule("kasserine", "10.54")
def test_the_first_bomber_leads_and_the_chances_are_his() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS], "6733")
    place(s, ["ger_air_ii_stg_3", "ger_air_iii_kg_76"], "ready")
    start(s, SideAt(steps.BOMBING, AXIS))
    do(s, "bomb 6733")
    odds = [GAME.odds(s, GAME.parse(f"bomb_with {name}")) for name in ("ger_air_ii_stg_3", "ger_air_iii_kg_76")]
    assert [found.terms[0].value for found in odds if found] == ["7", "6"]
    do(s, "bomb_with ger_air_ii_stg_3")
    for action in ("bomb_with ger_air_iii_kg_76", "bombs_away"):
        found = GAME.odds(s, GAME.parse(action))
        assert found is not None
        assert found.terms[0].value == "7"


# 14 Arrivals


@rule("kasserine", "15.33b", "14.11a")
def test_who_is_placed_near_a_hex_keeps_away_from_the_enemy() -> None:
    s = new("s3_kasserine_pass")
    s.turn, s.phase = 7, 5
    s.control |= mask("4119")
    for u in units_of(s.on_map[ALLIED]):
        if board.grid.distance(s.at[u], H("4119")) <= 4:
            put(s, u, -3)
    s.memo, s.zones[:] = {}, [-1, -1]
    near = board.grid.within(H("4119"), 2)
    assert places(s, U(PZ)) & ~near == 0
    place(s, RIFLES, "4121")
    s.control |= mask("4119")
    s.memo = {}
    found = places(s, U(PZ))
    assert found
    assert not found & (zone(s, ALLIED) | mask("4121"))


@rule("kasserine", "14.22", "14.24", "6.21a")
def test_a_zone_in_the_entry_hex_costs_more() -> None:
    s = turn(2)
    free = entry_points(s, U(DAK), H("3848"))
    assert free == 8 * HALF - 1, "half a point by road"
    beside = next(h for h in hexes_of(board.grid.around(mask("3848"))) if not board.terrain_drm[h])
    place(s, RIFLES, board.grid.names[beside])
    s.memo = {}
    assert zone(s, ALLIED) >> H("3848") & 1
    assert entry_points(s, U(DAK), H("3848")) == free - board.charts.constants["ezoc_entry_mp"] * HALF


@rule("kasserine", "14.28b")
def test_only_allied_entries_between_two_exits_are_shut() -> None:
    s = turn(4)
    s.exited_by[ALLIED] = mask("7005", "7040")
    assert not shut(s, AXIS) & mask("7024")
    s.exited_by[AXIS] = mask("7005", "7040")
    assert shut(s, ALLIED) & mask("7024")


@rule("kasserine", "14.23", "14.27a")
def test_whom_the_question_of_a_way_on_has_to_be_asked() -> None:
    """Whoever finds no way on to the map is among those of whom it is asked."""
    s = new("s2_campaign")
    s.turn = 30
    for side, phase in ((AXIS, 5), (ALLIED, 9)):
        s.phase, s.active, s.memo, s.waiting = phase, side, {}, {}
        s.exited_by[:] = [0, 0]
        s.exited_by[enemy(side)] = sum(1 << h for h in board.entries.values())
        asked = [u for u in units_of(expected(s, side)) if not board.leaders >> u & 1]
        for u in asked:
            assert gates(s, u) == 0
            assert perhaps_shut_out(s, 1 << u) == 1 << u
        assert shut_out(s, asked[-1])


@rule("kasserine", "14.23", "14.27a")
def test_an_enemy_in_the_entry_hex_is_asked_about_whoever_else_is_expected() -> None:
    """The leaders stand last among the units, beside those of the other side."""
    s = new("s2_campaign")
    s.turn = 30
    for side, phase, leader, foe in ((AXIS, 5, "ger_leader_rommel", TANKS), (ALLIED, 9, "us_leader_harmon", PZ)):
        s.phase, s.active, s.memo, s.waiting = phase, side, {}, {}
        coming = expected(s, side)
        assert coming.bit_length() - 1 <= U(leader) + 1
        waiting = [u for u in units_of(coming & ~board.leaders) if group_of(s, u).at < 0]
        entry = board.entries[board.entry_letters[s.gate[waiting[0]]]]
        place(s, foe, board.grid.names[entry])
        s.memo, s.waiting = {}, {}
        asked = perhaps_shut_out(s, coming)
        assert all(asked >> u & 1 for u in waiting if s.gate[u] == s.gate[waiting[0]])


@rule("kasserine", "14.22")
def test_the_column_is_as_long_as_the_units_in_it_are_large() -> None:
    s = turn(2)
    coming = [u for u in units_of(expected(s, AXIS)) if gates(s, u) == mask("3848") and group_of(s, u).at < 0]
    assert {points(s, 1 << u) for u in coming} == {1, 2, 3}
    for u in coming:
        s.column = {}
        first = entry_points(s, u, H("3848"))
        s.column = {s.group[u]: limit(s) - 2}
        assert entry_points(s, u, H("3848")) == first - (points(s, 1 << u) > 2)


@rule("kasserine", "14.21", "14.27a")
def test_who_comes_by_the_second_of_two_hexes_comes_by_that() -> None:
    s = turn(4, "allied_movement")
    place(s, PZ, "3901")
    s.memo = {}
    do(s, f"enter {GUARDS}", "to 4001")
    assert at(s, GUARDS) == "4001"


@rule("kasserine", "14.23", "14.22")
def test_a_unit_that_neither_fits_into_its_entry_hex_nor_gets_farther_is_shut_out() -> None:
    s = turn(2)
    place(s, ["ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_10pz_i_69"], "3848")
    assert limit(s) - points(s, s.here[H("3848")]) == 1
    coming = [u for u in units_of(expected(s, AXIS)) if gates(s, u) == mask("3848") and group_of(s, u).at < 0]
    seen = set()
    for u in coming:
        s.memo, s.column = {}, {}
        assert not shut_out(s, u), "it drives on"
        s.column = {s.group[u]: limit(s) * entry_points(s, u, H("3848"))}  # so many are on the road before it
        assert entry_points(s, u, H("3848")) == 0
        assert shut_out(s, u) == (points(s, 1 << u) > 1)
        seen.add(points(s, 1 << u) > 1)
    assert seen == {True, False}


@rule("kasserine", "14.41", "14.42a")
def test_only_those_whose_turn_has_come_withdraw() -> None:
    s = new("s1_historical")
    place(s, ["ger_army_1_501_tiger", "ger_10pz_i_86", "ger_21pz_iv_104"], "6733")
    s.turn = 5
    reinforcements(s)
    assert at(s, "ger_army_1_501_tiger") == at(s, "ger_10pz_i_86") == "withdrawn"
    assert at(s, "ger_21pz_iv_104") == "6733"


@rule("kasserine", "16.3")
def test_command_varies_in_the_first_scenario_alone() -> None:
    found = {scenario.id: Script(board, scenario.id).command_turn for scenario in GAME.scenarios()}
    assert {scenario: turn for scenario, turn in found.items() if turn} == {"s1_historical": 4}
