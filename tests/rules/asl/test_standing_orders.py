"""A8.1 Standing orders for Defensive First Fire: they answer, hand back, and betray nothing (A12.1)."""

from __future__ import annotations

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.orders import ORDERS, PHASE
from sandtable.games.asl.table.ids import ALLIED, AXIS, DFPH, F_TURN
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import State
from sandtable.mechanics.orders import Order

from .infantrykit import FOE, FOE2, SQUAD, SQUAD2, U, bits, do, empty, legal, moving, place, side_of


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
    do(s, "to Q5")
    assert side_of(s) == "axis", "adjacent: the player is asked"
    assert s.orders == []


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
