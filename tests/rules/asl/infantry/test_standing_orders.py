"""A8.1 Standing orders for Defensive First Fire: they answer, hand back, and betray nothing (A12.1)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.games.asl.fire.ift import ift
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.orders import (
    ADJACENT,
    ORDERS,
    PHASE,
    SHARES,
    WORTH,
    best_drm,
    chances,
    hopeless,
    least_column,
    shot_reaches,
)
from sandtable.games.asl.ordnance.aim import aiming_at, armed, span_to, tube_of
from sandtable.games.asl.table.hardware import MA, SA
from sandtable.games.asl.table.ids import ALLIED, AXIS, DFPH, F_TURN, F_WATCH, FIRST
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import State
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.orders import Order

from ..infantrykit import FOE, FOE2, SQUAD, SQUAD2, U, bits, do, empty, legal, moving, place, side_of
from ..vehiclekit import Desk, E, W


def facing(*foes: tuple[str, str], hidden: str = "") -> State:
    """British squads at M5, and Italians where they are put."""
    s = empty()
    place(s, [SQUAD], "M5")
    place(s, [SQUAD2], "M7")
    for name, where in foes:
        place(s, name, where)
    if hidden:
        s.concealed |= bits(hidden)
    return moving(s)


@pytest.mark.rule("asl", "A8.1")
def test_nothing_until_somebody_is_adjacent() -> None:
    s = facing((FOE, "R5"))
    do(s, f"move {SQUAD}", "to N5")
    assert side_of(s) == "axis"
    do(s, "hold-until adjacent")
    assert side_of(s) == "allied"
    do(s, "to O5")
    assert side_of(s) == "allied", "three hexes away: the order answers"
    do(s, "to P5")
    assert side_of(s) == "allied"
    before = s.copy()
    do(s, "to Q5")
    assert side_of(s) == "axis", "adjacent: the player is asked"
    assert [order.until for order in s.orders] == [ADJACENT], "and his order stands for the next who is not"
    do(s, "revoke")
    assert s.orders == []
    assert side_of(s) == "axis", "the question is still open"
    before.edition = 2
    do(before, "to Q5")
    assert before.orders == [], "in games begun under earlier versions it came off"


@pytest.mark.rule("asl", "A8.1")
def test_nothing_until_another_unit_moves() -> None:
    s = facing((FOE, "P5"))
    do(s, f"move {SQUAD}", "to N5", "hold-until another", "to O5", "halt")
    assert side_of(s) == "allied"
    do(s, f"move {SQUAD2}", "to N7")
    assert side_of(s) == "axis"


@pytest.mark.rule("asl", "A8.1")
def test_nothing_in_this_movement_phase() -> None:
    s = facing((FOE, "P5"))
    do(s, f"move {SQUAD}", "to N5", "hold-until phase", "to O5", "halt")
    do(s, f"move {SQUAD2}", "to N7")
    assert side_of(s) == "allied"
    assert [order.until for order in s.orders] == [PHASE]
    s.stack[0] = TurnAt(F_TURN, DFPH)
    do(s, "halt", "end-moves")
    assert s.orders == []


@pytest.mark.rule("asl", "A8.1")
def test_nothing_until_fire_is_worth_it() -> None:
    s = facing((FOE, "R5"))
    do(s, f"move {SQUAD}", "to N5", "hold-odds 2/3")
    seen = []
    for hex in ("O5", "P5", "Q5"):
        do(s, f"to {hex}")
        seen.append(side_of(s))
        if seen[-1] == "axis":
            break
    assert seen[0] == "allied"
    s = facing((FOE, "R5"))
    do(s, f"move {SQUAD}", "to N5", "hold-odds 1/6", "to O5")
    assert side_of(s) == "axis"


@pytest.mark.rule("asl", "A8.1")
def test_one_unit_may_wait_while_the_others_ask() -> None:
    s = facing((FOE, "P5"), (FOE2, "P7"))
    do(s, f"move {SQUAD}", "to N5", f"unit-holds {FOE} adjacent")
    assert side_of(s) == "axis", "the question is still open"
    assert f"unit-holds {FOE} range" not in legal(s)
    do(s, "hold")
    alone = facing((FOE, "P5"))
    do(alone, f"move {SQUAD}", "to N5", f"unit-holds {FOE} adjacent")
    assert side_of(alone) == "allied", "nobody else could fire: nothing is left to ask"
    assert ORDERS.standing(alone, AXIS) == [Order(AXIS, 0, U(FOE))]
    do(alone, "to O5")
    assert side_of(alone) == "axis", "adjacent: it may fire again"


@pytest.mark.rule("asl", "A12.1")
def test_what_is_hidden_never_makes_the_mover_wait() -> None:
    """With and without something under a "?" beside the way, the same orders bring the same pauses."""
    waits = []
    for hidden in (False, True):
        s = facing((FOE, "V5"), (FOE2, "P6"), hidden=FOE2) if hidden else facing((FOE, "V5"))
        s.orders = [Order(AXIS, 0)]
        do(s, f"move {SQUAD}")
        pauses = []
        for hex in ("N5", "O5"):
            do(s, f"to {hex}")
            pauses.append(side_of(s))
        waits.append(pauses)
    assert waits[0] == waits[1] == ["allied", "allied"]


@pytest.mark.rule("asl", "A12.1")
def test_orders_are_seen_by_their_owner_alone_and_outlive_a_save() -> None:
    s = facing((FOE, "R5"))
    do(s, f"move {SQUAD}", "to N5", "hold-until adjacent")
    assert GAME.view(s, AXIS)["orders"] == [[AXIS, 0, -1, s.marches]]
    assert GAME.view(s, ALLIED)["orders"] == []
    assert GAME.view(s, -1)["orders"] == []
    copied = s.copy()
    ORDERS.revoke(copied, AXIS)
    assert s.orders
    assert not copied.orders


@pytest.mark.rule("asl", "A8.1", "A12.1")
def test_an_order_by_odds_counts_what_may_lie_under_a_mark() -> None:
    """The owner is asked when the strongest whom nobody has seen would have the odds, whatever really lies there."""
    waits = []
    for hidden in (FOE2, "axis_dummy#1"):
        for edition in (2, 1):
            s = facing((FOE, "Z5"), (hidden, "P5"))
            if hidden != FOE2:  # somebody is unaccounted for, far away
                place(s, FOE2, "Z9")
                s.hip |= bits(FOE2)
            s.concealed |= bits(hidden) | bits(FOE2)
            s.edition = edition
            s.orders = [Order(AXIS, WORTH, value=0)]
            do(s, f"move {SQUAD}", "to N5")
            waits.append(side_of(s))
    assert waits == ["axis", "allied"] * 2
    seen = facing((FOE, "Z5"), ("axis_dummy#1", "P5"))
    seen.concealed |= bits("axis_dummy#1")
    seen.orders = [Order(AXIS, WORTH, value=0)]
    do(seen, f"move {SQUAD}", "to N5")
    assert side_of(seen) == "allied", "everybody is accounted for: the mark is a dummy's, and both know it"


@pytest.mark.rule("asl", "A12.1")
def test_an_order_by_odds_never_waits_for_what_is_hidden() -> None:
    s = facing((FOE, "Z5"), (FOE2, "P5"))
    s.concealed |= bits(FOE2)
    s.hip |= bits(FOE2)
    s.orders = [Order(AXIS, WORTH, value=0)]
    do(s, f"move {SQUAD}", "to N5")
    assert side_of(s) == "allied"


@pytest.mark.rule("asl", "A8.1", "A7.23")
def test_an_order_by_odds_halves_fire_at_a_concealed_mover() -> None:
    s = facing((FOE, "P5"))
    do(s, f"move {SQUAD}", "assault", "to N5")
    order = Order(AXIS, WORTH)
    assert max(chances(s, order)) == Fraction(14, 36)  # 2 column, DRM -1
    s.concealed |= bits(SQUAD)
    assert max(chances(s, order)) < Fraction(14, 36)
    s.edition = 1
    assert max(chances(s, order)) == Fraction(14, 36)


# Guns


def rolling(mark: str = "", turret: int = E, edition: int = 3) -> Desk:
    """A cruiser on its way past an 88 in plain view or under a "?"; the order waits for a chance of one in three."""
    d = Desk()
    d.put("br_a13#1", "M5", E, motion=True)
    d.put("ge_aa88#1", "R5", turret)
    d.put("ge_228#1", "R5")
    d.s.holder[d.unit("ge_aa88#1")] = d.unit("ge_228#1")
    if mark:
        d.s.concealed |= d.bit("ge_aa88#1", "ge_228#1")
    d.s.edition = edition
    d.s.orders = [Order(AXIS, WORTH, value=1)]
    return d.driving("br_a13#1")


def asked(d: Desk, *way: str) -> list[str]:
    """Who decides after each step."""
    seen = []
    for step in way:
        d.do(step)
        seen.append(GAME.info.sides[GAME.to_act(d.s) or 0])
        if seen[-1] == "axis":
            d.do("hold")
    return seen


@pytest.mark.rule("asl", "A8.1", "C7.1")
def test_an_order_by_odds_reckons_with_guns() -> None:
    way = ("to N5", "to O5")
    assert asked(rolling(turret=W), *way)[-1] == "axis", "laid on it at close range, it is likely to stop the tank"
    assert asked(rolling(turret=W, edition=2), *way) == ["allied"] * 2
    far = rolling(turret=E)
    far.s.orders = [Order(AXIS, WORTH, value=3)]
    assert asked(far, *way) == ["allied"] * 2, "it would have to turn round"


@pytest.mark.rule("asl", "A8.1", "A12.1")
def test_an_order_by_odds_counts_the_gun_that_may_lie_under_a_mark() -> None:
    """Whatever lies there, and whichever way it really faces."""
    way = ("to N5", "to O5")
    turned, laid = asked(rolling("?", E), *way), asked(rolling("?", W), *way)
    assert turned == laid
    assert turned[-1] == "axis"
    known = rolling("?", W)
    known.s.concealed &= ~known.bit("ge_aa88#1", "ge_228#1")
    known.put("axis_dummy#1", "R6", concealed=True)
    known.s.vca[known.unit("ge_aa88#1")] = known.s.tca[known.unit("ge_aa88#1")] = E
    known.s.orders = [Order(AXIS, WORTH, value=3)]
    assert asked(known, *way) == ["allied"] * 2, "all Guns are accounted for: the mark cannot be one"


@pytest.mark.rule("asl", "A8.1")
def test_the_question_names_the_mover_unless_it_is_concealed() -> None:
    s = facing((FOE, "P5"))
    do(s, f"move {SQUAD}", "to N5")
    prompt = GAME.prompt(s)
    assert str(GAME.words.text(prompt.title)) == "Fire at 4-5-7 in D1.N5?"
    assert "1 MF" in str(GAME.words.text(prompt.text))
    s.concealed |= bits(SQUAD)
    assert "mover" in str(GAME.words.text(GAME.prompt(s).title))


@pytest.mark.parametrize(
    ("scenario", "decisions"), [("s04_cauldron_sunset", 900), ("s07_sidi_bou_zid", 500), ("s09_snipe", 500)]
)
def test_what_is_given_up_at_once_would_not_have_had_the_chance(scenario: str, decisions: int) -> None:
    """Of every gun that an order gives up by its number alone the whole reckoning says the same, and so it does of all
    fire that is given up by its column."""
    rng = Random(scenario)
    s, dice = GAME.new(scenario, {}), QuickDice(rng)
    given_up = left = 0
    while decisions and (who := GAME.to_act(s)) is not None:
        if who == CHANCE:
            GAME.apply(s, GAME.roll(s, dice).action)
            continue
        if s.stack[-1][0] == F_WATCH and s.attack is not None:
            now = aiming_at(FIRST, s.attack.side, s.attack.movers)
            for weapon in (MA, SA):
                for u in units_of(armed(s, now, weapon)):
                    gun = tube_of(s, u, weapon)
                    served = bool(s.stage.roster.vehicles >> u & 1) or s.holder[u] >= 0
                    if gun is None or not served or span_to(s, u, s.attack.target) > gun.most:
                        continue
                    for wanted in SHARES:
                        if hopeless(s, now, u, weapon, s.at[u], wanted):
                            given_up += 1
                            assert not shot_reaches(s, now, u, weapon, wanted)
                        else:
                            left += 1
            order, best = Order(s.attack.side, WORTH), best_drm(s, s.attack)
            for wanted in SHARES:
                least = least_column(best, wanted)
                found, asked = list(chances(s, order)), list(chances(s, order, least))
                given_up += len(found) - len(asked)
                assert [one for one in found if one >= wanted] == [one for one in asked if one >= wanted]
        actions = GAME.legal(s)
        GAME.apply(s, actions[int(rng.random() * len(actions))])
        decisions -= 1
    assert given_up > 40
    assert left > 5


def test_no_column_does_less_than_one_of_fewer_firepower() -> None:
    """What an order gives up by its column rests on it: a lower column, or a higher DR, never does more."""
    table = ift()
    for column in range(len(table.columns)):
        for final in range(16):
            assert table.result(column, final) >= table.result(column - 1, final)
            assert table.result(column, final) >= table.result(column, final + 1)


@pytest.mark.rule("asl", "A8.1")
def test_an_order_for_one_chance_in_six_waits_for_no_more() -> None:
    """Each column from 1 FP to 12 checks morale on one more: with +0 to +5 on an Original 4, six ways of 36."""
    assert [least_column(drm, Fraction(1, 6)) for drm in range(6)] == list(range(6))
