"""What players of a game read while it is played: `samples.py GAME…` replays the golden saves and prints it as JSON.

{game: {"events": [event], "actions": [action with its "label"], "says": [text], "counters": [fact], "map": [word]}}:
some of each kind of event and of each verb; every text of the scenes, decisions, hints and odds on the way; what is
said of counters; terrain and ways. Needs the standard library and the games.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "sandtable" / "games"
sys.path.insert(0, str(ROOT / "src"))

from sandtable import registry  # noqa: E402
from sandtable.engine.contract import Event, Game, Odds  # noqa: E402
from sandtable.engine.log import read_log  # noqa: E402

MANY = 3  # samples of a kind
DECISIONS, SCENES, OVERLAYS = 4, 40, 300  # every so many steps of a game


def scene_texts(scene: Mapping[str, Any]) -> Iterator[str]:
    yield from (scene["title"], scene["subtitle"], *scene["notes"])
    for item in (*scene["phases"], *scene["stats"]):
        yield item["title"]
    for track in (*scene["tracks"], *scene["boxes"]):
        yield from (track["title"], track.get("value", ""), track.get("note", ""))
    for marker in scene["markers"]:
        yield from (marker["kind"].replace("_", " "), marker["label"])
    for counter in scene["counters"]:
        yield from (mark.replace("_", " ") for mark in counter.get("marks", ()) if mark not in ("acting", "revealed"))


def odds_texts(odds: Odds) -> Iterator[str]:
    """The terms are read where there is no ladder."""
    yield odds.title
    yield from (result for result, _ in odds.results)
    if odds.ladder is None:
        yield from (term.text for term in odds.terms)
        return
    yield from (*odds.ladder.question, *odds.ladder.legend, odds.ladder.unit)
    for shift in odds.ladder.shifts:
        yield from (shift.text, shift.note)
    for column in odds.ladder.columns:
        yield from (cell.text for cell in column.cells)


def map_words(folder: Path) -> Iterator[str]:
    """Terrain, tags, hexsides and ways, as the hex card names them."""
    for file, column in (("hexes", "terrain"), ("hexes", "tags"), ("hexsides", "kind"), ("links", "kind")):
        with (folder / f"{file}.csv").open(encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                yield from (word.replace("_", " ") for word in row[column].split("|") if not set(word) & set(":="))


class Samples:
    """What has been seen of a game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.events: dict[str, list[dict[str, Any]]] = {}
        self.actions: dict[str, list[dict[str, Any]]] = {}
        self.says: set[str] = set()
        self.counters: set[str] = set()
        with (DATA / game.id / "data" / "units.csv").open(encoding="utf-8") as rows:
            self.names = {row["id"]: row["name"] for row in csv.DictReader(rows)}

    def happened(self, events: list[Event]) -> None:
        for event in events:
            known = self.events.setdefault(event.kind, [])
            for side in (-1, *range(len(self.game.info.sides))):
                seen = self.game.event_json(event, side)
                kinds = {frozenset(one) for one in known}
                if seen is not None and (len(known) < MANY or frozenset(seen) not in kinds):
                    known.append(seen)

    def decides(self, s: Any) -> None:
        prompt = self.game.prompt(s)
        self.says.update((str(prompt.title), str(prompt.text)))
        seen: set[int] = set()
        for action in self.game.legal(s):
            if action[0] in seen:
                continue
            seen.add(action[0])
            facts = self.game.action_json(action)
            known = self.actions.setdefault(facts["do"], [])
            if len(known) < MANY:
                known.append({**facts, "label": str(self.game.action_label(s, action))})
            hint = self.game.hint(s, action)
            if hint:
                self.says.update((hint.get("note", ""), hint.get("of", "")))
                self.says.update(line["text"] for line in hint.get("lines", ()))
            odds = self.game.odds(s, action)
            if odds:
                self.says.update(odds_texts(odds))

    def play(self, save: Path) -> None:
        log, game = read_log(save), self.game
        s = game.new(log.header.scenario, log.header.options)
        self.happened(list(s.events))
        for i, entry in enumerate(log.entries):
            who = game.to_act(s)
            if who is not None and who >= 0 and i % DECISIONS == 0:
                self.decides(s)
            if i % SCENES == 0:
                scene = game.scene(game.view(s, 0))
                self.says.update(scene_texts(scene))
                for counter in scene["counters"]:
                    name = self.names.get(counter.get("unit", ""), "")
                    self.counters.update(re.split("[,:] ", counter.get("detail", "").removeprefix(name))[1:])
            if i % OVERLAYS == 0:
                self.says.update(str(overlay["title"]) for overlay in game.overlays(game.view(s, 0)))
            self.happened(game.apply(s, game.parse(entry.do)))

    def found(self) -> dict[str, Any]:
        return {
            "events": [one for known in self.events.values() for one in known],
            "actions": [one for known in self.actions.values() for one in known],
            "says": sorted(text for text in self.says if text),
            "counters": sorted(self.counters),
            "map": sorted(word for word in set(map_words(DATA / self.game.id / "data")) if word not in ("", "named")),
        }


def main(games: list[str]) -> None:
    found = {}
    for name in games:
        samples = Samples(registry.get(name))
        for save in sorted((ROOT / "tests" / "golden" / name).glob("*.jsonl")):
            samples.play(save)
        found[name] = samples.found()
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


main(sys.argv[1:])
