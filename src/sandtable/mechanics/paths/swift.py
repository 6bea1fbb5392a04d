"""The kernel that is compiled where a compiler is found at install (`_swift.c`).

Where there is none, the functions are None, and whoever would ask them does the same in plain Python. The same tests
hold both. One that was compiled from an older source is refused: nobody should be slow without knowing why.

    flood(shifts, prices, firm, start, starts, points, closed, stop, leaving, entering)
        What places cost from a start, as `surveys.Costs`, and before that the hexes that so many points lead to. There
        is a byte in `prices` for each side of each hex, 0 where no way leads, and one in `firm` for each hex that is
        not dry; the rest is that of `legs.Leg`, but that leaving the start costs nothing besides.

    trace(shifts, prices, firm, start, first, second, stop, leaving, entering, h)
        The hexes entered on the way to one of them, by the costs of a flood on the same terms. Of directions that cost
        the same, the one straight on is taken, or the one that comes first.

    within(costs, points)
        The hexes that cost no more.

    roam(shifts, prices, flags, start, points, closed, stop, leaving, entering, setting_out, chain)
        Where one move leads, as `waves.wave`: the hexes, what each costs from which the move may go on, and what each
        costs that a step ending the move leads to. There is a byte in `prices` and one in `flags` for each side of each
        hex.

    costs_to(shifts, prices, goals, far, most, closed, entering)
        How far it is to goals, as `goals.costs_to`. There is a byte in `prices` for each side of each hex.

    listed(table, masks)
        For each member of these sets, in order, the entries of a table that has one for every member in every set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

flood: Callable[..., Any] | None
trace: Callable[..., list[int]] | None
within: Callable[[bytes | bytearray, int], int] | None
roam: Callable[..., tuple[int, bytes, bytes]] | None
costs_to: Callable[..., list[int]] | None
listed: Callable[[list[Any], tuple[int, ...]], list[Any]] | None
try:
    from ._swift import costs_to, flood, listed, roam, trace, within
except ModuleNotFoundError:
    costs_to = flood = listed = roam = trace = within = None
except ImportError as error:
    raise ImportError(f"the compiled kernel is older than its source ({error}): run `python hatch_build.py`") from error
