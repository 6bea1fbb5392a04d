"""A14 Snipers: a DR that equals the other side's SAN wakes its Sniper."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of

from ..table import verbs
from ..table.ids import F_SNIPED, F_SNIPER, F_SNIPER_WOUND, F_WOUND, PHASES, SMC
from ..table.state import State, all_men
from ..table.telling import emit
from .morale import WoundAt, break_, lose, pin, reduce
from .san import SniperAt

REACH = 6  # A14.3


class SnipedAt(NamedTuple):
    """A.9 whom he hits: one dr for each, the highest; ties roll again."""

    frame: int
    candidates: int
    left: int
    highest: int
    chosen: int
    effect: int


class SniperWoundAt(NamedTuple):
    """A14.3 a pinned SMC is wounded on a further dr of 1."""

    frame: int
    unit: int


def prey(s: State, side: int, h: Hex) -> int:
    """The enemies within 6 hexes; who is hidden is left alone."""
    near = s.stage.grid.within(h, REACH)
    return sum(1 << u for u in units_of(all_men(s, 1 - side) & ~s.hip) if near >> s.at[u] & 1)


class Sniper(OneDie[State, SniperAt]):
    """A14.3 1 kills or breaks, 2 pins, more does nothing."""

    at = SniperAt

    def take(self, s: State, f: SniperAt, action: Action) -> None:
        s.stack.pop()
        die = action[1]
        found = prey(s, f.side, f.hex)
        emit(s, "sniper", "A14.3", {"hex": f.hex, "side": f.side, "die": die}, final=True)
        if die <= 2 and found:
            s.stack.append(SnipedAt(F_SNIPED, found, found, 0, 0, die))

    def prompt(self, s: State, f: SniperAt) -> Prompt:
        return Prompt("A Sniper", "", ("A14.1", "A14.3"), PHASES[s.phase])


class Sniped(OneDie[State, SnipedAt]):
    """A.9 Random Selection of his one victim."""

    at = SnipedAt

    def actor(self, s: State, f: SnipedAt) -> int | None:
        return super().actor(s, f) if f.left and f.candidates & (f.candidates - 1) else None

    def run(self, s: State, f: SnipedAt) -> None:
        s.stack.pop()
        chosen = f.chosen or f.candidates
        if chosen & (chosen - 1):
            s.stack.append(SnipedAt(F_SNIPED, chosen, chosen, 0, 0, f.effect))
            return
        struck(s, chosen.bit_length() - 1, f.effect)

    def take(self, s: State, f: SnipedAt, action: Action) -> None:
        die, u = action[1], units_of(f.left)[0]
        bit = 1 << u
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: SnipedAt) -> Prompt:
        return Prompt("Whom the Sniper hits", "", ("A.9", "A14.3"), PHASES[s.phase])


def struck(s: State, u: int, effect: int) -> None:
    """A14.3"""
    smc = s.kind(u).kind in SMC
    s.concealed &= ~(1 << u)
    if effect == 1:
        if smc:
            lose(s, u, "A14.3")
        elif s.broken >> u & 1:
            reduce(s, u, "A14.3")
        else:
            break_(s, u, "A14.3")
        return
    pin(s, u, "A14.3")
    if smc:
        s.stack.append(SniperWoundAt(F_SNIPER_WOUND, u))


class SniperWound(OneDie[State, SniperWoundAt]):
    """A14.3 only on a 1."""

    at = SniperWoundAt

    def take(self, s: State, f: SniperWoundAt, action: Action) -> None:
        s.stack.pop()
        if action[1] == 1 and s.at[f.unit] >= 0:
            s.stack.append(WoundAt(F_WOUND, f.unit))

    def prompt(self, s: State, f: SniperWoundAt) -> Prompt:
        return Prompt("Is he wounded?", "", ("A14.3",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_SNIPER: Sniper(verbs.FELL),
    F_SNIPED: Sniped(verbs.FELL),
    F_SNIPER_WOUND: SniperWound(verbs.FELL),
}
