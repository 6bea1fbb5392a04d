"""A12: what the enemy learns of those under a "?", and how it is lost and gained."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from sandtable.engine.contract import Event
from sandtable.games.asl.fire.morale import WoundAt
from sandtable.games.asl.fire.snipers import SniperWoundAt, prey
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance.bursts import place_smoke
from sandtable.games.asl.table.hardware import SHELLS
from sandtable.games.asl.table.ids import (
    APH,
    F_ADVANCE,
    F_SNIPER_WOUND,
    GONE,
    RPH,
)
from sandtable.games.asl.table.state import Shoot, State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.mechanics.masks import units_of

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    LEADER,
    LMG,
    PREP,
    SQUAD,
    SQUAD2,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    firing,
    give,
    moving,
    place,
    rallying,
    roll,
    settle,
)
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")
EDITIONS = [7, 6]


def named_to(event: Event, side: int) -> set[int]:
    """The pieces that an event names to a side."""
    data = event.seen_by(side) or {}
    one = {data[key] for key in ("unit", "other", "weapon") if isinstance(data.get(key), int) and data[key] >= 0}
    return one | {u for key in ("units", "attackers") for u in data.get(key, ())}


def in_a_company(edition: int) -> State:
    """A squad with a LMG, another and a leader, all under a "?" in a house."""
    s = desert({"M5": {"terrain": "building_stone"}})
    s.edition = edition
    place(s, [SQUAD, SQUAD2, LEADER], "M5")
    give(s, LMG, SQUAD)
    s.concealed = bits(SQUAD, SQUAD2, LEADER)
    return s


def told(found: list[Any], side: int) -> set[int]:
    return {u for event in found for u in named_to(event, side)}


@rule("A12.1", "A7.25", "A4.43", "A1.31", "A9.8", "A9.72")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("deed", "dice"),
    [
        (f"wait {SQUAD}", ()),
        (f"repair {LMG}", (3,)),
        (f"transfer {LMG} {SQUAD2}", ()),
        (f"deploy {SQUAD}", (1, 1)),
    ],
)
def test_what_is_done_under_a_mark_is_told_to_its_own_side(edition: int, deed: str, dice: tuple[int, ...]) -> None:
    s = in_a_company(edition)
    if deed.startswith("wait"):
        firing(s, ALLIED, PREP)
    else:
        s.phase = RPH
        s.jammed = bits(LMG) if deed.startswith("repair") else 0
        rallying(s, ALLIED)
    found = [*do(s, deed), *roll(s, *dice)]
    assert told(found, ALLIED) & bits_of(SQUAD, LMG)
    assert bool(told(found, AXIS)) == (edition < 7)


def bits_of(*names: str) -> set[int]:
    return {U(name) for name in names}


@rule("A12.1", "A12.14a")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_fires_is_named_when_he_is_seen(edition: int) -> None:
    s = in_a_company(edition)
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", f"join {SQUAD2}")
    assert bool(told(do(s, "commit"), AXIS) & bits_of(SQUAD, SQUAD2)) == (edition < 7)
    assert told(roll(s, 6, 5), AXIS) >= bits_of(SQUAD, SQUAD2)
    assert not s.concealed & bits(SQUAD, SQUAD2)


@rule("A12.1", "A12.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_comes_upon_the_enemy_under_a_mark_keeps_his_name(edition: int) -> None:
    s = in_a_company(edition)
    place(s, FOE, "N5")
    s.hip = bits(FOE)
    s.concealed |= bits(FOE)
    moving(s)
    do(s, f"move {SQUAD}", "assault")
    found = do(s, "to N5")
    assert "detected" in [one.kind for one in found]
    assert s.concealed & bits(SQUAD)
    assert bool(told(found, AXIS) & bits_of(SQUAD)) == (edition < 7)


@rule("A12.1", "A12.3")
@pytest.mark.parametrize("scenario", ["s01_capuzzo_outpost"])
def test_no_event_of_a_game_names_whom_a_mark_hides(scenario: str) -> None:
    random, s = Random(7), GAME.new(scenario)
    GAME.settle(s)
    for _ in range(500):
        before = s.concealed | s.hip
        if GAME.outcome(s) is not None:
            break
        if GAME.is_chance(s):
            found = GAME.apply(s, GAME.roll(s, lambda _: random.randint(1, 6)).action)
        else:
            found = GAME.apply(s, GAME.pick(s, random.random))
        under = set(units_of(before & (s.concealed | s.hip) & s.stage.roster.men))
        for event in found:
            for side in range(2):
                assert not {u for u in named_to(event, side) & under if s.stage.roster.side[u] != side}, event


@rule("A12.1")
def test_a_sentence_calls_him_by_his_mark() -> None:
    s = in_a_company(7)
    firing(s, ALLIED, PREP)
    (event,) = do(s, f"wait {SQUAD}")
    seen = GAME.event_json(event, AXIS)
    assert seen is not None
    assert str(GAME.describe(seen)) == "? waits to fire"
    mine = GAME.event_json(event, ALLIED)
    assert mine is not None
    assert SQUAD in str(mine)


@rule("A12.14c", "A24.31", "A12.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_burning_phosphorus_shows_who_lies_in_it(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, [FOE, FOE2, "axis_dummy#1"], "P5")
    s.concealed = bits(FOE, "axis_dummy#1")
    place_smoke(s, Shoot(side=ALLIED, hex=H("P5"), shell=SHELLS.index("WP")))
    assert bool(s.concealed) == (edition < 7)
    assert (s.at[U("axis_dummy#1")] == GONE) == (edition > 6)


@rule("A12.12", "D5.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_gets_off_in_the_advance_phase_has_moved(edition: int) -> None:
    t = Desk()
    t.s.edition = edition
    t.put("br_3ton#1", "Q5")
    squad = t.board("br_457#1", "br_3ton#1")
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE)).do("get-off br_457#1")
    assert bool(t.s.moved >> squad & 1) == (edition > 6)


# A12.14b


@rule("A12.14b")
def test_who_is_seen_moving_is_told_so_by_the_rule_of_movement() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "T5")
    s.concealed = bits(SQUAD)
    moving(s)
    found = do(s, f"move {SQUAD}", "to N6")
    assert [one.rule for one in found if one.kind == "revealed"] == ["A12.14b"]


@rule("A14.3")
def test_a_sniper_reaches_six_hexes_and_wounds_a_pinned_man_on_a_one() -> None:
    s = desert()
    place(s, FOE, "O5")
    place(s, FOE2, "P5")
    assert prey(s, ALLIED, H("I5")) == bits(FOE)
    for die, hit in ((1, True), (2, False)):
        place(s, LEADER, "N5")
        s.stack.append(SniperWoundAt(F_SNIPER_WOUND, U(LEADER)))
        settle(s)
        roll(s, die)
        assert isinstance(s.stack[-1], WoundAt) == hit
        s.stack = s.stack[:1]


@rule("A12.14b")
@pytest.mark.parametrize(("start", "to", "hidden"), [("Z5", "Y6", True), ("Y5", "X5", False)])
def test_who_moves_seventeen_hexes_away_keeps_its_mark(start: str, to: str, hidden: bool) -> None:
    s = desert()
    place(s, SQUAD, start)
    place(s, FOE, "H5")
    s.concealed = bits(SQUAD)
    moving(s)
    do(s, f"move {SQUAD}", f"to {to}")
    assert s.stage.grid.distance(H("H5"), H(to)) == (17 if hidden else 16)
    assert bool(s.concealed & bits(SQUAD)) == hidden
