"""12 Supply: checks."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import hexes_of, mask_of
from sandtable.games.rommel.paths.withdrawal import Lines, at_start, shrinks
from sandtable.games.rommel.supply.networks import Network
from sandtable.games.rommel.supply.supply import (
    is_cut_off,
    network,
    supplied_units,
    trace,
    unsupplied_units,
)
from sandtable.games.rommel.supply.supply_lines import _open_coast, coast_of_base, exits, ground, stretches
from sandtable.games.rommel.table.board import NO_SIDES
from sandtable.games.rommel.table.ids import (
    BUILDUP,
    DIRS,
    F_GROUP,
    F_MONTH,
    F_OPTION,
    F_REGROUP,
    F_SUPPLY_CHECK,
    FINAL,
    INITIAL,
)
from sandtable.games.rommel.table.state import disrupt, put

from ..kit import GAME, H, U, at, battle, board, do, empty, hexes, kinds, new, place, start, texts, units
from ..slow_supply import SlowSupply, random_position
from .ch12supplykit import AX, CW, check, desert, fed, seen

# 12.7 Initial check


@pytest.mark.rule("rommel", "12.7a", "12.7b")
def test_initial_check_concerns_the_active_side_and_sets_markers() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "0809")
    place(s, "GE-AA3", "0903", unsupplied=True)
    place(s, "CW-7A", "0509")
    place(s, "CW-4A", "0622", unsupplied=True)
    events = check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5", "GE-PZ8", "CW-4A")
    assert seen(events, "unsupplied") == [{"hex": H("0809"), "side": AX, "count": 2}]
    assert seen(events, "resupplied") == [{"hex": H("0903"), "side": AX, "count": 1}]
    assert not seen(check(s, INITIAL), "unsupplied")  # told once


@pytest.mark.rule("rommel", "12.7a")
def test_initial_check_settles_battle_hexsides_first() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "CW-7A"], "0403")
    battle(s, "0403", "commonwealth", ["E"])
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5")
    s.att_side[DIRS.index("SE")] |= 1 << H("0403")  # the coast road comes in there
    check(s, INITIAL)
    assert not s.unsupplied


@pytest.mark.rule("rommel", "12.7d", "11.2a", "11.2b", "11.2c", "3.41b")
def test_recovery_at_the_initial_check() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0903", disrupted=True)
    place(s, "GE-PZ8", "0809", disrupted=True)  # no supply
    place(s, ["GE-AA3", "IT-ARI", "CW-4A"], "0403")
    battle(s, "0403", "axis")
    disrupt(s, U("GE-AA3"))  # in a battle hex
    place(s, "CW-7A", "0622", disrupted=True)  # not the Active player's
    events = check(s, INITIAL)
    assert s.disrupted == units("GE-PZ8", "GE-AA3", "CW-7A")
    assert seen(events, "recovered") == [{"hex": H("0903"), "side": AX, "count": 1}]
    assert s.firm[AX] >> H("0903") & 1


@pytest.mark.rule("rommel", "12.7d", "11.2d")
def test_E11_2() -> None:
    """A unit disrupted in the preceding enemy turn has not yet spent a whole enemy turn disrupted."""
    s = empty("commonwealth")
    place(s, ["GE-PZ5", "GE-PZ8"], "0903")
    disrupt(s, U("GE-PZ5"))  # avoided battle, or routed, in the Commonwealth turn
    s.active = AX
    disrupt(s, U("GE-PZ8"))  # disrupted in its own turn before that
    check(s, INITIAL)
    assert s.disrupted == units("GE-PZ5")
    assert not s.fresh
    s.active = CW
    check(s, INITIAL)
    assert s.disrupted == units("GE-PZ5")
    s.active = AX
    check(s, INITIAL)  # a whole enemy turn later
    assert not s.disrupted


@pytest.mark.rule("rommel", "11.2d")
@pytest.mark.parametrize("first", [AX, CW])
def test_a_rout_in_the_buildup_costs_the_next_enemy_turn(first: int) -> None:
    """Whoever routed in the Buildup recovers in his first check only if the enemy has had a turn by then."""
    s = empty("commonwealth", None, month=2)
    s.first = s.active = first
    place(s, "GE-PZ5", "0903", disrupted=True)
    place(s, "CW-7A", "0622", disrupted=True)
    events = start(s, (F_MONTH, 2))
    who = ("GE-PZ5", "CW-7A")
    assert "recovered" not in kinds(events)
    assert s.disrupted == units(*who)
    do(s, "pass", "end-moves")
    assert s.active == 1 - first
    assert s.disrupted == units(who[first])


@pytest.mark.rule("rommel", "12.7d")
def test_recovery_does_not_lengthen_lines_in_the_same_check() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919", disrupted=True)
    place(s, "CW-2A", "1018", disrupted=True)
    check(s, INITIAL)
    assert s.disrupted == units("CW-2A")
    assert s.unsupplied == units("CW-2A")
    check(s, INITIAL)
    assert not s.disrupted


# 12.7 Final check


@pytest.mark.rule("rommel", "12.7e", "12.7f")
def test_final_check_takes_markers_off_but_nobody_recovers() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0903", unsupplied=True, disrupted=True)
    place(s, "CW-7A", "0622", unsupplied=True)
    events = check(s, FINAL)
    assert s.unsupplied == units("CW-7A")
    assert [e.rule for e in events if e.kind == "resupplied"] == ["12.7f"]
    assert s.disrupted == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.7e", "12.7g")
def test_supply_lost_during_the_turn_does_no_harm_yet() -> None:
    """A15."""
    s = empty("axis")
    place(s, "GE-PZ5", "0809")
    check(s, FINAL)
    assert not s.unsupplied
    assert not s.disrupted
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.7h", "11.3b")
def test_units_disrupted_in_battle_without_protection_rout() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "CW-7A"], "0412")
    battle(s, "0412", "commonwealth")
    place(s, ["GE-PZ8", "IT-ARI", "CW-4A"], "0411")
    battle(s, "0411", "commonwealth", ["NW"])
    s.unsupplied = units("GE-PZ5", "GE-PZ8")
    s.raiders = units("GE-PZ8")
    s.via[U("GE-PZ8")] = DIRS.index("SE")
    place(s, "IT-BRE", "0311")
    events = start(s, (F_OPTION,), (F_SUPPLY_CHECK, AX, FINAL, 0))
    assert [e.data["hex"] for e in events if e.kind == "routed"] == [H("0412")]
    assert s.disrupted >> U("GE-PZ8") & 1
    assert at(s, "GE-PZ8") == "0411"  # Ariete protects it
    while texts(s)[0].startswith("hits"):
        do(s, texts(s)[0])
    assert at(s, "GE-PZ5") != "0412"


@pytest.mark.rule("rommel", "12.7h")
def test_two_routs_at_one_final_check() -> None:
    s = empty("axis")
    for h, german, british in (("0412", "GE-PZ5", "CW-7A"), ("0513", "GE-PZ8", "CW-4A")):
        place(s, [german, british], h)
        battle(s, h, "commonwealth")
    s.unsupplied = units("GE-PZ5", "GE-PZ8")
    events = check(s, FINAL)
    while texts(s)[0].startswith("hits"):
        events += do(s, texts(s)[0])
    assert {e.data["hex"] for e in events if e.kind == "routed"} == {H("0412"), H("0513")}
    assert not s.occ[AX]


@pytest.mark.rule("rommel", "12.7i")
def test_E12_7() -> None:
    """Connected only for a while in mid-turn: what counts is the final check."""
    s = empty("commonwealth")
    place(s, "CW-2A", "1018")
    place(s, "CW-7A", "0626")
    check(s, INITIAL)
    assert s.unsupplied == units("CW-2A")
    put(s, U("CW-7A"), H("0919"))
    assert fed(s, "CW-2A")
    assert s.unsupplied == units("CW-2A")  # the marker stays until a check takes it off
    put(s, U("CW-7A"), H("0626"))
    check(s, FINAL)
    assert s.disrupted == units("CW-2A")
    assert s.unsupplied == units("CW-2A")
    check(s, FINAL)
    assert s.disrupted == units("CW-2A")  # and it stays so


# 12.7 Buildup check


@pytest.mark.rule("rommel", "12.7j", "16.2a")
def test_buildup_check_fixes_both_networks() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0403")
    place(s, "CW-7A", "0623")
    check(s, BUILDUP, 0)
    assert hexes(s.nets[AX]) == {"0902", "0903", "0803", "0704", "0604", "0504", "0403"}
    assert hexes(s.nets[CW]) == {"0623", "0724", "0725", "0726", "0626"}
    fixed = list(s.nets)
    put(s, U("GE-PZ5"), H("0902"))
    assert s.nets == fixed


@pytest.mark.rule("rommel", "12.7j")
def test_an_isolated_fortress_is_its_own_part_of_the_network() -> None:
    """A27."""
    s = empty("axis")
    place(s, "GE-PZ5", "0313")
    place(s, "GE-PZ8", "0412")
    place(s, "CW-7A", "0311")
    place(s, "CW-4A", "0410")
    s.fort_owner[1] = AX
    check(s, BUILDUP, 0)
    assert s.fort_supply == units("GE-PZ5", "GE-PZ8")
    assert {"0313", "0412"} <= hexes(s.nets[AX])
    assert "0902" in hexes(s.nets[AX])


@pytest.mark.rule("rommel", "12.7k", "16.2b", "11.0c")
def test_buildup_check_eliminates_unsupplied_units_of_both_sides() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0809")
    place(s, "GE-PZ8", "0903")
    place(s, "CW-7A", "0508", disrupted=True)
    place(s, "CW-4A", "0622")
    events = check(s, BUILDUP, 0)
    assert at(s, "GE-PZ5") == at(s, "CW-7A") == "dead"
    assert at(s, "GE-PZ8") == "0903"
    assert at(s, "CW-4A") == "0622"
    assert [e.rule for e in events if e.kind == "eliminated"] == ["12.7k", "12.7k"]


@pytest.mark.rule("rommel", "12.7k")
def test_all_units_are_judged_before_any_is_eliminated() -> None:
    """Two groups that cut each other off die together."""
    s = desert("axis")
    s.fort_owner = [AX] * 3
    place(s, "GE-PZ5", "0622")  # cut off, and cuts the British off
    place(s, "CW-7A", "0518")
    place(s, "CW-4A", "0724")
    check(s, BUILDUP, 0)
    assert at(s, "GE-PZ5") == at(s, "CW-7A") == "dead"
    assert at(s, "CW-4A") == "0724"


@pytest.mark.rule("rommel", "12.7l", "16.2c", "16.2d")
def test_buildup_check_frees_and_recovers_supplied_units() -> None:
    s = empty("commonwealth")
    place(s, "GE-PZ5", "0903", unsupplied=True)
    disrupt(s, U("GE-PZ5"))
    assert s.fresh  # even so: no full enemy turn is asked for
    place(s, ["CW-7A", "CW-4A", "GE-PZ8"], "0622")
    battle(s, "0622", "commonwealth", ["W"])
    disrupt(s, U("CW-7A"))
    s.unsupplied |= units("CW-4A")
    place(s, "GE-AA3", "0620")
    place(s, "CW-2A", "0724", disrupted=True)
    events = check(s, BUILDUP, 0)
    assert not s.unsupplied
    assert not s.fresh
    assert not s.disrupted & units("GE-PZ5", "CW-2A")
    assert "recovered" in kinds(events)
    assert s.disrupted == units("CW-7A")  # in a battle hex, which Panzer-Rgt 8 still contests


@pytest.mark.rule("rommel", "12.7l")
def test_recovery_in_a_hex_whose_battle_the_check_has_ended() -> None:
    s = empty("commonwealth")
    place(s, ["CW-7A", "CW-4A", "GE-PZ8"], "0622")
    battle(s, "0622", "commonwealth")  # Panzer-Rgt 8 has no hexside of its own: no supply
    disrupt(s, U("CW-7A"))
    check(s, BUILDUP, 0)
    assert at(s, "GE-PZ8") == "dead"
    assert not s.disrupted


# The whole against the words of the rules


@pytest.mark.rule("rommel", "12.2a", "12.2h", "12.3a", "12.4a", "12.4f", "12.5a", "12.5d", "12.6a")
@pytest.mark.parametrize("batch", range(10))
def test_lines_agree_with_a_slow_reading_of_the_rules(batch: int) -> None:
    for seed in range(batch * 25, batch * 25 + 25):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        source = rng.choice((None, None, *board.fortresses))
        base = board.base[side] if source is None else source
        slow = SlowSupply(s, side, base)
        assert hexes(trace(s, side, source)) == hexes(mask_of(slow.supplied)), seed
        if source is not None:  # all its units draw on the fortress, whatever the assignment
            s.assigned[board.fortresses.index(source)] = s.fort_supply = board.of_side[side]
        net = network(s, side, source)
        assert net.length == slow.lengths(), seed
        assert {h: set(net.back(h)) for h in slow.supplied} == slow.steps_back(), seed
        if seed % 5:
            continue  # the slow way to find all lines is very slow
        ends = {h for h in slow.land if any(source is not None or not slow.cut_off(u) for u in slow.own(h))}
        assert hexes(net.lines) == hexes(mask_of(slow.lines(ends))), seed


@pytest.mark.rule("rommel", "12.1a")
def test_supplied_and_unsupplied_units_are_all_units_on_the_map() -> None:
    for seed in range(40):
        s = random_position(board, Random(seed))
        for side in (AX, CW):
            good, bad = supplied_units(s, side), unsupplied_units(s, side)
            assert not good & bad
            assert good | bad == sum(1 << u for u, h in enumerate(s.at) if h >= 0 and board.side[u] == side)
            hexes_fed = trace(s, side)
            for u in range(len(board.units)):
                if (good | bad) >> u & 1:
                    assert bool(good >> u & 1) == (bool(hexes_fed >> s.at[u] & 1) and not is_cut_off(s, u))


def test_checks_of_a_real_game() -> None:
    """The first turn of a scenario begins with a check that finds everybody in supply."""
    s = new("1941")
    assert not s.unsupplied


def test_the_open_coast_is_cut_where_enemies_stand() -> None:
    """12.3a what is kept by the enemies on the coast road is what its steps give one by one."""
    rng = Random(11)
    road = hexes_of(board.coast_hexes)
    for count in (0, 1, 2, 5, 12, 30, len(road)):
        for _ in range(20):
            blocked = mask_of(rng.sample(road, count))
            assert _open_coast(board, blocked) == stretches(board, exits(board, blocked, 0, 0, NO_SIDES), 0)


def test_the_coast_of_a_base_is_in_supply() -> None:
    """12.3a, 13.3a whatever is asked of the coast road alone is true of all lines."""
    joined = 0
    rng = Random(7)
    for seed in range(6):
        s = new("1941", seed)
        while (who := GAME.to_act(s)) is not None and not (s.month > 4 and joined > 200):
            for side in (AX, CW):
                coast = coast_of_base(s, side)
                assert not coast & ~trace(s, side)
                joined += bool(coast)
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action if who < 0 else GAME.pick(s, rng.random))
    assert joined > 200


def test_lines_are_as_long_whichever_is_asked_for_first() -> None:
    """12.6 lengths are worked out only as far as they are asked for; the order of the questions is nothing."""
    for seed in range(40):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        whole = network(s, side)
        lengths, steps = whole.length, {h: whole.back(h) for h in hexes_of(whole.supplied)}
        for h in rng.sample(list(lengths), min(len(lengths), 12)):
            fresh = Network(board, board.base[side], ground(s, side), s.occ[side])
            assert fresh.back(h) == steps[h], seed
            assert fresh.distance(h) == lengths[h], seed


def test_quick_answers_about_two_networks_are_true() -> None:
    """12.6a, 5.3f whoever is told that all lines stand, or that a hex is in none, is told the truth."""
    kept = left_out = 0
    for seed in range(150):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        before, after = network(s, side), s.copy()
        ours = [u for u, h in enumerate(s.at) if h >= 0 and board.side[u] == side and not s.occ[1 - side] >> h & 1]
        for u in rng.sample(ours, min(len(ours), rng.choice((1, 1, 2, 3)))):
            far = rng.choice((1, 2, 3, 9))
            free = board.land & ~s.occ[1 - side] & board.grid.within(s.at[u], far)
            put(after, u, rng.choice(hexes_of(free)))
        net = network(after, side)
        if net.keeps(before):
            kept += bool(before.lines)
            assert not before.lines & ~net.lines, seed
        for h in hexes_of(board.land & ~after.occ[side]):
            if net.leaves_out(h):
                left_out += 1
                assert not net.lines >> h & 1, seed
    assert kept > 40
    assert left_out > 10_000


def test_a_withdrawal_shrinks_the_network_by_its_hexes() -> None:
    """5.3f in whole games at random the answer is that of all hexes of both networks."""
    rng = Random(5)
    asked: dict[bool, int] = {False: 0, True: 0}
    for seed, scenario in enumerate(("1941", "crusader", "gazala", "battleaxe") * 2):
        s = new(scenario, seed)
        while (who := GAME.to_act(s)) is not None:
            f = s.stack[-1]
            if f[0] in (F_GROUP, F_REGROUP) and f[3] and f[-1] and not s.leaving:
                nets = [Lines(one, one).all_hexes() for one in (at_start(s), s)]
                told = shrinks(s)
                asked[told] += 1
                assert told == bool(nets[0] & ~nets[1])
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action if who < 0 else GAME.pick(s, rng.random))
    assert min(asked.values()) > 30
