"""A4, A5 Air readiness and the Joint Air Phase: interdiction, supply interdiction, bombing (10)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.coordination import weather_terms
from ..combat.showing import chances_of
from ..combat.support import ready
from ..table import steps, verbs
from ..table.ids import AIR_CHECK, FLOWN, INTERDICTION, PHASES, RAIN, READY
from ..table.position import put
from ..table.ratings import rating
from ..table.script import script
from ..table.state import State
from ..table.steps import SideAt


class AirAt(NamedTuple):
    """A mission of a side: its air units, the first of which leads, and its target."""

    frame: int
    side: int
    units: int = 0
    lead: int = -1
    hex: int = -1
    value: int = 0


class VictimAt(NamedTuple):
    """10.37, 10.38 units to be put out of supply: how many more, who has been chosen, who stands in for him."""

    frame: int
    side: int
    left: int
    chosen: int = -1
    first: int = -1
    named: int = 0  # units that have been chosen before


def readiness(s: State) -> None:
    """10.12, A11 all air units go from the Flown box to the Ready box."""
    s.flown_now[:] = [0, 0]
    s.bombed = 0
    for u in units_of(s.board.air):
        if s.at[u] == FLOWN:
            put(s, u, READY)


def waiting(s: State, side: int) -> int:
    """The air units of a side in its Interdiction box."""
    return sum(1 << u for u in units_of(s.board.air & s.board.of_side[side]) if s.at[u] == INTERDICTION)


def grounded(s: State, side: int) -> bool:
    """10.18 in Rain a side flies at most 3 air units a turn."""
    return s.weather == RAIN and s.flown_now[side] >= s.board.charts.rain_air_units


def air_drm(s: State, side: int) -> int:
    """3.72b, 3.73e what the weather (and the early days) add to an air check."""
    return sum(term.value for term in weather_terms(s, side, AIR_CHECK))


# 10.31-10.34 interdiction

OWN: Bars[State, SideAt] = Bars(
    Need("10.11", "{unit} is not an air unit of yours", lambda s, f: s.board.air & s.board.of_side[f.side]),
    Need("10.13", "{unit} is not in the Ready box", lambda s, f: ready(s, f.side)),
    Bar("10.18", "in Rain no more than 3 air units fly in a turn", lambda s, f: -int(grounded(s, f.side))),
)

INTERDICT: Bars[State, SideAt] = Bars(
    OWN,
    Bar("10.33a", "no more than 4 air units may fly interdiction", lambda s, f: -int(_full(s, f))),
)


def _full(s: State, f: SideAt) -> bool:
    most: int = s.board.charts.constants["interdiction_units_per_player"]
    return s.flown_now[f.side] >= most  # nothing but interdiction has been flown yet in this turn


def interdict(s: State, f: SideAt, u: int) -> None:
    s.flown_now[f.side] += 1
    s.stack.append(AirAt(steps.INTERDICTION_CHECK, f.side, 1 << u, u))


def _interdict_odds(s: State, f: SideAt, action: Action) -> Odds | None:
    terms = weather_terms(s, f.side, AIR_CHECK)
    return chances_of("Interdiction", rating(s, action[1]), terms, sum(term.value for term in terms))


def end_step(s: State, f: Any) -> None:
    s.stack.pop()


class _Air(Phase[State, SideAt, SideAt]):
    """A step of the Joint Air Phase: it is over when nothing can be done."""

    at = SideAt

    def actor(self, s: State, f: SideAt) -> int | None:
        choices = self.legal(s, f)
        if len(choices) < 2:
            return None
        s.choices = choices
        return f.side


class Placing(_Air):
    """10.32, 10.33 up to 4 air units fly interdiction, each with its own check."""

    does = (
        Each(verbs.INTERDICT, of=lambda s, f: ready(s, f.side), bars=INTERDICT, take=interdict, odds=_interdict_odds),
        Once(verbs.END_INTERDICTION, take=end_step),
    )

    def prompt(self, s: State, f: SideAt) -> Prompt:
        text = term("Air units that pass their check may hinder enemy supply or reactions in this turn")
        return Prompt("Interdiction", text, ("10.31",), PHASES[s.phase])


class InterdictionCheck(Dice[State, AirAt]):
    """10.33b, 10.33c, 10.34"""

    at = AirAt

    def take(self, s: State, f: AirAt, action: Action) -> None:
        s.stack.pop()
        roll = action[1] + air_drm(s, f.side)
        passed = roll <= rating(s, f.lead)
        told = {"unit": f.lead, "side": f.side, "face": action[1], "roll": roll, "er": rating(s, f.lead)}
        emit(s, "interdiction", "10.33b", {**told, "passed": int(passed)}, final=True)
        put(s, f.lead, INTERDICTION if passed else FLOWN)

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt(Text("Interdiction check of {unit}", unit=f.lead), "", ("10.33b",), PHASES[s.phase])


# 10.37 supply interdiction

RAID: Bars[State, AirAt] = Bars(
    Need("10.35a", "{unit} does not wait in your Interdiction box", lambda s, f: waiting(s, f.side)),
    Bar("10.36a", "{unit} is assigned already", lambda s, f: f.units),
    Bar("10.36a", "no more than 3 air units attack supply", lambda s, f: -int(f.units.bit_count() >= 3)),
)


def raid(s: State, f: AirAt, u: int) -> None:
    s.stack[-1] = f._replace(units=f.units | 1 << u)


def end_raid(s: State, f: AirAt) -> None:
    s.stack.pop()
    if f.units:
        for u in units_of(f.units):
            put(s, u, FLOWN)
        s.stack.append(f._replace(frame=steps.RAID_ROLL))


def raid_odds(s: State, f: AirAt, action: Action) -> Odds | None:
    """10.37a what the table may bring to those who have been assigned."""
    if not f.units:
        return None
    faces = s.board.charts.interdiction[f.units.bit_count() - 1]
    results: list[tuple[Said, Fraction]] = []
    for count in sorted(set(faces), reverse=True):
        said = Text.many(count, "one unit out of supply", "{n} units out of supply") if count else term("nothing")
        results.append((said, Fraction(faces.count(count), len(faces))))
    return Odds("Supply Interdiction Table", (), tuple(results))


class Raids(Phase[State, AirAt, AirAt]):
    """10.36a, 10.37a, A57 up to 3 units on the Supply Interdiction Table, the Axis first."""

    at = AirAt
    does = (
        Each(verbs.RAID, of=lambda s, f: waiting(s, f.side), bars=RAID, take=raid),
        Once(verbs.END_RAID, take=end_raid, odds=raid_odds),
    )

    def actor(self, s: State, f: AirAt) -> int | None:
        if not script(s).supply_interdiction or not waiting(s, f.side) or not victims(s, f.side):
            return None
        return f.side

    def run(self, s: State, f: AirAt) -> None:
        end_raid(s, f)

    def prompt(self, s: State, f: AirAt) -> Prompt:
        text = term("Assign up to 3 air units; those kept back may hinder reactions")
        return Prompt("Supply interdiction", text, ("10.36", "10.37a"), PHASES[s.phase])


class RaidRoll(Dice[State, AirAt]):
    """10.37a the Supply Interdiction Table."""

    at = AirAt

    def take(self, s: State, f: AirAt, action: Action) -> None:
        s.stack.pop()
        count = s.board.charts.interdiction[f.units.bit_count() - 1][action[1] - 1]
        emit(s, "raided", "10.37a", {"side": f.side, "face": action[1], "count": count}, final=True)
        if count:
            s.stack.append(VictimAt(steps.RAID_VICTIMS, f.side, count))

    def prompt(self, s: State, f: AirAt) -> Prompt:
        return Prompt("Supply Interdiction Table", "", ("10.37a",), PHASES[s.phase])


def victims(s: State, side: int) -> int:
    """10.37b enemy red-box and artillery units that are not out of supply yet."""
    board = s.board
    return s.on_map[enemy(side)] & (board.red | board.artillery) & ~s.oos


STARVE: Bars[State, VictimAt] = Bars(
    Need("10.37b", "{unit} is not an enemy red-box or artillery unit in supply", lambda s, f: victims(s, f.side)),
    Bar("10.38a", "{unit} has been spared", lambda s, f: f.named),
)


def starve(s: State, f: VictimAt, u: int) -> None:
    named = f.named | 1 << u if s.edition > 3 else 0
    s.stack[-1] = f._replace(left=f.left - 1, named=named)
    s.stack.append(VictimAt(steps.PRIORITY, enemy(f.side), 0, u))


class Victims(Phase[State, VictimAt, VictimAt]):
    """10.37b, A58 the interdicting player chooses the units."""

    at = VictimAt
    does = (Each(verbs.STARVE, of=lambda s, f: victims(s, f.side), bars=STARVE, take=starve),)

    def actor(self, s: State, f: VictimAt) -> int | None:
        return f.side if f.left and victims(s, f.side) & ~f.named else None

    def prompt(self, s: State, f: VictimAt) -> Prompt:
        title = Text.many(f.left, "Put a unit out of supply", "Put {n} units out of supply")
        return Prompt(title, "Choose an enemy red-box or artillery unit", ("10.37a",), PHASES[s.phase])


def stand_ins(s: State, f: VictimAt) -> int:
    """10.38a own red-box or artillery units in supply without any marker."""
    board = s.board
    units = s.on_map[f.side] & (board.red | board.artillery) & ~s.oos & ~s.emergency
    for u in (f.chosen, f.first):
        if u >= 0:
            units &= ~(1 << u)
    return units


SPARE: Bars[State, VictimAt] = Bars(
    Need("10.38a", "{unit} cannot go without instead", stand_ins),
    Bar("10.38a", "two other units are needed to spare one", lambda s, f: -int(_too_few(s, f))),
)


def _too_few(s: State, f: VictimAt) -> bool:
    return f.first < 0 and stand_ins(s, f).bit_count() < 2


def cut_off(s: State, u: int, rule: str) -> None:
    """10.38b Out of Supply for the rest of the turn."""
    s.oos |= 1 << u
    s.emergency &= ~(1 << u)
    s.memo = {}
    emit(s, "supply", rule, {"side": s.board.side[u], "units": [u], "supply": 2})


def bear(s: State, f: VictimAt) -> None:
    s.stack.pop()
    cut_off(s, f.chosen, "10.37b")


def spare(s: State, f: VictimAt, u: int) -> None:
    """10.38a, A59 two others for each unit that is spared."""
    if f.first < 0:
        s.stack[-1] = f._replace(first=u)
        return
    s.stack.pop()
    cut_off(s, f.first, "10.38a")
    cut_off(s, u, "10.38a")


class Priority(Phase[State, VictimAt, VictimAt]):
    """10.38 priority supply: the owner may spare the chosen unit."""

    at = VictimAt
    does = (
        Each(verbs.SPARE, of=stand_ins, bars=SPARE, take=spare),
        Once(
            verbs.BEAR,
            take=bear,
            shut=lambda s, f: Reason("10.38a", "a second unit must go without") if f.first >= 0 else None,
        ),
    )

    def actor(self, s: State, f: VictimAt) -> int | None:
        return None if _too_few(s, f) else f.side

    def run(self, s: State, f: VictimAt) -> None:
        bear(s, f)

    def prompt(self, s: State, f: VictimAt) -> Prompt:
        title = Text("{unit} is to be out of supply", unit=f.chosen)
        return Prompt(title, "Bear it, or let two other units go without", ("10.38a",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.INTERDICTION_PLACING: Placing(),
    steps.INTERDICTION_CHECK: InterdictionCheck(verbs.ROLL, 1, 10),
    steps.RAIDS: Raids(),
    steps.RAID_ROLL: RaidRoll(verbs.ROLL, 1, 10),
    steps.RAID_VICTIMS: Victims(),
    steps.PRIORITY: Priority(),
}
