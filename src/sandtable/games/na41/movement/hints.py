"""What a player wants to know of a march before he orders it."""

from __future__ import annotations

from sandtable.engine.scene import HintLine
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, hexes_in

from ..supply.supply_lines import fed_by_port, full
from ..table.board import SIXTHS
from ..table.ids import EXTENDED, ROAD_BONUS, TACTICAL
from ..table.state import State
from ..table.zones import ezoc, full_zoc


def consequences(s: State, start: int, to: int, mode: int) -> list[HintLine]:
    """What a player wants to know of a place before he goes there."""
    board, side, foe = s.board, s.active, enemy(s.active)
    lines: list[HintLine] = []
    if mode != TACTICAL and ezoc(s, side) >> start & 1:
        limited = not full_zoc(s, foe) >> start & 1
        toll = board.general["limited_ezoc_exit_mp" if limited else "ezoc_exit_mp"]
        lines.append({"value": str(toll), "text": "To leave an enemy ZOC", "rule": "7.3c" if limited else "7.2c"})
    if board.box_mask >> to & 1:
        return [*lines, {"text": "Stays in the box until a later impulse", "rule": "6.3.1"}]
    if full_zoc(s, foe) >> to & 1:
        lines.append({"text": "Enters an enemy ZOC and stops", "rule": "7.2a"})
    near = board.around[to] & s.men[foe]
    if near and mode not in (EXTENDED, ROAD_BONUS) and (s.group | s.loads) & board.combat:
        names = tuple(board.hex_name(h) for h in hexes_in(near))
        lines.append({"text": Text("Next to the enemy in {names}", names=names), "rule": "8.1a"})
    if not full(s, side) >> to & 1:
        port = bool(fed_by_port(s, side) >> to & 1)
        text = term("Port supply at best there" if port else "Out of supply there, as things stand")
        lines.append({"text": text, "rule": "16.2b" if port else "16.1b"})
    return lines


def mps(sixths: int) -> str:
    """Sixths of MPs as a player counts them."""
    whole, rest = divmod(sixths, SIXTHS)
    part = ("", "⅙", "⅓", "½", "⅔", "⅚")[rest]
    return f"{whole}{part}" if whole or not part else part
