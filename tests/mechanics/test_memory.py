"""What is kept: answers for ever, until a memory is full, and answers that hold for one position."""

from __future__ import annotations

from types import SimpleNamespace

from sandtable.mechanics.memory import forget, noted, remembered


def test_an_answer_is_worked_out_once_until_it_is_forgotten() -> None:
    asked: list[int] = []

    @remembered(2)
    def twice(n: int) -> int:
        asked.append(n)
        return 2 * n

    assert [twice(1), twice(1), twice(2)] == [2, 2, 4]
    assert asked == [1, 2]
    assert twice(3) == 6, "which is one too many: all is forgotten"
    assert twice(1) == 2
    assert asked == [1, 2, 3, 1]
    forget(twice)
    assert twice(1) == 2
    assert asked == [1, 2, 3, 1, 1]


def test_what_is_noted_holds_for_one_position() -> None:
    asked: list[tuple[int, int]] = []

    @noted
    def reach(s: SimpleNamespace, side: int) -> int:
        asked.append((s.at, side))
        return int(s.at) + side

    s = SimpleNamespace(at=5, memo={})
    assert [reach(s, 0), reach(s, 1), reach(s, 0)] == [5, 6, 5]
    assert asked == [(5, 0), (5, 1)]
    assert s.memo == {("reach", 0): 5, ("reach", 1): 6}
    s.at, s.memo = 7, {}
    assert reach(s, 0) == 7
