"""0.3b Nothing that the enemy is told depends on which block is which, not even the order in which he is told.

Every position here is played twice, with two blocks of the same kind changed about: the enemy must see the
same. At the end whole games are played so, with all blocks of a kind shuffled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from sandtable.engine.contract import SPECTATOR, Action, Event
from sandtable.games.rommel.table import verbs
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_CHALLENGE,
    F_EARLY,
    F_ENGAGED,
    F_MOVES,
    F_RETIRE,
    F_ROUT,
    F_SUPPLY_CHECK,
    INITIAL,
    NO_DIR,
    POOL,
)
from sandtable.games.rommel.table.scenarios import script_of
from sandtable.games.rommel.table.state import State, put

from ..kit import GAME, H, U, at, battle, board, do, empty, lucky, place, roll, start, texts, units
from ..months import reinforcements
from ..movekit import moving

ALIKE = ("IT-BRE", "IT-PAV")
"""Two infantry divisions of the same strength; the first has the lower number."""


def told(events: Sequence[Event], side: int = COMMONWEALTH) -> list[dict[str, Any]]:
    """What a side learns of the events."""
    seen = [GAME.event_json(event, side) for event in events]
    return [event for event in seen if event is not None]


def is_the_same(play: Callable[[str, str], list[Event]], side: int = COMMONWEALTH) -> list[dict[str, Any]]:
    """The enemy is told the same whichever of the two blocks is which; returns what he is told."""
    a, b = ALIKE
    assert U(a) < U(b)
    one, two = (told([e for e in events if e.kind != "revealed"], side) for events in (play(a, b), play(b, a)))
    assert one == two
    return one


@pytest.mark.rule("rommel", "0.3b", "7.2e")
def test_units_leave_a_battle_in_the_order_of_their_destinations() -> None:
    def retreat(first: str, second: str) -> list[Event]:
        s = empty()
        place(s, [first, second, "CW-24A"], "0810")
        battle(s, "0810", "axis", ["E"])
        moving(s)
        do(s, "group 0810 0", f"move {first}", "to 0809 -", f"move {second}", "to 0910 -")
        events = do(s, "end-move")
        return events + lucky(s, 1)

    moves = [event for event in is_the_same(retreat) if event["event"] == "moved"]
    assert [event["to"] for event in moves] == ["0809", "0910"]


@pytest.mark.rule("rommel", "0.3b", "10.4c")
def test_partial_retreats_come_in_the_order_of_their_hexes() -> None:
    def retreat(first: str, second: str) -> list[Event]:
        s = empty(option="offensive")
        place(s, [first, "IT-BOL", "CW-24A"], "0810")
        place(s, [second, "IT-SAV", "CW-26A"], "0705")
        battle(s, "0810", "axis", ["E"])
        battle(s, "0705", "axis", ["E"])
        moving(s)
        do(s, "group 0810 0", f"move {first}", "to 0809 -", "end-move")
        do(s, "group 0705 0", f"move {second}", "to 0704 -")
        events = do(s, "end-move")
        while texts(s)[0].split()[0] in ("end-moves", "probe"):
            events += do(s, texts(s)[-1])
        return events

    hexes = [event["hex"] for event in is_the_same(retreat) if event["event"] == "partial_retreat"]
    assert hexes == ["0705", "0810"]


@pytest.mark.rule("rommel", "0.3b", "10.2e")
def test_who_avoids_battle_goes_in_the_order_of_the_destinations() -> None:
    def avoid(first: str, second: str) -> list[Event]:
        s = empty("commonwealth")
        place(s, [first, second], "0504")
        place(s, "CW-24A", "0404")
        moving(s)
        do(s, "group 0404 0", "move CW-24A", "to 0504 NE", "end-moves", "marches")
        events = do(s, "avoid 0504") + lucky(s, 1)
        for _ in ALIKE:
            frame = s.stack[-1]
            u = GAME.frames[F_RETIRE].now(s, frame)  # type: ignore[attr-defined]
            events += do(s, "to 0604 -" if u == U(first) else "to 0704 -")
        return events

    gone = [event for event in is_the_same(avoid) if event["event"] == "retired"]
    assert [event["to"] for event in gone] == ["0604", "0704"]


@pytest.mark.rule("rommel", "0.3b", "6.4b", "6.4c")
def test_marches_are_rolled_for_in_the_order_of_their_declaration() -> None:
    """The declarations are public; two blocks that march alike cannot be told apart by their dice."""

    def march(first: str, second: str) -> list[Event]:
        s = empty()
        place(s, [first, second], "0810")
        moving(s)
        do(s, "group 0810 0", f"move {first}", "to 0809 -", f"move {second}", "to 0910 -", "end-moves")
        events = do(s, f"march {second} 0909 -", f"march {first} 0808 -", "marches")
        events += roll(s, 6, 1)
        assert at(s, second) == "0909"
        assert s.disrupted == units(first)
        return events

    rolled = [event for event in is_the_same(march) if event["event"] == "marched"]
    assert [event["to"] for event in rolled] == ["0909", "0808"]


@pytest.mark.rule("rommel", "0.3b", "13.3h")
def test_fortress_supply_is_told_in_the_order_of_the_hexes() -> None:
    def supply(inside: str, outside: str) -> list[Event]:
        s = empty("axis", None)
        s.fort_owner = [AXIS, AXIS, AXIS]
        place(s, inside, "0313")
        place(s, outside, "0312")
        place(s, "CW-4A", "0311")
        place(s, "CW-2A", "0314")
        return start(s, (F_CHALLENGE,), (F_SUPPLY_CHECK, AXIS, INITIAL, 0))

    given = [event for event in is_the_same(supply) if event["event"] == "fortress_supply"]
    assert [event["hex"] for event in given] == ["0312", "0313"]


@pytest.mark.rule("rommel", "0.3b", "12.5f")
def test_raiders_are_told_in_the_order_of_the_hexes() -> None:
    def raid(first: str, second: str) -> list[Event]:
        s = empty()
        place(s, first, "0810", unsupplied=True)
        place(s, second, "0813", unsupplied=True)
        place(s, "CW-24A", "0809")
        place(s, "CW-26A", "0814")
        place(s, "IT-BOL", "0809")
        battle(s, "0809", "commonwealth", ["W"])
        begin = (F_CHALLENGE,), (F_ENGAGED, 0), (F_MOVES, 0, 0)
        s.option = 1  # Offensive
        start(s, *begin)
        do(s, "group 0810 0", f"move {first}", "to 0809 E")
        return do(s, "group 0813 0", f"move {second}", "to 0814 W")

    raiders = [event for event in is_the_same(raid) if event["event"] == "raider"]
    assert [event["hex"] for event in raiders] == ["0809", "0814"]


@pytest.mark.rule("rommel", "0.3b", "11.3d")
def test_of_routing_units_the_eliminated_are_told_first() -> None:
    """A step lost before or after a block that is laid face up would tell a number above or below its own."""
    s = empty("commonwealth")
    place(s, ["IT-BRE", "IT-SAV"], "0809", disrupted=True)
    place(s, "IT-BOL", "0809", cv=1, disrupted=True)
    place(s, "CW-24A", "0809")
    battle(s, "0809", "axis")
    assert U("IT-BRE") < U("IT-BOL") < U("IT-SAV")
    events = start(s, (F_CHALLENGE,), (F_ROUT, H("0809"), AXIS, 0))
    lost = [event["event"] for event in told(events) if event["event"] in ("eliminated", "step_lost")]
    assert lost == ["eliminated", "step_lost", "step_lost"]


@pytest.mark.rule("rommel", "0.3b", "16.52f")
def test_who_enters_a_battle_in_the_base_does_it_together() -> None:
    def arrive(enters: str, waits: str) -> list[Event]:
        s = reinforcements()
        place(s, "CW-7A", "0902")
        battle(s, "0902", "axis", ["E"])
        for u, _ in enumerate(s.at):
            if s.at[u] == POOL:
                put(s, u, -6)
        for name in ALIKE:
            s.at[U(name)] = -4  # held back before
            s.cv[U(name)] = 3
        events = start(s, (F_CHALLENGE,), (35, AXIS, 1))  # F_PLAYER_BUILDUP, at the arrivals
        for name in ALIKE:
            assert not any(e.kind == "arrived" for e in events)
            events += do(s, f"{'arrive' if name == enters else 'hold'} {name}")
        assert at(s, enters) == "0902"
        assert at(s, waits) == "held"
        return events

    (arrived,) = (event for event in is_the_same(arrive) if event["event"] == "arrived")
    assert arrived["blocks"] == 1


# Whole games


def shuffled(scenario: str, rng: Random) -> list[int]:
    """Another block for every block: one of the same kind and strength that begins or arrives as it does."""
    play = script_of(board, scenario)
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for u in play.blocks:
        kind = (board.side[u], board.unit_types[u], board.max_cv[u], board.step_cv[u], board.weight2[u])
        when = (play.due.get(u), play.strength.get(u), u in play.refit)
        kinds.setdefault((*kind, *when), []).append(u)
    other = list(range(len(board.units)))
    for alike in kinds.values():
        for u, v in zip(alike, rng.sample(alike, len(alike)), strict=True):
            other[u] = v
    return other


def renamed(action: Action, other: Sequence[int]) -> Action:
    """The same action with the other blocks."""
    args = GAME.codec.verbs[action[0]].args
    return (action[0], *(other[v] if name == "unit" else v for v, (name, _) in zip(action[1:], args, strict=True)))


def read(events: Sequence[Event], other: Sequence[int]) -> list[dict[str, Any]]:
    """What everybody is told, blocks renamed; blocks that are named together come in no order."""
    told: list[dict[str, Any]] = []
    dead: list[str] = []
    for event in events:
        seen = GAME.event_json(event, SPECTATOR)
        if seen is None or event.kind == "battle_over":
            continue
        if event.kind == "eliminated":
            dead.append(board.units[other[U(seen["unit"])]])
            continue
        seen = dict(seen)
        if "unit" in seen:
            seen["unit"] = board.units[other[U(seen["unit"])]]
        if "units" in seen:
            names = [board.units[other[U(name)]] for name in seen["units"]]
            seen["units"] = sorted(zip(names, seen.pop("cvs", names), strict=True))
        told.append(seen)
    return [*told, {"eliminated": sorted(dead)}]


DULL: dict[int, float] = {verbs.PASS: 0.1, verbs.END_MOVES: 0.3, verbs.SPENT: 0.3, verbs.REFIT: 0.02}


def choose(legal: Sequence[Action], rng: Random) -> Action:
    """At random, with more fighting than a random player would look for."""
    known = sorted({a[0] for a in legal})
    verb = rng.choices(known, [DULL.get(v, 1.0) for v in known])[0]
    actions = [a for a in legal if a[0] == verb]
    if verb in (verbs.TO, verbs.JOIN):
        actions = [a for a in actions if a[-1] != NO_DIR] or actions
    return rng.choice(actions)


def asked_about(s: State) -> int:
    """The block that a decision is about which is asked block by block, in the order of the roster; or -1."""
    frame = s.stack[-1]
    if frame[0] == F_RETIRE:
        return int(GAME.frames[F_RETIRE].now(s, frame))  # type: ignore[attr-defined]
    return frame[2] if frame[0] == F_EARLY else -1


def answer(legal: Sequence[Action], block: int, s: State) -> Action:
    """The same answer about the same block whenever it is asked for."""
    return Random(f"{block} {s.month} {s.active} {s.spent} {s.cv[block]}").choice(sorted(legal))


@pytest.mark.rule("rommel", "0.3b")
@pytest.mark.parametrize("scenario", sorted(board.pack.scenarios))
def test_the_enemy_cannot_tell_blocks_of_a_kind_apart(scenario: str) -> None:
    rng = Random(scenario)
    there = shuffled(scenario, rng)
    back = [there.index(u) for u in range(len(there))]
    one, two = GAME.new(scenario), GAME.new(scenario)
    for u in script_of(board, scenario).setup:
        put(two, u, POOL)
    for u, h in script_of(board, scenario).setup.items():
        put(two, there[u], h)
    same = list(range(len(there)))
    for _ in range(700):
        if one.ended is not None:
            break
        actor = GAME.to_act(one)
        assert GAME.to_act(two) == actor
        assert two.stack[-1][0] == one.stack[-1][0]
        block = asked_about(one)
        if block >= 0:
            first = answer(GAME.legal(one), block, one)
            second = answer(GAME.legal(two), back[asked_about(two)], one)
        else:
            first = choose(GAME.legal(one), rng)
            second = renamed(first, there)
        events = GAME.apply(one, first), GAME.apply(two, second)
        assert read(events[0], same) == read(events[1], back), GAME.text(first)
