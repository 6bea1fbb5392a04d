"""D The Reorganization Segment: engineers (11), recovery (3.95), and units too many in a hex (3.32)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply.lines import supplied
from ..table import steps, verbs
from ..table.ids import ALLIED, AXIS, FLOWN, INTERDICTION, PHASES
from ..table.position import eliminate, forget, put, units_in
from ..table.ratings import rating
from ..table.script import script
from ..table.stacking import limit, points_in
from ..table.state import State
from ..table.steps import SideAt, UnitAt
from ..table.zones import zone

# D1


def open_engineers(s: State) -> None:
    """11.23c strongpoints are finished; 11.46 enemy minefields under combat units are removed."""
    s.laid[:] = [0, 0]
    for side in (AXIS, ALLIED):
        done = s.building[side]
        for h in hexes_of(done):
            emit(s, "built", "11.23c", {"hex": h, "side": side})
        s.strongpoints[side] |= done
        s.building[side] = 0
        cleared = s.mines[enemy(side)] & s.fighting[side]
        for h in hexes_of(cleared):
            emit(s, "cleared", "11.46b", {"hex": h, "side": side})
        s.mines[enemy(side)] &= ~cleared
        s.untried &= ~cleared
        s.double &= ~cleared
    s.builder.clear()
    forget(s)


BUILD: Bars[State, SideAt] = Bars(
    Need("3.11a", "{unit} is not yours or not on the map", lambda s, f: s.on_map[f.side]),
    Need("11.22", "{unit} is of a type that builds nothing", lambda s, f: s.board.builders),
    Bar("11.22", "{unit} is disrupted", lambda s, f: s.disrupted),
    Bar("5.14f", "{unit} is out of supply", lambda s, f: s.oos),
    Bar("11.1", "no strongpoint counter is left", lambda s, f: -int(s.strong_left[f.side] <= 0)),
    Doubt("11.21a", "there is a strongpoint already", lambda s, f, u: bool(_works(s, f.side) >> s.at[u] & 1)),
    Doubt("11.21c", "the hex is not in supply", lambda s, f, u: not supplied(s, f.side) >> s.at[u] & 1),
)


def _works(s: State, side: int) -> Mask:
    return s.strongpoints[side] | s.building[side]


def build(s: State, f: SideAt, u: int) -> None:
    """11.23a the marker lies with its Under Construction side up."""
    h = s.at[u]
    s.building[f.side] |= 1 << h
    s.builder[h] = u
    s.strong_left[f.side] -= 1
    emit(s, "building", "11.23a", {"unit": u, "hex": h, "side": f.side})


RAZE: Bars[State, SideAt] = Bars(
    Need("11.15b", "there is no strongpoint of yours in {hex}", lambda s, f: s.strongpoints[f.side]),
)


def raze(s: State, f: SideAt, h: int) -> None:
    """11.15b, 11.15c the counter can be used again at once."""
    s.strongpoints[f.side] &= ~(1 << h)
    s.strong_left[f.side] += 1
    forget(s)
    emit(s, "razed", "11.15b", {"hex": h, "side": f.side})


LAY: Bars[State, SideAt] = Bars(
    Bar("11.42b", "no minefield is left to be laid", lambda s, f: -int(s.mines_left[f.side] <= 0)),
    Bar("11.41c", "no more than 2 minefields are laid in one phase", lambda s, f: -int(_laid_all(s, f.side))),
    Need("15.05", "{hex} is not in play", lambda s, f: script(s).area),
    Bar("11.41b", "{hex} has a minefield", lambda s, f: s.mines[0] | s.mines[1]),
    Bar("11.47", "an enemy stands in {hex}", lambda s, f: s.occ[enemy(f.side)]),
    Bar("11.43b", "{hex} is in an EZOC and none of your units is there", lambda s, f: _watched(s, f.side)),
    Need("11.43c", "{hex} is not in supply", lambda s, f: supplied(s, f.side)),
)


def _laid_all(s: State, side: int) -> bool:
    return s.laid[side] >= script(s).pools[side].mines_a_turn


def _watched(s: State, side: int) -> Mask:
    return zone(s, enemy(side)) & ~s.occ[side]


def lay(s: State, f: SideAt, h: int) -> None:
    """11.41, 11.45c a minefield is laid; an Allied one Untried, drawn by nobody before it is revealed."""
    s.mines[f.side] |= 1 << h
    s.mines_left[f.side] -= 1
    s.laid[f.side] += 1
    if f.side == ALLIED:
        s.untried |= 1 << h
    forget(s)
    emit(s, "laid", "11.41a", {"hex": h, "side": f.side})


def end_engineers(s: State, f: SideAt) -> None:
    s.stack.pop()


class Engineers(Phase[State, SideAt, SideAt]):
    """D1 strongpoints are begun or removed, minefields laid."""

    at = SideAt
    does = (
        Each(verbs.BUILD, of=lambda s, f: s.on_map[f.side] & s.board.builders, bars=BUILD, take=build),
        Each(verbs.RAZE, of=lambda s, f: s.strongpoints[f.side], bars=RAZE, take=raze),
        Each(verbs.LAY, bars=LAY, take=lay),
        Once(verbs.END_ENGINEERS, take=end_engineers),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side if s.strong_left[f.side] or s.strongpoints[f.side] or s.mines_left[f.side] else None

    def prompt(self, s: State, f: SideAt) -> Prompt:
        text = term("Begin strongpoints, remove your own, lay minefields")
        return Prompt("Engineer Phase", text, ("11.21a", "11.41a"), PHASES[s.phase])


# D2


class Recovery(Dice[State, UnitAt]):
    """3.95 outside EZOCs units recover by themselves, inside by an ER check each; `unit` is the next to look at."""

    at = UnitAt

    def next(self, s: State, f: UnitAt) -> int:
        left = s.disrupted >> f.unit << f.unit
        return (left & -left).bit_length() - 1 if left else -1

    def in_ezoc(self, s: State, u: int) -> bool:
        return bool(zone(s, enemy(s.board.side[u])) >> s.at[u] & 1)

    def actor(self, s: State, f: UnitAt) -> int | None:
        u = self.next(s, f)
        return super().actor(s, f) if u >= 0 and self.in_ezoc(s, u) else None

    def run(self, s: State, f: UnitAt) -> None:
        u = self.next(s, f)
        if u < 0:
            s.stack.pop()
            return
        s.stack[-1] = UnitAt(f.frame, u + 1)
        self.recover(s, u, "3.95a")

    def recover(self, s: State, u: int, rule: str) -> None:
        s.disrupted &= ~(1 << u)
        forget(s)
        emit(s, "recovered", rule, {"unit": u, "hex": s.at[u]})

    def take(self, s: State, f: UnitAt, action: Action) -> None:
        u = self.next(s, f)
        s.stack[-1] = UnitAt(f.frame, u + 1)
        er = rating(s, u)  # A10
        passed = action[1] <= er
        told = {"unit": u, "hex": s.at[u], "face": action[1], "er": er, "passed": int(passed)}
        emit(s, "recovery", "3.95b", told, final=True)
        if passed:
            self.recover(s, u, "3.95b")

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        return Prompt(Text("Recovery of {unit}", unit=self.next(s, f)), "", ("3.95b",), PHASES[s.phase])


def interdiction_home(s: State) -> None:
    """10.35b interdiction units that were not used go to the Flown box."""
    for u in units_of(s.board.air):
        if s.at[u] == INTERDICTION:
            put(s, u, FLOWN)


# 3.32 stacking


def crowded(s: State) -> list[Hex]:
    """The hexes with so many units that not any so many have room together."""
    few = limit(s) // s.board.largest
    return [h for h, units in s.here.items() if units.bit_count() > few]


def overstacked(s: State, side: int) -> list[Hex]:
    """3.32a the hexes with more than 9 stacking points of a side."""
    most = limit(s)
    return sorted(h for h in crowded(s) if points_in(s, h, side) > most)


def surplus(s: State, f: SideAt) -> int:
    """The units of which one is given up."""
    found = 0
    for h in overstacked(s, f.side)[:1]:
        found |= units_in(s, h, f.side)
    return found


class Overstack(Phase[State, SideAt, SideAt]):
    """3.32c, A3 the owner eliminates units until the limit is met."""

    at = SideAt
    does = (
        Each(
            verbs.GIVE_UP,
            of=surplus,
            bars=Bars(Need("3.32c", "{unit} is not in a hex with too many units", surplus)),
            take=lambda s, f, u: eliminate(s, u, "3.32c"),
        ),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side if overstacked(s, f.side) else None

    def prompt(self, s: State, f: SideAt) -> Prompt:
        title = Text("Too many in {hex}", hex=overstacked(s, f.side)[0])
        return Prompt(title, "Choose a unit to give up", ("3.32a",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.ENGINEERS: Engineers(),
    steps.RECOVERY: Recovery(verbs.ROLL, 1, 10),
    steps.OVERSTACK: Overstack(),
}
