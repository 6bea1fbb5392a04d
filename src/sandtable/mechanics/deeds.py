"""What is done in a phase: a verb, who or what it can be done with, the bars that hold them, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

from sandtable.engine.actions import Codec
from sandtable.engine.contract import Action, Odds, Reason, State
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact
from sandtable.engine.texts.verbs import Verb

from .bars import Bars, Need, Words
from .masks import units_of
from .memory import Memory
from .offers import Offers

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=tuple[Any, ...])
N = TypeVar("N")


WORD = (1 << 32) - 1

WIDE = 512
"""More than so many to choose from are places on a large map."""


class Deed(Generic[S, A, N]):
    """Something that is done in a phase, by one verb."""

    verb: Verb
    odds: Callable[[S, A, Action], Odds | None] | None = None
    hint: Callable[[S, A, Action], Hint | None] | None = None

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        """Every way in which it can be done now, in order."""
        raise NotImplementedError

    def lister(self) -> Callable[[S, A, N], list[Action]]:
        """What gives its `actions`, as fast as it can be had: made once, for it is asked all the time."""
        return self.actions

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        """What forbids this one; None if it can be done."""
        raise NotImplementedError

    def do(self, s: S, f: A, action: Action) -> None:
        """Do it."""
        raise NotImplementedError

    def bind(self, codec: Codec) -> None:
        """Learn what the arguments range over."""

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        """Whether this is one of them."""
        return action in self.actions(s, f, now)

    def many(self, s: S, f: A, now: N) -> int:
        """In how many ways it can be done now."""
        return len(self.actions(s, f, now))

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        """Actions to compare list and reasons by: for the fuzzer."""
        return iter(())


class Each(Deed[S, A, N]):
    """Done with one of a set (units, hexes, or any numbers): the members that nothing bars.

    `of` gives the set to choose from; a table of bars that names its needs may do without. What stands outside `of` is
    answered by the table too, so every candidate that is left out of `of` needs a row there. `worked` gives the members
    themselves, where the same table has been asked for them before.
    """

    def __init__(
        self,
        verb: Verb,
        *,
        take: Callable[[S, A, int], None],
        bars: Bars[S, N],
        of: Callable[[S, N], int] | None = None,
        worked: Callable[[S, N], int] | None = None,
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
        facts: Callable[[S, N], Mapping[str, Fact]] | None = None,
        then: tuple[int, ...] = (),
    ) -> None:
        """`facts`: what the texts of the bars speak of besides the one itself. `then`: further arguments of the verb,
        always the same."""
        self.verb = verb
        self.then = then
        self.of = of
        self.worked = worked
        self.bars = bars
        self.take = take
        self.facts = facts
        self.odds = odds
        self.hint = hint
        self._name = verb.args[0][0]
        self._offers: Callable[[int], list[Action]]
        self._all = 0
        self.members: Callable[[S, N], int]
        """Those with whom it can be done now."""

    def bind(self, codec: Codec) -> None:
        names = codec.verbs[self.verb].args[0][1].values
        self._offers = Offers(int(self.verb), len(names), after=self.then)
        self._all = sum(1 << i for i, name in enumerate(names) if name)
        self.members = self.worked or self._found()

    def _found(self) -> Callable[[S, N], int]:
        """How the members are found: made once, for it is asked all the time."""
        of, free, everybody = self.of, self.bars.free, self._all
        if of is None:
            return lambda s, now: free(everybody, s, now)
        return lambda s, now: free(candidates, s, now) if (candidates := of(s, now)) else 0

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        members = self.members(s, now)
        return self._offers(members) if members else []

    def lister(self) -> Callable[[S, A, N], list[Action]]:
        if type(self) is not Each or self.worked is not None:
            return self.actions
        of, free, offers, everybody = self.of, self.bars.free, self._offers, self._all

        def of_all(s: S, f: A, now: N) -> list[Action]:
            members = free(everybody, s, now)
            return offers(members) if members else []

        if of is None:
            return of_all

        def actions(s: S, f: A, now: N) -> list[Action]:
            candidates = of(s, now)
            members = free(candidates, s, now) if candidates else 0
            return offers(members) if members else []

        return actions

    def many(self, s: S, f: A, now: N) -> int:
        return self.members(s, now).bit_count()

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        one = action[1] if len(action) > 1 and action[2:] == self.then else -1
        if self.worked is not None:
            return one >= 0 and bool(self.worked(s, now) >> one & 1)
        return one >= 0 and bool(self._all >> one & 1) and not self.bars.holds(one, s, now)

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        facts: dict[str, Fact] = {self._name: action[1]}
        if self.facts is not None:
            facts |= self.facts(s, now)
        return self.bars.why(action[1], s, now, facts)

    def do(self, s: S, f: A, action: Action) -> None:
        self.take(s, f, action[1])

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        """Those whom list and table of bars see differently, and a few more for the words; long sets are not kept."""
        members, free = self.members(s, now), self.bars.free(self._all, s, now)
        verb, held = int(self.verb), self._all & ~free
        few = [*units_of(members & -members), *units_of(held & -held), held.bit_length() - 1]
        return ((verb, one, *self.then) for one in {*units_of.__wrapped__(members ^ free), *few} if one >= 0)


class Only(Each[S, A, N]):
    """Done with the members of a set; for all others there is one reason."""

    def __init__(
        self,
        verb: Verb,
        rule: str,
        text: Words[S, N],
        free: Callable[[S, N], int],
        *,
        take: Callable[[S, A, int], None],
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
    ) -> None:
        super().__init__(verb, take=take, bars=Bars(Need(rule, text, free)), odds=odds, hint=hint)


class Ways(Each[S, A, N]):
    """Done with one of a set that was worked out with the same bars (by a kernel that they were fed to): `of` is what
    they leave free. The last row of the table is the need to be in it, with the kernel's diagnosis."""

    def _found(self) -> Callable[[S, N], int]:
        everybody = self._all
        return self.of or (lambda s, now: everybody)

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        one = action[1] if len(action) > 1 and action[2:] == self.then else -1
        return one >= 0 and bool(self.members(s, now) >> one & 1)


class Once(Deed[S, A, N]):
    """Done or not: a verb without arguments. `shut` says why it cannot be done now, if it cannot; or a table of `bars`
    says it, whose sets hold all or nobody. `of`: where it is false, the table need not be asked."""

    def __init__(
        self,
        verb: Verb,
        *,
        take: Callable[[S, A], None],
        shut: Callable[[S, N], Reason | None] | None = None,
        bars: Bars[S, N] | None = None,
        of: Callable[[S, N], object] | None = None,
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
        facts: Callable[[S, N], Mapping[str, Fact]] | None = None,
    ) -> None:
        self.verb = verb
        self.take = take
        self.shut = shut
        self.bars = bars
        self.of = of
        self.odds = odds
        self.hint = hint
        self.facts = facts
        self._action: Action = (int(verb),)

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        if self.bars is not None:
            free = (self.of is None or self.of(s, now)) and self.bars.free(1, s, now)
        else:
            free = self.shut is None or self.shut(s, now) is None
        return [self._action] if free else []

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        if self.bars is not None:
            return self.bars.why(0, s, now, self.facts(s, now) if self.facts is not None else {})
        return None if self.shut is None else self.shut(s, now)

    def do(self, s: S, f: A, action: Action) -> None:
        self.take(s, f)

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        return iter((self._action,))


class Listed(Deed[S, A, N]):
    """Done with arguments that belong together (a unit and a hex, two units): `of` gives them in order, `reason` says
    what forbids others. `reason` must be a diagnosis made of the same bars that `of` is made of; the fuzzer asks it
    about `others` too."""

    def __init__(
        self,
        verb: Verb,
        *,
        of: Callable[[S, A, N], Iterable[tuple[int, ...]]],
        reason: Callable[[S, A, N, Sequence[int]], Reason | None],
        take: Callable[..., None],
        others: Callable[[S, A, N], Iterable[tuple[int, ...]]] | None = None,
        has: Callable[[S, A, Action], bool] | None = None,
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
    ) -> None:
        """`has`: whether an action is one of them, where that is known without a list."""
        self.verb = verb
        self.of = of
        self.has = has
        self.reason = reason
        self.take = take
        self.others = others
        self.odds = odds
        self.hint = hint

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        verb = int(self.verb)
        return [(verb, *args) for args in self.of(s, f, now)]

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        return self.has(s, f, action) if self.has is not None else super().can(s, f, now, action)

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        return self.reason(s, f, now, action[1:])

    def do(self, s: S, f: A, action: Action) -> None:
        self.take(s, f, *action[1:])

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        verb = int(self.verb)
        return ((verb, *args) for args in (self.others(s, f, now) if self.others is not None else ()))


class Routes(Listed[S, A, N]):
    """Done with what a kernel found: `of` gives the actions themselves, `reason` what it says of others."""

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        found = self.of(s, f, now)
        return found if isinstance(found, list) else list(found)

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        return None if self.can(s, f, now, action) else super().why(s, f, now, action)


class Pairs(Deed[S, A, N]):
    """Done with two things that do not depend on each other: the free ones of the first times those of the second.

    Of two reasons the first one's is named, or the second one's if `second_first`.
    """

    def __init__(
        self,
        verb: Verb,
        *,
        first: Bars[S, N],
        second: Bars[S, N],
        take: Callable[[S, A, int, int], None],
        second_first: bool = False,
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
        facts: Callable[[S, N], Mapping[str, Fact]] | None = None,
    ) -> None:
        self.verb = verb
        self.first = first
        self.second = second
        self.take = take
        self.second_first = second_first
        self.odds = odds
        self.hint = hint
        self.facts = facts
        self._all = (0, 0)
        self._known: Memory[tuple[int, int, int], list[Action]] = Memory(1 << 10)
        self._rows: list[Offers] = []

    def bind(self, codec: Codec) -> None:
        one, two = (
            sum(1 << i for i, name in enumerate(kind.values) if name) for _, kind in codec.verbs[self.verb].args
        )
        self._all = (one, two)
        if two.bit_length() > WIDE:
            self._rows = [Offers(int(self.verb), two.bit_length(), first) for first in range(one.bit_length())]

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        if self._rows:  # many places for few things
            few = units_of(self.first.free(self._all[0], s, now))
            seconds = self.second.free(self._all[1] if few else 0, s, now)
            rows = [self._rows[one](seconds) for one in few]
            return rows[0] if len(rows) == 1 else list(chain(*rows))
        seconds = self.second.free(self._all[1], s, now)
        if not seconds:
            return []
        firsts, start = self.first.free(self._all[0], s, now), 0
        found: list[Action] = []
        while firsts:  # word by word: from one list to the next most words stay what they are
            word = firsts & WORD
            if word:
                found += self._known.get((start, word, seconds)) or self._word(start, word, seconds)
            firsts >>= WORD.bit_length()
            start += WORD.bit_length()
        return found

    def _word(self, start: int, word: int, seconds: int) -> list[Action]:
        verb, others = int(self.verb), units_of(seconds)
        listed: list[Action] = [(verb, start + one, other) for one in units_of(word) for other in others]
        return self._known.keep((start, word, seconds), listed)

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        if len(action) != 3:
            return False
        _, one, other = action
        known = min(one, other) >= 0 and self._all[0] >> one & 1 and self._all[1] >> other & 1
        return bool(known) and not (self.first.holds(one, s, now) or self.second.holds(other, s, now))

    def many(self, s: S, f: A, now: N) -> int:
        firsts = self.first.free(self._all[0], s, now)
        return firsts.bit_count() * self.second.free(self._all[1] if firsts else 0, s, now).bit_count()

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        facts: dict[str, Fact] = {name: value for (name, _), value in zip(self.verb.args, action[1:], strict=True)}
        if self.facts is not None:
            facts |= self.facts(s, now)
        rows = [(self.first, action[1]), (self.second, action[2])]
        for bars, one in reversed(rows) if self.second_first else rows:
            reason = bars.why(one, s, now, facts)
            if reason is not None:
                return reason
        return None

    def do(self, s: S, f: A, action: Action) -> None:
        self.take(s, f, action[1], action[2])

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        """Since they do not depend on each other: each of the first with one of the second, and the other way round."""
        verb, (ones, others) = int(self.verb), self._all
        one = (self.first.free(ones, s, now) or ones).bit_length() - 1
        other = (self.second.free(others, s, now) or others).bit_length() - 1
        yield from ((verb, a, other) for a in units_of(ones))
        yield from ((verb, one, b) for b in units_of(others))


class Linked(Deed[S, A, N]):
    """Done with one thing and another that depends on it: the free ones of the first, and for each the free ones of the
    second, whose table is asked with the first as what is known. `turned`: the first is what the verb names last."""

    def __init__(
        self,
        verb: Verb,
        *,
        first: Bars[S, N],
        second: Bars[S, Any],
        take: Callable[[S, A, int, int], None],
        of: Callable[[S, N], int] | None = None,
        to: Callable[[S, int], int] | None = None,
        knows: Callable[[S, int], Any] | None = None,
        turned: bool = False,
        facts: Callable[[S, int], Mapping[str, Fact]] | None = None,
        odds: Callable[[S, A, Action], Odds | None] | None = None,
        hint: Callable[[S, A, Action], Hint | None] | None = None,
    ) -> None:
        """`of`, `to`: the candidates, as for `Each`. `knows`: what the second table is asked with, if that is not the
        first itself. `facts`: how the texts call the one that they are about, where
        that is not as the verb calls it."""
        self.verb = verb
        self.first = first
        self.second = second
        self.take = take
        self.of = of
        self.to = to
        self.knows = knows
        self.turned = turned
        self.facts = facts
        self.odds = odds
        self.hint = hint
        self._all = (0, 0)

    def bind(self, codec: Codec) -> None:
        one, two = (
            sum(1 << i for i, name in enumerate(kind.values) if name) for _, kind in codec.verbs[self.verb].args
        )
        self._all = (two, one) if self.turned else (one, two)

    def pairs(self, s: S, now: N) -> list[tuple[int, int]]:
        """Which first goes with which second."""
        candidates = self._all[0] if self.of is None else self.of(s, now)
        firsts = self.first.free(candidates, s, now) if candidates else 0
        return [(one, other) for one in units_of(firsts) for other in units_of(self.seconds(s, one))]

    def seconds(self, s: S, one: int) -> int:
        """Those that go with this first."""
        known = one if self.knows is None else self.knows(s, one)
        return self.second.free(self._all[1] if self.to is None else self.to(s, one), s, known)

    def actions(self, s: S, f: A, now: N) -> list[Action]:
        verb, found = int(self.verb), self.pairs(s, now)
        if not found:
            return []
        return sorted((verb, b, a) for a, b in found) if self.turned else [(verb, *pair) for pair in found]

    def can(self, s: S, f: A, now: N, action: Action) -> bool:
        if len(action) != 3:
            return False
        one, other = reversed(action[1:]) if self.turned else action[1:]
        if min(one, other) < 0 or not self._all[0] >> one & 1 or not self._all[1] >> other & 1:
            return False
        known = one if self.knows is None else self.knows(s, one)
        return not (self.first.holds(one, s, now) or self.second.holds(other, s, known))

    def why(self, s: S, f: A, now: N, action: Action) -> Reason | None:
        facts: dict[str, Fact] = {name: value for (name, _), value in zip(self.verb.args, action[1:], strict=True)}
        one, other = reversed(action[1:]) if self.turned else action[1:]
        named = [facts | dict(self.facts(s, which) if self.facts is not None else {}) for which in (one, other)]
        known = one if self.knows is None else self.knows(s, one)
        return self.first.why(one, s, now, named[0]) or self.second.why(other, s, known, named[1])

    def do(self, s: S, f: A, action: Action) -> None:
        self.take(s, f, action[1], action[2])

    def asked(self, s: S, f: A, now: N) -> Iterator[Action]:
        """Each of the first with any of the second, and each of the second with a few that are free."""
        verb, (ones, others) = int(self.verb), self._all
        second = units_of(others)
        pairs = [(one, second[one % len(second)]) for one in units_of(ones)]
        pairs += [(one, other) for one in units_of(self.first.free(ones, s, now))[:3] for other in second]
        return ((verb, b, a) if self.turned else (verb, a, b) for a, b in pairs)


class Elsewhere(Deed[S, A, N]):
    """Verbs that belong to another moment (without any: all others), and what to do first: with the phase's facts."""

    def __init__(self, rule: str, text: str, *verbs: Verb) -> None:
        self.rule = rule
        self.text = text
        self.verbs = verbs
