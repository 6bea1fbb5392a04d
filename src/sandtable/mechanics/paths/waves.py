"""Everywhere that a move can lead, for whole sets of hexes at once: one round for each point spent.

All hexes on the front are treated together, so that a point costs a handful of operations on long ints however many
they are. Good for charts whose prices are small whole numbers. `Waves` keeps those of a chart: units ask again and
again from where they stand, and who is far away does not matter to them.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.hexes import Hex, Mask

from ..memory import Memory
from . import swift
from .charts import FIRST, GO, HALTS, Chart, Tolls, due
from .surveys import NEVER, set_within

FREE, MET = 1 << 12, 1 << 11  # waves of a chart that are kept


class Ways:
    """The ways of a move, followed back from where they lead."""

    __slots__ = ("chain", "chart", "entering", "hexes", "leaving", "setting_out", "start", "stop")

    chart: Chart
    start: Hex
    stop: Mask
    leaving: Tolls
    entering: Tolls
    setting_out: bool
    chain: Mask
    hexes: Mask

    def cost(self, h: Hex) -> int:
        raise NotImplementedError

    def halts(self, h: Hex) -> bool:
        raise NotImplementedError

    def goes_on(self, h: Hex, points: int) -> bool:
        """Whether the move is in a hex for so many points, and may go on."""
        raise NotImplementedError

    def path(self, h: Hex) -> list[Hex]:
        points = self.cost(h)
        if points <= 0:
            return []
        way = [h]
        n, onward, points = self._before(h, points, -1, HALTS if self.halts(h) else 0)
        while n != self.start:
            way.append(n)
            n, onward, points = self._before(n, points, onward, GO)
        way.reverse()
        return way

    def _before(self, h: Hex, points: int, onward: int, halted: int) -> tuple[Hex, int, int]:
        """The hex before h on a cheapest way, the direction of the step and the points spent there.

        A step in the same direction as the next one is taken before any other.
        """
        start, stop, goes_on = self.start, self.stop, self.goes_on
        points -= due(self.entering, h)
        linked = self.chain if self.chain >> h & 1 else 0
        for n, d, price, flags in self.chart.ways[h] if onward < 0 else self.chart.straight(h, onward):
            at = points - price
            if at < 0 or flags & HALTS != halted or linked >> n & 1:
                continue
            for toll, tolled in self.leaving:
                if tolled >> n & 1:
                    at -= toll
            if at >= 0 and goes_on(n, at):
                if n == start:
                    if flags & FIRST and not self.setting_out:
                        continue
                elif flags & FIRST or stop >> n & 1:
                    continue
                return n, d, at
        raise AssertionError("a hex was reached from nowhere")


class Wave(Ways):
    """Where one move can lead, for how many points, and how."""

    __slots__ = ("ended", "layers")

    def __init__(
        self,
        chart: Chart,
        start: Hex,
        stop: Mask,
        leaving: Tolls,
        entering: Tolls,
        setting_out: bool,
        layers: list[Mask],
        ended: list[Mask],
        hexes: Mask,
        chain: Mask,
    ) -> None:
        self.chart = chart
        self.start = start
        self.stop = stop
        self.leaving = leaving
        self.entering = entering
        self.setting_out = setting_out
        self.layers = layers  # by points: hexes first reached for so many from which the move may go on
        self.ended = ended  # by points: hexes that a step ending the move leads to
        self.hexes = hexes
        self.chain = chain

    def within(self, points: int) -> Mask:
        if points >= len(self.layers) - 1:
            return self.hexes
        found = 0
        for layer in self.layers[: points + 1]:
            found |= layer
        for layer in self.ended[: points + 1]:
            found |= layer
        return found

    def cost(self, h: Hex) -> int:
        bit, ended = 1 << h, self.ended
        for points, layer in enumerate(self.layers):
            if layer & bit or ended[points] & bit:
                return points
        return -1

    def halts(self, h: Hex) -> bool:
        cost = self.cost(h)
        return cost >= 0 and not self.layers[cost] >> h & 1

    def goes_on(self, h: Hex, points: int) -> bool:
        return bool(self.layers[points] >> h & 1)


class Roaming(Ways):
    """The same as the compiled kernel finds it: hex by hex what it costs, NEVER if it is out of reach."""

    __slots__ = ("_ended", "_going", "_points")

    def __init__(self, chart: Chart, *terms: Any) -> None:
        """The terms of a `wave`, in their order."""
        assert swift.roam is not None
        self.chart = chart
        self.start, self._points, _, self.stop, self.leaving, self.entering, self.setting_out, self.chain = terms
        self.hexes, self._going, self._ended = swift.roam(*chart.sheet(), *terms)

    def within(self, points: int) -> Mask:
        if points >= self._points:
            return self.hexes
        return set_within(self._going, points) | set_within(self._ended, points) if points >= 0 else 0

    def cost(self, h: Hex) -> int:
        cost = min(self._going[h], self._ended[h])
        return cost if cost != NEVER else -1

    def halts(self, h: Hex) -> bool:
        return self._ended[h] < self._going[h]

    def goes_on(self, h: Hex, points: int) -> bool:
        return self._going[h] == points


def wave(
    chart: Chart,
    start: Hex,
    points: int,
    closed: Mask = 0,
    stop: Mask = 0,
    leaving: Tolls = (),
    entering: Tolls = (),
    setting_out: bool = True,
    chain: Mask = 0,
) -> Wave:
    """One move from one hex: see `legs.Leg`."""
    grid = chart.grid
    points = max(points, 0)
    layers, ended = [0] * (points + 1), [0] * (points + 1)
    layers[0] = 1 << start
    if setting_out and chart.first[start]:
        away = due(leaving, start)
        shut = closed | chain if chain >> start & 1 else closed
        for n, _, cost, halts in chart.first[start]:
            if cost + away <= points and not shut >> n & 1:
                (ended if halts else layers)[cost + away] |= 1 << n
    left = everywhere = grid.all & ~closed | 1 << start
    held = [0] * (points + 1) if leaving else []
    paid, paid_end = ([0] * (points + 1), [0] * (points + 1)) if entering else ([], [])
    go, halting, halting_in = chart.go, chart.halting, chart.halting_in
    last = points - chart.least
    outside = grid.all & ~chain if chain else 0
    far = grid.stride
    near = far - 1
    for spent in range(points + 1):
        front = layers[spent] & left
        if entering and spent:
            end = ended[spent]
            for toll, tolled in entering:  # who enters pays first, and is there later
                hit = front & tolled
                if hit:
                    front ^= hit
                    if spent + toll <= points:
                        paid[spent + toll] |= hit
                stuck = end & tolled if end else 0
                if stuck:
                    end ^= stuck
                    if spent + toll <= points:
                        paid_end[spent + toll] |= stuck
            front |= paid[spent] & left
            ended[spent] = end | paid_end[spent]
        layers[spent] = front
        left ^= front
        if stop and spent:
            front ^= front & stop
        if leaving:
            for toll, tolled in leaving:  # who leaves pays first, and sets out later
                hit = front & tolled
                if hit:
                    front ^= hit
                    if spent + toll <= points:
                        held[spent + toll] |= hit
            front |= held[spent]
        if spent > last or not front:
            continue
        linked = front & chain
        if linked:  # only those outside the chain enter it
            free = front ^ linked
            b, c, e, f = (
                free >> near | linked >> near & outside,
                free >> 1 | linked >> 1 & outside,
                free << 1 | linked << 1 & outside,
                free << near | linked << near & outside,
            )
            a, g = free >> far | linked >> far & outside, free << far | linked << far & outside
        else:
            b, c, e, f = front >> near, front >> 1, front << 1, front << near
            a, g = c >> near, e << near
        around = a | b | c | e | f | g
        for cost, entered, every, some, by_side in go:
            at = spent + cost
            if at > points:
                break
            if around & some:
                m, n, o, p, q, r = by_side
                layers[at] |= around & every | a & m | b & n | c & o | e & p | f & q | g & r
            elif around & entered:
                layers[at] |= around & every
        if around & halting_in:
            for cost, entered, every, _, by_side in halting:
                at = spent + cost
                if at > points:
                    break
                if around & entered:
                    m, n, o, p, q, r = by_side
                    ended[at] |= (around & every | a & m | b & n | c & o | e & p | f & q | g & r) & everywhere
    found = everywhere ^ left
    for layer in ended:
        if layer:
            found |= layer
    return Wave(chart, start, stop, leaving, entering, setting_out, layers, ended, found, chain)


class Waves:
    """The waves of one chart. Whatever is in the way of a wave makes it smaller; so of all that is in the way, only
    what lies where it would lead without matters to it, and by that it is kept."""

    __slots__ = ("_chart", "_free", "_met", "_shorter")

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        # with nothing in the way: from each start the widest, and shorter ones
        self._free: Memory[tuple[Hex, bool], Wave] = Memory(FREE)
        self._shorter: Memory[tuple[Hex, int, bool], Wave] = Memory(FREE)
        self._met: Memory[tuple[Hex, int, Mask, Mask, Tolls, Tolls, bool, Mask], Wave] = Memory(MET)

    def __call__(
        self,
        start: Hex,
        points: int,
        closed: Mask,
        stop: Mask,
        leaving: Tolls,
        entering: Tolls,
        setting_out: bool,
        chain: Mask,
    ) -> Wave | Roaming:
        """As `wave`."""
        points = max(points, 0)
        if swift.roam is not None and points < NEVER:
            return Roaming(self._chart, start, points, closed, stop, leaving, entering, setting_out, chain)
        free = self._shorter.get((start, points, setting_out))
        if free is None:
            widest = self._free.get((start, setting_out))
            if (widest is None or len(widest.layers) <= points) and self._hindered(start, closed, stop, entering):
                return wave(self._chart, start, points, closed, stop, leaving, entering, setting_out, chain)
            free = self._alone(start, points, setting_out)
        there = free.hexes
        beyond = there ^ 1 << start
        closed &= beyond
        stop &= beyond
        chain &= there
        leaving = _met(leaving, there) if leaving else ()
        entering = _met(entering, beyond) if entering else ()
        if not (closed or stop or leaving or entering or chain & (chain - 1)):
            return free
        key = (start, points, closed, stop, leaving, entering, setting_out, chain)
        return self._met.get(key) or self._met.keep(key, wave(self._chart, *key))

    def _hindered(self, start: Hex, closed: Mask, stop: Mask, entering: Tolls) -> bool:
        """Whether something is in the way at once: then the wave without it need not be known."""
        for _, mask in entering:
            stop |= mask
        return bool((closed | stop) & self._chart.exits[start])

    def _alone(self, start: Hex, points: int, setting_out: bool) -> Wave:
        """The wave with nothing in the way: one with more points holds those with fewer."""
        widest = self._free.get((start, setting_out))
        if widest is None or len(widest.layers) <= points:
            widest = wave(self._chart, start, points, setting_out=setting_out)
            return self._free.keep((start, setting_out), widest)
        if len(widest.layers) == points + 1:
            return widest
        layers, ended, hexes = widest.layers[: points + 1], widest.ended[: points + 1], widest.within(points)
        shorter = Wave(self._chart, start, 0, (), (), setting_out, layers, ended, hexes, 0)
        return self._shorter.keep((start, points, setting_out), shorter)


def _met(tolls: Tolls, hexes: Mask) -> Tolls:
    """What of these tolls is due in some hexes."""
    return tuple([(toll, tolled & hexes) for toll, tolled in tolls if tolled & hexes])
