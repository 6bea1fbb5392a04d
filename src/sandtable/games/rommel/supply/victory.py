"""17 Victory: at once by the enemy base or three exits, otherwise after the last month.

The conditions are data (tables.toml, victory); this chapter says what each kind of condition means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandtable.engine.contract import Outcome, Tally, verdict
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.memory import remembered

from ..supply.fortresses import besieged
from ..table.board import Board
from ..table.ids import BUILDUP, EXITED, F_SUPPLY_CHECK, F_VICTORY, REFIT, SIDES
from ..table.scenarios import LAST_CHECK, script
from ..table.state import State, emit
from ..table.steps import NOT_YET, SupplyCheckAt, VictoryAt

Stands = Callable[[State, int], tuple[Said, bool]]
"""How a condition stands for a side: what is counted, and whether that is enough."""


@dataclass(frozen=True)
class Condition:
    """One way to reach a level of victory."""

    level: str
    points: int  # 17.0c
    at_once: bool
    rule: str
    text: str
    stands: Stands


# 17.1 Strategic victory


def _units_exited(data: Mapping[str, Any]) -> Stands:
    """17.1a Three supplied units have left by the enemy's map edge (only such units may leave, M12)."""
    wanted = int(data["units_at_least"])
    return lambda s, side: (Text("{n} of {wanted}", n=s.exited[side], wanted=wanted), s.exited[side] >= wanted)


def _controls_enemy_base(data: Mapping[str, Any]) -> Stands:
    """17.1b Only units of this side are in the enemy base (1.2a, A45)."""
    return lambda s, side: ("", bool(s.occ[side] & ~s.occ[1 - side] & s.board.base_mask[1 - side]))


# 17.2 Decisive victory, 17.4 marginal victory


def weights(s: State) -> tuple[int, int]:
    """17.2b The remaining units of each side in halves: a German one counts three, any other two.

    A42, A46: units on the map, in refit and off the enemy edge count; units still to come do not.
    """
    total = [0, 0]
    for u, h in enumerate(s.at):
        if h >= 0 or h in (REFIT, EXITED):
            total[s.board.side[u]] += s.board.weight2[u]
    return total[0], total[1]


def _compared(enough: Callable[[int, int], bool]) -> Stands:
    def stands(s: State, side: int) -> tuple[Said, bool]:
        own, other = weights(s)[side], weights(s)[1 - side]
        return Text("{own} against {other}", own=own / 2, other=other / 2), enough(own, other)

    return stands


def _weight_ratio_at_least(data: Mapping[str, Any]) -> Stands:
    """17.2a Twice the enemy's units or more."""
    ratio = float(data["ratio"])
    return _compared(lambda own, other: own > 0 and own >= ratio * other)


def _weight_greater(data: Mapping[str, Any]) -> Stands:
    """17.4 More units than the enemy."""
    return _compared(lambda own, other: own > other)


# 17.3 Positional victory


def _holds_unbesieged(data: Mapping[str, Any]) -> Stands:
    """17.3 Holds Tobruk, and no enemy stands in it or beside it (13.5a, A18)."""
    name = str(data["place"])

    def stands(s: State, side: int) -> tuple[Said, bool]:
        fortress = s.board.fortress_names.index(name)
        return "", s.fort_owner[fortress] == side and not besieged(s, s.board.fortresses[fortress], side)

    return stands


_KINDS: dict[str, tuple[str, str, Callable[[Mapping[str, Any]], Stands]]] = {
    "units_exited": ("17.1a", term("{side}: supplied units off the enemy's map edge"), _units_exited),
    "controls_enemy_base": ("17.1b", term("{side} alone stands in the enemy base"), _controls_enemy_base),
    "weight_ratio_at_least": ("17.2a", term("{side}: twice the enemy's units or more"), _weight_ratio_at_least),
    "holds_unbesieged": ("17.3", term("{side} holds Tobruk, and it is not besieged"), _holds_unbesieged),
    "weight_greater": ("17.4", term("{side}: more units than the enemy"), _weight_greater),
}


@remembered(16)
def conditions(board: Board) -> tuple[Condition, ...]:
    """17.0b All conditions, the highest level first."""
    table = board.pack.tables["victory"]
    order = list(table["precedence"])
    found = [
        Condition(
            row["level"],
            int(table[row["level"]]["vp"]),
            row["when"] == "at_once",
            *_KINDS[row["kind"]][:2],
            _KINDS[row["kind"]][2](row),
        )
        for row in table["condition"]
    ]
    return tuple(sorted(found, key=lambda c: order.index(c.level)))


# 17.0, 17.1c When it is judged


def victory_at_once(s: State) -> bool:
    """17.1c Ends the game the moment a side has won strategically; says whether it is over."""
    if s.ended is not None:
        return True
    bases = s.board.base_mask
    if not (s.occ[0] & bases[1] or s.occ[1] & bases[0] or s.exited[0] or s.exited[1]):
        return False
    return _decide(s, at_once=True)


def judge(s: State) -> None:
    """17.0a The last month is over: the highest level that either side meets decides (17.0b)."""
    _decide(s, at_once=False)


def reckon(s: State, at_once: bool | None = None) -> Iterator[Tally]:
    """17.0b Every level for both sides, the highest first, and none at all (M17); `at_once`: those of that moment."""
    for c in conditions(s.board):
        if c.level in script(s).levels and at_once in (None, c.at_once):
            for side in (0, 1):
                value, met = c.stands(s, side)
                ends = Outcome(side, c.level, c.points, c.rule)
                yield Tally(c.rule, Text.of(c.text, {"side": side}), value, met=met, ends=ends)
    if not at_once:
        fallback = s.board.pack.tables["victory"]["fallback"]
        ends = Outcome(None, fallback["result"], int(fallback["vp"]), "17.0b")
        yield Tally("17.0b", "neither side has reached any of these", met=True, ends=ends)


def _decide(s: State, at_once: bool) -> bool:
    s.ended = verdict(reckon(s, at_once))
    if s.ended is not None:
        halves, winner = weights(s), s.ended.winner
        data = {"winner": -1 if winner is None else winner, "level": s.ended.level, "points": s.ended.points}
        emit(s, "victory", s.ended.rule, data | {f"{SIDES[i]}_units": halves[i] / 2 for i in (0, 1)}, final=True)
    return s.ended is not None


class Victory(Frame[State, VictoryAt]):
    """17.0a After the last month; A43: as an option, unsupplied units are eliminated first."""

    at = VictoryAt

    def run(self, s: State, f: VictoryAt) -> None:
        if s.flags & LAST_CHECK and f.checked == NOT_YET:
            s.stack[-1] = VictoryAt(F_VICTORY, 1)
            s.stack.append(SupplyCheckAt(F_SUPPLY_CHECK, 0, BUILDUP, 0))
        elif not victory_at_once(s):
            judge(s)


FRAMES: dict[int, Frame[State, Any]] = {F_VICTORY: Victory()}
