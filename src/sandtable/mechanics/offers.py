"""Lists of actions out of sets, fast: one action for each member of a set that is an int of bits."""

from __future__ import annotations

from sandtable.engine.contract import Action

FEW = 6


class Offers:
    """The actions (verb, member) for the members of a set, in order. Made once for a verb; asked often.

    Arguments that come before the member are given with the verb. From one decision to the next a set changes
    little, so the last list is kept and mended. Otherwise the set is read byte by byte, and what a byte at its
    place stands for is remembered.
    """

    __slots__ = ("_actions", "_known", "_last")

    def __init__(self, verb: int, size: int, *before: int) -> None:
        self._actions: list[Action] = [(verb, *before, member) for member in range(size)]
        self._known: list[dict[int, list[Action]]] = [{} for _ in range((size + 7) // 8)]
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
            found = self._listed(members)
        self._last = (members, found)
        return found[:]

    def _listed(self, members: int) -> list[Action]:
        found: list[Action] = []
        place = (members & -members).bit_length() - 1 >> 3  # the first byte that is not empty
        members >>= place * 8
        width = members.bit_length() + 7 >> 3
        for byte in members.to_bytes(width, "little"):
            if byte:
                known = self._known[place]
                part = known.get(byte)
                if part is None:
                    part = known[byte] = [self._actions[place * 8 + i] for i in range(8) if byte >> i & 1]
                found += part
            place += 1
        return found
