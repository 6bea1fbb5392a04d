"""Lists of actions out of sets, fast: one action for each member of a set that is an int of bits."""

from __future__ import annotations

from sandtable.engine.contract import Action

FEW = 6


class Byte(dict[int, list[Action]]):
    """What the values of one byte of a set stand for: made when a value is first met."""

    __slots__ = ("_actions",)

    def __init__(self, actions: list[Action]) -> None:
        self._actions = actions

    def __missing__(self, value: int) -> list[Action]:
        part = self[value] = [action for i, action in enumerate(self._actions) if value >> i & 1]
        return part


class Offers:
    """The actions (verb, member) for the members of a set, in order. Made once for a verb; asked often.

    Arguments that come before the member are given with the verb. From one decision to the next a set changes
    little, so the last list is kept and mended. Otherwise the set is read byte by byte, and what a byte at its
    place stands for is remembered.
    """

    __slots__ = ("_actions", "_known", "_last")

    def __init__(self, verb: int, size: int, *before: int) -> None:
        self._actions: list[Action] = [(verb, *before, member) for member in range(size)]
        self._known = [Byte(self._actions[first : first + 8]) for first in range(0, size, 8)]
        self._last: tuple[int, list[Action]] = (0, [])

    def __call__(self, members: int) -> list[Action]:
        if not members:
            return []
        last, found = self._last
        other = last ^ members
        if not other:
            return found[:]
        if other.bit_count() <= FEW:
            found = found[:]
            while other:
                low = other & -other
                place = (last & (low - 1)).bit_count()
                if last & low:
                    del found[place]
                else:
                    found.insert(place, self._actions[low.bit_length() - 1])
                last ^= low
                other ^= low
        else:
            found = self.listed(members)
        self._last = (members, found)
        return found[:]

    def listed(self, members: int) -> list[Action]:
        """The same for a set that has nothing to do with the last one."""
        found: list[Action] = []
        if not members:
            return found
        place = (members & -members).bit_length() - 1 >> 3  # the first byte that is not empty
        members >>= place * 8
        width = members.bit_length() + 7 >> 3
        parts = zip(members.to_bytes(width, "little"), self._known[place : place + width], strict=True)
        for value, known in parts:
            if value:
                found += known[value]
        return found
