"""A prohibition is said once: what the list leaves out, the reason names."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.engine.contract import Reason
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need


@dataclass
class Desk:
    mine: int = 0b11111
    moved: int = 0b00010
    stuck: int = 0b00100
    asked: int = 0


def ask(s: Desk, now: object, one: int) -> bool:
    s.asked |= 1 << one
    return bool(s.stuck >> one & 1)


def diagnosis(s: Desk, now: object, one: int) -> Reason:
    return Reason("2.2", Text("{n} marshes around it", n=one))


DONE: Bars[Desk, object] = Bars(Bar("1.2", "{unit} has moved", lambda s, _: s.moved))
MOVE: Bars[Desk, int] = Bars(
    Need("1.1", "{unit} is not yours", lambda s, _: s.mine),
    DONE,
    Bar("1.3", "{unit} is too far away", lambda s, now: now),
    Doubt("2.1", diagnosis, ask),
)


def test_the_list_is_what_no_row_holds() -> None:
    s = Desk()
    assert MOVE.free(0b111111, s, 0b10000) == 0b01001
    assert s.asked == 0b01101  # a doubt is asked about those alone whom no set holds


def test_where_nobody_is_left_nothing_more_is_asked() -> None:
    asked: list[str] = []

    def row(name: str, held: int) -> Bar[Desk, object]:
        def holds(s: Desk, now: object) -> int:
            asked.append(name)
            return held

        return Bar(name, "{unit} waits", holds)

    table: Bars[Desk, object] = Bars(row("1.1", 0b011), row("1.2", 0b100), row("1.3", -1))
    assert table.free(0b111, Desk(), None) == 0
    assert asked == ["1.1", "1.2"]
    assert table.free(0b1111, Desk(), None) == 0
    assert asked == ["1.1", "1.2", "1.1", "1.2", "1.3"]


def test_one_who_is_free_is_enough() -> None:
    s = Desk()
    assert MOVE.some(0b111111, s, 0b10000)
    assert s.asked == 0b00001
    assert not MOVE.some(0b110110, s, 0b10000)


def test_a_reason_stands_for_everyone_who_is_not_listed_and_for_nobody_else() -> None:
    s = Desk()
    rules = [reason and reason.rule for reason in (MOVE.why(one, s, 0b10000, {"unit": one}) for one in range(6))]
    assert rules == [None, "1.2", "2.2", None, "1.3", "1.1"]
    assert MOVE.why(1, s, 0, {"unit": "The 7th"}) == Reason("1.2", "The 7th has moved")
    assert MOVE.holds(1, s, 0)
    assert not MOVE.holds(0, s, 0)


def test_those_beyond_doubt_are_not_asked_about() -> None:
    s = Desk()
    bars: Bars[Desk, object] = Bars(Doubt("2.1", "{unit} is stuck", ask, about=lambda s, _: 0b00001))
    assert bars.free(0b111, s, None) == 0b111
    assert s.asked == 1
    assert bars.why(2, s, None, {}) is None


def test_the_table_can_be_read_without_a_state() -> None:
    assert list(MOVE.texts()) == [
        ("1.1", "{unit} is not yours"),
        ("1.2", "{unit} has moved"),
        ("1.3", "{unit} is too far away"),
    ]
