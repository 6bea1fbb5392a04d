"""5.1 to 5.7, 7, 13, 16 Where the stack can go, why not there, and what a player wants to know before."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Hint, HintLine
from sandtable.engine.texts.text import Fact, Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.paths.legs import STOPPED, TOO_DRY, TOO_FAR

from ..paths.legs import legs, tables, terms
from ..paths.modes import CLOSED, MODE, NO_ZOCS, THROUGH_ZOCS, WAYS, Movers
from ..paths.reaches import Reach, reach_on
from ..supply.supply_lines import fed_by_port, full
from ..table.board import SIXTHS
from ..table.ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.state import State
from ..table.verbs import V_TO
from ..table.zones import ezoc, full_zoc
from .companions import STOPPED_HERE, movers_of, place_of, stopped


def reach_of(s: State) -> Reach:
    """Where the stack can go from here."""
    key = ("reach", s.group, s.loads, s.spent, s.run, s.mode, s.stack_rommel)
    found: Reach | None = s.memo.get(key)
    if found is None:
        left_a_box = bool(s.board.box_mask >> s.start & 1)  # 6.3.3d
        found = s.memo[key] = reach_on(s.board, terms(s, movers_of(s), s.run, box=not left_a_box))
    return found


def leads_to(s: State, action: Sequence[object]) -> bool:
    """Whether the stack can go there in this mode."""
    match action:
        case (verb, int(to), int(mode)) if verb == V_TO and 0 <= to < s.board.size:
            return not stopped(s) and reach_of(s).leg(to, mode) is not None
    return False


def called(s: State, units: int) -> Said:
    """One unit by its name, several as a stack."""
    found = units_of(units)
    return s.board.unit_names[found[0]] if len(found) == 1 else Text("a stack of {n}", n=len(found))


# Why not there


PLACES: Bars[State, Movers] = Bars(
    STOPPED_HERE,
    Bar("5.1a", "{stack} is there", lambda s, now: 1 << now.place),
    Bar("6.1.2b", "{hex} is a box of the enemy", lambda s, now: s.board.own_boxes[now.foe]),
    Bar(
        "6.3.3d",
        "{stack} left an off-map box in this phase and enters none again",
        lambda s, _: s.board.box_mask if s.board.box_mask >> s.start & 1 else 0,
    ),
    Bar("6.3.3a", "Italy does not adjoin the map", lambda s, _: 1 << s.board.italy),
    Need("5.6", "no unit may enter {hex}", lambda s, _: s.board.land | s.board.box_mask),
)
"""Where no stack goes at all; the kernels know it from the chart."""


def why_not_to(s: State, now: Movers, h: Hex, mode: int) -> Reason:
    """Why the stack cannot go there in this mode."""
    board = s.board
    holders = s.here.get(h, 0) & board.combat & board.of_side[now.foe]
    facts: dict[str, Fact] = {
        "hex": h,
        "stack": called(s, now.group),
        "unit": units_of(now.group)[0],
        "from": now.place,
    }
    facts["holder"] = called(s, holders) if holders else ""
    shut = PLACES.why(h, s, now, facts) or (CLOSED.why(h, s, now, facts) if holders else None)
    shut = shut or MODE.why(mode, s, now, facts) or WAYS[mode].closed.why(h, s, now, facts)
    return shut or WAYS[mode].ends.why(h, s, now, facts) or _why_too_far(s, now, h, mode, facts)


def _why_too_far(s: State, now: Movers, h: Hex, mode: int, facts: dict[str, Fact]) -> Reason:
    """The place could be entered in itself: how far it is, and what stands in the way."""
    board, t, units = s.board, tables(s), now.units
    boxes = board.box_mask & (1 << h | 1 << now.place)
    if mode == TACTICAL:
        hexes = t.refreshed if units & s.refreshed else t.tactical
        near = not boxes and board.grid.distance(now.place, h) <= hexes - max(s.spent, 0)
        rule = "5.4c" if near else "19.5b" if units & s.refreshed else "5.4a"
        one = term("{stack}: {hex} is not within {n} hex, or something on the way stops it (5.4c)")
        many = term("{stack}: {hex} is not within {n} hexes, or something on the way stops it (5.4c)")
        return Reason(rule, Text.many(hexes, one, many, **facts))
    if mode == ROAD_BONUS:
        text = term("{hex} is not 4 to 8 hexes along the highway, or 4 along roads, from {stack}")
        return Reason("5.2.2b", Text.of(text, facts))
    if boxes:
        return Reason("6.3.3b", Text.of("{stack} has not the MPs to get to {hex}", facts))
    by_mode = {leg.mode: leg for leg in legs(board, terms(s, now, s.run))}
    leg = by_mode[mode]
    found = leg.why(h)
    if found.kind == TOO_DRY:
        text = term("{stack} would enter more than two desert hexes in a row on the way to {hex}")
        return Reason("5.5b", Text.of(text, facts))
    if board.bog >> h & 1 and units & ~board.foot:
        return Reason("5.1a", Text.of("{hex} is marsh without a road: no mechanised unit can be there", facts))
    if mode == EXTENDED and NORMAL in by_mode and by_mode[NORMAL].to(h) is not None:
        return Reason("5.3a", Text.of("{stack} gets to {hex} with its normal MPs", facts))
    closing = WAYS[mode].shutting(h, leg, s, now)
    if closing is not None and closing.rule == NO_ZOCS:
        return Reason(NO_ZOCS, Text.of(THROUGH_ZOCS, facts))
    if found.kind == TOO_FAR:
        facts |= {"needed": -(-found.needs // SIXTHS), "has": found.has // SIXTHS}
        return Reason("5.1a", Text.of("{stack} needs {needed} MP to {hex}; it has {has}", facts))
    if found.kind == STOPPED:
        return Reason("7.2a", Text.of("{stack} must stop in an enemy ZOC on the way to {hex}", facts))
    rule = "5.7b" if closing is None or closing.rule == "5.1e" else closing.rule  # others would get there
    text = term("no way leads {stack} to {hex}: hexes or hexsides that it may not enter or cross")
    return Reason(rule, Text.of(text, facts))


# Before he orders it


WAY_TITLES = ("", "extended movement (5.3a): no attack this impulse", "tactical movement (5.4a)", "road bonus (5.2.2)")


def shown(s: State, to: int, mode: int) -> Hint:
    """The hexes of a move, what is spent on the way and why."""
    board, side = s.board, s.active
    r = reach_of(s)
    names = board.grid.names
    cost, path = r.way(to, mode)
    before = max(s.spent, 0)
    count = str if mode == TACTICAL else mps
    more = tables(s).extended if mode == EXTENDED else 0
    allowance = Text("{n} hexes", n=tables(s).tactical) if mode == TACTICAL else Text("{mp} MP", mp=mps(r.ma + more))
    hint: Hint = {
        "cost": count(before + cost),
        "of": allowance,
        "path": [names[h] for h in path],
        "costs": [count(before + x) for x in r.costs(path, mode)],
        "extended": mode in (EXTENDED, ROAD_BONUS),
        "note": WAY_TITLES[mode],
    }
    if full_zoc(s, enemy(side)) >> to & 1 or board.box_mask >> to & 1:
        hint["stop"] = True
    hint["lines"] = consequences(s, place_of(s), to, mode)
    return hint


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
