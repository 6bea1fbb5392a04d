"""Stands and retreats for the rule tests: a fight whose dice have fallen, and a stack that must go."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event
from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.retreat import retreats
from sandtable.games.na41.retreat.search import NEXT, Way
from sandtable.games.na41.table.ids import COMBAT, F_DEFENCE, F_RALLY, F_RESULT
from sandtable.games.na41.table.state import State

from .kit import GAME, H, U, do, empty, place, start, texts, units, why

REST = GAME.framed((F_RALLY, 0))
"""A frame that waits for dice: what a test puts below the frames it looks at."""

ORIGIN = "2727"
"""A flat hex, flat and rough ones around it: 2728 E, 2827 NE, 2826 NW, 2726 W, 2626 SW, 2627 SE. All in supply."""

WEST = "2726"


def fight(
    defenders: str | Sequence[str],
    cell: str = "DR2",
    *,
    hex_: str = ORIGIN,
    attackers: dict[str, str] | None = None,
    active: str = "axis",
    kind: int = COMBAT,
    **options: bool,
) -> State:
    """A fight on a hex whose die has fallen: the result is known, nothing of it done. The defenders stand there."""
    s = empty(active, "combat", **options)
    fighters = attackers if attackers is not None else {"GE_I5_5L": WEST}
    for name, where in fighters.items():
        place(s, name, where)
    place(s, defenders, hex_)
    effects.begin(s, kind, H(hex_), units(*fighters))
    s.fight.result = results.cell(cell)
    return s


def stand(s: State) -> list[Event]:
    """The determined defense of the fight, and nothing after it."""
    return start(s, REST, (F_DEFENCE, 0))


def resolve(s: State) -> list[Event]:
    """Determined defense, retreat and what follows."""
    return start(s, REST, (F_RESULT, effects.DEFENCE))


def retreat(s: State, hexes: int = 2) -> list[Event]:
    """The defenders that are left retreat so many hexes."""
    s.stack.append(REST)
    retreats.begin(s, results.defenders_left(s), s.fight.target, hexes)
    return start(s)


def routed(stack: str | Sequence[str], *enemies: str, hexes: int = 2, **options: bool) -> State:
    """A stack that has to retreat from ORIGIN with German tanks in these hexes (west of it if none is named)."""
    tanks = ("GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_AA33", "GE_AA3_5L")
    s = fight(stack, attackers=dict(zip(tanks, enemies or (WEST,), strict=False)), **options)
    s.events = retreat(s, hexes)
    return s


def go(s: State, *hexes: str) -> list[Event]:
    """The unit in charge goes hex by hex."""
    return do(s, *(f"to {h} normal" for h in hexes))


def ways(s: State) -> set[str]:
    """Where the unit in charge may go next."""
    return {text.split()[1] for text in texts(s) if text.startswith("to ")}


def mover(s: State) -> str:
    return s.board.units[s.stack[-1][1]]


def over(s: State) -> bool:
    return s.stack[-1] == REST


def forbidden(s: State, text: str) -> str:
    """The rule that forbids an action."""
    reason = why(s, text)
    assert reason is not None
    return reason.rule


def order(s: State, unit: str) -> str:
    b = 1 << U(unit)
    return "full retreat" if s.routed & b else "disrupted" if s.disrupted & b else "good"


def against(s: State, u: int, errand: int, path: tuple[int, ...], h: int) -> str:
    """The rule that speaks against a hex as the next one of a unit's retreat."""
    reason = NEXT.why(h, s, Way(u, errand, path, 0), {"unit": u, "hex": h})
    assert reason is not None
    return reason.rule
