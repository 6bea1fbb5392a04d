"""The Engineer Phase, Fire Nets, and other ways for reinforcements."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..movement.arrivals import gates
from ..table import verbs
from ..table.ids import ALLIED
from ..table.position import units_in
from ..table.state import State
from ..table.zones import controls
from .outlook import Outlook
from .params import Params
from .skies import from_the_enemy
from .worth import turns_left


def hold_value(out: Outlook, h: Hex) -> float:
    """How much it matters that a hex is held by those who stand in it."""
    s = out.s
    value = 0.0
    for goal in out.goals:
        if goal.held and goal.hex == h:
            value += min(goal.value, 12.0)
    points = out.about.places.get(h, 0.0)
    if points and controls(s, out.side, h) and out.threat(h):
        value = max(value, 0.5 * points)
    return value + out.block.get(h, 0.0)


def engineers(s: State, side: int, legal: Sequence[Action], p: Params) -> Action:
    """D1 minefields under troops that hold what matters, then strongpoints; nothing is ever pulled down."""
    end = (int(verbs.END_ENGINEERS),)
    if turns_left(s) < 1:
        return end
    out = Outlook(s, side, p)
    lays = [a for a in legal if a[0] == verbs.LAY and s.fighting[side] >> a[1] & 1]
    if lays:
        best = max((_mine_value(out, a[1]), -a[1], a) for a in lays)
        if best[0] > 1.2:
            return best[2]
    builds = [a for a in legal if a[0] == verbs.BUILD]
    if builds and turns_left(s) >= 1:
        best = max((_fort_value(out, a[1]), -a[1], a) for a in builds)
        if best[0] > 1.0:
            return best[2]
    if side == ALLIED and turns_left(s) > 1:  # 11.34 an empty pass is mined too
        roads = [a for a in legal if a[0] == verbs.LAY and out.block.get(a[1], 0.0) >= 1.5]
        roads = [a for a in roads if 2 <= min((s.board.grid.distance(f.hex, a[1]) for f in out.foes), default=0) <= 8]
        if roads and s.mines_left[side] > 4:
            return max(roads, key=lambda a: (out.block[a[1]] + s.board.terrain_drm[a[1]], -a[1]))
    return end


def _mine_value(out: Outlook, h: Hex) -> float:
    near = out.threat(h)
    return hold_value(out, h) * min(1.0, near / 8.0)


def _fort_value(out: Outlook, u: int) -> float:
    """A strongpoint takes a day in which its builder stays: only where somebody is to stay anyway."""
    s = out.s
    h = s.at[u]
    if not out.press(h):
        return 0.0
    danger = out.danger(u, h)
    return hold_value(out, h) * (1.0 - danger)


def conversions(s: State, side: int, legal: Sequence[Action]) -> list[Action]:
    """12.34 a division HQ becomes a Fire Net where its guns are in the battle, and mobile again where they are not."""
    board, grid = s.board, s.board.grid
    found = []
    for action in legal:
        if action[0] != verbs.CONVERT:
            continue
        u = action[1]
        guns = units_of(board.of_formation[board.formation[u]] & board.artillery & s.on_map[side])
        with_it = [v for v in guns if grid.distance(s.at[v], s.at[u]) <= 5]
        near = from_the_enemy(s, u)
        net = bool(s.fire_net >> u & 1)
        wanted = len(with_it) >= 2 and 2 <= near <= 5 and bool(units_in(s, s.at[u], side) & ~(1 << u) & board.combat)
        if (wanted and not net) or (net and (near > 7 or near < 2 or not with_it)):
            found.append(action)
    return found


def reroutes(s: State, legal: Sequence[Action]) -> list[Action]:
    """14.13a groups whose way on is shut go to the nearest letter."""
    order, letters = s.board.charts.entry_order, s.board.entry_letters
    options = [
        (abs(order.index(letters[a[2]]) - order.index(letters[s.gate[a[1]]])), a)
        for a in legal
        if a[0] == verbs.REROUTE and not gates(s, a[1])
    ]
    return [min(item for item in options if item[1][1] == u)[1] for u in sorted({a[1] for _, a in options})]
