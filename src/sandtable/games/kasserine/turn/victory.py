"""D3 Victory Determination: points for places, exits and losses, and who has won (15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandtable.engine.contract import Outcome, Tally, verdict
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said, Text, term

from ..supply.lines import supplied
from ..table.ids import ALLIED, AXIS, NATIONS, SIDES
from ..table.ratings import Drm
from ..table.script import script
from ..table.state import State
from ..table.zones import controls

LEVEL_WORDS = {
    "axis_decisive": (AXIS, "Axis decisive victory"),
    "axis_marginal": (AXIS, "Axis marginal victory"),
    "draw": (None, "Draw"),
    "allied_marginal": (ALLIED, "Allied marginal victory"),
    "allied_decisive": (ALLIED, "Allied decisive victory"),
}


NATION_WORDS = {"German": "German", "Italian": "Italian", "US": "American", "British": "British", "French": "French"}
PLACE_WORDS: tuple[Said, Said] = (term("Places of the Axis"), term("Places of the Allies"))


def score(s: State) -> list[Drm]:
    """15.15, 15.25, 15.35 the net points of the Axis as they stand, item by item."""
    victory = script(s).victory
    rule = victory["rule"]
    found = [Drm(sum(places(s, side).values()), rule, PLACE_WORDS[side]) for side in (AXIS, ALLIED)]
    for loss in victory.get("loss", ()):
        steps = sum(s.lost[NATIONS.index(nation)] for nation in loss["nations"])
        value = steps // loss["steps_per_point"] * loss["points"]
        sign = 1 if loss["scorer"] == SIDES[AXIS] else -1
        found.append(
            Drm(
                sign * value,
                rule,
                Text("Steps lost: {nations}", nations=tuple(NATION_WORDS[one] for one in loss["nations"])),
            )
        )
    for loss in victory.get("leader_loss", ()):
        count = sum(1 for name in loss["units"] if s.captured >> s.board.unit_index[name] & 1)
        found.append(Drm(count * loss["points"], rule, "Leaders taken"))
    found.append(Drm(exit_points(s, AXIS), "14.36", "Axis steps off the map"))
    found.append(Drm(-exit_points(s, ALLIED), "14.36", "Allied steps off the map"))
    found.append(Drm(-s.penalty, "15.23d", "Units kept from Mareth"))
    return [item for item in found if item.value]


def places(s: State, side: int) -> dict[Hex, int]:
    """15.15, 15.25 what a side's places give if it controls them; those of the Allies count against the Axis."""
    listed = script(s).victory.get("hexes" if side == AXIS else "allied_hexes", ())
    sign = 1 if side == AXIS else -1
    return {h: sign * place["vp"] if controls(s, side, h) else 0 for place in listed for h in (_hex(s, place),)}


def net(s: State) -> int:
    """Axis points less Allied points."""
    return sum(item.value for item in score(s))


def exit_points(s: State, side: int) -> int:
    """14.36, 15.25b, 15.25e the points for steps that left the map in supply: the best of them, so many at most."""
    table = script(s).victory.get(f"exit_{SIDES[side]}")
    if not table:
        return 0
    board = s.board
    each: list[int] = []
    for u, h in s.left_at.items():
        if board.side[u] == side:
            for row in table["score"]:
                if NATIONS[board.nation[u]] in row["nations"] and board.grid.names[h] in row["hexes"]:
                    each += [row["points_per_step"]] * (board.steps[u] - s.step[u])
    return sum(sorted(each, reverse=True)[: table["max_steps"]])


def steps_exited(s: State, side: int, nations: Sequence[str], hexes: Sequence[str]) -> int:
    """14.36 the steps of some nations that left by some hexes in supply."""
    board = s.board
    return sum(
        board.steps[u] - s.step[u]
        for u, h in s.left_at.items()
        if board.side[u] == side and NATIONS[board.nation[u]] in nations and board.grid.names[h] in hexes
    )


ASKED_LINES = {
    "controls": term("{side} controls {hex}"),
    "hex_in_supply": term("{hex} is in supply of {side}"),
    "steps_exited": term("Steps off the map at {hexes}: {nations}"),
    "steps_eliminated": term("Steps eliminated: {nations}"),
}


def asked(s: State, condition: Mapping[str, Any]) -> Tally:
    """One condition of a scenario's list: what it asks for, and how that stands."""
    kind, side = condition["kind"], SIDES.index(condition["side"])
    nations = condition.get("nations") or (NATIONS[:2] if side == AXIS else NATIONS[2:])
    facts: dict[str, Any] = {"side": side, "nations": tuple(NATION_WORDS[nation] for nation in nations)}
    value: Said = ""
    if kind in ("controls", "hex_in_supply"):
        h = facts["hex"] = _hex(s, condition)
        met = controls(s, side, h) if kind == "controls" else bool(supplied(s, side) >> h & 1)
    else:
        count, wanted = sum(s.lost[NATIONS.index(nation)] for nation in nations), int(condition["at_least"])
        if kind == "steps_exited":
            facts["hexes"] = [s.board.grid.index[name] for name in condition["hexes"]]
            count = steps_exited(s, side, nations, condition["hexes"])
        value, met = Text("{n} of {wanted}", n=count, wanted=wanted), count >= wanted
    return Tally(script(s).victory["rule"], Text.of(ASKED_LINES[kind], facts), value, met=met)


def reckon(s: State) -> Iterator[Tally]:
    """15 the points item by item, an immediate victory, and after the last turn the level that has been reached."""
    play = script(s)
    victory, last = play.victory, s.turn >= play.last
    rule, points = victory["rule"], net(s)
    text: Said
    if victory["kind"] == "points":
        yield Tally(rule, "Net points of the Axis", points=points, parts=tuple(_item(s, item) for item in score(s)))
    for instant in victory.get("instant", ()):
        parts = tuple(asked(s, condition) for condition in instant["all"])
        met = s.turn >= instant["first_turn"] and all(part.met for part in parts)
        text = Text("In any Victory Determination from turn {turn} on", turn=instant["first_turn"])
        yield Tally(rule, text, met=met, ends=_outcome(s, instant["result"]), parts=parts)
    for result in play.judged_by("result", s.edition):  # 15.05b tested in this order
        for case in result["any"]:
            parts = tuple(asked(s, condition) for condition in case["all"])
            text = term("After the last turn") if parts else term("None of these after the last turn")
            met = last and all(part.met for part in parts)
            yield Tally(rule, text, met=met, ends=_outcome(s, result["result"]), parts=parts)
    for level in play.judged_by("level", s.edition):
        least = level.get("net_at_least")
        text = term("Fewer points than these") if least is None else Text("{n} points or more", n=least)
        met = last and (least is None or points >= least)
        yield Tally(rule, text, met=met, ends=_outcome(s, level["result"]))


def _item(s: State, item: Drm) -> Tally:
    """An item of the score; the places one by one."""
    side = PLACE_WORDS.index(item.text) if item.text in PLACE_WORDS else -1
    each = places(s, side) if side >= 0 else {}
    parts = tuple(Tally(item.rule, Text("{hex}", hex=h), points=value) for h, value in each.items())
    return Tally(item.rule, item.text, points=item.value, parts=parts)


def determine(s: State) -> Outcome | None:
    """D3 an immediate victory, or after the last turn the level that has been reached."""
    found = verdict(reckon(s))
    if found is None and s.turn >= script(s).last:
        raise AssertionError("the levels of victory have a gap")
    return found


def turn_penalty(s: State) -> int:
    """15.23d the points that the end of this turn costs the Axis."""
    found = 0
    for item in script(s).victory.get("turn_penalty", ()):
        there = s.on_map[AXIS] & s.board.of_formation[item["when"]["formation"]]
        if s.turn >= item["first_turn"] and there.bit_count() > item["when"]["units_on_map_more_than"]:
            found -= item["points"]
    return found


def _outcome(s: State, result: str) -> Outcome:
    winner, level = LEVEL_WORDS[result]
    points = net(s) if script(s).victory["kind"] == "points" else 0
    return Outcome(winner, level, points, script(s).victory["rule"])


def _hex(s: State, item: Mapping[str, Any]) -> Hex:
    return s.board.grid.index[item["hex"]]
