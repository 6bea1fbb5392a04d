"""The table as a side may see it, in characters: map, hex cards, unit lists, hands and tracks.

Everything comes from the scene that the game makes of a side's view; the map from the game's pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sandtable.engine.contract import Game, View
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.packs import Pack, pack_of
from sandtable.engine.scene import CounterItem, Scene

from . import palette, show
from .desk import Names, Unclear
from .hexmap import HexMap, Scale, Tag

WORRIES = frozenset({"disrupted", "out_of_supply", "raider"})
"""Marks that put an exclamation mark on the map."""

MINES = frozenset({"minefield", "secret_minefield"})


class Board:
    """What can be shown of one game."""

    def __init__(self, game: Game[Any], scenario: str = "") -> None:
        self.game = game
        self.pack: Pack | None = pack_of(game, scenario)
        self.hexmap = HexMap(self.pack) if self.pack is not None else None
        self.sides = {name: number for number, name in enumerate(game.info.sides)}

    def scene(self, view: View) -> Scene:
        try:
            return self.game.scene(view)
        except NotImplementedError:
            return {}

    def _hex(self, name: str) -> Hex | None:
        return self.pack.grid.index.get(name) if self.pack is not None else None

    def _letter(self, side: str) -> str:
        return self.game.info.side_titles[self.sides[side]][:1].upper() if side in self.sides else "?"

    # ------------------------------------------------------------------------------- the map

    def tags(self, scene: Scene) -> dict[Hex, list[Tag]]:
        """How many counters each side has in each hex, and whether something is the matter with them."""
        counts: dict[Hex, dict[str, list[CounterItem]]] = {}
        for counter in scene.get("counters", ()):
            h = self._hex(counter.get("hex", ""))
            if h is not None:
                counts.setdefault(h, {}).setdefault(counter["side"], []).append(counter)
        tags: dict[Hex, list[Tag]] = {}
        for h, by_side in counts.items():
            for side in sorted(by_side, key=lambda s: self.sides.get(s, 9)):
                worry = any(WORRIES & set(c.get("marks", ())) for c in by_side[side])
                text = f"{self._letter(side)}{len(by_side[side])}{'!' if worry else ''}"
                tags.setdefault(h, []).append(Tag(text, *palette.side_colours(self.sides.get(side, -1))))
        for marker in scene.get("markers", ()):
            h = self._hex(marker.get("hex", ""))
            if h is not None and marker.get("kind") in MINES:
                tags.setdefault(h, []).append(Tag("m", palette.INK, palette.MINE))
        return tags

    def focus(self, view: View, marked: Mask, units: set[str]) -> set[Hex]:
        """Where a decision lies: the hexes it names and those of the units it names."""
        found = set(hexes_of(marked))
        if units:
            for counter in self.scene(view).get("counters", ()):
                h = self._hex(counter.get("hex", ""))
                if counter.get("unit") in units and h is not None:
                    found.add(h)
        return found

    def picture(
        self,
        view: View,
        width: int,
        height: int,
        *,
        focus: Iterable[Hex] = (),
        scale: str = "",
        marked: Mask = 0,
        selected: Mask = 0,
    ) -> list[Text]:
        """The map around the focus, and a line that explains it."""
        if self.hexmap is None:
            return [Text("This game has no map to show.", "dim")]
        scene = self.scene(view)
        hexes = list(focus)
        chosen = self._scale(scale, hexes, width, height)
        if not scale:
            height = min(height, self.hexmap.height_around(hexes, chosen))
        window = self.hexmap.window(
            width,
            height,
            scale=chosen,
            focus=hexes,
            tags=self.tags(scene),
            marked=marked,
            selected=selected,
        )
        return [*window.canvas.lines(), self._legend(window.cut, bool(marked), chosen)]

    def key(self) -> Text:
        """What the lines on the map mean."""
        line = Text()
        for kind, chars, _ in self.hexmap.key() if self.hexmap is not None else ():
            line.append(f" {chars} ", "bold")
            line.append(f"{kind.replace('_', ' ')} ")
        return line

    def _scale(self, wanted: str, focus: Sequence[Hex], width: int, height: int) -> Scale:
        assert self.hexmap is not None
        if wanted == "whole":
            return self.hexmap.best_scale((), width, height)
        return self.hexmap.scale(wanted) if wanted else self.hexmap.best_scale(focus, width, height)

    def _legend(self, cut: tuple[bool, bool, bool, bool], marked: bool, scale: Scale) -> Text:
        line = Text()
        for title, number in zip(self.game.info.side_titles, self.sides.values(), strict=True):
            line.append(f" {title[:1].upper()} ", palette.side_style(number))
            line.append(f" {title}  ")
        if marked:
            line.append("›", "bold")
            line.append(" can be chosen  ")
        further = [word for word, more in zip(("west", "north", "east", "south"), cut, strict=True) if more]
        if further:
            line.append(f"more to the {', '.join(further)}  ", "dim")
        line.append(f"{scale.name} map", "dim")
        return line

    # ------------------------------------------------------------------------------- one hex

    def hex_card(self, view: View, text: str, names: Names) -> list[RenderableType]:
        """What is known of a hex."""
        if self.pack is None:
            raise Unclear("this game has no map")
        h = names.hex(text)
        if h is None:
            try:
                self.pack.grid.index_of(text)
            except ValueError as error:
                raise Unclear(str(error)) from None
            raise Unclear(f"no hex is called {text!r}")
        number = self.pack.grid.names[h]
        row = self.pack.hexes.get(h)
        head = Text(number, "bold")
        if row is not None:
            head.append(f" {row.name}" if row.name else "", "bold")
            head.append(f"  {row.terrain.replace('_', ' ')}", "default not bold")
        lines: list[RenderableType] = [head]
        if row is not None:
            lines += [Text(line) for line in self._surroundings(h)]
        scene = self.scene(view)
        for marker in scene.get("markers", ()):
            if marker.get("hex") == number:
                line = Text(f"  {marker.get('label') or marker.get('kind', '')}")
                if str(marker.get("label", "")).isdigit():
                    line = Text(f"  {marker.get('kind', '')} {marker['label']}")
                line.append_text(show.rule_chip((marker.get("rule", ""),)))
                lines.append(line)
        here = [c for c in scene.get("counters", ()) if c.get("hex") == number]
        lines += [self._counter_line(counter) for counter in self._sorted(here)]
        if not here:
            lines.append(Text("  nobody stands here", "dim"))
        return lines

    def _surroundings(self, h: Hex) -> list[str]:
        """Hexsides, ways and places of a hex, in words."""
        assert self.pack is not None
        grid = self.pack.grid
        lines = []
        for title, kinds in (("hexsides", self.pack.sides), ("ways", self.pack.links)):
            parts = []
            for kind, sides in kinds.items():
                where = [grid.directions[d] for d in range(6) if sides[d] >> h & 1]
                if where:
                    parts.append(f"{kind.replace('_', ' ')} {' '.join(where)}")
            if parts:
                lines.append(f"  {title}: {', '.join(parts)}")
        for place in self.pack.places:
            if place.hex == h and place.side < 0:
                extra = [k if v == "yes" else f"{k} {v}" for k, v in place.attributes.items()]
                words = ", ".join([place.kind.replace("_", " "), *extra]).replace("_", " ")
                lines.append(f"  {place.name}: {words}")
        return lines

    def _sorted(self, counters: Sequence[CounterItem]) -> list[CounterItem]:
        return sorted(counters, key=lambda c: (self.sides.get(c["side"], 9), c.get("hidden", False)))

    def _counter_line(self, counter: CounterItem) -> Text:
        side = counter["side"]
        line = Text("  ")
        line.append(f" {self._letter(side)} ", palette.side_style(self.sides.get(side, -1)))
        if counter.get("hidden"):
            line.append(" unknown block", "dim")
        else:
            line.append(f" {counter.get('unit', '')}", "bold")
            line.append(f"  {counter.get('detail') or counter.get('name', '')}")
        if counter.get("marks"):
            line.append("  " + ", ".join(m.replace("_", " ") for m in counter["marks"]), "yellow")
        return line

    # ------------------------------------------------------------------------------- lists

    def unit_list(self, view: View, word: str) -> list[RenderableType]:
        """The counters that the side knows of; only those that contain a word, if one is given."""
        scene = self.scene(view)
        rows = []
        unknown: dict[tuple[str, str], int] = {}
        for counter in self._sorted(scene.get("counters", [])):
            where = self._where(counter)
            text = " ".join(str(counter.get(k, "")) for k in ("unit", "name", "side", "formation", "symbol"))
            if word and word.casefold() not in f"{text} {where}".casefold():
                continue
            if counter.get("hidden"):
                key = (counter["side"], where)
                unknown[key] = unknown.get(key, 0) + 1
                continue
            rows.append((counter, where))
        table = Table("unit", "name", "kind", "strength", "where", "marks", box=None, pad_edge=False)
        for counter, where in rows:
            side = self.sides.get(counter["side"], -1)
            steps = counter.get("steps")
            of = f" ({steps[0]} of {steps[1]} steps)" if steps and len(steps) == 2 else ""
            table.add_row(
                show.side_badge(side, counter.get("unit", "?")),
                counter.get("name", ""),
                counter.get("symbol", "").replace("_", " "),
                f"{counter.get('strength', '')}{of}",
                where,
                ", ".join(m.replace("_", " ") for m in counter.get("marks", ())),
            )
        lines: list[RenderableType] = [table] if rows else []
        for (side_name, where), count in unknown.items():
            line = Text(f" {self._letter(side_name)} ", palette.side_style(self.sides.get(side_name, -1)))
            line.append(f" {count} unknown at {where}", "default not bold")
            lines.append(line)
        return lines or [Text("No units." if not word else f"No unit contains {word!r}.", "dim")]

    def _where(self, counter: CounterItem) -> str:
        number = counter.get("hex")
        if number is None:
            return counter.get("box", "").replace("_", " ")
        h = self._hex(number)
        row = self.pack.hexes.get(h) if self.pack is not None and h is not None else None
        name = row.name if row is not None else ""
        return f"{number} {name}".rstrip()

    def status(self, view: View) -> list[RenderableType]:
        """Turn, phase, hands, tracks, boxes and the strength chart."""
        scene = self.scene(view)
        lines: list[RenderableType] = []
        head = Text(str(scene.get("title", "")), "bold")
        if scene.get("subtitle"):
            head.append(f"  {scene['subtitle']}", "default not bold")
        lines.append(head)
        if scene.get("phases"):
            steps = Text("  ")
            for phase in scene["phases"]:
                style = {"done": "dim", "now": "bold reverse"}.get(phase["state"], "")
                steps.append(str(phase["title"]), style)
                steps.append("  ")
            lines.append(steps)
        for hand in scene.get("hands", ()):
            cards = hand.get("cards", [])
            kinds = ", ".join(f"{cards.count(kind)} {kind}" for kind in dict.fromkeys(cards))
            lines.append(Text(f"  {hand['title']}: {hand['count']} cards" + (f" ({kinds})" if kinds else "")))
        for track in scene.get("tracks", ()):
            now = track.get("now", -1)
            cells = track.get("cells", [])
            cell = cells[now] if 0 <= now < len(cells) else "-"
            lines.append(Text(f"  {track['title']}: {cell} ({now + 1} of {len(cells)})"))
        for box in scene.get("boxes", ()):
            line = Text(f"  {box['title']}: {box['count']}")
            line.append_text(show.rule_chip((box.get("rule", ""),)))
            lines.append(line)
        if scene.get("stats"):
            table = Table("", *self.game.info.side_titles, box=None, pad_edge=False)
            for stat in scene["stats"]:
                table.add_row(f"  {stat['title']}", *("?" if v is None else f"{v:g}" for v in stat["values"]))
            lines.append(table)
        lines += [Text(f"  {note}") for note in scene.get("notes", ())]
        return lines
