"""9.5.3 to 9.5.7 Fortifications: begun, completed, removed. What they do in a fight is in strengths.py."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, hexes_in, units_of
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


def builders(s: State, side: int) -> Mask:
    """9.5.3b, 9.5.4c the hexes with a combat unit of this side that is in full or port supply now, and those beside."""
    found: Mask | None = s.memo.get(("builders", side))
    if found is None:
        full = supply_lines.full(s, side)
        supplied = s.men[side] & full
        for h in hexes_in(s.men[side] & ~full & supply_lines.fed_by_port(s, side)):
            if by_port(s, h):
                supplied |= 1 << h
        around = s.board.around
        found = supplied
        for h in hexes_in(supplied):
            found |= around[h]
        s.memo["builders", side] = found
    return found


def owned(s: State, side: int) -> Mask:
    """9.5.6d the fortifications of a side in play, finished or not."""
    return s.forts[side] | s.building[side]


def full_up(s: State, side: int) -> bool:
    """9.5.6d whether a side has as many as it may have."""
    return owned(s, side).bit_count() >= int(s.board.general["max_fortifications_per_side"])


def grounds(s: State) -> Mask:
    """9.5.3, 9.5.6 where the phasing player may begin a fortification now, if his men there are in supply."""
    side, foe = s.active, enemy(s.active)
    if s.rp[side] < cost(s) or full_up(s, side):
        return 0
    men = s.men[side]
    found = (men | beside(s, side)) & ~s.occ[foe] & ~owned(s, side) & ~owned(s, foe)  # 9.5.6a
    return found & (~ezoc(s, side) | men)  # 9.5.6b


def in_supply(s: State, h: Hex) -> bool:
    """9.5.3b whether they are in supply beside this hex, or in it: port supply is asked for only if need be."""
    side = s.active
    men = s.men[side] & (s.board.around[h] | 1 << h)
    full = supply_lines.full(s, side)
    return bool(men & full) or any(by_port(s, n) for n in hexes_in(men & ~full & supply_lines.fed_by_port(s, side)))


def by_port(s: State, h: Hex) -> bool:
    """16.2c whether a port supplies a combat unit in this hex."""
    return any(supply_lines.port_fed(s, u) for u in units_of(s.here[h] & s.board.combat))


def sites(s: State) -> Mask:
    """9.5.3, 9.5.6 where the phasing player may begin a fortification now."""
    found = grounds(s)
    return found & builders(s, s.active) if found else 0


def actions(s: State) -> list[Action]:
    """9.5.3c, 9.5.7b what the phasing player may begin or give up in his Movement Phase."""
    found: list[Action] = [(V_FORTIFY, h) for h in hexes_in(sites(s))] if s.rp[s.active] else []
    return found + removals(s)


def removals(s: State) -> list[Action]:
    """9.5.7b what the phasing player may give up, at any time in his player turn."""
    mine = owned(s, s.active)
    return [(V_UNFORTIFY, h) for h in hexes_in(mine)] if mine else []


def take(s: State, action: Action) -> None:
    """9.5.3c a fortification is begun; or 9.5.7b one is given up."""
    verb, h = action
    if verb == V_FORTIFY:
        begin(s, h)
    else:
        remove(s, s.active, h, "9.5.7b")


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


def kept(s: State, h: Hex) -> Reason | None:
    """9.5.7b why no fortification is given up there."""
    if owned(s, s.active) >> h & 1:
        return None
    return Reason("9.5.7b", Text("you have no fortification in {hex}", hex=h))


def why_not(s: State, action: Action) -> Reason:
    """9.5.3, 9.5.6, 9.5.7b why a fortification is not begun, or not given up."""
    verb, h = action
    side, foe, name = s.active, enemy(s.active), s.board.hex_name(h)
    if verb == V_UNFORTIFY:
        return Reason("9.5.7b", Text("you have no fortification in {hex}", hex=name))
    if s.rp[side] < cost(s):
        return Reason("9.5.3a", Text("a fortification costs {cost} RP", cost=cost(s)))
    if full_up(s, side):
        return Reason(
            "9.5.6d",
            Text(
                "you have {bit_count} fortifications in play, and that is the limit",
                bit_count=owned(s, side).bit_count(),
            ),
        )
    if (owned(s, side) | owned(s, foe)) >> h & 1:
        return Reason("9.5.6a", Text("there is a fortification in {hex}", hex=name))
    if s.occ[foe] >> h & 1:
        return Reason("9.5.3b", Text("the enemy is in {hex}", hex=name))
    if not builders(s, side) >> h & 1:
        return Reason(
            "9.5.3b", Text("no combat unit of yours in full or port supply is in {hex} or beside it", hex=name)
        )
    return Reason("9.5.6b", Text("{hex} is in an enemy zone of control, with no combat unit of yours in it", hex=name))


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
