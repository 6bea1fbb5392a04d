"""7.0 Passing for a Reaction Phase, and standing orders for it: carried out, handed back, seen by their owner alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from sandtable import registry
from sandtable.engine.table import Table
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import ELIMINATED
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.turn.standing import AVOIDS, ODDS, ORDERS, REVOKED, STANDS, declared_column
from sandtable.mechanics.orders import Order

from ..kit import ALLIED, AXIS, GAME, H, State, U, at, do, empty, of_kind, place, roll, start, texts, units, why, works

PZ, PZ2 = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz"
RIFLES, TANKS, TANKS2, HQ = "us_34id_1_133", "us_1ad_2_1_ar", "us_1ad_3_1_ar", "us_1ad_cca_hq"
COLUMNS = ("1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")


def declaring(*attackers: str) -> State:
    """Allied tanks in 6732 with others behind them, rifles dug in at 6632; panzers are about to attack."""
    s = empty("axis_movement")
    place(s, list(attackers or (PZ,)), "6733")
    place(s, TANKS, "6732")
    place(s, TANKS2, "6730")
    place(s, RIFLES, "6632")
    works(s, ALLIED, "strongpoint", "6632")
    return s


def attack(s: State, *targets: str) -> State:
    """The Axis has declared its attacks, and ends the phase."""
    for hex_, unit in zip(targets or ("6732",), (PZ, PZ2), strict=False):
        s.aims[H(hex_)] = units(unit)
    start(s, steps.DECLARATIONS)
    while s.actor == AXIS and "end_declarations" in texts(s):
        do(s, "end_declarations")
    return s


def odds_of(s: State, hex_: str) -> str:
    return COLUMNS[declared_column(s, H(hex_))]


def next_column(text: str, by: int) -> str:
    return COLUMNS[COLUMNS.index(text) + by]


def in_combat(s: State) -> bool:
    return s.stack[-1][0] == steps.COMBATS or s.fight is not None


@pytest.mark.rule("kasserine", "7.0", "7.21", "7.3a", "7.41")
def test_passing_for_a_phase_answers_every_step_of_it_and_no_other() -> None:
    s = attack(declaring(PZ, PZ2), "6732", "6632")
    assert s.actor == ALLIED
    assert {"pass_phase", "avoid 6732", "end_avoiding"} <= set(texts(s))
    asked = s.copy()
    do(asked, "end_avoiding")
    assert f"react {TANKS2}" in texts(asked), "without passing the next step is asked for"
    events = do(s, "pass_phase")
    assert in_combat(s)
    assert s.actor != ALLIED or s.fight is not None
    assert [event.data["kind"] for event in of_kind(events, "passed_over")] == [1, 2]
    assert s.orders == [], "the next Reaction Phase is asked for again"


@pytest.mark.rule("kasserine", "7.0", "7.41")
def test_passing_goes_before_the_orders_of_units() -> None:
    s = declaring(PZ, PZ2)
    s.orders = [Order(ALLIED, STANDS, U(RIFLES), 0)]
    attack(s, "6732", "6632")
    do(s, "pass_phase")
    assert in_combat(s)
    assert not s.stood
    assert s.orders == [Order(ALLIED, STANDS, U(RIFLES), 0)], "it stands for the next phase"


@pytest.mark.rule("kasserine", "7.22")
def test_a_stack_avoids_combat_by_orders_at_the_odds_that_were_named() -> None:
    given = odds_of(attack(declaring()), "6732")
    s = declaring()
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), COLUMNS.index(given))]
    attack(s)
    assert s.actor < 0, "the check is rolled, and nobody was asked"
    assert s.avoided == 1 << H("6732")
    assert s.orders == [], "it has been carried out"
    roll(s, 1)
    assert s.actor == ALLIED, "where to, the owner says"
    do(s, next(text for text in texts(s) if text.startswith("retreat")))
    assert at(s, TANKS) != "6732"


@pytest.mark.rule("kasserine", "7.21")
def test_at_better_odds_the_stack_stays_and_nobody_asks_about_it() -> None:
    given = odds_of(attack(declaring()), "6732")
    s = declaring()
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), COLUMNS.index(next_column(given, 1)))]
    attack(s)
    assert not s.avoided
    assert s.stack[-1][0] == steps.REACTIONS, "it is under orders: only the other steps are asked for"
    assert len(s.orders) == 1, "the order stands"
    s = declaring(PZ, PZ2)
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS2), 0)]
    attack(s)
    assert s.stack[-1][0] == steps.AVOIDING, "the order is for others: the attacked are asked"


@pytest.mark.rule("kasserine", "3.42", "12.23a")
def test_by_orders_the_best_leads_and_no_command_points_are_spent() -> None:
    s = declaring()
    place(s, TANKS2, "6732", reduced=True)
    place(s, HQ, "6731")
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), 0)]
    attack(s)
    assert s.stack[-1][0] == steps.REACTION_CHECK
    assert s.stack[-1].points == 0
    assert not s.spent
    ratings = {u: GAME.board.er[u][s.step[u]] for u in (U(TANKS), U(TANKS2))}
    assert ratings[s.stack[-1].lead] == max(ratings.values())


@pytest.mark.rule("kasserine", "7.41", "7.41c")
def test_no_retreat_by_orders_else_pass() -> None:
    s = declaring()
    s.orders = [Order(ALLIED, REVOKED), Order(ALLIED, STANDS, U(RIFLES), 0)]
    attack(s, "6632")
    assert s.stack[-1][0] == steps.REACTION_CHECK, "reaction movement was passed by orders"
    assert s.stood == 1 << H("6632")
    roll(s, 1)
    assert s.no_retreat >> H("6632") & 1 or (s.fight is not None and s.fight.no_retreat)
    assert s.orders == [Order(ALLIED, REVOKED)]


@pytest.mark.rule("kasserine", "7.0", "8.52")
def test_pass_until_an_attack_has_such_odds() -> None:
    given = odds_of(attack(declaring()), "6732")
    s = declaring()
    s.orders = [Order(ALLIED, ODDS, value=COLUMNS.index(next_column(given, 1)))]
    attack(s)
    assert in_combat(s)
    assert s.orders, "it has not been met, and goes on"
    s = declaring()
    s.orders = [Order(ALLIED, ODDS, value=COLUMNS.index(given))]
    attack(s)
    assert s.actor == ALLIED
    assert s.stack[-1][0] == steps.AVOIDING
    assert s.orders == [], "met: the player is asked"


@pytest.mark.rule("kasserine", "7.0")
def test_orders_are_given_at_the_question_and_answer_it() -> None:
    s = attack(declaring())
    do(s, "orders", f"order_avoid {TANKS} 1:3")
    assert s.avoided == 1 << H("6732")
    s = attack(declaring())
    do(s, "orders", "order_pass_all")
    assert in_combat(s)
    s = attack(declaring())
    do(s, "orders", "end_orders")
    assert s.stack[-1][0] == steps.AVOIDING, "no order: the question is still open"


@pytest.mark.rule("kasserine", "7.0", "7.21a")
def test_orders_are_given_in_the_own_movement_and_taken_back() -> None:
    s = declaring()
    s.active = AXIS
    start(s, steps.MOVES)
    assert "revoke" not in texts(s)
    do(s, "orders")
    reasons = {text: why(s, text) for text in (f"order_avoid {TANKS} 3:1", "order_avoid ger_47gr_i_47 3:1", "revoke")}
    assert [reason.rule if reason else "" for reason in reasons.values()] == ["3.11a", "6.11", "7.0"]
    do(s, f"order_avoid {PZ} 3:1")
    assert s.orders == [Order(AXIS, AVOIDS, U(PZ), COLUMNS.index("3:1"))]
    do(s, "orders", f"order_stand {PZ} 2:1")
    assert s.orders == [Order(AXIS, STANDS, U(PZ), COLUMNS.index("2:1"))], "a new order goes before the old"
    do(s, "orders", "order_pass 4:1")
    assert len(s.orders) == 2
    assert s.stack[-1][0] == steps.MOVES
    s.orders.append(Order(ALLIED, REVOKED))
    do(s, "orders", "revoke")
    assert s.orders == [Order(ALLIED, REVOKED)], "one's own alone"
    do(s, "orders")
    place(s, "us_34id_1_168", "6630")
    assert not [text for text in texts(s) if text.startswith("order_avoid us_")]


@pytest.mark.rule("kasserine", "7.0")
def test_orders_of_units_that_have_left_the_map_end() -> None:
    s = declaring()
    s.orders = [Order(ALLIED, AVOIDS, U("us_34id_1_168"), 9), Order(ALLIED, AVOIDS, U(RIFLES), 9)]
    put(s, U("us_34id_1_168"), H("6530"))
    put(s, U("us_34id_1_168"), -3)
    attack(s)
    do(s, "pass_phase")
    assert s.orders == [Order(ALLIED, AVOIDS, U(RIFLES), 9)]


@pytest.mark.rule("kasserine", "7.0")
def test_an_order_of_a_unit_that_is_gone_is_not_shown_any_longer() -> None:
    s = declaring()
    start(s, steps.MOVES)
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), 5)]
    shown = [track["id"] for track in GAME.scene(GAME.view(s, ALLIED))["tracks"]]
    assert "orders" in shown
    put(s, U(TANKS), ELIMINATED)
    shown = [track["id"] for track in GAME.scene(GAME.view(s, ALLIED))["tracks"]]
    assert "orders" not in shown


@pytest.mark.rule("kasserine", "7.0")
def test_orders_are_seen_by_their_owner_alone() -> None:
    """Dealt anew, what the other side has ordered is gone, and nothing that a side sees or may do has changed."""
    s = declaring()
    start(s, steps.MOVES)
    bare = s.copy()
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), 5), Order(ALLIED, REVOKED)]
    assert GAME.view(s, ALLIED)["orders"] == [list(one) for one in s.orders]
    for side in (AXIS, -1):
        assert GAME.view(s, side) == GAME.view(bare, side)
    dealt = GAME.redeal(s, AXIS, Random(1))
    assert dealt == bare
    assert GAME.legal(dealt) == GAME.legal(s)
    assert GAME.redeal(s, ALLIED, Random(1)) == s
    copied = s.copy()
    ORDERS.revoke(copied, ALLIED)
    assert len(s.orders) == 2


@pytest.mark.rule("kasserine", "7.0")
def test_orders_stand_in_the_log(tmp_path: Path) -> None:
    """A table played again from its log has the same orders."""
    table = Table.new(GAME, "s0_learning", seed=bytes(32))
    for _ in range(200):
        legal = [GAME.text(action) for action in table.legal()]
        if "orders" in legal:
            break
        ends = [text for text in legal if text.startswith(("end_", "no_"))]
        table.act(GAME.parse((ends or legal)[0]))
    table.act(GAME.parse("orders"))
    table.act(GAME.parse("order_pass 3:1"))
    assert [one.until for one in table.state.orders] == [ODDS]
    table.save(tmp_path / "orders.jsonl")
    again = Table.load(tmp_path / "orders.jsonl", registry.get)
    assert again.state.orders == table.state.orders
    assert again.state == table.state


@pytest.mark.rule("kasserine", "7.0", "12.43b", "13.22a")
def test_a_player_reads_his_own_orders_beside_the_weather() -> None:
    s = declaring()
    s.orders = [Order(ALLIED, AVOIDS, U(TANKS), COLUMNS.index("3:1")), Order(ALLIED, REVOKED)]

    def told(side: int) -> dict[str, str]:
        return {track["id"]: str(track.get("value", "")) for track in GAME.scene(GAME.view(s, side))["tracks"]}

    own = "The stack of 2/1 AR avoids combat at 3:1 or worse, Pass until the orders are taken back"
    assert told(ALLIED)["orders"] == own
    assert "orders" not in told(AXIS)
    assert not {"tigers", "patton"} & set(told(AXIS))
    s.tigers_bound = s.patton_felt = 1
    assert told(AXIS)["tigers"] == "on roads alone"
    assert told(AXIS)["patton"] == "ER of US units +1"
