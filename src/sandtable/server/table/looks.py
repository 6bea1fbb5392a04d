"""What a seat may be shown. Every payload about a game in progress is made here, from that seat's view.

A *viewer* is a side's number, SPECTATOR for those who hold no seat, or EVERYTHING once the game has ended.
Numbers of entries are in the viewer's own count (see `told`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

import msgspec

from sandtable.engine.contract import SPECTATOR, Action, Event, Game, Outcome, Prompt
from sandtable.engine.log import CHANCE_NAME
from sandtable.engine.scene import CounterItem, HandItem, MarkerItem, Scene, StatItem
from sandtable.engine.table import UNDO, Happened
from sandtable.engine.texts.text import Said, Text
from sandtable.lessons.advice import advice

from ..library.catalogue import POINTED, plainly_labelled
from ..wire.games import OutcomeRecord, UndoAsked
from ..wire.table import (
    ActionsOfVerb,
    Moment,
    Moved,
    PromptText,
    RollRecord,
    TableState,
)
from .live import LiveTable, Question
from .told import EVERYTHING


def side_name(table: LiveTable, side: int | None) -> str | None:
    return None if side is None else table.side_name(side)


def not_your_turn(table: LiveTable) -> Text:
    """Why somebody may not act who does not decide now."""
    assert table.to_act is not None
    return Text("it is not your turn: {side} decides", side=table.game.info.side_titles[table.to_act])


# ------------------------------------------------------------------------------------------ events


def events(table: LiveTable, viewer: int, since: int = 0) -> list[dict[str, Any]]:
    """What the viewer learned after his count was `since`. The dice lie with what they said: the first that he saw."""
    happened = table.events
    start = bisect_right(happened, table.told.entry(viewer, since), key=lambda one: one.n)
    found = []
    last = -1
    for one in happened[start:]:
        seen = event(table, viewer, one)
        if seen is None:
            continue
        entry = table.entries[one.n - 1]
        if one.n != last and entry.by == CHANCE_NAME and entry.faces and table.told.dice_are_open(viewer, one.n):
            seen.setdefault("faces", list(entry.faces))
        last = one.n
        found.append(seen)
    return found


def event(table: LiveTable, viewer: int, one: Happened) -> dict[str, Any] | None:
    """One event as the viewer saw it, with its numbers, who brought it and a line of text; None if he did not."""
    n, told = one
    if told.kind == UNDO:
        if not table.told.noticed(viewer, n):
            return None
        gone = [table.told.count(viewer, entry) for entry in told.data["entries"] if table.told.noticed(viewer, entry)]
        data: dict[str, Any] = {"event": UNDO, "rule": "", "by": told.data["by"], "entries": gone}
    else:
        given = table.game.event_json(told, _knower(told) if viewer == EVERYTHING else viewer)
        if given is None:
            return None
        data = dict(given)
    text = table.describe(data)
    data.setdefault("by", table.entries[n - 1].by)
    data["n"] = table.told.count(viewer, n)
    data["public"] = table.told.count(SPECTATOR, n)
    data["text"] = text
    return data


def _knower(told: Event) -> int:
    """A side that knows everything about an event."""
    return told.owner if told.owner >= 0 else SPECTATOR


# ------------------------------------------------------------------------------------------ scenes


def scene(game: Game[Any], state: Any, viewer: int, over: bool = False) -> Scene:
    """What the viewer sees on the table."""
    if viewer == EVERYTHING:
        return _open_scene(game, state, over)
    found = _scene(game, state, viewer)
    if over:
        found["to_act"] = None
    return found


def _scene(game: Game[Any], state: Any, side: int) -> Scene:
    try:
        return game.scene(game.view(state, side))
    except NotImplementedError:  # a game without a picture can still be played by its list of actions
        return {}


def _open_scene(game: Game[Any], state: Any, over: bool) -> Scene:
    """All sides' scenes laid over each other: each side's own counters and cards as it sees them itself."""
    sides = game.info.sides
    scenes = [_scene(game, state, number) for number in range(len(sides))]
    joined = Scene(**scenes[0])
    counters: list[CounterItem] = []
    hands: list[HandItem] = []
    for side, own in zip(sides, scenes, strict=True):
        counters += [item for item in own.get("counters", ()) if item.get("side") == side]
        hands += [item for item in own.get("hands", ()) if item.get("side") == side]
    neither = [item for item in scenes[0].get("counters", ()) if item.get("side") not in sides]
    markers: dict[tuple[Any, ...], MarkerItem] = {}
    notes: dict[Said, None] = {}
    for own in scenes:
        for mark in own.get("markers", ()):
            markers.setdefault((mark.get("hex"), mark.get("kind"), mark.get("side")), mark)
        notes |= dict.fromkeys(own.get("notes", ()))
    joined["counters"] = counters + neither
    joined["hands"] = hands
    joined["markers"] = list(markers.values())
    joined["notes"] = list(notes)
    joined["boxes"] = _boxes(joined, scenes)
    joined["stats"] = _stats(scenes)
    if over:
        joined["to_act"] = None
    return joined


def _boxes(joined: Scene, scenes: Sequence[Scene]) -> list[Any]:
    """Boxes that any side sees, counted anew from the counters shown."""
    found: dict[tuple[Any, Any], Any] = {}
    for own in scenes:
        for box in own.get("boxes", ()):
            found.setdefault((box.get("id"), box.get("side")), box)
    counters = joined.get("counters", [])
    out = []
    for (id, side), box in found.items():
        count = sum(item.get("box") == id and item.get("side") == side for item in counters)
        out.append({**box, "count": max(count, box.get("count", 0))})
    return out


def _stats(scenes: Sequence[Scene]) -> list[StatItem]:
    """Numbers that a side does not know of the other are taken from the other's own scene."""
    found: list[StatItem] = []
    for stat in scenes[0].get("stats", ()):
        values = list(stat["values"])
        for number, own in enumerate(scenes):
            same = next((other for other in own.get("stats", ()) if other["id"] == stat["id"]), None)
            if same is not None and number < len(values) and values[number] is None:
                values[number] = same["values"][number]
        found.append({"id": stat["id"], "title": stat["title"], "values": values})
    return found


# ------------------------------------------------------------------------------------------ the table


def prompt(table: LiveTable, viewer: int) -> PromptText:
    """What is being decided. Its words are for the side that decides; others see title and phase, as they know them."""
    if table.end is not None:
        return _ended(table)
    if viewer in (table.game.to_act(table.state), EVERYTHING):
        found = prompt_text(table.game.prompt(table.state))
        found.advice = advice(table.game, table.state)
        return found
    known = table.told.headline(viewer, len(table.entries))
    return PromptText("", "", [], "") if known is None else PromptText(known.title, "", [], known.phase)


def prompt_text(found: Prompt) -> PromptText:
    return PromptText(found.title, found.text, list(found.rules), found.phase)


def _ended(table: LiveTable) -> PromptText:
    end = table.end
    assert end is not None
    if end.outcome is None:
        return PromptText("The game was abandoned", "", [], "")
    return PromptText("The game is over", end.outcome.level, [end.outcome.rule] if end.outcome.rule else [], "")


def outcome(found: Outcome | None, sides: Sequence[str]) -> OutcomeRecord | None:
    if found is None:
        return None
    winner = None if found.winner is None else sides[found.winner]
    return OutcomeRecord(winner, found.level, found.points, found.rule)


def actions(table: LiveTable, viewer: int) -> list[ActionsOfVerb]:
    """The legal actions, for the side that decides. What there is to know about one of them is asked by itself."""
    if viewer < 0 or table.to_act != viewer:
        return []
    plain = {int(verb) for verb in getattr(table.game, "verbs", None) or () if plainly_labelled(verb)}
    return [of_verb(table, list(some), verb in plain) for verb, some in groupby(table.legal(), itemgetter(0))]


def of_verb(table: LiveTable, some: Sequence[Action], plain: bool) -> ActionsOfVerb:
    """Actions of one verb, argument by argument."""
    words = [table.game.action_json(action) for action in some]
    row = ActionsOfVerb(words[0]["do"])
    for name in words[0]:
        if name != "do":
            values = [one[name] for one in words]
            row.args[name] = values[0] if values.count(values[0]) == len(values) else values
    renamed = getattr(table.game, "renamed", lambda *_: False)
    if not plain or any(renamed(table.state, action) for action in some):
        numbers: dict[Said, int] = {}
        said = [numbers.setdefault(sentence(table, action), len(numbers)) for action in some]
        row.labels = list(numbers)
        row.said = said if any(said) else []
    return row


def sentence(table: LiveTable, action: Action) -> Said:
    """The label of an action without the names that the client knows: those of units and hexes that are arguments."""
    game = table.game
    label, verbs = game.action_label(table.state, action), getattr(game, "verbs", None)
    if isinstance(label, str) or verbs is None:
        return label
    named = game.words.text(verbs.label(action), label=True).facts  # type: ignore[attr-defined]
    known = [name for name, kind in verbs.verbs[action[0]].args if kind in POINTED]
    return Text.of(
        label.template, {k: fact for k, fact in label.facts.items() if k not in known or named.get(k) != fact}
    )


def table_state(
    table: LiveTable, viewer: int, seat: str | None, status: str, asked: Question | None = None
) -> TableState:
    over = table.end is not None
    return TableState(
        length=table.length(viewer),
        seat=seat,
        status=status,
        to_act=side_name(table, table.to_act),
        prompt=prompt(table, viewer),
        actions=actions(table, viewer),
        scene=scene(table.game, table.state, viewer, over),
        can_undo=viewer >= 0 and table.can_undo(viewer),
        undo_asked=undo_asked(table, viewer, asked),
        outcome=outcome(table.end.outcome if table.end else None, table.header.sides),
        public=table.length(SPECTATOR),
    )


def moved(
    table: LiveTable,
    viewer: int,
    since: int,
    seat: str | None,
    status: str,
    asked: Question | None = None,
    before: Scene | None = None,
) -> Moved:
    """The answer to what a side has done: all that it learned from the entries after number `since`. `before`: the
    scene that the asker has."""
    viewer = EVERYTHING if table.end is not None else viewer
    learned = events(table, viewer, table.told.count(viewer, since))
    now = table_state(table, viewer, seat, status, asked)
    kept: dict[str, list[int] | None] = {}
    if before is not None:
        now.scene, kept = news(now.scene, before)
    return Moved(table.length(viewer), learned, now, kept)


def news(scene: Scene, before: Scene) -> tuple[Scene, dict[str, list[int] | None]]:
    """What is new in a scene, and what of it is as it was before."""
    found: dict[str, Any] = {}
    kept: dict[str, list[int] | None] = {}
    for part, value in scene.items():
        old = before.get(part)
        if part in before and old == value:
            kept[part] = None
        elif isinstance(value, list) and isinstance(old, list):
            places: dict[bytes, list[int]] = {}
            for place in range(len(old) - 1, -1, -1):  # of those that are alike each stands for one
                places.setdefault(msgspec.json.encode(old[place]), []).append(place)
            kept[part] = where = [alike.pop() if (alike := places.get(msgspec.json.encode(x))) else -1 for x in value]
            found[part] = [item for item, place in zip(value, where, strict=True) if place < 0]
        else:
            found[part] = value
    return cast(Scene, found), kept


def undo_asked(table: LiveTable, viewer: int, asked: Question | None) -> UndoAsked | None:
    """What a side asks to take back, as far as the viewer has noticed it."""
    if asked is None:
        return None
    return UndoAsked(asked.by, table.decisions_seen(viewer, asked.since), table.length(viewer))


def rolls(table: LiveTable, viewer: int) -> list[RollRecord]:
    """Every roll so far that the viewer may know of, also of what was taken back; its dice are told with the seed."""
    told = table.told
    return [RollRecord(told.count(viewer, n), None, list(table.entries[n - 1].faces), []) for n in told.rolls(viewer)]


def moment(table: LiveTable, viewer: int, length: int) -> Moment:
    """A replayed table at the entry it has reached; `length` is the viewer's count at the end."""
    n = table.length(viewer)
    return Moment(
        n=n,
        public=table.length(SPECTATOR),
        length=length,
        to_act=side_name(table, table.to_act),
        prompt=prompt(table, viewer),
        scene=scene(table.game, table.state, viewer, table.end is not None),
        events=events(table, viewer, n - 1) if n else [],
    )


def sight(table: LiveTable, viewer: int, a: str, b: str) -> Any:
    """The line of sight between two hexes as a viewer knows the map; None in games without one."""
    game, state = table.game, table.state
    asked = getattr(game, "sight", None)
    return None if asked is None else asked(game.view(state, max(viewer, SPECTATOR)), a, b)


def overlays(table: LiveTable, viewer: int) -> list[Any]:
    """What can be laid over the map, from this view alone (of everything: from each side's)."""
    game, state = table.game, table.state
    if viewer != EVERYTHING:
        return list(game.overlays(game.view(state, viewer)))
    found: dict[str, Any] = {}
    for number, side in enumerate(game.info.sides):
        with suppress(NotImplementedError):
            for overlay in game.overlays(game.view(state, number)):
                found[f"{side}:{overlay.get('id', '')}"] = overlay
    return list(found.values())
