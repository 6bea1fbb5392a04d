"""9.5.3 to 9.5.7 Fortifications: begun, completed, removed. What they do in a fight is in strengths.py."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import noted
from sandtable.mechanics.phases import Each, Only
from sandtable.mechanics.shown.telling import emit

from ..table.frames import FortRollAt
from ..table.ids import F_FORT_ROLL, PHASES
from ..table.position import touch
from ..table.state import State
from ..table.verbs import V_FORTIFY, V_ROLLED, V_UNFORTIFY
from ..table.zones import beside, ezoc
from . import supply_lines

# 9.5.3 Building


def cost(s: State) -> int:
    """9.5.3a what it costs to begin one."""
    return int(s.board.general["fortification_cost_rp"])


@noted
def builders(s: State, side: int) -> Mask:
    """9.5.3b, 9.5.4c the hexes with a combat unit of this side that is in full or port supply now, and those beside."""
    full = supply_lines.full(s, side)
    found = supplied = s.men[side] & full
    for h in hexes_in(s.men[side] & ~full & supply_lines.fed_by_port(s, side)):
        if by_port(s, h):
            supplied |= 1 << h
    for h in hexes_in(supplied):
        found |= s.board.around[h] | 1 << h
    return found


def owned(s: State, side: int) -> Mask:
    """9.5.6d the fortifications of a side in play, finished or not."""
    return s.forts[side] | s.building[side]


def full_up(s: State, side: int) -> bool:
    """9.5.6d whether a side has as many as it may have."""
    return owned(s, side).bit_count() >= int(s.board.general["max_fortifications_per_side"])


def by_port(s: State, h: Hex) -> bool:
    """16.2c whether a port supplies a combat unit in this hex."""
    return any(supply_lines.port_fed(s, u) for u in units_of(s.here[h] & s.board.combat))


def _limit(s: State, _: object, h: Hex) -> Text:
    text = term("you have {bit_count} fortifications in play, and that is the limit")
    return Text(text, bit_count=owned(s, s.active).bit_count())


SITES: Bars[State, object] = Bars(
    Bar(
        "9.5.3a",
        lambda s, _, h: Text("a fortification costs {cost} RP", cost=cost(s)),
        lambda s, _: ALL if s.rp[s.active] < cost(s) else 0,
    ),
    Bar("9.5.6d", _limit, lambda s, _: ALL if full_up(s, s.active) else 0),
    Bar("9.5.6a", "there is a fortification in {hex}", lambda s, _: owned(s, 0) | owned(s, 1)),
    Bar("9.5.3b", "the enemy is in {hex}", lambda s, _: s.occ[enemy(s.active)]),
    Need(
        "9.5.3b",
        "no combat unit of yours in full or port supply is in {hex} or beside it",
        lambda s, _: builders(s, s.active),
    ),
    Bar(
        "9.5.6b",
        "{hex} is in an enemy zone of control, with no combat unit of yours in it",
        lambda s, _: ezoc(s, s.active) & ~s.men[s.active],
    ),
)
"""9.5.3, 9.5.6 where the phasing player may begin a fortification now."""


def grounds(s: State, _: object = None) -> Mask:
    """9.5.3b the hexes with his men and those beside, if he can begin anything at all."""
    side = s.active
    return 0 if s.rp[side] < cost(s) or full_up(s, side) else s.men[side] | beside(s, side)


def sites(s: State) -> Mask:
    return SITES.free(grounds(s), s, None)


FORTIFY: Each[State, Any, Any] = Each(V_FORTIFY, of=grounds, bars=SITES, take=lambda s, f, h: begin(s, h))
UNFORTIFY: Each[State, Any, Any] = Only(
    V_UNFORTIFY,
    "9.5.7b",
    "you have no fortification in {hex}",
    lambda s, _: owned(s, s.active),
    take=lambda s, f, h: remove(s, s.active, h, "9.5.7b"),
)
"""9.5.7b at any time in the own player turn."""


def begin(s: State, h: Hex) -> None:
    """9.5.3a, 9.5.3c the marker lies under-construction side up."""
    s.rp[s.active] -= cost(s)
    s.building[s.active] |= 1 << h
    touch(s)
    emit(s, "fortification_begun", "9.5.3c", {"hex": h, "side": s.active})


def remove(s: State, side: int, h: Hex, rule: str) -> None:
    """9.5.7b a fortification, finished or not, is gone."""
    s.forts[side] &= ~(1 << h)
    s.building[side] &= ~(1 << h)
    touch(s)
    emit(s, "fortification_removed", rule, {"hex": h, "side": side})


# 9.5.4, 9.5.5 Completing


def complete(s: State, h: Hex, rule: str) -> None:
    """The marker is flipped."""
    s.building[s.active] &= ~(1 << h)
    s.forts[s.active] |= 1 << h
    touch(s)
    emit(s, "fortification_completed", rule, {"hex": h, "side": s.active})


class FortRoll(OneDie[State, FortRollAt]):
    """9.5.4a The die of one fortification under construction, in the owner's Initial Phase. Frame: hex.

    Nobody rolls without a combat unit in supply (9.5.4c), nor on existing groundworks (9.5.5).
    """

    at = FortRollAt

    def actor(self, s: State, f: FortRollAt) -> int | None:
        waits = builders(s, s.active) & ~s.board.groundworks & s.building[s.active]
        return super().actor(s, f) if waits >> f.hex & 1 else None

    def run(self, s: State, f: FortRollAt) -> None:
        s.stack.pop()
        if builders(s, s.active) & s.building[s.active] & 1 << f.hex:
            complete(s, f.hex, "9.5.5")

    def take(self, s: State, f: FortRollAt, action: Action) -> None:
        s.stack.pop()
        h, die = f.hex, action[1]
        done = die in s.board.pack.tables["fortification_completion"]["completed"]
        data = {"hex": h, "side": s.active, "die": die, "completed": int(done)}
        emit(s, "fortification_roll", "9.5.4a", data, final=True)
        if done:
            complete(s, h, "9.5.4a")

    def prompt(self, s: State, f: FortRollAt) -> Prompt:
        text = Text("{hex}: 1 to 3 completes it, otherwise it may be tried again", hex=s.board.hex_name(f.hex))
        return Prompt("Is the fortification completed?", text, ("9.5.4a", "9.5.4c"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_FORT_ROLL: FortRoll(V_ROLLED)}
