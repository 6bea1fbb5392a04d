"""State declared once: copies, keys, pickles and lists of fields are made from the declaration."""

from __future__ import annotations

import pickle

import pytest

from sandtable.engine.flat import (
    HEXES,
    NUMBER,
    UNITS,
    Flat,
    cache,
    derived,
    given,
    hexes,
    number,
    record,
    records,
    row,
    table,
    units,
)


class Fight(Flat):
    target: int = number("the hex", -1)
    attackers: int = units("who attacks")


class State(Flat):
    board: object = given("the board", lambda board: board)
    at: list[int] = row(lambda board: [-1] * 3, "unit -> hex")
    step: bytearray = row(lambda board: bytearray(3), "unit -> step")
    here: dict[int, int] = table("hex -> units")
    moved: int = units("who has moved")
    reach: int = hexes("where to")
    turn: int = number("the turn", 1)
    fight: Fight | None = record("the fight in hand")
    nested: list[Fight] = records("fights that wait")
    memo: dict[int, int] = cache("worked out", lambda board: {}, "{{}}")


def test_a_state_begins_as_declared() -> None:
    s = State("map", turn=4)
    assert (s.board, s.at, s.turn, s.fight, s.memo) == ("map", [-1, -1, -1], 4, None, {})
    assert Fight().target == -1
    with pytest.raises(TypeError, match="State has no field tern"):
        State("map", tern=4)
    with pytest.raises(AttributeError):
        s.tern = 4  # type: ignore[attr-defined]


def test_a_copy_shares_nothing_that_changes() -> None:
    s = State("map", fight=Fight(target=7))
    s.nested.append(Fight(target=8))
    s.memo[1] = 1
    t = s.copy()
    assert t == s
    assert t.memo == {}
    assert t.fight is not None
    t.at[0] = t.fight.target = t.nested[0].target = 5
    t.here[5] = t.step[1] = 1
    assert s.fight is not None
    assert (s.at[0], s.fight.target, s.nested[0].target, s.here, s.step[1]) == (-1, 7, 8, {}, 0)
    assert t != s


def test_equal_positions_have_equal_keys_whatever_is_cached() -> None:
    s, t = State("map"), State("map")
    s.memo[1] = 1
    assert s.key() == t.key()
    assert hash(s) == hash(t)
    for change in ("turn", "moved", "reach"):
        other = State("map", **{change: 9})
        assert other.key() != s.key()
    t.here[3] = 1
    assert t.key() != s.key()


def test_a_pickle_brings_the_position_back_without_its_caches() -> None:
    s = State("map", fight=Fight(target=7), turn=3)
    s.memo[1] = 1
    t = pickle.loads(pickle.dumps(s))
    assert t == s
    assert t.memo == {}


def test_fields_are_known_by_kind() -> None:
    assert State.names(NUMBER) == ("turn",)
    assert State.names(UNITS, HEXES) == ("moved", "reach")
    assert State.fields["turn"].comment == "the turn"


class Counted(Flat):
    at: list[int] = row(lambda board: [-1] * 3, "unit -> hex")
    occ: list[int] = derived(lambda board: [0, 0], "side -> hexes")


def test_what_follows_from_other_fields_is_copied_and_pickled_but_no_part_of_a_key() -> None:
    s = Counted(at=[1, 2, 3], occ=[6, 8])
    t = s.copy()
    t.occ[0] = 4
    assert (s.occ, s == t) == ([6, 8], True)
    assert pickle.loads(pickle.dumps(s)).occ == [6, 8]
    assert repr(s) == "Counted(at=[1, 2, 3])"
