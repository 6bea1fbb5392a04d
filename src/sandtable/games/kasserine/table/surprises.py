"""What a hex holds for those who enter it: minefields that nobody has tried (11.45), leaders (12.41, 12.42)."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit

from . import steps, verbs
from .ids import ALLIED, AXIS, ELIMINATED, PHASES, WITHDRAWN
from .position import forget, put
from .state import State
from .steps import HexAt


def notable(s: State, side: int) -> Mask:
    """The hexes in which something happens to whoever of this side enters."""
    other = enemy(side)
    found = s.strongpoints[other]
    if side == AXIS:
        found |= s.untried
    for u in units_of(s.on_map[other] & s.board.leaders):
        found |= 1 << s.at[u]
    return found


def meet(s: State, side: int, h: Hex) -> None:
    """A ground unit of this side has come into a hex: leaders there are taken, an Untried minefield is turned."""
    for u in units_of(s.here.get(h, 0) & s.board.leaders & s.board.of_side[enemy(side)]):
        if u == s.board.rommel:  # 12.42c
            s.stack.append(HexAt(steps.ROMMEL_FLEES, h))
        else:  # 12.41ba, 12.43c
            s.captured |= 1 << u
            emit(s, "captured", "12.41ba", {"unit": u, "hex": h, "side": side})
            put(s, u, ELIMINATED)
    if side == AXIS and s.untried >> h & 1:  # 11.45d
        s.stack.append(HexAt(steps.REVEAL_MINE, h))


def reveal(s: State, h: Hex, value: int) -> None:
    """11.45d-11.45g an Untried minefield is turned to its Tried side; a dud is gone."""
    bit = 1 << h
    s.hidden[value] -= 1
    s.untried &= ~bit
    if value == 0:
        s.mines[ALLIED] &= ~bit
    elif value == 2:
        s.double |= bit
    forget(s)
    emit(s, "revealed", "11.45d", {"hex": h, "value": value}, final=True)


class RevealMine(Frame[State, HexAt]):
    """11.45d the value of a minefield that neither player knew: any marker not yet revealed may be the one."""

    at = HexAt

    def actor(self, s: State, f: HexAt) -> int | None:
        return CHANCE

    def legal(self, s: State, f: HexAt) -> list[Action]:
        return [(int(verbs.REVEAL), value) for value, count in enumerate(s.hidden) if count]

    def chances(self, s: State, f: HexAt) -> list[tuple[Action, Fraction]]:
        total = sum(s.hidden)
        return [((int(verbs.REVEAL), value), Fraction(n, total)) for value, n in enumerate(s.hidden) if n]

    def roll(self, s: State, f: HexAt, die: Die) -> Roll:
        drawn = left = die(sum(s.hidden))
        for value, count in enumerate(s.hidden):
            if left <= count:
                return Roll((int(verbs.REVEAL), value), (drawn,))
            left -= count
        raise AssertionError("a marker was drawn that is not there")

    def take(self, s: State, f: HexAt, action: Action) -> None:
        s.stack.pop()
        reveal(s, f.hex, action[1])
        if s.fight is not None and s.fight.target == f.hex:
            s.fight.mine = action[1]
            s.fight.dud = int(not action[1] and s.edition > 1)

    def prompt(self, s: State, f: HexAt) -> Prompt:
        return Prompt(Text("The minefield in {hex} is turned over", hex=f.hex), "", ("11.45d",), PHASES[s.phase])


class RommelFlees(Frame[State, HexAt]):
    """12.42c Rommel is placed with the nearest Axis unit, the Axis player's choice among equally near ones."""

    at = HexAt

    def havens(self, s: State, h: Hex) -> Mask:
        grid = s.board.grid
        for n in range(1, 100):
            found = grid.within(h, n) & s.occ[AXIS]
            if found:
                return found
            if grid.within(h, n) == grid.all:
                break
        return 0

    def actor(self, s: State, f: HexAt) -> int | None:
        found = self.havens(s, f.hex)
        return AXIS if found & (found - 1) else None

    def run(self, s: State, f: HexAt) -> None:
        found = self.havens(s, f.hex)
        self._flee(s, f, found.bit_length() - 1 if found else WITHDRAWN)

    def legal(self, s: State, f: HexAt) -> list[Action]:
        return [(int(verbs.FLEE), h) for h in hexes_of(self.havens(s, f.hex))]

    def take(self, s: State, f: HexAt, action: Action) -> None:
        self._flee(s, f, action[1])

    def _flee(self, s: State, f: HexAt, to: int) -> None:
        s.stack.pop()
        rommel = s.board.rommel
        emit(s, "fled", "12.42c", {"unit": rommel, "from": f.hex, "to": to})
        put(s, rommel, to)

    def prompt(self, s: State, f: HexAt) -> Prompt:
        return Prompt("Rommel gets away", "Choose the nearest unit that he goes to", ("12.42c",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, HexAt]] = {
    steps.REVEAL_MINE: RevealMine(),
    steps.ROMMEL_FLEES: RommelFlees(),
}
