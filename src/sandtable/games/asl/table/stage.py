"""The stage of a scenario: its ground, its lines of sight, its script, and the numbers of all hexes and pieces.

Nothing of it changes in play, so all states of a game share it. Hexes have one number in the battlefield, by which
masks are made, and one in actions, which is the same in every scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.memory import Memory

from ..boards.battlefield import Battlefield, scenario_battlefield
from ..boards.climate import at_dawn
from ..boards.locations import Spot
from ..boards.pack import AslPack, asl_pack
from ..los.tables import SightTable, cache_folder
from .counters import BALANCED, Roster, every_script, script_of
from .ids import SIDES

SCENARIOS = (
    "s01_capuzzo_outpost",
    "s02_gabr_saleh",
    "s03_nibeiwa",
    "s04_cauldron_sunset",
    "s05_hafid_ridge",
    "s06_wadi_zigzaou",
    "s07_sidi_bou_zid",
    "s08_totensonntag",
    "s09_snipe",
    "s10_bir_hakeim",
)
"""The scenarios that are offered."""

WORD = (1 << 12) - 1
SIGHT_MENDED = 4
"""The first version whose lines of sight are read as they are now."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@cache
def hex_names() -> tuple[str, ...]:
    """The hexes of all boards, as actions number them."""
    return tuple(f"{board.id}.{row['hex']}" for board in asl_pack().boards.values() for row in board.hexes.rows)


class AllHexes:
    """The hexes of all boards by the numbers that actions have: what names for events are looked up in."""

    def __init__(self) -> None:
        self.names = hex_names()
        self.index = {name: i for i, name in enumerate(self.names)}
        self.boxes: dict[str, int] = {}


class Stage:
    """All that a scenario brings with it."""

    _told: tuple[Any, Any, dict[Any, Any]] = (None, None, {})
    _former: Stage | None = None
    former: bool = False
    """Whether lines of sight are read as before version 4."""

    @property
    def told(self) -> dict[Any, Any]:
        """What has been worked out once for this script on this ground."""
        kept = self._told
        if kept[0] is not self.script or kept[1] is not self.field:
            kept = self._told = (self.script, self.field, {})
        return kept[2]

    def __init__(self, pack: AslPack, scenario: str, roster: Roster) -> None:
        self.pack = pack
        self.scenario = scenario
        self.script: Mapping[str, Any] = script_of(pack, scenario)
        self.roster = roster
        self.lay(scenario_battlefield(scenario.partition(BALANCED)[0], pack))
        self.script = {**self.script, "conditions": at_dawn(self.script["conditions"], self.field)}
        found = {one["side"]: one for one in self.script["side"]}
        self.sides: list[Mapping[str, Any]] = [found[side] for side in SIDES]
        effects = [one.get("effect", {}) for one in self.script.get("ssr", ())]
        self.off = {name for one in effects if one.get("kind") == "optional_off" for name in one["rules"]}
        self.no_digging = any(one.get("kind") == "no_entrenching" for one in effects)
        self.elr = tuple(99 if "elr" in self.off else int(one["elr"]) for one in self.sides)
        self.san = tuple(0 if "san" in self.off else int(one["san"]) for one in self.sides)
        self.night = bool(self.script["conditions"].get("night", False))
        self.turns = int(self.script["turns"])
        self.first = SIDES.index(str(self.script["first_side"]))

    def lay(self, field: Battlefield) -> None:
        """The ground, with its lines of sight and the numbers of its hexes."""
        self.field: Battlefield = field
        self.grid = field.grid
        month = 1 + MONTHS.index(str(self.script["conditions"]["month"]))
        self.sights = SightTable(self.field, month, cache_folder())
        self.laid: tuple[tuple[Hex, int], ...] = ()
        self.bridges: dict[tuple[tuple[Hex, int], ...], Stage] = {(): self}
        names = hex_names()
        self.out: dict[Hex, int] = {}
        self.into: list[Hex] = [-1] * len(names)
        for number, name in enumerate(names):
            h = self.grid.index.get(name, -1)
            if h >= 0 and h not in self.out:
                self.out[h] = number
                self.into[number] = h
        self._sets: Memory[Mask, int] = Memory(1 << 13)
        self._words: Memory[tuple[int, int], int] = Memory(1 << 16)

    def numbers(self, hexes: Mask) -> int:
        """A set of hexes in the numbers that actions have: word by word, for most words come again and again."""
        if not hexes:
            return 0
        made = self._sets.get(hexes)
        return made if made is not None else self._sets.keep(hexes, self._numbers(hexes))

    def _numbers(self, hexes: Mask) -> int:
        found, place, known, out = 0, 0, self._words, self.out
        while hexes:
            word = hexes & WORD
            if word:
                part = known.get((place, word))
                if part is None:
                    part = known.keep(
                        (place, word), sum(1 << out[h + place] for h in hexes_of(word) if h + place in out)
                    )
                found |= part
            hexes >>= WORD.bit_length()
            place += WORD.bit_length()
        return found

    def bridged(self, laid: Mapping[Hex, int]) -> Stage:
        """The same with fascines in wadis: hex -> hexsides; made once for each way in which they lie. Lines of sight
        are those of the ground before, which a wadi's cliffs do not change."""
        key = tuple(sorted(laid.items()))
        if key not in self.bridges:
            self.bridges[key] = found = object.__new__(Stage)
            found.__dict__.update(self.__dict__)
            found.field = self.bridges[()].field.bridged(laid)
            found.laid = key
        return self.bridges[key]

    def ruled(self, edition: int) -> Stage:
        """The same for games begun before version 4, whose lines of sight are read as they were then."""
        if edition >= SIGHT_MENDED or self.former:
            return self
        if self._former is None:
            self._former = found = object.__new__(Stage)
            found.__dict__.update(self.__dict__)
            found.sights = SightTable(self.field, self.sights.lines.month, cache_folder(), former=True)
            found.former, found.bridges = True, {(): found}
        return self._former

    @property
    def month(self) -> str:
        """The month of the battle, YYYY-MM."""
        return str(self.script["date"])[:7]

    def __reduce__(self) -> tuple[Any, ...]:
        return stage_bridged, (self.scenario, self.laid, self.former)

    def mask_of(self, area: Mapping[str, Any]) -> Mask:
        """The hexes of a part of a board: columns from one to another, rows from one to another."""
        first, last = (column_number(one) for one in area["cols"])
        low, high = area["rows"]
        found = 0
        for name, h in self.grid.index.items():
            board, _, rest = name.partition(".")
            letters = rest.rstrip("0123456789")
            if board != area["board"] or not letters.isalpha():
                continue
            if first <= column_number(letters) <= last and low <= int(rest[len(letters) :]) <= high:
                found |= 1 << h
        return found

    def sees(self, a: Hex, dug_a: bool, b: Hex, dug_b: bool) -> bool:
        """Whether there is a line of sight between two Locations."""
        return self.sights.sees(Spot(a, dug_in=dug_a), Spot(b, dug_in=dug_b))


def column_number(letters: str) -> int:
    """A is 0, Z 25, AA 26, GG 32."""
    return ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)


@cache
def roster() -> Roster:
    """All pieces of all scenarios of the pack, so that a piece has one number for ever."""
    return Roster(asl_pack(), every_script(asl_pack()))


@cache
def stage(scenario: str) -> Stage:
    """The stage of a scenario of the pack."""
    return Stage(asl_pack(), scenario, roster())


def stage_bridged(scenario: str, laid: tuple[tuple[Hex, int], ...], former: bool = False) -> Stage:
    """The stage of a scenario with what was laid there, as a pickled one is found again."""
    return stage(scenario).ruled(SIGHT_MENDED - former).bridged(dict(laid))
