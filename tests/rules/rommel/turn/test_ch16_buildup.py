"""Chapter 16: the Buildup, its order, points, reinforcements and resupply (16.0 to 16.4, 16.6)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    DEAD,
    F_BUILDUP,
    F_BUILDUP_DICE,
    F_CHALLENGE,
    F_DEAL,
    F_EARLY,
    F_GIVE_UP,
    F_REDEPLOY,
    F_SPEND,
    HELD,
    REFIT,
)
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import put
from sandtable.games.rommel.turn.buildup import return_from_refit
from sandtable.games.rommel.turn.resupply import deck

from ..kit import (
    GAME,
    H,
    U,
    at,
    battle,
    board,
    do,
    empty,
    kinds,
    new,
    place,
    roll,
    start,
    texts,
    units,
    why,
)
from ..months import STOP, data, month, player, reinforcements, spend

# 16.0 When, and in which order


@pytest.mark.rule("rommel", "16.0a", "3.2b")
@pytest.mark.parametrize("scenario", ["1940", "1941", "1942", "battleaxe", "campaign", "crusader", "pursuit"])
def test_no_buildup_in_the_first_month(scenario: str) -> None:
    s = new(scenario)
    assert s.month == script(s).first_month
    assert GAME.prompt(s).phase == "option"  # the first player turn has begun
    assert s.bp == [0, 0]


@pytest.mark.rule("rommel", "16.0b")
def test_gazala_begins_with_a_modified_buildup() -> None:
    s = GAME.new("gazala")
    before = list(s.at)
    rng = Random(3)
    while s.stack[-1][0] == F_DEAL:
        GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
    assert s.stack[-1][0] == F_BUILDUP_DICE
    hands = [s.real[i] + s.dummy[i] for i in (0, 1)]
    roll(s, 3, 4, 2, 2)  # the Commonwealth rolls lower and goes first
    assert s.month == 14
    assert s.at == before  # nobody has arrived, nobody has died
    assert s.bp == [11, 11]
    assert s.stack[-1] == (F_SPEND, COMMONWEALTH)
    verbs = {t.split()[0] for t in texts(s)}
    assert verbs == {"redeploy", "lift", "buy", "spent"}  # no sea movement, refit or replacements
    assert why(s, "ship CW-24A").rule == "16.0b"
    assert why(s, "refit CW-24A").rule == "16.0b"
    assert why(s, "rebuild CW-24A").rule == "16.0b"
    do(s, "buy")
    assert s.stack[-1] == (F_DEAL, COMMONWEALTH, 1)  # a bought card is drawn at once
    roll(s, 1)
    do(s, "spent")
    assert s.stack[-1] == (F_SPEND, AXIS)
    do(s, "spent")
    assert GAME.prompt(s).phase == "option"  # no resupply, no challenge
    assert [s.real[i] + s.dummy[i] for i in (0, 1)] == [hands[0], hands[1] + 1]
    assert s.bp == [11, 1]


@pytest.mark.rule("rommel", "16.0c", "16.1")
def test_order_of_the_steps() -> None:
    s = new("1941")
    events = month(s)
    assert kinds(events)[:1] == ["buildup"]
    assert s.month == 2
    assert s.stack[-1][0] == F_BUILDUP_DICE
    events += roll(s, 1, 1, 2, 2)
    assert s.stack[-1] == (F_GIVE_UP, AXIS)
    events += do(s, "keep", "keep")
    while GAME.to_act(s) == -1:
        events += roll(s, 6)  # no early arrivals
    assert s.stack[-1] == (F_SPEND, AXIS)
    events += do(s, "spent")
    events += roll(s, *[1] * 6)
    while GAME.to_act(s) == -1:
        events += roll(s, 6)
    assert s.stack[-1] == (F_SPEND, COMMONWEALTH)
    events += do(s, "spent")
    events += roll(s, *[1] * 6)
    order = [k for k in kinds(events) if k not in ("early_check", "recovered", "resupplied", "unsupplied")]
    assert order == [
        "buildup",
        "buildup_roll",
        "buildup_roll",
        "buildup_points",
        "deck_formed",
        "player_buildup",
        "early_checks",
        "arrived",
        "spent",
        "resupply",
        "dealt",
        "player_buildup",
        "early_checks",
        "arrived",
        "spent",
        "resupply",
        "dealt",
        "month",
    ]
    assert s.stack[-1] == (F_CHALLENGE,)


@pytest.mark.rule("rommel", "16.1", "13.4e", "16.53f", "16.52a")
def test_a_new_month_counts_anew() -> None:
    """Captures, ports in use and units that redeployed are counted by the month."""
    s = new("1941")
    s.captured, s.port_used, s.moved = [1, 1, 0], [2, 5, 0], units("CW-24A")
    month(s)
    assert (s.captured, s.port_used) == ([0, 0, 0], [0, 0, 0])
    roll(s, 6, 6, 1, 1)
    do(s, "keep", "keep")
    while GAME.to_act(s) == -1:
        roll(s, 6)
    assert "refit CW-24A" in texts(s)


# 16.2 The Buildup supply check


@pytest.mark.rule("rommel", "16.2a")
def test_networks_are_fixed_for_the_whole_buildup() -> None:
    s = new("1941")
    month(s)
    fixed = list(s.nets)
    assert s.nets[AXIS] >> H("0902") & 1
    assert s.nets[COMMONWEALTH] >> H("0704") & 1  # the line of the units in Agedabia
    roll(s, 6, 6, 1, 1)  # the Commonwealth first
    do(s, "keep", "keep")
    while GAME.to_act(s) == -1:
        roll(s, 6)
    do(s, "redeploy CW-KDG", "to 0604 -", "redeploy CW-3A", "to 0604 -")  # both leave Agedabia
    assert s.nets == fixed
    do(s, "redeploy CW-KDG", "to 0704 -")  # which is still in the network


@pytest.mark.rule("rommel", "16.2b", "16.2c", "16.2d")
def test_unsupplied_units_die_and_the_others_recover() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902", disrupted=True, unsupplied=True)
    place(s, "GE-AA3", "0809")  # in the desert, far from any link
    place(s, "CW-4A", "0626", disrupted=True)
    place(s, "CW-11H", "0917")
    month(s)
    assert at(s, "GE-AA3") == at(s, "CW-11H") == "dead"
    assert not s.unsupplied
    assert not s.disrupted


# 16.3 Buildup points


@pytest.mark.rule("rommel", "16.3a", "16.3b", "16.3d", "16.3f")
def test_e16_3_nine_and_seven() -> None:
    """E16.3: one player rolls 9, the other 7: each receives 16, and the player with 7 goes first."""
    s = new("1941")
    s.bp = [3, 20]
    month(s)
    events = roll(s, 4, 5, 3, 4)
    assert data(events, "buildup_roll") == [{"side": AXIS, "roll": 9}, {"side": COMMONWEALTH, "roll": 7}]
    assert s.bp == [3 + 16, 20 + 16]
    assert s.stack[-1] == (F_GIVE_UP, COMMONWEALTH)


@pytest.mark.rule("rommel", "16.3d", "16.3e")
@pytest.mark.parametrize(
    ("axis", "commonwealth", "first"),
    [((1, 2), (2, 2), AXIS), ((2, 2), (1, 2), COMMONWEALTH), ((3, 4), (6, 1), COMMONWEALTH)],
)
def test_lower_roll_builds_up_first(axis: tuple[int, int], commonwealth: tuple[int, int], first: int) -> None:
    s = new("1941")
    month(s)
    roll(s, *axis, *commonwealth)
    do(s, "keep", "keep")
    while s.stack[-1][0] != F_SPEND:
        roll(s, 6)
    assert s.stack[-1] == (F_SPEND, first)


@pytest.mark.rule("rommel", "16.3a", "16.3c")
@pytest.mark.parametrize(("scenario", "dice"), [("1940", 1), ("1941", 2)])
def test_buildup_dice_chances_against_brute_force(scenario: str, dice: int) -> None:
    s = new(scenario)
    month(s)
    thrown = Counter(sum(faces) for faces in product(range(1, 7), repeat=dice))
    expected = {total: Fraction(n, 6**dice) for total, n in thrown.items()}
    assert {a[1]: p for a, p in GAME.chances(s)} == expected
    assert [a for a, _ in GAME.chances(s)] == GAME.legal(s)


@pytest.mark.rule("rommel", "16.3c")
def test_1940_each_player_rolls_one_die() -> None:
    s = new("1940")
    month(s)
    roll(s, 5, 3)
    assert s.bp == [8, 8]


# 16.4 Reinforcements


@pytest.mark.rule("rommel", "16.4a", "16.4b", "16.4c", "16.41e")
def test_reinforcements_arrive_at_the_base_in_their_month() -> None:
    s = reinforcements(2)
    player(s, AXIS, points=0)
    while GAME.to_act(s) == -1:
        roll(s, 3)
    due = {name for name in board.units if script(s).due.get(U(name)) == 2 and board.side[U(name)] == AXIS}
    assert due == {"GE-PZ8", "GE-AA33", "GE-K15", "GE-104", "IT-BOL"}  # by their labels, May 1941
    assert {name for name in board.units if at(s, name) == "0902"} == due | {"GE-PZ5"}
    assert at(s, "CW-11I") == "pool"  # the enemy's come in his own Buildup
    assert s.bp[AXIS] == 0  # and they cost nothing
    row = next(r for r in board.pack.units.values() if r["id"] == "GE-PZ8")
    assert row["label_1941_42"] == "May 41"


@pytest.mark.rule("rommel", "16.4a", "16.52e", "16.52f")
def test_only_a_battle_in_the_own_base_holds_arrivals_up() -> None:
    s = reinforcements(2)
    place(s, ["IT-BRE", "CW-22G"], "0304")  # a battle, but not in the base
    battle(s, "0304", "axis")
    place(s, ["CW-7A", "GE-AA3"], "0626")  # and one in the enemy's base
    battle(s, "0626", "commonwealth")
    s.cv[U("IT-ARI")] = 2
    s.at[U("IT-ARI")] = REFIT
    return_from_refit(s)
    assert at(s, "IT-ARI") == "0902"
    player(s, AXIS, points=0)
    while GAME.to_act(s) == -1:
        roll(s, 3)
    assert at(s, "GE-PZ8") == "0902"
    assert "spent" in texts(s)  # nobody was asked
    put(s, U("IT-ARI"), REFIT)
    place(s, "CW-KDG", "0902")
    battle(s, "0902", "axis")
    return_from_refit(s)
    assert at(s, "IT-ARI") == "refit"


@pytest.mark.rule("rommel", "16.41a", "16.41b", "16.41c")
def test_early_arrival_on_one_or_two() -> None:
    s = reinforcements(1)
    s.month = 2
    for name in ("GE-PZ8", "GE-AA33", "GE-K15", "GE-104", "IT-BOL"):
        s.at[U(name)] = DEAD
    player(s, AXIS)
    rolled = []
    for face in (1, 2, 3):  # due in June: GE-F133, GE-115, IT-PAV
        assert s.stack[-1][0] == F_EARLY
        rolled.append(s.stack[-1][2])
        assert {a[1]: p for a, p in GAME.chances(s)} == {n: Fraction(1, 6) for n in range(1, 7)}
        roll(s, face)
    assert [board.units[u] for u in rolled] == ["GE-F133", "GE-115", "IT-PAV"]
    assert at(s, "GE-F133") == at(s, "GE-115") == "0902"
    assert at(s, "IT-PAV") == "pool"
    assert at(s, "GE-AR33") == "pool"  # due in July: not checked yet
    s.stack = []
    s.month = 3
    player(s, AXIS)
    while s.stack[-1][0] == F_EARLY:
        roll(s, 6)
    assert at(s, "IT-PAV") == "0902"  # as scheduled


@pytest.mark.rule("rommel", "16.41b", "16.41c")
@pytest.mark.parametrize("face", range(1, 7))
def test_early_arrival_die(face: int) -> None:
    s = reinforcements(9)
    for u in script(s).due:
        if script(s).due[u] != 10:
            s.at[u] = DEAD
    player(s, COMMONWEALTH)
    roll(s, face, 6)
    assert at(s, "CW-2A") == ("0626" if face in (1, 2) else "pool")


@pytest.mark.rule("rommel", "16.41a")
def test_units_due_after_the_last_month_may_come_early_in_it() -> None:
    s = reinforcements(10)
    for u in script(s).due:
        if script(s).due[u] < 11:
            s.at[u] = DEAD
    events = player(s, AXIS)
    assert data(events, "early_checks") == [{"side": AXIS, "blocks": 2}]
    roll(s, 2, 5)  # IT-SAB, IT-SEM, due in February 1942
    assert (at(s, "IT-SAB"), at(s, "IT-SEM")) == ("0902", "pool")


@pytest.mark.rule("rommel", "16.41d")
def test_the_enemy_does_not_learn_which_units_come_early() -> None:
    """Whichever unit comes early, the enemy sees the same, at every moment."""
    seen = []
    for faces in ((1, 6, 6), (6, 6, 1)):
        s = reinforcements(1)
        s.month = 2
        events = player(s, AXIS)
        views = []
        for face in faces:
            views.append(GAME.view(s, COMMONWEALTH))
            events += roll(s, face)
        views.append(GAME.view(s, COMMONWEALTH))
        told = [e for e in events if e.kind == "early_check"]
        assert all(e.seen_by(COMMONWEALTH) is None for e in told)
        assert [e.seen_by(AXIS)["roll"] for e in told] == list(faces)
        arrived = next(e for e in events if e.kind == "arrived")
        assert "units" not in arrived.seen_by(COMMONWEALTH)
        assert len(arrived.seen_by(AXIS)["units"]) == 6
        seen.append((views, [e.seen_by(COMMONWEALTH) for e in events]))
    assert seen[0] == seen[1]


# 16.6 Resupply


@pytest.mark.rule("rommel", "16.6a")
def test_spent_and_given_up_cards_return_to_the_deck() -> None:
    s = new("1941")
    s.real, s.dummy, s.spent = [2, 3], [1, 0], [9, 4]
    assert deck(s) == (28 - 5 - 9, 14 - 1 - 4)
    month(s)
    roll(s, 1, 1, 2, 2)
    assert deck(s) == (28 - 5, 14 - 1)
    assert s.spent == [0, 0]
    # A28: both name the cards they give up before the first player draws
    assert s.stack[-1] == (F_GIVE_UP, AXIS)
    assert texts(s) == ["give real", "give dummy", "keep"]
    events = do(s, "give dummy", "give real", "keep")
    assert s.stack[-1] == (F_GIVE_UP, COMMONWEALTH)
    assert texts(s) == ["give real", "keep"]
    assert why(s, "give dummy").rule == "16.6a"
    do(s, "give real", "give real", "give real")  # with an empty hand there is nothing left to ask
    assert deck(s) == (28 - 1, 14)
    assert (s.real, s.dummy) == ([1, 0], [0, 0])
    assert "card" not in next(e for e in events if e.kind == "card_given_up").seen_by(COMMONWEALTH)


@pytest.mark.rule("rommel", "16.6b", "13.4c")
def test_monthly_extra_and_bonus_cards_are_dealt_together() -> None:
    s = empty("axis", None, month=2)
    place(s, "GE-PZ5", "0902")
    s.bonus = [2, 1]
    player(s, AXIS, 20)
    do(s, "buy")
    events = do(s, "spent")
    expected = {"side": AXIS, "cards": 9, "regular": 6, "bonus": 2, "extra": 1}
    assert data(events, "resupply") == [expected]
    assert s.stack[-1] == (F_DEAL, AXIS, 9)
    before = deck(s)
    events = roll(s, *[1] * 9)  # nine real cards
    assert (s.real[AXIS], s.dummy[AXIS]) == (4 + 9, 2)
    assert deck(s) == (before[0] - 9, before[1])
    assert s.bonus == [0, 1]  # given once
    assert s.bought == [0, 0]
    assert s.bp[AXIS] == 10
    assert events[0].seen_by(COMMONWEALTH) == {"side": AXIS, "cards": 9}
    assert events[0].seen_by(AXIS) == {"side": AXIS, "cards": 9, "real": 9, "dummy": 0}


@pytest.mark.rule("rommel", "16.6c")
def test_hand_limit() -> None:
    """A6: the hand never exceeds 16; cards beyond it are not drawn."""
    s = empty("axis", None, month=2, cards=((8, 4), (0, 0)))
    place(s, "GE-PZ5", "0902")
    s.real[COMMONWEALTH] = 1
    player(s, AXIS, 20)
    assert why(s, "buy").rule == "16.6c"  # 12 in hand and 6 to come
    do(s, "spent")
    assert s.stack[-1] == (F_DEAL, AXIS, 4)
    roll(s, *[1] * 4)
    assert s.real[AXIS] + s.dummy[AXIS] == 16
    s = empty("axis", None, month=2, cards=((8, 1), (1, 0)))
    place(s, "GE-PZ5", "0902")
    player(s, AXIS, 20)
    do(s, "buy")  # the sixteenth card
    assert why(s, "buy").rule == "16.6c"


@pytest.mark.rule("rommel", "16.5a")
def test_buying_needs_points() -> None:
    s = spend(empty("axis", None, month=2), points=9)
    assert why(s, "buy").rule == "16.5a"


@pytest.mark.rule("rommel", "16.6b")
def test_a_full_hand_draws_nothing() -> None:
    s = empty("axis", None, month=2, cards=((10, 6), (1, 0)))
    place(s, "GE-PZ5", "0902")
    player(s, AXIS)
    do(s, "spent")
    assert s.stack == [STOP]
    assert s.real[AXIS] + s.dummy[AXIS] == 16


@pytest.mark.rule("rommel", "16.6b", "0.4b")
def test_chances_of_a_deal_against_brute_force() -> None:
    s = empty("axis", None, cards=((14, 8), (9, 3)))  # a deck of 5 real and 3 dummy cards
    assert deck(s) == (5, 3)
    start(s, STOP, (F_DEAL, COMMONWEALTH, 4))
    pile = [1] * 5 + [0] * 3
    dealt = Counter(sum(hand) for hand in combinations(pile, 4))
    total = sum(dealt.values())
    assert {a[1]: p for a, p in GAME.chances(s)} == {n: Fraction(k, total) for n, k in dealt.items()}
    assert [a for a, _ in GAME.chances(s)] == GAME.legal(s)
    # and the cards themselves, drawn one by one, give the same
    fallen: Counter[int] = Counter()
    for draw in product(range(1, 9), range(1, 8), range(1, 7), range(1, 6)):
        left = list(draw)
        fallen[GAME.roll(s, lambda n, left=left: left.pop(0)).action[1]] += 1
    assert {n: Fraction(k, 8 * 7 * 6 * 5) for n, k in fallen.items()} == {a[1]: p for a, p in GAME.chances(s)}


@pytest.mark.rule("rommel", "16.6a", "0.4b")
@pytest.mark.parametrize("scenario", ["1941", "gazala"])
def test_no_card_is_ever_lost(scenario: str) -> None:
    """Hands, cards on the table, spent cards and the deck always make 28 real and 14 dummy cards."""
    rng = Random(11)
    s = GAME.new(scenario)
    for _ in range(1500):
        if s.ended is not None:
            break
        if GAME.to_act(s) == -1:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
        else:
            action = rng.choice(list(GAME.legal(s)))
        GAME.apply(s, action)
        out = [f[1] for f in s.stack if f[0] == F_CHALLENGE + 1]  # a challenge card lies face down (3.3b)
        real, dummy = deck(s)
        assert real + sum(s.real) + s.played[0] + s.spent[0] == 28
        assert dummy + sum(s.dummy) + s.played[1] + s.spent[1] == 14
        assert len(out) <= 1
        assert all(s.real[i] + s.dummy[i] <= 16 for i in (0, 1))


@pytest.mark.rule("rommel", "16.6b")
def test_the_next_month_draws_by_the_scenario() -> None:
    for scenario, month_, cards in (("campaign", 10, (6, 6)), ("campaign", 11, (7, 7)), ("1940", 3, (4, 5))):
        s = empty("axis", None, scenario=scenario, month=month_, cards=((1, 0), (1, 0)))
        for side, base in ((AXIS, "0902"), (COMMONWEALTH, "0626")):
            place(s, ("IT-ARI", "CW-4A")[side], base)
            s.stack = []
            player(s, side)
            do(s, "spent")
            assert s.stack[-1] == (F_DEAL, side, cards[side])


def test_frames_of_the_buildup_explain_themselves() -> None:
    """Every decision of a Buildup has a prompt with rules, and refuses nonsense with a reason."""
    rng = Random(5)
    s = new("1942")
    month(s)
    seen: set[int] = set()
    for _ in range(400):
        if not any(f[0] == F_BUILDUP for f in s.stack):
            break
        frame = s.stack[-1][0]
        seen.add(frame)
        prompt = GAME.prompt(s)
        assert prompt.title
        assert prompt.rules
        assert prompt.phase == "buildup"
        legal = list(GAME.legal(s))
        assert legal == sorted(set(legal))
        if GAME.to_act(s) == -1:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
        else:
            for text in ("refit CW-4A", "mine 0313", "to 0313 -", "port 0313", "keep", "buy", "hold CW-4A"):
                if GAME.parse(text) not in legal:
                    reason = why(s, text)
                    assert reason is not None
                    assert reason.why
            action = rng.choice(legal)
        GAME.apply(s, action)
        assert GAME.invariants(s) == []
    assert {F_GIVE_UP, F_SPEND, F_REDEPLOY, F_EARLY, F_DEAL} <= seen
    assert s.at.count(HELD) == 0
