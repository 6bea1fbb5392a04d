"""The ground of a battlefield as SVG.

LOS and costs come from the data, never from the drawing; so the drawing never suggests otherwise. Order: levels,
deirs, sand, scrub and hammada, textures, dune crests, wadis, grid, cliffs, walls, buildings, ways, dots, numbers.
The coordinates are those of `engine.drawing`: 100 from one centre to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, sin, sqrt
from random import Random

from sandtable.engine.drawing.palette import FONT_COUNTER
from sandtable.engine.drawing.scene import RADIUS, UNIT
from sandtable.engine.drawing.svg import Point, num, pair, safe
from sandtable.engine.hexes import Hex, Mask, Sides, hexes_of
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.shown.colours import COLOURS
from sandtable.games.asl.shown.strokes import Paper, beside, contour, drawn, hachures, moved, rounded

NEAR, MIDDLE, FAR = 2, 1, 0
"""How much is drawn: all; no dots, numbers or level figures; tints, hollows and wadis alone."""

FIGURES = {1: "½", 2: "1", 3: "1½", 4: "2", 6: "3", 8: "4", 10: "5"}
TINTS = ((1, "l05"), (2, "l1"), (4, "l2"), (6, "l3"))


def draw_ground(field: Battlefield, palette: str = "light", detail: int = NEAR, title: str = "") -> str:
    """The whole battlefield as an SVG of its own."""
    if palette not in COLOURS:
        raise ValueError(f"no palette {palette!r}; there are {', '.join(COLOURS)}")
    sheet = Ground(field, COLOURS[palette], detail)
    paper = sheet.paper
    size = f'width="{round(paper.width)}" height="{round(paper.height)}"'
    named = title or " ".join(one.board.name for one in field.placed)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {num(paper.width)} {num(paper.height)}" '
        f'role="img"><title>{safe(named)}</title><defs>{sheet.definitions()}</defs>{sheet.body()}</svg>\n'
    )


class Ground:
    """One drawing of one battlefield."""

    def __init__(self, field: Battlefield, colours: Mapping[str, str], detail: int) -> None:
        self.field = field
        self.paper = Paper(field)
        self.colours = colours
        self.detail = detail

    def __getitem__(self, token: str) -> str:
        return self.colours[f"asl-{token}"]

    def body(self) -> str:
        """All layers, lowest first."""
        layers = [
            self._shape(self.field.grid.all, self["ground"]),
            self._levels(),
            self._deirs(),
            self._soft(),
            self._textures() if self.detail else "",
            self._dune_crests(),
            self._wadis(),
            self._grid() if self.detail else "",
            self._cliffs(),
            self._walls(),
            self._buildings(),
            self._ways(self.field.tracks, road=False),
            self._ways(self.field.roads, road=True),
            self._figures() if self.detail == NEAR else "",
        ]
        edge = f'<clipPath id="asl-edge"><path d="{drawn(self.paper.outline(self.field.grid.all))}"/></clipPath>'
        return f'{edge}<g clip-path="url(#asl-edge)">{"".join(layers)}</g>'

    # ------------------------------------------------------------------------------- areas

    def _lines(self, hexes: Mask, wobble: float, seed: int) -> list[list[Point]]:
        return [rounded(line, wobble, seed) for line in self.paper.outline(hexes)]

    def _shape(self, hexes: Mask, colour: str) -> str:
        return f'<path d="{drawn(self.paper.outline(hexes))}" fill="{colour}" fill-rule="evenodd"/>'

    def _fill(self, lines: list[list[Point]], colour: str, strong: float = 1.0) -> str:
        return f'<path d="{drawn(lines)}" fill="{colour}" fill-rule="evenodd" opacity="{num(strong)}"/>'

    def _levels(self) -> str:
        """Tints upon tints, each with a soft shade to the south-east, a lit contour and hachures."""
        field, found = self.field, []
        hollow = 0
        for h in field.grid.hexes:
            if field.base[h] < 0:
                hollow |= 1 << h
        if hollow:
            lines = self._lines(hollow, 1.4, 2)
            found.append(self._fill(lines, self["wadi-floor"], 0.5))
            found.append(hachures(lines, self["contour"], 7, 5, inward=True, hollow=True) if self.detail else "")
        top = max(field.level[h] for h in field.grid.hexes)
        steps = [*TINTS, *((n, "l3") for n in range(8, top + 1, 2))]
        for height, token in steps:
            hexes = 0
            for h in field.grid.hexes:
                if field.level[h] >= height and (height > 1 or field.form["hillock"] >> h & 1):
                    hexes |= 1 << h
            if not hexes:
                continue
            lines = self._lines(hexes, 1.4, height)
            shadow = drawn(moved(lines, 3.6, 4.8))
            found.append(f'<path d="{shadow}" fill="{self["shade"]}" opacity=".30" filter="url(#asl-soft)"/>')
            found.append(self._fill(lines, self[token]))
            clip = f"asl-level-{height}"
            found.append(
                f'<clipPath id="{clip}"><path d="{drawn(lines)}" clip-rule="evenodd"/></clipPath>'
                f'<g clip-path="url(#{clip})"><path d="{drawn(moved(lines, 5.8, 7))}" fill="none" '
                f'stroke="{self["lit"]}" stroke-width="10" opacity=".42" filter="url(#asl-soft)"/></g>'
            )
            if self.detail:
                found.append(hachures(lines, self["contour"], 8.6 if height == 1 else 7, 5.3))
            found.append(contour(lines, self["lit"], self["shade"]))
        return "".join(found)

    def _deirs(self) -> str:
        """F4.1 A hollow at level 0 with an ochre lip, teeth inward, darker in the north-west."""
        hexes = self.field.form["deir"]
        if not hexes:
            return ""
        lines = self._lines(hexes, 1.4, 9)
        clip = f'<clipPath id="asl-deir"><path d="{drawn(lines)}" clip-rule="evenodd"/></clipPath>'
        band = (
            f'<g clip-path="url(#asl-deir)"><path d="{drawn(moved(lines, -3.5, -4.6))}" fill="none" '
            f'stroke="{self["lip"]}" stroke-width="30" opacity=".34" filter="url(#asl-soft)"/></g>'
        )
        teeth = hachures(lines, self["lip"], 12.5, 6, 1.2, hollow=True, inward=True) if self.detail else ""
        lip = f'<path d="{drawn(lines)}" fill="none" stroke="{self["lip"]}" stroke-width="2" opacity=".9"/>'
        return clip + self._fill(lines, self["deir"]) + band + teeth + lip

    def _soft(self) -> str:
        """What only slows has soft edges: sand, dunes, scrub, hammada."""
        field, found = self.field, []
        sand = field.ground.get("sand", 0) | field.ground.get("sand_scrub", 0)
        if sand:
            lines = self._lines(sand, 3.7, 5)
            edge = f'fill="none" stroke="{self["sand-ink"]}" stroke-width="3.5" opacity=".35"'
            found.append(
                f'<path d="{drawn(lines)}" {edge} filter="url(#asl-soft2)"/>' + self._fill(lines, self["sand"])
            )
            dunes = field.form["dune"]
            if dunes:
                found.append(self._fill(self._lines(dunes, 3.5, 6), self["dune"]))
        for words, token, seed in ((("scrub",), "scrub", 2), (("hammada", "hammada_crag"), "hammada", 3)):
            hexes = 0
            for word in words:
                hexes |= field.ground.get(word, 0)
            low = 0
            for h in hexes_of(hexes):
                if field.level[h] <= 0:  # on high ground the tint is the level's
                    low |= 1 << h
            if low:
                found.append(self._fill(self._lines(low, 5.2, seed), self[token], 0.82))
        return "".join(found)

    # ------------------------------------------------------------------------------- textures

    def _scatter(self, h: Hex, count: int, gap: float, seed: int, keep: float, clear: float) -> list[tuple[float, ...]]:
        """Places in a hex, apart from one another, from its dot and from its number, the same every time."""
        c, y = self.field.place[h]
        draw = Random(c * 7919 + y * 104729 + seed * 31)
        x0, y0 = self.paper.centre(h)
        found: list[tuple[float, ...]] = []
        for _ in range(count * 14):
            angle, far = draw.random() * 6.283, sqrt(draw.random()) * RADIUS * keep
            dx, dy = far * cos(angle), far * sin(angle)
            if abs(dy) > UNIT * 0.44 or abs(dy) * 0.577 + abs(dx) > RADIUS * 0.93 or hypot(dx, dy) < clear:
                continue
            if dy < -UNIT / 2 + 20 and abs(dx) < 15:
                continue
            if all(hypot(dx - u, dy - v) > gap for u, v, *_ in found):
                found.append((dx, dy, draw.random()))
                if len(found) >= count:
                    break
        return [(x0 + u, y0 + v, q) for u, v, q in found]

    def _textures(self) -> str:
        field, found = self.field, []
        for h in field.grid.hexes:
            word = field.terrain[h]
            if word in ("open", "broken_hex") and not field.has("wadi", h):
                found += self._grain(h)
            elif word in ("scrub", "sand_scrub", "brush"):
                tufts = self._scatter(h, 12 if word != "sand_scrub" else 7, 16, 2, 0.9, 10)
                for x, y, q in sorted(tufts, key=lambda one: one[1]):
                    found.append(_use(f"asl-tuft-{int(q * 3)}", x, y, 1.25 + 0.4 * q))
            elif word in ("hammada", "hammada_crag"):
                for x, y, q in self._scatter(h, 24, 10, 3, 0.92, 9):
                    found.append(_use(f"asl-stone-{0 if q < 0.3 else 1 if q < 0.66 else 2}", x, y, 1.15))
            elif word == "crag":
                for x, y, q in self._scatter(h, 5, 24, 5, 0.75, 0):
                    found.append(_use("asl-rock", x, y, 0.85 + 0.55 * q))
            elif word in ("orchard", "olive_grove", "woods", "cactus_patch"):
                for x, y, _ in self._scatter(h, 8, 23, 6, 0.86, 9):
                    found.append(_use("asl-palm", x, y, 1.15))
            elif word in ("vineyard", "grain"):
                found += self._rows(h)
            if word in ("sand", "sand_scrub"):
                ink = f'fill="none" stroke="{self["sand-ink"]}" stroke-width="1.2" opacity=".85" stroke-linecap="round"'
                for x, y, _ in self._scatter(h, 8 if field.has("dune", h) else 6, 17, 4, 0.82, 0):
                    found.append(f'<path d="M{pair(x - 10, y + 1)}q5.2-4.1 10.4-.5t10.4-.5" {ink}/>')
        return "<g>" + "".join(found) + "</g>"

    def _grain(self, h: Hex) -> list[str]:
        dots = self._scatter(h, 9 if self.detail == NEAR else 5, 13, 1, 0.8, 0)
        grain = "".join(f"M{pair(x, y)}h.1" for x, y, _ in dots)
        found = [f'<path d="{grain}" stroke="{self["grain"]}" stroke-width="1.7" stroke-linecap="round" opacity=".8"/>']
        if self.detail == NEAR:
            ripples = "".join(
                f"M{pair(x - 6, y)}q2.9-2.1 5.8 0t5.8 0" for x, y, _ in self._scatter(h, 2, 30, 8, 0.8, 0)
            )
            found.append(f'<path d="{ripples}" fill="none" stroke="{self["grain"]}" stroke-width=".9" opacity=".7"/>')
        return found

    def _rows(self, h: Hex) -> list[str]:
        x, y = self.paper.centre(h)
        rows = "".join(f"M{pair(x - 41 + 4.6 * abs(i), y + 12 * i)}h{num(82 - 9.2 * abs(i))}" for i in range(-3, 4))
        dash = 'stroke-width="5" stroke-dasharray="4.8 2.5" stroke-linecap="round" opacity=".8"'
        return [f'<path d="{rows}" stroke="{self["palm"]}" {dash}/>']

    # ------------------------------------------------------------------------------- hexsides

    def _dune_crests(self) -> str:
        """F7.51 A crest bright behind, its lee shaded and hatched to the low side."""
        found = []
        for line in self.paper.owned("dune_crest"):
            curve = rounded(line, 0.9, 3)
            lee = drawn([[*curve, *reversed(beside(curve, 12.5))]])
            found.append(f'<path d="{lee}" fill="{self["dune-shade"]}" opacity=".75" filter="url(#asl-soft2)"/>')
            found.append(_stroke([beside(curve, -4)], self["lit"], 3.4, 0.8))
            found.append(hachures([curve], self["dune-ink"], 11.5, 3.9, 1.2, shaded=False))
            found.append(_stroke([curve], self["dune-ink"], 3.4))
        return "".join(found)

    def _wadis(self) -> str:
        """F5.1 A channel from wadi hexside to wadi hexside, its walls ticked, its floor sunk."""
        field, paper, wadi = self.field, self.paper, self.field.form["wadi"]
        if not wadi:
            return ""
        pieces = []
        for h in hexes_of(wadi):
            centre = paper.centre(h)
            arms = [paper.middle(h, d) for d in range(6) if field.side("wadi", h, d)]
            arms += [paper.middle(h, d) for d in (0, 3) if field.grid.neighbour(h, d) < 0 and len(arms) < 2]
            if len(arms) == 1:
                pieces.append(f"M{pair(*arms[0])}L{pair(*centre)}")
            elif not arms:
                pieces.append(f"M{pair(centre[0] - 6, centre[1])}h12")
            for i, one in enumerate(arms):
                for other in arms[:i]:
                    pieces.append(f"M{pair(*one)}Q{pair(*centre)} {pair(*other)}")
        bed, wide = "".join(pieces), 54.0
        found = []
        for h in hexes_of(wadi):  # a cliff fills from its hexside to the channel
            for d in range(6):
                if field.side("wadi_cliff", h, d):
                    (p, q), c = paper.side(h, d), paper.centre(h)
                    shape = f"M{pair(*p)}L{pair(*q)}L{pair(*c)}Z"
                    found.append(f'<path d="{shape}" fill="{self["wadi-wall"]}" opacity=".62"/>')
        layers = (
            ("wadi-wall", wide + 14, 0.22, "", 'filter="url(#asl-soft2)"'),
            ("lit", wide + 3.5, 0.9, "1.6,2.1", ""),
            ("wadi-ink", wide + 2.8, 1.0, "", ""),
            ("wadi-wall", wide - 1.4, 1.0, "", ""),
            ("wadi-ink", wide - 1.2, 0.75, "", 'stroke-dasharray="1.5 3.9" stroke-linecap="butt"'),
            ("wadi-ink", wide - 17, 0.5, "-.7,-.9", 'filter="url(#asl-soft2)"'),
            ("wadi-floor", wide - 19.5, 1.0, "1.4,1.8", ""),
            ("wadi-bed", 1.6, 0.9, "5.8,4.6", 'stroke-dasharray="10 6"'),
            ("wadi-bed", 1.3, 0.8, "-4.6,1.2", 'stroke-dasharray="7 8"'),
        )
        for token, width, strong, shift, more in layers:
            cap = "" if "linecap" in more else 'stroke-linecap="round"'
            turn = f'transform="translate({shift})"' if shift else ""
            found.append(
                f'<path d="{bed}" fill="none" stroke="{self[token]}" stroke-width="{num(width)}" '
                f'opacity="{num(strong)}" stroke-linejoin="round" {cap} {turn} {more}/>'
            )
        return "".join(found)

    def _grid(self) -> str:
        pieces = []
        for h in self.field.grid.hexes:
            for d in range(6):
                n = self.field.grid.neighbour(h, d)
                if n < 0 or n > h:
                    p, q = self.paper.side(h, d)
                    pieces.append(f"M{pair(*p)}L{pair(*q)}")
        width = 1.0 if self.detail == NEAR else 1.4
        return f'<path d="{"".join(pieces)}" stroke="{self["grid"]}" stroke-width="{width}" fill="none"/>'

    def _cliffs(self) -> str:
        """B11.4, F5.3a Heavy black with teeth to the low side."""
        found = []
        for line in self.paper.owned("cliff"):
            curve = rounded(line)
            found.append(hachures([curve], self["cliff"], 12.5, 4.6, 1.9, shaded=False))
            found.append(_stroke([curve], self["cliff"], 4.6))
        for line in self.paper.owned("wadi_cliff"):
            found.append(_stroke([line], self["lit"], 7.5, 0.8))
            found.append(hachures([line], self["cliff"], 11.5, 5.8, 2.0, shaded=False))
            found.append(_stroke([line], self["cliff"], 4.1))
        return "".join(found)

    def _walls(self) -> str:
        walls, hedges = self.paper.owned("wall"), self.paper.owned("hedge")
        found = []
        if walls:
            found.append(_stroke(moved(walls, 1.8, 2.3), self["shade"], 7, 0.25))
            found.append(_stroke(walls, self["wall"], 7.4, cap="butt"))
            found.append(_stroke(walls, self["wall-fill"], 4.6, dash="6.2 1.5", cap="butt"))
        if hedges:
            found.append(_stroke(hedges, self["hedge"], 8.1, dash="1.1 6"))
            found.append(_stroke(hedges, self["hedge"], 3.9))
        return "".join(found)

    def _buildings(self) -> str:
        found = []
        for word, mark in (("building_stone", self._houses), ("tomb", self._tomb)):
            for h in hexes_of(self.field.ground.get(word, 0)):
                found.append(mark(h))
        for h in hexes_of(self.field.tags.get("well", 0)):
            x, y = self.paper.centre(h)
            place = f'cx="{num(x)}" cy="{num(y)}"'
            found.append(f'<circle {place} r="8" fill="{self["water"]}" stroke="{self["lit"]}" stroke-width="3"/>')
            found.append(f'<circle {place} r="10" fill="none" stroke="{self["roof-ink"]}" stroke-width="1.1"/>')
        return "".join(found)

    def _houses(self, h: Hex) -> str:
        """A few flat roofs around a court, never the same twice, always the same here."""
        x, y = self.paper.centre(h)
        c, row = self.field.place[h]
        draw = Random(c * 131 + row * 17)
        if draw.random() < 0.5:
            blocks = [(-31, -23, 28, 21), (1, -28, 31, 25), (-25, 2, 22, 25), (2, 3, 28, 20)]
        else:
            blocks = [(-30, -25, 35, 20), (9, -18, 22, 30), (-28, -1, 30, 26)]
        if draw.random() < 0.5:
            blocks = [(-a - w, b, w, t) for a, b, w, t in blocks]
        shadows = "".join(f"M{a + 3.5} {b + 4}h{w}v{t}h{-w}z" for a, b, w, t in blocks)
        roofs = "".join(f"M{a} {b}h{w}v{t}h{-w}z" for a, b, w, t in blocks)
        rims = "".join(f"M{a + 3.5} {b + 3.5}h{w - 7}v{t - 7}h{7 - w}z" for a, b, w, t in blocks)
        return (
            f'<g transform="translate({num(x)} {num(y)}) rotate({draw.choice((-8, 0, 6, 12))})">'
            f'<path d="{shadows}" fill="{self["shade"]}" opacity=".32"/>'
            f'<path d="{roofs}" fill="{self["roof"]}" stroke="{self["roof-ink"]}" stroke-width="1.7"/>'
            f'<path d="{rims}" fill="none" stroke="{self["roof-ink"]}" stroke-width=".8" opacity=".6"/></g>'
        )

    def _tomb(self, h: Hex) -> str:
        x, y = self.paper.centre(h)
        ink = f'stroke="{self["roof-ink"]}"'
        return (
            f'<g transform="translate({num(x)} {num(y)})">'
            f'<path d="M-15-11h30v30h-30z" fill="{self["roof"]}" {ink} stroke-width="1.7"/>'
            f'<circle cy="4" r="11" fill="{self["lit"]}" {ink} stroke-width="1.4"/>'
            f'<path d="M-7 0a8 8 0 0 1 7-6" {ink} fill="none" stroke-width=".9"/></g>'
        )

    def _ways(self, sides: Sides, road: bool) -> str:
        """F9.1a Two ruts from hexside to hexside; a road is one firm band."""
        pieces = []
        used = 0
        for m in sides:
            used |= m
        for h in hexes_of(used):
            centre = self.paper.centre(h)
            ends = [self.paper.middle(h, d) for d in range(6) if sides[d] >> h & 1]
            if len(ends) == 1:
                pieces.append(f"M{pair(*ends[0])}L{pair(*centre)}")
            for i, one in enumerate(ends):
                for other in ends[:i]:
                    pieces.append(f"M{pair(*one)}Q{pair(*centre)} {pair(*other)}")
        if not pieces:
            return ""
        line = f'<path d="{"".join(pieces)}" fill="none"'
        if road:
            return (
                f'{line} stroke="{self["track"]}" stroke-width="13"/>'
                f'{line} stroke="{self["track-fill"]}" stroke-width="10"/>'
            )
        return (
            f'{line} stroke="{self["track-fill"]}" stroke-width="11.5" opacity=".55"/>'
            f'{line} stroke="{self["track"]}" stroke-width="8.5" stroke-dasharray="10.4 3.9"/>'
            f'{line} stroke="{self["track-fill"]}" stroke-width="5.3"/>'
        )

    # ------------------------------------------------------------------------------- figures

    def _figures(self) -> str:
        """Centre dots, hex numbers without the board's letters, and the level of every raised hex."""
        dots, names, levels = [], [], []
        for h in self.field.grid.hexes:
            x, y = self.paper.centre(h)
            dots.append(f"M{pair(x, y)}h.1")
            label = self.field.name(h).partition(".")[2]
            names.append(f'<text x="{num(x)}" y="{num(y - UNIT / 2 + 14)}">{label}</text>')
            figure = FIGURES.get(self.field.level[h], "")
            if self.field.level[h] < 0:
                figure = f"−{FIGURES.get(-self.field.level[h], '')}"
            if figure:
                spot = f'x="{num(x + RADIUS * 0.5 - 6)}" y="{num(y + UNIT / 2 - 5)}"'
                levels.append(f"<text {spot}>{figure}</text>")
        font = f'font-family="{safe(FONT_COUNTER)}"'
        halo = f'stroke="{self["ground"]}" stroke-width="2.4" stroke-opacity=".55" paint-order="stroke"'
        return (
            f'<path d="{"".join(dots)}" stroke="{self["dot"]}" stroke-width="3.9" stroke-linecap="round"/>'
            f'<g {font} font-size="12.2" font-weight="600" text-anchor="middle" fill="{self["hexno"]}" {halo}>'
            f"{''.join(names)}</g>"
            f'<g {font} font-size="12.7" font-weight="700" text-anchor="end" fill="{self["contour"]}">'
            f"{''.join(levels)}</g>"
        )

    # ------------------------------------------------------------------------------- definitions

    def definitions(self) -> str:
        leaf, ink = self["scrub-leaf"], self["scrub-ink"]
        stone, edge, lit = self["stone"], self["stone-ink"], self["stone-lit"]
        line = f'stroke="{ink}" stroke-width=".95" stroke-linecap="round" fill="none"'
        cut = f'fill="{stone}" stroke="{edge}" stroke-linejoin="round"'
        star = "M0 0V-8.2M0 0L7.1-4.1M0 0L7.1 4.1M0 0V8.2M0 0L-7.1 4.1M0 0L-7.1-4.1"
        return (
            f'<g id="asl-tuft-0"><ellipse cx=".6" cy="1.2" rx="5.2" ry="2.6" fill="{leaf}" opacity=".55"/>'
            f'<path d="M-3.6 1.2L-5.2-2.4M-1.8 1.4L-2.6-4M0 1.6L.3-5M1.8 1.4L3-3.8M3.6 1.1L5.4-1.9" {line}/></g>'
            f'<g id="asl-tuft-1"><ellipse cx=".3" cy=".8" rx="3.8" ry="2" fill="{leaf}" opacity=".6"/>'
            f'<path d="M-2.2 .8L-3.4-2M-.7 1L-.9-3.4M.9 1L1.4-3M2.3 .8L3.6-1.5" {line}/></g>'
            f'<g id="asl-tuft-2"><circle cx="-1.8" cy=".4" r="2.3" fill="{leaf}" opacity=".8"/>'
            f'<circle cx="1.6" cy="-.5" r="2.7" fill="{leaf}" opacity=".8"/>'
            f'<path d="M-3 .6h.8M-.6-1.7h.7M1.4 .9h.8M2.4-1.6h.7" {line}/></g>'
            f'<g id="asl-stone-0"><path d="M-4.2 1.6L-3-2L1-3L4.4-.6L3.2 2.4L-1.6 3Z" {cut} stroke-width=".7"/>'
            f'<path d="M-4.2 1.6L-3-2L1-3L.2-.2Z" fill="{lit}"/></g>'
            f'<g id="asl-stone-1"><path d="M-2.8 1L-1.6-1.8L1.8-1.4L2.8 .9L.2 2Z" {cut} stroke-width=".65"/>'
            f'<path d="M-2.8 1L-1.6-1.8L1.8-1.4L.3 0Z" fill="{lit}"/></g>'
            f'<path id="asl-stone-2" d="M-1.4 .8L-.5-1.1L1.3-.5L1 .9Z" fill="{edge}"/>'
            f'<g id="asl-rock"><path d="M-10 6L-8-3L-2-8L4-6L9 0L10 6L2 9L-5 8Z" {cut}/>'
            f'<path d="M-10 6L-8-3L-2-8L-1 1Z" fill="{lit}"/>'
            f'<path d="M-2-8L-1 1L4-6M-1 1L2 9" fill="none" stroke="{edge}" stroke-width=".8"/></g>'
            f'<g id="asl-palm"><ellipse cx="2.5" cy="3" rx="7" ry="5.5" fill="{self["shade"]}" opacity=".18"/>'
            f'<path d="{star}" stroke="{self["palm"]}" stroke-width="4.2" stroke-linecap="round"/>'
            f'<path d="{star}" stroke="{self["palm-ink"]}" stroke-width=".8" stroke-linecap="round"/></g>'
            '<filter id="asl-soft" x="-20%" y="-20%" width="140%" height="140%">'
            '<feGaussianBlur stdDeviation="4.6"/></filter>'
            '<filter id="asl-soft2" x="-20%" y="-20%" width="140%" height="140%">'
            '<feGaussianBlur stdDeviation="2.5"/></filter>'
        )


def _use(id: str, x: float, y: float, scale: float) -> str:
    return f'<use href="#{id}" transform="translate({num(x)} {num(y)}) scale({scale:.2f})"/>'


def _stroke(
    lines: list[list[Point]], colour: str, width: float, strong: float = 1.0, dash: str = "", cap: str = "round"
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{drawn(lines, close=False)}" fill="none" stroke="{colour}" stroke-width="{num(width)}" '
        f'opacity="{num(strong)}" stroke-linecap="{cap}" stroke-linejoin="round"{dashes}/>'
    )
