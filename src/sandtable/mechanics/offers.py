"""Actions out of sets, fast: one for each member of a set that is an int of bits."""

from __future__ import annotations

from struct import unpack

from sandtable.engine.contract import Action
from sandtable.engine.hexes import hexes_of

from .paths import swift

FEW = 6
WORD = 16  # bits
SPARSE = 128  # members, up to which each is looked up by itself

_MANY = 12
_LONG = (1 << (1 << _MANY)) - 1
_HALVES = tuple(tuple((1 << i, (1 << (1 << i)) - 1) for i in range(width - 1, 2, -1)) for width in range(_MANY + 1))
"""By the length of the length of a set: the spans of bits to halve it by, down to a byte."""
_BITS = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))


def picked_out(table: list[Action], masks: tuple[int, ...]) -> list[Action]:
    """For each member of these sets, in order, what a table has for it that has one action for every member in every
    set."""
    if swift.listed is not None:
        return swift.listed(table, masks)
    many = len(masks)
    found = [h * many + i for i, mask in enumerate(masks) for h in hexes_of(mask)]
    found.sort()
    return list(map(table.__getitem__, found))


class Word(dict[int, list[Action]]):
    """What the values of one word of a set stand for: made when a value is first met."""

    __slots__ = ("_actions",)

    def __init__(self, actions: list[Action]) -> None:
        self._actions = actions

    def __missing__(self, value: int) -> list[Action]:
        low, high = _BITS[value & 255], _BITS[value >> 8]
        actions = self._actions
        part = self[value] = [actions[i] for i in low] + [actions[i + 8] for i in high]
        return part


class Offers:
    """The actions (verb, member) for the members of a set, in order. Made once for a verb; asked often.

    Arguments that come before the member are given with the verb, and those that follow it by `after`. From one
    decision to the next a set changes little, so the last list is kept and mended. Otherwise the set is read member by
    member, and where there are many word by word: what a word at its place stands for is remembered.
    """

    __slots__ = ("_actions", "_known", "_last")

    def __init__(self, verb: int, size: int, *before: int, after: tuple[int, ...] = ()) -> None:
        self._actions: list[Action] = [(verb, *before, member, *after) for member in range(size)]
        self._known = [Word(self._actions[first : first + WORD]) for first in range(0, size, WORD)]
        self._last: tuple[int, list[Action]] = (0, [])

    def __call__(self, members: int) -> list[Action]:
        if swift.listed is not None:
            return swift.listed(self._actions, (members,))
        if not members:
            return []
        last, found = self._last
        other = last ^ members
        if not other:
            return found[:]
        if other.bit_count() <= max(FEW, len(found) >> 5):  # what is quicker than to read the whole set
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
        if members.bit_count() < SPARSE:
            return list(map(self._actions.__getitem__, hexes_of(members)))
        place = ((members & -members).bit_length() - 1) // WORD  # the first word that is not empty
        members >>= place * WORD
        width = (members.bit_length() + WORD - 1) // WORD
        words = unpack(f"<{width}H", members.to_bytes(2 * width, "little"))
        for value, known in zip(words, self._known[place : place + width], strict=True):
            if value:
                found += known[value]
        return found
