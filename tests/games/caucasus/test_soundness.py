"""Every promise of the Caucasus's `soundness` can be broken: each is broken here by hand, and found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.engine.contract import Event
from sandtable.engine.hexes import hexes_of, touching
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.table.ids import (
    AXIS,
    CADRE,
    CUP,
    F_COMBAT,
    FULL,
    PHASES,
    REDUCED,
    REMOVED,
    SOVIET,
    TRACK,
    UNUSED,
)
from sandtable.games.caucasus.table.state import State, put

board = GAME.board
Wreck = Callable[[State], None]


def new() -> State:
    return GAME.new(GAME.scenarios()[0].id)


def some(units: int) -> int:
    return units.bit_length() - 1


def set_to(name: str, value: object) -> Wreck:
    return lambda s: setattr(s, name, value)


def free_hex(s: State, among: int) -> int:
    """A land hex of these without anybody, that is no place and closed to nobody."""
    taken = s.occ[0] | s.occ[1] | board.places | board.barred[0] | board.barred[1]
    return next(iter(hexes_of(among & s.ground.land & ~taken)))


def send(among: Callable[[State], int], to: Callable[[State], int]) -> Wreck:
    return lambda s: put(s, some(among(s)), to(s))


def crowd(s: State) -> int:
    """Four divisions of foot of the Axis in one hex: the hex."""
    h = free_hex(s, s.ground.terrain["clear"])
    plain = s.on_map[AXIS] & ~board.white & ~board.mech
    for _ in range(4):
        u = some(plain & s.on_map[AXIS])
        plain &= ~(1 << u)
        put(s, u, h)
    return h


def crowded(phase: str, frame: tuple[int, ...] | None = None) -> Wreck:
    def wreck(s: State) -> None:
        crowd(s)
        s.phase = PHASES.index(phase)
        s.stack = [frame] if frame else []

    return wreck


def stale(name: str) -> Wreck:
    return lambda s: getattr(s, name).__setitem__(AXIS, 0)


def meet(s: State) -> None:
    put(s, some(s.on_map[AXIS]), s.at[some(s.on_map[SOVIET])])


def hold_nothing(s: State) -> None:
    h = next(iter(hexes_of(board.places & s.control & s.ground.land & ~s.occ[0] & ~s.occ[1] & ~board.barred[SOVIET])))
    put(s, some(s.on_map[SOVIET] & board.divisions), h)


def strong_cadre(s: State) -> None:
    u = some(s.on_map[SOVIET] & board.divisions)
    put(s, u, CADRE)
    s.step[u] = FULL


def worn_out(s: State) -> None:
    """One side more than the counter has, and no more than that."""
    u = some(s.on_map[AXIS])
    s.step[u] = board.steps[u]


WRECKS: list[tuple[Wreck, str]] = [
    (send(lambda s: s.on_map[AXIS], lambda s: some(board.grid.all & ~s.ground.land)), "which nobody may enter"),
    (send(lambda s: s.on_map[AXIS], lambda s: some(board.barred[AXIS])), "in an entry hex of the enemy"),
    (send(lambda s: s.on_map[AXIS], lambda s: -99), "is nowhere"),
    (set_to("oos", -1), "is off the map but marked"),
    (worn_out, "has not got"),
    (strong_cadre, "not at its weakest"),
    (send(lambda s: s.on_map[AXIS] & board.hq, lambda s: CADRE), "can never be rebuilt"),
    (lambda s: s.here.__setitem__(0, 1), "units and hexes disagree"),
    (lambda s: s.boxes.__setitem__(CADRE, -1), "units and boxes disagree"),
    (meet, "units of both sides"),
    (stale("occ"), "the hexes of the axis side are stale"),
    (stale("on_map"), "the units of the axis side on the map are stale"),
    (stale("zocs"), "the ZOC of the axis side is stale"),
    (hold_nothing, "does not control it"),
    (set_to("control", board.grid.all), "controlled that is no place"),
    (crowded("axis_first_combat", (F_COMBAT, 0)), "overstacked"),
    (crowded("axis_supply"), "overstacked"),
    (crowded("soviet_supply"), "overstacked"),
    (lambda s: s.replacements.__setitem__(0, 4), "the replacement track reads"),
    (set_to("fleet_ready", 3), "more markers than the game has"),
    (lambda s: setattr(s, "corps", free_hex(s, s.ground.land)), "lies without cavalry"),
    (set_to("none_chits", 43), "the cup holds too much"),
]


@pytest.mark.parametrize(("wreck", "words"), WRECKS, ids=[words for _, words in WRECKS])
def test_what_must_hold_can_be_broken(wreck: Wreck, words: str) -> None:
    s = new()
    assert GAME.invariants(s) == []
    wreck(s)
    assert any(words in fault for fault in GAME.invariants(s)), GAME.invariants(s)


def test_the_limit_may_be_exceeded_while_units_move_and_fight() -> None:
    s = new()
    crowd(s)
    assert s.phase not in (PHASES.index("axis_supply"), PHASES.index("victory"))
    assert not any("overstacked" in fault for fault in GAME.invariants(s))
    s.stack, s.attacked = [(F_COMBAT, 0)], 1
    assert not any("overstacked" in fault for fault in GAME.invariants(s))


# From one moment to the next


def told(kind: str, **data: object) -> Event:
    return Event(kind, "", dict(data), -1, None, False, False)


def leaks_after(wreck: Wreck, *events: Event) -> list[str]:
    one = new()
    two = one.copy()
    assert GAME.leaks(one, two, []) == []
    wreck(two)
    return GAME.leaks(one, two, events)


def test_who_comes_and_goes_is_told() -> None:
    s = new()
    u = some(s.on_map[AXIS] & ~board.hq)
    waiting = some(s.boxes[TRACK])
    for v, wreck in (
        (u, lambda s: put(s, u, CADRE)),
        (u, lambda s: s.step.__setitem__(u, s.step[u] + 1)),
        (waiting, lambda s: put(s, waiting, free_hex(s, s.ground.terrain["clear"]))),
    ):
        assert any("nothing told of it" in leak for leak in leaks_after(wreck))
        assert leaks_after(wreck, told("eliminated", unit=v)) == []
        assert leaks_after(wreck, told("delayed", units=[v])) == []


def test_what_is_out_of_the_game_stays_there() -> None:
    u = some(new().on_map[AXIS])
    for box in (UNUSED, CUP):
        assert any("went from" in leak for leak in leaks_after(lambda s, box=box: put(s, u, box), told("x", unit=u)))
    one = new()
    put(one, u, REMOVED)
    two = one.copy()
    put(two, u, CADRE)
    assert any("went from removed" in leak for leak in GAME.leaks(one, two, [told("rebuilt", unit=u)]))
    assert leaks_after(lambda s: setattr(s, "none_chits", s.none_chits + 1)) == ["a None chit came back"]


def test_no_tank_goes_where_no_road_leads() -> None:
    s = new()
    hard = free_hex(s, s.ground.road_bound & ~touching(s.ground.bridges))
    tank, foot = (some(s.on_map[AXIS] & kind) for kind in (board.mech, ~board.mech & ~board.hq))
    there = [told("moved", units=[tank, foot])]
    assert any("to which no road leads" in leak for leak in leaks_after(lambda s: put(s, tank, hard), *there))
    assert leaks_after(lambda s: put(s, foot, hard), *there) == []
    one = new()
    put(one, tank, TRACK)
    two = one.copy()
    put(two, tank, hard)
    assert GAME.leaks(one, two, there) == []  # 4.4d, A68 drawn for an HQ, it is put there


def merger() -> tuple[State, State, Event]:
    one = new()
    u, v = list(hexes_of(board.divisions))[:2]
    for w in (u, v):
        put(one, w, free_hex(one, one.ground.terrain["clear"]))
        one.step[w] = REDUCED
    two = one.copy()
    two.step[u] = FULL
    put(two, v, CADRE)
    return one, two, told("merged", unit=u, other=v)


def test_a_merger_keeps_the_steps() -> None:
    one, two, event = merger()
    assert GAME.leaks(one, two, [event]) == []
    two.step[event.data["unit"]] = REDUCED
    assert len(GAME.leaks(one, two, [event])) == 2  # not a full division, and a step is gone
    one, two, event = merger()
    put(two, event.data["other"], REMOVED)
    assert any("merged into something else" in leak for leak in GAME.leaks(one, two, [event]))
    one, two, event = merger()
    one.step[event.data["unit"]] = FULL
    assert any("a merger made" in leak for leak in GAME.leaks(one, two, [event]))
