"""Courses: treks read off a survey.

When enemies are on the map, a cheapest way that meets none of them still is one. A course finds the places at the end
of such ways by going along the steps that its survey knows, whole sets at once, and searches hex by hex for the few
that are left: those for which somebody is in the way.

Places are those of surveys.py.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of

from .surveys import NEVER, Planes, Survey, moved
from .treks import Tolls, Way, due


def within(numbers: Planes, places: Mask, most: int) -> Mask:
    """Those of these places whose number is not above `most`."""
    if most >> len(numbers):
        return places
    found = 0
    for bit in range(len(numbers) - 1, -1, -1):
        if most >> bit & 1:
            found |= places & ~numbers[bit]
            places &= numbers[bit]
        else:
            places &= ~numbers[bit]
    return found | places


def lowest(numbers: Planes, places: Mask) -> int:
    """The lowest number of these places."""
    found = 0
    for bit in range(len(numbers) - 1, -1, -1):
        lower = places & ~numbers[bit]
        if lower:
            places = lower
        else:
            found |= 1 << bit
    return found


class Course(Way):
    """Where one move can lead, for how many points, and how."""

    __slots__ = ("a", "away", "b", "found", "left", "shut", "survey")

    def __init__(
        self,
        survey: Survey,
        points: int,
        barred: Mask = 0,
        stop: Mask = 0,
        leaving: Tolls = (),
        entering: Tolls = (),
        before: Course | None = None,
    ) -> None:
        """As `treks.trek`. `before`: a course from the same start with no fewer points, on which nothing is different
        but that the places to stop in and those with a toll for leaving were barred too."""
        survey.charted()
        start = survey.start
        super().__init__(survey.ground.rates, start, stop, leaving, entering)
        self.survey = survey
        self.found: dict[int, int] = {}  # places that do not cost what the survey says; those of b behind those of a
        self.away = due(leaving, start)  # what it costs to leave the start
        self.left = left = points - self.away
        others = ~(1 << start)
        tolled = shut = 0
        for _, mask in entering:
            tolled |= mask
        for _, mask in leaving:
            shut |= mask
        self.shut = shut = (
            shut | barred | stop | tolled
        ) & others  # cheapest ways of the survey end here at the latest
        if left < 0:
            self.a, self.b = survey.all_a & ~others, 0
        else:
            self.a, self.b = survey.within(left)
            if shut & survey.hexes:
                a, b = self._along(before)
                barred &= others
                never = ~(barred | tolled & others)
                self.a &= a & never
                self.b &= b & never
                self._search(barred, before)
        self.hexes = self.a | self.b
        size = survey.ground.size
        for place in self.found:
            self.hexes |= 1 << (place if place < size else place - size)

    # What the survey knows

    def _along(self, before: Course | None) -> tuple[Mask, Mask]:
        """The places that cheapest ways of the survey lead to, as far as nothing is shut."""
        survey, shut = self.survey, self.shut
        ground = survey.ground
        if before is None:  # up to the cost of the first place that is shut, there is nobody to meet
            met_a, met_b = survey.all_a & shut, survey.all_b & shut
            most = lowest(survey.cost_a, met_a) if met_a else NEVER
            if met_b:
                most = min(most, lowest(survey.cost_b, met_b))
            a = within(survey.cost_a, survey.all_a, most) | survey.first
            b = within(survey.cost_b, survey.all_b, most) if survey.all_b else 0
        else:
            a, b = before.a, before.b
        far = self.rates.grid.stride
        near = far - 1
        free = ~shut
        ahead, back, near_down, far_down, near_up, far_up = [survey.into[d] & free for d in ground.order]
        while True:
            while True:
                last = a
                # each direction goes on from what the one before it has added: fewer rounds than there are steps
                a |= (a & ahead) << 1
                a |= (a & back) >> 1
                a |= (a & near_down) << near
                a |= (a & far_down) << far
                a |= (a & near_up) >> near
                a |= (a & far_up) >> far
                if a == last:
                    break
            if not survey.all_b:
                return a, 0
            entered = survey.all_b & ~b
            if entered:
                dry = a & free
                for d, shift in enumerate(ground.shifts):
                    b |= moved(dry & survey.across[d], shift)
            dry = b & free
            for d, shift in enumerate(ground.shifts):
                a |= moved(dry & survey.out[d], shift)
            if a == last:
                return a, b

    # What is otherwise than in the survey

    def _search(self, barred: Mask, before: Course | None) -> None:
        """The places for which somebody is in the way, hex by hex."""
        survey, left, stop = self.survey, self.left, self.stop
        ground = survey.ground
        size = ground.size
        rest_a, rest_b = survey.within(left)
        rest_a &= ~(self.a | barred)
        rest_b = (rest_b & ~barred | rest_a & ground.sand) & ~self.b
        if not rest_a and not rest_b:
            return
        near = (self.a | self.b | rest_a | rest_b) & ~stop & ~(1 << self.start)
        tolls = tuple(toll for toll in self.leaving if toll[1] & near)
        if before is not None and not tolls:  # who may not go on from where it was barred finds nothing else there
            for place, spent in before.found.items():
                if spent <= left:
                    self.found[place] = spent
            rest_a &= stop
            rest_b &= stop
        dilate = self.rates.grid.dilate
        edge = hexes_of(self.a & ~(stop & self.shut) & dilate(rest_a | rest_b))  # where ways of the survey are left
        if self.b and rest_a:
            edge += [h + size for h in hexes_of(self.b & ~stop & dilate(rest_a))]
        edge += self.found
        self._go_on(edge, rest_a, rest_b, tolls)

    def _go_on(self, places: list[int], rest_a: Mask, rest_b: Mask, tolls: Tolls) -> None:
        """On from these places to others of the rest."""
        survey, found, entering, stop = self.survey, self.found, self.entering, self.stop
        steps, size = survey.ground.steps, survey.ground.size
        more = self.left + 1
        for spent, hexes, _ in survey.starts:
            if spent and hexes & rest_a:  # 6.3.3c out of a box
                h = hexes.bit_length() - 1
                spent += due(entering, h)
                if spent < more:
                    found[h] = spent
                    if not stop >> h & 1:
                        places.append(h)
        for place in places:  # which grows meanwhile
            spent = found[place] if place in found else survey.cost(place)
            onward = steps[place]
            if place == self.start:
                onward = survey.away
            elif tolls:
                spent += due(tolls, place % size)
            for to, price in onward:
                total = spent + price
                if total < more:
                    h = to
                    if to < size:
                        if not rest_a >> to & 1:
                            continue
                    else:
                        h -= size
                        if not rest_b >> h & 1:
                            continue
                    if entering:
                        total += due(entering, h)
                    if total < found.get(to, more):
                        found[to] = total
                        if not stop >> h & 1:
                            places.append(to)

    def _toll(self, h: Hex) -> int:
        """What it costs to leave a place on the way."""
        return due(self.leaving, h) if self.leaving and h != self.start else 0

    # Answers

    def _cost_a(self, h: Hex) -> int:
        """What a place of a costs once the start is left."""
        return self.survey.cost(h) if self.a >> h & 1 else self.found.get(h, NEVER)

    def _cost_b(self, h: Hex) -> int:
        place = h + self.survey.ground.size
        return self.survey.cost(place) if self.b >> h & 1 else self.found.get(place, NEVER)

    def within(self, points: int) -> Mask:
        survey, left = self.survey, points - self.away
        if left < 0:
            return self.a & 1 << self.start
        if left == self.left:
            found = self.hexes
        else:
            found = within(survey.cost_a, self.a, left) | within(survey.cost_b, self.b, left)
            size = self.survey.ground.size
            for place, spent in self.found.items():
                if spent <= left:
                    found |= 1 << (place if place < size else place - size)
        return found | 1 << self.box if 0 <= self.box_cost <= points else found

    def cost(self, h: Hex) -> int:
        if h == self.box:
            return self.box_cost
        if h == self.start:
            return 0
        least = min(self._cost_a(h), self._cost_b(h))
        return -1 if least == NEVER else least + self.away

    def path(self, h: Hex) -> list[Hex]:
        if h == self.box:
            return [*self.path(self.box_from), h] if self.box_from != self.start else [h]
        if h == self.start or not self.hexes >> h & 1:
            return []
        size = self.survey.ground.size
        place = h if self._cost_a(h) <= self._cost_b(h) else h + size
        way = [h]
        onward = -1
        while True:
            place, onward = self._before(place, onward)
            if place < 0:
                if self.rates.ways[self.start]:
                    raise AssertionError("a hex was reached from nowhere")
                break  # out of a box
            if place == self.start:
                break
            way.append(place if place < size else place - size)
        way.reverse()
        return way

    def _before(self, place: int, onward: int) -> tuple[int, int]:
        """The place before another on a cheapest way (-1: the box it came out of), and the direction of the step.

        A step in the same direction as the next one is taken before any other.
        """
        survey, shut, size = self.survey, self.shut, self.survey.ground.size
        if place in self.found:
            return self._found_before(place, onward)
        found = (-1, -1)
        second = place >= size
        for n, d, _, _ in self.rates.ways[place - size if second else place]:
            if shut >> n & 1:
                continue
            if (survey.across if second else survey.into)[d] >> n & 1 and self.a >> n & 1:
                last = n
            elif not second and survey.out[d] >> n & 1 and self.b >> n & 1:
                last = n + size
            else:
                continue
            if d == onward:
                return last, d
            if found[0] < 0:
                found = last, d
        return found

    def _found_before(self, place: int, onward: int) -> tuple[int, int]:
        """The same where the survey does not know it."""
        ground = self.survey.ground
        sand, size = ground.sand, ground.size
        found = (-1, -1)
        second = place >= size
        h = place - size if second else place
        spent = self.found[place] - due(self.entering, h)
        dry = sand >> h & 1
        for n, d, price, _ in self.rates.ways[h]:
            at = spent - price - self._toll(n)
            if at < 0 or (self.stop >> n & 1 and n != self.start):
                continue
            behind = sand >> n & 1 and n != self.start  # the run before this step
            if (behind if second else not (dry and behind)) and self._cost_a(n) == at:
                last = n
            elif not dry and self._cost_b(n) == at:
                last = n + size
            else:
                continue
            if d == onward:
                return last, d
            if found[0] < 0:
                found = last, d
        return found
