"""Edges of the rules, and reasons that name the right thing: what broken code would get wrong unseen."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.contract import CHANCE, Reason
from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.combat.combat import forecast
from sandtable.games.rommel.paths.withdrawal import Lines, at_start
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    DIRS,
    F_AVOID,
    F_BATTLES,
    F_DECLARE,
    F_ENGAGED,
    F_OPTION,
    F_ROUND,
    F_SPEND,
    NO_DIR,
)
from sandtable.games.rommel.table.minefields import disclose
from sandtable.games.rommel.table.state import State, disrupt, put
from sandtable.games.rommel.turn.resupply import room

from ..kit import GAME, H, U, at, battle, board, do, empty, lucky, place, start, texts, why
from ..movekit import go, moving

rule = pytest.mark.rule

FRONT = "0724"  # El Alamein W1, on the coast road to Alexandria


def reason(s: State, text: str) -> Reason:
    found = why(s, text)
    assert found is not None, f"{text} is legal"
    return found


def passing(s: State) -> State:
    """The movement phase of a Pass turn."""
    s.option = 4
    return moving(s)


# 5 Moves


@rule("rommel", "5.0c", "4.2a")
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("basic", "a basic turn allows 1 move"),
        ("offensive", "an offensive turn allows 2 moves"),
        ("assault", "an assault turn allows 1 move"),
        ("blitz", "a blitz turn allows 1 move"),
    ],
)
def test_the_reason_says_how_many_moves_an_option_allows(option: str, said: str) -> None:
    s = empty(option=option)
    place(s, "GE-PZ5", "0709")
    place(s, "GE-PZ8", "0711")
    place(s, "GE-AA3", "0713")
    moving(s)
    go(s, "GE-PZ5", "0710")
    if option == "offensive":
        assert "group 0713 0" in texts(s)
        return
    assert str(reason(s, "group 0711 0").why).lower() == said


@rule("rommel", "5.1c", "7.1b")
def test_who_is_shut_in_behind_a_full_hexside_begins_no_group_move() -> None:
    s = empty(option="offensive")
    place(s, ["GE-PZ5", "GE-PZ8", "GE-AA3"], "0107")  # its one way out leads west
    place(s, "GE-K15", "0810")
    place(s, "CW-4A", "0106")
    moving(s)
    do(s, "group 0107 0", "move GE-PZ5", "to 0106 E", "move GE-PZ8", "to 0106 E")
    if "end-move" in texts(s):
        do(s, "end-move")
    legal = texts(s)
    assert "group 0107 0" not in legal, "two units have engaged through that hexside"
    assert "group 0810 0" in legal


# 5.3 Withdrawal


@rule("rommel", "5.3i")
def test_a_withdrawing_unit_is_told_of_enemies_off_its_line_too() -> None:
    s = empty()
    place(s, "GE-PZ5", "0512")  # its line runs by 0411
    place(s, "CW-4A", "0511")
    passing(s)
    do(s, "group 0512 0", "move GE-PZ5")
    assert reason(s, "to 0511 -").rule == "5.3i"
    s = empty(active="axis")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ("W",), revealed=False, attacked=True)
    place(s, "IT-LIT", "0825", disrupted=True)
    start(s, (F_OPTION,), (F_AVOID,))
    do(s, f"avoid {FRONT}", "hits 0")
    assert reason(s, "to 0825 -").rule == "5.3i", "out of a battle not even disrupted enemies are overrun"


@rule("rommel", "5.3g")
def test_the_hex_beside_is_never_too_far_for_a_withdrawal() -> None:
    s = empty(active="axis")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ("W", "NW", "SW"), revealed=False, attacked=True)
    start(s, (F_OPTION,), (F_AVOID,))
    do(s, f"avoid {FRONT}", "hits 0")
    assert reason(s, "to 0723 -").rule == "5.3g", "it is farther from Alexandria"


@rule("rommel", "6.0a", "5.3e")
def test_two_hexes_are_too_far_for_a_slow_unit_that_withdraws_off_the_road() -> None:
    s = empty()
    place(s, "IT-BRE", "0512")
    passing(s)
    do(s, "group 0512 0", "move IT-BRE")
    assert reason(s, "to 0712 -").rule == "6.0a"
    for hex_ in ("0313", "0413", "0514", "0613"):
        assert reason(s, f"to {hex_} -").rule == "5.3g", "two hexes along a trail it could go"
    assert reason(s, "to 0511 -").rule == "5.3e", "one hex is not too far, but not on its line"


@rule("rommel", "12.5f", "5.3d")
def test_a_raider_is_told_why_it_cannot_withdraw() -> None:
    s = empty(active="commonwealth")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    place(s, "CW-3A", "0626")
    battle(s, FRONT, "axis", ("W",))
    s.raiders, s.unsupplied, s.via[U("CW-22G")] = 1 << U("CW-22G"), 1 << U("CW-22G"), 3
    passing(s)
    found = reason(s, f"group {FRONT} 0")
    assert found.rule == "12.5f"


@rule("rommel", "5.3d", "7.2b")
def test_a_commonwealth_unit_in_a_battle_cannot_withdraw_into_a_hex_with_enemies() -> None:
    s = empty(active="commonwealth")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ("W",))
    place(s, "IT-LIT", "0725", disrupted=True)  # does not cut the coast road, but may not be entered
    passing(s)
    assert f"group {FRONT} 0" not in texts(s)
    assert reason(s, f"group {FRONT} 0").rule == "7.2b"


@rule("rommel", "5.3d", "6.4e")
def test_a_failed_march_leaves_the_table_at_the_start_of_the_withdrawal_as_it_was() -> None:
    """Who was fit then, and a link, was so; who was disrupted then was so."""
    s = empty()
    place(s, ["IT-BRE", "IT-PAV"], "0512")
    place(s, "GE-AA3", "0511", disrupted=True)
    passing(s)
    before = s.copy()
    do(s, "group 0512 0", "move IT-BRE", "to 0311 -", "move IT-PAV", "to 0311 -", "end-move")
    do(s, "march IT-BRE 0210 -", "march IT-PAV 0210 -", "marches")
    lucky(s, 1)  # the other is still to march
    assert s.disrupted == 1 << U("IT-BRE") | 1 << U("GE-AA3")
    found = at_start(s.copy())
    assert (found.at, found.disrupted, found.firm) == (before.at, before.disrupted, before.firm)


@rule("rommel", "13.3k", "5.3d")
@pytest.mark.parametrize("first", ["IT-TRE", "IT-TRI"])
def test_two_units_of_a_hex_withdraw_along_their_own_lines_whichever_is_asked_about_first(first: str) -> None:
    s = empty()
    place(s, "IT-PAV", "0313")  # Tobruk
    place(s, ["IT-TRE", "IT-TRI"], "0412")
    place(s, ["CW-7A", "CW-4A"], "0311")  # between them and the Axis base
    s.fort_owner[1] = AXIS
    s.fort_supply = s.assigned[1] = 1 << U("IT-PAV") | 1 << U(first)
    lines, other = Lines(s), "IT-TRI" if first == "IT-TRE" else "IT-TRE"
    for unit in (other, first):
        assert lines.way(U(unit)).free == Lines(s).way(U(unit)).free
    assert lines.way(U(first)).free != lines.way(U(other)).free


@rule("rommel", "5.3f", "12.4i")
def test_a_disrupted_friend_was_no_link_before_the_withdrawal_either() -> None:
    s = empty()
    place(s, "GE-PZ5", "0304")  # at the end of its line
    place(s, "GE-PZ8", "0604")  # on its way
    place(s, "GE-AA3", "0512", disrupted=True)  # fit, it would be a link to the desert beside it
    place(s, "IT-ARI", "0612")
    passing(s)
    do(s, "group 0604 0", "move GE-PZ8", "to 0704 -")
    assert reason(s, "end-move").rule == "5.3f"


@rule("rommel", "5.3f", "13.3k")
def test_the_network_must_lose_a_hex_while_a_fortress_feeds_units_too() -> None:
    s = empty(active="commonwealth")
    place(s, "CW-3A", "0313")  # Tobruk
    place(s, "CW-7A", "0312")
    place(s, "CW-4A", "0311")  # at the end of the line
    s.fort_supply = s.assigned[1] = sum(1 << U(unit) for unit in ("CW-3A", "CW-7A", "CW-4A"))
    passing(s)
    before = s.copy()
    do(s, "group 0312 0", "move CW-7A", "to 0313 -")
    assert reason(s, "end-move").rule == "5.3f", "the hex it has left is still in the line of the other"
    do(before, "group 0311 0", "move CW-4A", "to 0312 -", "end-move")
    assert at(before, "CW-4A") == "0312"


@rule("rommel", "13.3i", "13.3k")
def test_the_lines_of_a_fortress_are_those_of_its_own_units() -> None:
    s = empty(active="commonwealth")
    place(s, ["CW-22G", "CW-7SG"], "0412")  # beside Tobruk
    place(s, "CW-20A", "0513")
    tobruk, bardia = 1, 2
    s.assigned[tobruk], s.assigned[bardia] = 1 << U("CW-22G"), 1 << U("CW-20A")
    s.fort_supply = 1 << U("CW-22G") | 1 << U("CW-20A")
    net = Lines(s).network(COMMONWEALTH, board.fortresses[tobruk])
    assert net.supplied >> H("0513") & 1, "supply would come as far"
    assert net.ends == 1 << H("0412")


@rule("rommel", "5.3f", "12.6a")
def test_a_network_that_is_said_to_keep_another_has_all_its_hexes() -> None:
    """The short cut by which a withdrawal is judged, on positions at random."""
    rng = Random(5)
    names = ["GE-PZ5", "GE-PZ8", "GE-AA3", "IT-ARI", "IT-LIT", "IT-BRE"]
    west = [h for h in hexes_of(board.land) if int(board.grid.names[h][2:]) < 13]
    kept = 0
    for _ in range(1000):
        s = empty()
        for unit in names:
            place(s, unit, board.grid.names[rng.choice(west)])
        if rng.random() < 0.3:
            place(s, "CW-4A", board.grid.names[rng.choice([h for h in west if not s.occ[AXIS] >> h & 1])])
        after = s.copy()
        mover = U(rng.choice(names))
        free = board.land & ~s.occ[COMMONWEALTH]
        put(after, mover, rng.choice(hexes_of(board.grid.dilate(1 << s.at[mover]) & free)))
        if rng.random() < 0.3:
            disrupt(after, U(rng.choice(names)))
        old, new = (Lines(state).network(AXIS, board.base[AXIS]) for state in (s, after))
        if new.keeps(old):
            kept += 1
            assert not old.lines & ~new.lines
    assert kept > 80


# 6 Movement


@rule("rommel", "6.0a")
def test_the_reason_counts_the_hexes_to_a_hex_that_is_too_far() -> None:
    s = empty()
    place(s, "IT-BRE", "0810")
    moving(s)
    do(s, "group 0810 0", "move IT-BRE")
    found = reason(s, "to 0815 -")
    assert found.rule == "6.0a"
    assert "is 5 hexes away and it may move 1" in found.why


@rule("rommel", "6.0c")
def test_the_reason_says_that_enemies_stand_before_a_hex() -> None:
    s = empty()
    place(s, "GE-PZ5", "0107")  # its one way out leads west
    place(s, "CW-4A", "0106")
    moving(s)
    do(s, "group 0107 0", "move GE-PZ5")
    assert texts(s) == ["to 0106 E"]
    found = reason(s, "to 0205 -")
    assert found.rule == "6.0c"
    assert "enemies stand before" in found.why


@rule("rommel", "6.4e", "12.5f")
def test_an_unsupplied_unit_whose_march_fails_has_engaged_nobody() -> None:
    """12.5f it is a raider only in a battle hex that it entered by a hexside of the enemy's."""
    s = empty()
    place(s, "GE-PZ5", "0807", unsupplied=True)
    place(s, "CW-24A", "0811")
    moving(s)
    go(s, "GE-PZ5", "0810")
    do(s, "end-moves", "march GE-PZ5 0811 W", "marches")
    lucky(s, 1)
    assert at(s, "GE-PZ5") == "0810"
    start(s, (F_OPTION,), (F_ENGAGED, 0))
    assert s.raiders == 0


@rule("rommel", "6.4b", "7.0a")
def test_the_reason_against_a_march_of_the_commonwealth() -> None:
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0814")
    place(s, "GE-PZ5", "0810")
    moving(s)
    go(s, "CW-4A", "0811")
    do(s, "end-moves")
    assert reason(s, "march CW-4A 0810 -").rule == "7.1a"
    assert reason(s, "march CW-4A 0711 E").rule == "7.0a"


@rule("rommel", "5.2c", "6.0a")
def test_the_reason_against_a_destination_is_that_of_the_first_unit_even_if_it_is_the_only_one() -> None:
    for units, far, said in ((["IT-BRE"], "0816", "is 4 hexes away"), (["IT-BRE", "GE-AA3"], "0818", "it may move 4")):
        s = empty()
        place(s, units, "0812")
        moving(s)
        do(s, "regroup 0812 0")
        found = reason(s, f"gather {far}")
        assert found.rule == "6.0a"
        assert said in str(found.why)
    assert U("GE-AA3") < U("IT-BRE")


@rule("rommel", "6.4a", "6.4f")
def test_who_has_declared_a_march_into_a_regroup_move_declares_no_other() -> None:
    s = empty()
    place(s, "GE-PZ5", "0811")
    place(s, ["IT-BRE", "IT-PAV"], "0812")
    moving(s)
    do(s, "regroup 0811 0", "gather 0810", "join GE-PZ5 -", "end-move", "end-moves", "march IT-BRE 0810 -")
    assert texts(s) == ["march IT-PAV 0810 -", "marches"]
    assert reason(s, "march IT-BRE 0810 -").rule == "6.4a"


@rule("rommel", "6.4d", "7.1b", "7.2f")
@pytest.mark.parametrize("closed", ["", "full", "disengaged"])
def test_a_march_meets_enemies_who_routed_into_its_hex(closed: str) -> None:
    """The hexside limits and 7.2f hold for it as for any unit that engages; where they forbid it, it stays."""
    s = empty()
    place(s, "GE-PZ5", "0810")
    moving(s)
    go(s, "GE-PZ5", "0813")
    do(s, "end-moves", "march GE-PZ5 0814 -", "marches")
    place(s, "CW-24A", "0814")  # meanwhile they have come to stand there
    west = DIRS.index("W")
    if closed == "full":
        s.entered[west] |= 1 << H("0814")
        s.entered[6 + west] |= 1 << H("0814")
    if closed == "disengaged":
        s.disengaged |= 1 << U("GE-PZ5")
    lucky(s, 6)
    assert at(s, "GE-PZ5") == ("0813" if closed else "0814")
    assert bool(s.entered[west] >> H("0814") & 1) == (closed != "disengaged")
    assert s.via[U("GE-PZ5")] == (NO_DIR if closed else west)


# 7 Engagement


def in_battle() -> State:
    """An Axis unit has attacked from the west; it may leave by that hexside alone."""
    s = empty()
    place(s, ["GE-PZ5", "CW-4NZ"], "0811")
    battle(s, "0811", "commonwealth", ("W",))
    return moving(s)


@rule("rommel", "7.2b")
def test_the_reason_tells_the_enemys_hexside_from_the_way_round() -> None:
    s = in_battle()
    do(s, "group 0811 0", "move GE-PZ5")
    assert "hexside of" in reason(s, "to 0812 -").why
    assert "belongs to the enemy" in reason(s, "to 0812 -").why
    assert "too far by the friendly hexsides" in reason(s, "to 0813 -").why
    assert "too far by the friendly hexsides" in reason(s, "to 0814 -").why, "three hexes east, its whole speed"


@rule("rommel", "10.1a", "7.2b")
def test_the_owner_is_asked_about_the_unit_whose_way_has_been_closed() -> None:
    s = empty(option="offensive")
    place(s, ["GE-PZ5", "GE-PZ8", "CW-4NZ"], "0811")
    battle(s, "0811", "commonwealth", ("W",))
    moving(s)
    do(s, "group 0811 0", "move GE-PZ8", "to 0808 -", "end-move")
    place(s, "CW-6NZ", "0808")  # meanwhile enemies have come to stand there
    do(s, "end-moves", "no-probe 0811")
    prompt = GAME.prompt(s)
    assert prompt.text == "Panzer-Rgt 8 cannot go where it was to go any more"


# 8 Battles


@rule("rommel", "8.6e", "8.6f")
@pytest.mark.parametrize(("blitz", "rules"), [(0, ("8.6e", "8.6f")), (1, ("8.6e",))])
def test_who_declares_battles_is_told_by_which_rules(blitz: int, rules: tuple[str, ...]) -> None:
    s = empty(option="blitz")
    place(s, ["IT-ARI", "CW-7A"], "0506")
    battle(s, "0506", "axis", ("W",))
    start(s, (F_OPTION,), (F_BATTLES, blitz), (F_DECLARE, blitz))
    assert GAME.prompt(s).rules == rules


# 9 Combat


def fight(axis: dict[str, int], cw: dict[str, int], hex_: str = "0506", defender: str = "commonwealth") -> State:
    s = empty()
    for name, cv in {**axis, **cw}.items():
        place(s, name, hex_, cv)
    battle(s, hex_, defender)
    return s


@rule("rommel", "4.3c", "9.52a", "9.52b")
def test_a_forecast_knows_assaults_fortresses_and_minefields() -> None:
    """Armour at armour hits on a 6, the second side with what is left."""
    here = H("0506")
    s = fight({"IT-ARI": 4}, {"CW-7A": 3})
    s.assaults |= 1 << here
    s.option = 2
    assert forecast(s, here, AXIS).loss[COMMONWEALTH] == pytest.approx(2 * (4 - 2 * 3 / 6) / 6)
    s = fight({"IT-ARI": 4}, {"CW-7A": 3})
    s.mines_open |= 1 << here
    assert forecast(s, here, AXIS).loss[COMMONWEALTH] == pytest.approx((4 - 3 / 6) / 6 / 2)
    tobruk = board.fortresses[1]
    s = fight({"IT-ARI": 4}, {"CW-22G": 2}, board.grid.names[tobruk])
    walls = forecast(s, tobruk, AXIS).loss[AXIS]
    s = fight({"IT-ARI": 4}, {"CW-22G": 2})
    assert walls == pytest.approx(2 * forecast(s, here, AXIS).loss[AXIS]), "double dice in defence of a fortress"
    s = fight({"IT-ARI": 4}, {"CW-7A": 3}, board.grid.names[tobruk])
    assert forecast(s, tobruk, AXIS).loss[AXIS] == pytest.approx(3 / 6), "but not for armour"


@rule("rommel", "9.52a", "9.52b")
def test_the_odds_of_a_shot_into_a_minefield_count_half_except_artillerys() -> None:
    rules: dict[str, list[str]] = {}
    s = fight({"IT-ARI": 4, "IT-LIT": 4, "GE-AR33": 4, "GE-ARKO": 4}, {"CW-7A": 3, "CW-22G": 3})
    s.mines_open |= 1 << H("0506")
    start(s, (F_OPTION,), (F_ROUND, H("0506"), 0, 0))
    while len(rules) < 3:
        for text in texts(s) if GAME.to_act(s) == AXIS else ():
            odds = GAME.odds(s, GAME.parse(text))
            assert odds is not None
            rules[text.split()[1]] = [term.rule for term in odds.terms if term.rule.startswith("9.52")]
        do(s, "hits 0" if GAME.to_act(s) == CHANCE else texts(s)[0])
    assert rules == {"GE-AR33": ["9.52b"], "GE-ARKO": ["9.52b"], "IT-ARI": ["9.52a"], "IT-LIT": ["9.52a"]}


# 14 Minefields, 16 Buildup


@rule("rommel", "14.2b", "14.2c")
@pytest.mark.parametrize(("defended", "because"), [(True, "14.2c"), (False, "14.2b")])
def test_a_minefield_is_disclosed_when_its_defenders_are_attacked_or_when_it_is_entered(
    defended: bool, because: str
) -> None:
    s = empty("axis")
    place(s, "GE-PZ5", FRONT)
    if defended:
        place(s, "CW-22G", FRONT)
        battle(s, FRONT, "commonwealth", ("W",))
    s.mines[COMMONWEALTH] = 1 << H(FRONT)
    disclose(s)
    assert [(e.kind, e.rule) for e in s.events] == [("disclosed", because)]


@rule("rommel", "16.6c")
def test_cards_that_are_due_as_a_bonus_leave_less_room_for_bought_ones() -> None:
    s = empty("axis", None)
    without = room(s, AXIS)
    s.bonus[AXIS] = 3
    assert room(s, AXIS) == without - 3
    s.bought[AXIS] = 2
    assert room(s, AXIS) == without - 5


@rule("rommel", "16.55a")
def test_a_mine_may_be_laid_under_ones_own_troops_but_not_in_a_battle() -> None:
    s = empty("commonwealth", None)
    place(s, "CW-3A", "0725")
    place(s, ["IT-LIT", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"])
    s.nets = [0, 1 << H("0725") | 1 << H(FRONT)]
    s.bp = [0, 15]
    start(s, (F_OPTION,), (F_SPEND, COMMONWEALTH))
    assert [t for t in texts(s) if t.startswith("mine")] == ["mine 0725"]
    assert reason(s, f"mine {FRONT}").rule == "16.55a"
