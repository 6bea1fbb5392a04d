"""10.5 Bombing missions in the Joint Air Phase, the Axis first, one at a time."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.coordination import weather_terms
from ..combat.showing import chances_of
from ..combat.support import ready
from ..table import steps, verbs
from ..table.ids import AIR_CHECK, FLOWN, PHASES, RAIN
from ..table.position import disrupt, lose_step, put, units_in
from ..table.ratings import rating
from ..table.script import script
from ..table.state import State
from ..table.steps import SideAt
from .air import AirAt, air_drm, end_step

TEN = 10


def bombers(s: State, side: int) -> int:
    """10.52 Ready air units with a bombing value."""
    return sum(1 << u for u in units_of(ready(s, side)) if s.board.bombing[u])


BOMB: Bars[State, SideAt] = Bars(
    Need("10.53", "no enemy stands in {hex}", lambda s, f: s.occ[enemy(f.side)]),
    Bar("10.51b", "{hex} has been bombed in this turn", lambda s, f: s.bombed),
)


def bomb(s: State, f: SideAt, h: int) -> None:
    s.bombed |= 1 << h
    s.stack.append(AirAt(steps.BOMBERS, f.side, 0, -1, h))


class Bombing(Phase[State, SideAt, SideAt]):
    """10.51 missions are flown one after the other."""

    at = SideAt
    does = (
        Each(verbs.BOMB, of=lambda s, f: s.occ[enemy(f.side)], bars=BOMB, take=bomb),
        Once(verbs.END_BOMBING, take=end_step),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        if s.weather == RAIN or not script(s).bombing or not bombers(s, f.side):  # 10.57
            return None
        return f.side

    def prompt(self, s: State, f: SideAt) -> Prompt:
        return Prompt("Bombing", "Choose a target hex, or end bombing", ("10.51",), PHASES[s.phase])


# One mission

BOMB_WITH: Bars[State, AirAt] = Bars(
    Need("10.52b", "{unit} is not a Ready air unit of yours", lambda s, f: ready(s, f.side)),
    Bar("10.51b", "{unit} flies already", lambda s, f: f.units),
    Doubt("10.52a", "{unit} has no bombing value", lambda s, f, u: s.board.bombing[u] == 0),
    Bar("10.51b", "no more than 3 air units fly one mission", lambda s, f: -int(_full(s, f))),
)


def _full(s: State, f: AirAt) -> bool:
    most: int = s.board.charts.constants["max_bombing_units_per_mission"]
    return f.units.bit_count() >= most


def bombs(s: State, units: int) -> int:
    return sum(s.board.bombing[u] for u in units_of(units))


def worth(total: int, roll: int, er: int) -> int:
    """10.54 full value, half, or none (A61)."""
    return total if roll <= er else total >> 1 if roll < TEN else 0


def bomb_with(s: State, f: AirAt, u: int) -> None:
    """10.54 the first one leads."""
    s.stack[-1] = f._replace(units=f.units | 1 << u, lead=f.lead if f.lead >= 0 else u)


def away(s: State, f: AirAt) -> None:
    s.stack[-1] = f._replace(frame=steps.BOMB_CHECK)
    for u in units_of(f.units):  # 10.51c
        s.flown_now[f.side] += 1
        put(s, u, FLOWN)


def _mission_odds(s: State, f: AirAt, action: Action) -> Odds | None:
    """The check of those who fly, with whoever is named now, and what their bombs would do."""
    lead = f.lead if f.lead >= 0 else action[1]  # the first one that is named
    units = f.units | (1 << action[1] if len(action) > 1 else 0)
    terms = weather_terms(s, f.side, AIR_CHECK)
    drm = sum(item.value for item in terms)
    check = chances_of("Bombing", rating(s, lead), terms, drm, ten=True)
    total = bombs(s, units)
    return Odds(
        check.title,
        (*check.terms, Term(str(total), "10.54", term("bombing points"))),
        check.results,
        parts=(Odds("Bombing Table", (), _results(s, rating(s, lead), drm, total)),),
    )


def _results(s: State, er: int, drm: int, total: int) -> tuple[tuple[Said, Fraction], ...]:
    """10.54, 10.55 the chance of everything that the two dice may bring."""
    charts, chances = s.board.charts, Counter[tuple[int, int]]()
    for face in range(1, TEN + 1):
        column = charts.bombing_column(worth(total, face + drm, er))
        for hits in charts.bombing[column] if column >= 0 else ((0, 0),) * TEN:
            chances[hits] += 1
    return tuple((_said(*hits), Fraction(chances[hits], TEN * TEN)) for hits in sorted(chances, reverse=True))


def _said(count: int, steps_lost: int) -> Said:
    if not count:
        return term("nothing")
    hits = Text("disrupted {count}", count=count)
    return Text("{hits}, steps lost {steps}", hits=hits, steps=steps_lost) if steps_lost else hits


class Bombers(Phase[State, AirAt, AirAt]):
    """10.54 which air units fly the mission."""

    at = AirAt
    does = (
        Each(verbs.BOMB_WITH, of=lambda s, f: bombers(s, f.side), bars=BOMB_WITH, take=bomb_with, odds=_mission_odds),
        Once(
            verbs.BOMBS_AWAY,
            take=away,
            shut=lambda s, f: None if f.units else Reason("10.52a", "no air unit flies yet"),
            odds=_mission_odds,
        ),
    )

    def actor(self, s: State, f: AirAt) -> int | None:
        return f.side if BOMB_WITH.free(bombers(s, f.side), s, f) else None

    def run(self, s: State, f: AirAt) -> None:
        away(s, f)

    def prompt(self, s: State, f: AirAt) -> Prompt:
        title = Text("Bombers against {hex}", hex=f.hex)
        return Prompt(title, "The first air unit that you name leads", ("10.52a", "10.54"), PHASES[s.phase])


class BombCheck(Dice[State, AirAt]):
    """10.54 one check for all: full value, half, or none."""

    at = AirAt

    def take(self, s: State, f: AirAt, action: Action) -> None:
        s.stack.pop()
        roll = action[1] + air_drm(s, f.side)
        er = rating(s, f.lead)
        value = worth(bombs(s, f.units), roll, er)
        told = {"unit": f.lead, "hex": f.hex, "face": action[1], "roll": roll, "er": er, "value": value}
        emit(s, "bombers", "10.54", told, final=True)
        if s.board.charts.bombing_column(value) >= 0:
            s.stack.append(f._replace(frame=steps.BOMB_ROLL, value=value))

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt(Text("Bombing check of {unit}", unit=f.lead), "", ("10.54",), PHASES[s.phase])


class BombRoll(Dice[State, AirAt]):
    """10.55 the Bombing Table."""

    at = AirAt

    def take(self, s: State, f: AirAt, action: Action) -> None:
        s.stack.pop()
        charts = s.board.charts
        count, steps_lost = charts.bombing[charts.bombing_column(f.value)][action[1] - 1]
        told = {"hex": f.hex, "face": action[1], "count": count, "steps": steps_lost}
        emit(s, "bombed", "10.55", told, final=True)
        if steps_lost:
            s.stack.append(AirAt(steps.BOMB_LOSS, enemy(f.side), hex=f.hex))
        if count:
            s.stack.append(AirAt(steps.BOMB_HITS, f.side, hex=f.hex, value=count))

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt("Bombing Table", "", ("10.55",), PHASES[s.phase])


def hittable(s: State, f: AirAt) -> int:
    """10.56a units in the target hex that are not disrupted yet."""
    return units_in(s, f.hex, enemy(f.side)) & ~s.disrupted


def hit(s: State, f: AirAt, u: int) -> None:
    if f.value > 1:
        s.stack[-1] = f._replace(value=f.value - 1)
    else:
        s.stack.pop()
    disrupt(s, 1 << u, "10.56a")


class BombHits(Phase[State, AirAt, AirAt]):
    """10.56a the attacking player chooses who is disrupted."""

    at = AirAt
    does = (
        Each(
            verbs.HIT,
            of=hittable,
            bars=Bars(Need("10.56a", "{unit} is not in the hex, or disrupted already", hittable)),
            take=hit,
        ),
    )

    def actor(self, s: State, f: AirAt) -> int | None:
        return f.side if hittable(s, f).bit_count() > f.value else None

    def run(self, s: State, f: AirAt) -> None:
        s.stack.pop()
        disrupt(s, hittable(s, f), "10.56a")

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt("Choose a unit to be disrupted", "", ("10.56a",), PHASES[s.phase])


def there(s: State, f: AirAt) -> Mask:
    return units_in(s, f.hex, f.side)


def lose(s: State, f: AirAt, u: int) -> None:
    s.stack.pop()
    lose_step(s, u, "10.56b")


class BombLoss(Phase[State, AirAt, AirAt]):
    """10.56b the owner chooses who loses a step."""

    at = AirAt
    does = (Each(verbs.LOSE, of=there, bars=Bars(Need("10.56b", "{unit} is not in the hex", there)), take=lose),)

    def actor(self, s: State, f: AirAt) -> int | None:
        found = there(s, f)
        return f.side if found & (found - 1) else None

    def run(self, s: State, f: AirAt) -> None:
        found = units_of(there(s, f))
        if found:
            lose(s, f, found[0])
        else:
            s.stack.pop()

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt("Choose a unit that loses a step", "", ("10.56b",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.BOMBING: Bombing(),
    steps.BOMBERS: Bombers(),
    steps.BOMB_CHECK: BombCheck(verbs.ROLL, 1, 10),
    steps.BOMB_ROLL: BombRoll(verbs.ROLL, 1, 10),
    steps.BOMB_HITS: BombHits(),
    steps.BOMB_LOSS: BombLoss(),
}
