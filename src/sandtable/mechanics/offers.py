"""Lists of actions out of sets, fast: one action for each member of a set that is an int of bits."""

from __future__ import annotations

from sandtable.engine.contract import Action


class Offers:
    """The actions (verb, member) for the members of a set, in order. Made once for a verb; asked often.

    The set is read byte by byte, and what a byte at its place stands for is remembered.
    """

    __slots__ = ("_known", "_verb", "_width")

    def __init__(self, verb: int, size: int) -> None:
        self._verb = verb
        self._width = (size + 7) // 8
        self._known: list[dict[int, tuple[Action, ...]]] = [{} for _ in range(self._width)]

    def __call__(self, members: int) -> list[Action]:
        found: list[Action] = []
        if not members:
            return found
        for known, byte in zip(self._known, members.to_bytes(self._width, "little"), strict=True):
            if byte:
                part = known.get(byte)
                found += self._learn(known, byte) if part is None else part
        return found

    def _learn(self, known: dict[int, tuple[Action, ...]], byte: int) -> tuple[Action, ...]:
        first = next(i for i, other in enumerate(self._known) if other is known) * 8
        part = known[byte] = tuple((self._verb, first + i) for i in range(8) if byte >> i & 1)
        return part
