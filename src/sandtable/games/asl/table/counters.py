"""The counters of the pack as types, and the pieces that any scenario may need.

A piece keeps its number for a whole game; what it is may change: a squad that is reduced is a half-squad from then on.
Pieces and hexes have the same numbers in every scenario, so that an action means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.masks import units_of

from ..boards.pack import AslPack
from . import hardware
from .hardware import Gun, Vehicle
from .ids import (
    ALLIED,
    ARMOR_LEADER,
    AXIS,
    CREW,
    DUMMY,
    FOXHOLE,
    GUN,
    HALF_SQUAD,
    HERO,
    KINDS,
    LEADER,
    MINES_AP,
    MINES_AT,
    MINES_DUMMY,
    SANGAR,
    SIDES,
    SQUAD,
    TRENCH,
    VEHICLE,
    WEAPON,
    WIRE,
    WORKS,
)

AXIS_NATIONS = ("german", "italian", "vichy_french")
BRITISH = ("anzac", "indian", "free_french")
"""A25.4 who form one nationality with the British."""
FRENCH = ("free_french", "vichy_french")
AMERICAN_FROM = "1943-12"
"""F.8B, F.8a the month from which Free French have American equipment and Assault Fire."""
PORTEES = {"br_portee": "br_at40", "br_port57": "br_at57"}
"""C10.5 trucks that carry a Gun as their MA, and the Gun."""
MACHINE_GUNS = ("LMG", "MMG", "HMG")
SPARES = 24
DUMMIES = 10
HOLES = 6
DUMMY_MINES = 6
"""Foxhole counters of a side for what is dug in play."""
WEAPONS = ("LMG", "MMG", "HMG", "MTR", "ATR")
"""The Support Weapons that fire on the IFT by A9; others (DC, FT, BAZ, PIAT, RADIO, PHONE) are carried."""


VEHICLE_CREW = "vehicle_crew"
VEHICLE_CREW_WORDS = term("{name} vehicle crew")
UNIT_WORDS = {HALF_SQUAD: term("{name} half-squad"), CREW: term("{name} crew")}


class Type(NamedTuple):
    """One counter of the pack."""

    id: str
    name: str
    nation: str
    kind: int
    grade: str = ""  # elite, first_line, …
    fp: int = 0
    range: int = 0
    morale: int = 0
    broken_morale: int = 0
    assault_fire: bool = False
    self_rally: bool = False
    elr_to: str = ""
    half: str = ""
    leadership: int = 0
    weapon: str = ""  # LMG, MMG, HMG, MTR, …
    rof: int = 0
    breakdown: int = 12
    repair: int = 1
    lost: int = 6
    pp: int = 0
    least: int = 0  # minimum range
    value: int = 0  # A26.2 victory points; F.3 DVP of Guns and vehicles, without their crews
    gun: Gun | None = None
    vehicle: Vehicle | None = None
    contact: int = 0  # C1.2 of a radio or phone
    smoke: int = 0  # A24.1 the smoke exponent
    spraying: bool = False  # A9.5
    dismantled: int = 0  # A9.8 PP when it is dismantled

    @property
    def title(self) -> Fact:
        """What it is called: by its numbers, and half-squads and crews by what they are."""
        words = VEHICLE_CREW_WORDS if self.grade == VEHICLE_CREW else UNIT_WORDS.get(self.kind, "")
        return Text(words, name=self.name) if words else self.name

    @property
    def equivalents(self) -> int:
        """A5.5 squad equivalents, in halves."""
        return 2 if self.kind == SQUAD else 1 if self.kind in (HALF_SQUAD, CREW) else 0


def kin(nation: str) -> str:
    """A25.4 the British of all kinds are one."""
    return "british" if nation in BRITISH else nation


def captured_use(made: Type, user: str, month: str) -> bool:
    """A21.1 whether a nation uses a weapon as captured.

    F.8A, F.8C what is French-made is at home with Free and Vichy French alone; F.8B from December 1943 Free French have
    American equipment; F.9e the British use American MG, but no American mortar or bazooka, as their own.
    """
    if made.nation in FRENCH:
        return user not in FRENCH
    if kin(made.nation) == kin(user):
        return False
    if made.nation == "american" and user == "free_french" and month >= AMERICAN_FROM:
        return False
    return not (made.nation == "american" and kin(user) == "british" and made.weapon in MACHINE_GUNS)


def assault_fire(kind: Type, month: str) -> bool:
    """A7.36 whether a unit has Assault Fire; F.8a Free French MMC from December 1943."""
    french = kind.nation == "free_french" and kind.kind in (SQUAD, HALF_SQUAD) and month >= AMERICAN_FROM
    return kind.assault_fire or french


def _int(value: Any) -> int:
    return int(value) if str(value or "").lstrip("+-").isdigit() else 0


def _infantry(row: Any) -> Type:
    kind = {"squad": SQUAD, "half_squad": HALF_SQUAD, "crew": CREW}[row["kind"]]
    name = f"{row['fp']}-{row['range']}-{row['morale']}"
    return Type(
        row["id"],
        name,
        row["nation"],
        kind,
        row["class"],
        int(row["fp"]),
        int(row["range"]),
        int(row["morale"]),
        int(row["broken_morale"]),
        row["assault_fire"] == "1",
        row["self_rally"] == "1",
        row["elr_to"],
        row["half_squad"],
        value=2 if kind in (SQUAD, CREW) else 1,
        smoke=_int(row["smoke_exponent"]),
        spraying=row["spraying_fire"] == "1",
    )


def _leader(row: Any) -> Type:
    hero = row["kind"] == "hero"
    kind = {"hero": HERO, "leader": LEADER, "armor_leader": ARMOR_LEADER}[row["kind"]]
    bonus = int(row["leadership"])
    return Type(
        row["id"],
        row["name"],
        row["nation"],
        kind,
        fp=1 if hero else 0,
        range=4 if hero else 0,
        morale=int(row["morale"]),
        broken_morale=int(row["broken_morale"]),
        self_rally=True,
        leadership=bonus,
        value=1 + max(0, -bonus),
    )


def _weapon(row: Any) -> Type:
    return Type(
        row["id"],
        row["name"],
        row["nation"],
        WEAPON,
        fp=_int(row["fp"]),
        range=_int(row["range"]),
        weapon=row["kind"],
        rof=_int(row["rof"]),
        breakdown=_int(row["breakdown"]) or 12,
        repair=_int(row["repair"]) or 1,
        lost=_int(row["eliminate"]) or 6,
        pp=_int(row["pp"]),
        least=_int(row["range_min"]),
        contact=_int(row["contact"]),
        dismantled=_int(row["dm_pp"]),
    )


def _gun(row: Any) -> Type:
    made = hardware.gun(row)
    return Type(
        row["id"],
        row["name"],
        row["nation"],
        GUN,
        rof=made.rof,
        breakdown=made.breakdown,
        least=made.least,
        range=made.most,
        value=_int(row["dvp"]),
        gun=made,
    )


def _vehicle(row: Any, morale: Any) -> Type:
    """D5.1 the morale is that of its inherent crew."""
    made = hardware.vehicle(row)
    nation = row["nation"]
    return Type(
        row["id"],
        row["name"],
        nation,
        VEHICLE,
        morale=int(morale[nation]["inherent_crew_morale"]),
        rof=made.rof,
        breakdown=made.breakdown,
        value=made.dvp,
        vehicle=made,
    )


# A26.5 A scenario with the balance provision of a side


BALANCED = "+"
"""Between the name of a scenario and that of the side that has its balance: "s01_capuzzo_outpost+axis"."""
BEFORE = "before"
"""In the place of a side: the scenario as it was before its data were corrected: "s02_gabr_saleh+before+axis"."""


def every_script(pack: AslPack) -> tuple[str, ...]:
    """All scenarios, as they are and as they were, and each of them with the balance of either side."""
    more = ("", *(f"{BALANCED}{side}" for side in SIDES))
    old = tuple(f"{name}{BALANCED}{BEFORE}" for name, one in pack.scenarios.items() if BEFORE in one)
    return tuple(f"{name}{side}" for name in (*pack.scenarios, *old) for side in more)


def script_of(pack: AslPack, name: str) -> Mapping[str, Any]:
    """A26.5 the script of a scenario, changed by the balance of the sides that its name adds."""
    base, *words = name.split(BALANCED)
    script: Mapping[str, Any] = pack.scenarios[base]
    balance = pack.tables["balance"].get(base, {})  # a player's own may have none
    for word in words:
        for change in pack.scenarios[base][BEFORE]["changes"] if word == BEFORE else balance.get(word, ()):
            script = CHANGES[str(change["kind"])](script, change)
    return script


def named_in(pack: AslPack, scenario: str, edition: int) -> str:
    """The name of a scenario as games of an edition have it."""
    old = pack.scenarios[scenario].get(BEFORE)
    return f"{scenario}{BALANCED}{BEFORE}" if old is not None and edition <= int(old["until"]) else scenario


def _with_groups(script: Mapping[str, Any], side: str, groups: list[Any]) -> Mapping[str, Any]:
    sides = [{**one, "group": groups} if one["side"] == side else one for one in script["side"]]
    return {**script, "side": sides}


def _owner(script: Mapping[str, Any], id: str) -> tuple[str, list[Any], Any]:
    """The side of a group, all groups of that side, and the group."""
    for one in script["side"]:
        for group in one["group"]:
            if group["id"] == id:
                return str(one["side"]), list(one["group"]), group
    raise ValueError(f"balance: no group '{id}' in {script['id']}")


def _lasts(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**script, "turns": int(change["turns"])}


def _wins(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Other victory conditions; what is not named stays."""
    return {**script, "victory": {**script["victory"], **change["victory"]}}


def _enters(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    side, groups, group = _owner(script, change["group"])
    return _with_groups(script, side, [{**one, "turn": int(change["turn"])} if one is group else one for one in groups])


def _adds(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """More units, in a group of their own behind the others: pieces are counted through the groups in order."""
    side, groups, group = _owner(script, change["group"])
    kept = {key: group[key] for key in ("when", "turn", "edge", "entry_hexes", "area", "facing") if key in group}
    new = {**kept, "id": f"{group['id']}_balance", "units": [], "fortifications": {}, **change["more"]}
    return _with_groups(script, side, [*groups, new])


def _loses(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Units, or what is laid out, that are taken away: the last of their kind in the group."""
    side, groups, group = _owner(script, change["group"])
    id, n = str(change["id"]), int(change["n"])
    units = [{**one, "n": one["n"] - n} if one["id"] == id else one for one in group["units"]]
    works = {key: value - int(change["factors"]) if key == id else value for key, value in _works(group)}
    lost = [one for key in SPOTS for one in group.get(key, ()) if str(one["unit"]).partition("#")[0] == id][-n:]
    left = {key: [one for one in group[key] if one not in lost] for key in SPOTS if key in group}
    new = {**group, "units": [one for one in units if one["n"]], "fortifications": works, **left}
    return _with_groups(script, side, [new if one is group else one for one in groups])


def _joins(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """A group that sets up with another instead of entering."""
    side, groups, group = _owner(script, change["group"])
    _, _, other = _owner(script, change["with"])
    placed = [{**one, "hex": change["hexes"][one["hex"]]} for one in group["default_entry"]]
    gone = ("turn", "edge", "entry_hexes", "default_entry")
    new = {key: value for key, value in group.items() if key not in gone}
    new |= {"when": "setup", "area": other["area"], "facing": other["facing"], "default_setup": placed}
    return _with_groups(script, side, [new if one is group else one for one in groups])


def _exchanges(script: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every unit of one kind in a group for one of another."""
    side, groups, group = _owner(script, change["group"])
    old, new = str(change["from"]), str(change["to"])

    def named(one: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**one, "unit": str(one["unit"]).replace(f"{old}#", f"{new}#")}

    units = [{**one, "id": new} if one["id"] == old else one for one in group["units"]]
    spots = {key: [named(one) for one in group[key]] for key in SPOTS if key in group}
    changed = {**group, "units": units, **spots}
    return _with_groups(script, side, [changed if one is group else one for one in groups])


def _works(group: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [(str(id), int(n)) for id, n in group.get("fortifications", {}).items()]


SPOTS = ("default_setup", "default_entry")
CHANGES = {
    "turns": _lasts,
    "wins": _wins,
    "enters": _enters,
    "adds": _adds,
    "loses": _loses,
    "joins": _joins,
    "exchanges": _exchanges,
}


PIECE_TITLES = {
    DUMMY: "Dummy",
    SANGAR: "Sangar",
    FOXHOLE: "Foxhole",
    TRENCH: "Trench",
    WIRE: "Wire",
    MINES_AP: "Known AP minefield",
    MINES_AT: "Known AT minefield",
    MINES_DUMMY: "Dummy minefield",
}
"""What is called the same for both sides, and stands in no file of counters."""
SPARE_TITLES = ("New unit",)
"""What waits in the box: once it is in play it is called by what it is (`Type.title`)."""


class Roster:
    """All types and all pieces."""

    def __init__(self, pack: AslPack, scenarios: tuple[str, ...]) -> None:
        rows = pack.counters
        self.types: tuple[Type, ...] = (
            Type("?", PIECE_TITLES[DUMMY], "", DUMMY),
            *(Type(KINDS[kind], PIECE_TITLES[kind], "", kind) for kind in WORKS),
            *(_infantry(row) for row in rows["infantry"].values()),
            *(_leader(row) for row in rows["leaders"].values()),
            *(_weapon(row) for row in rows["support_weapons"].values()),
            *(_gun(row) for row in rows["guns"].values()),
            *(_vehicle(row, pack.tables["nationality"]) for row in rows["vehicles"].values()),
        )
        self.type_of: dict[str, int] = {one.id: i for i, one in enumerate(self.types)}
        crews = {one.nation: i for i, one in enumerate(self.types) if one.grade == VEHICLE_CREW}
        self.crew_of: dict[str, int] = {**crews, **dict.fromkeys(BRITISH, crews["british"])}
        """D5.1 nation -> the counter of a vehicle's crew that has left it."""
        works = [KINDS[kind] for kind in WORKS]
        wanted: dict[tuple[int, str], int] = {}
        for name in scenarios:
            for number, script in enumerate(_sides(pack, name)):
                for id, n in _count(script).items():
                    wanted[number, id] = max(wanted.get((number, id), 0), n)
        for side in (AXIS, ALLIED):
            wanted[side, "foxhole"] = wanted.get((side, "foxhole"), 0) + HOLES
        pieces: list[tuple[str, int, int]] = []
        for (side, id), n in sorted(wanted.items()):
            prefix = f"{SIDES[side]}_{id}" if id in works else id
            pieces += [(f"{prefix}#{i}", side, self.type_of[id]) for i in range(1, n + 1)]
        for side in (AXIS, ALLIED):
            pieces += [(f"{SIDES[side]}_dummy#{i}", side, 0) for i in range(1, DUMMIES + 1)]
            pieces += [(f"{SIDES[side]}_spare#{i}", side, -1) for i in range(1, SPARES + 1)]
        self.names: tuple[str, ...] = tuple(name for name, _, _ in pieces)
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.names)}
        self.side: tuple[int, ...] = tuple(side for _, side, _ in pieces)
        self.first: tuple[int, ...] = tuple(max(0, kind) for _, _, kind in pieces)
        self.spare = sum(1 << i for i, (_, _, kind) in enumerate(pieces) if kind < 0)
        self.called: tuple[str, ...] = tuple(
            SPARE_TITLES[0] if kind < 0 else self.types[kind].name for _, _, kind in pieces
        )
        """What each piece is called while it is what it was at first; one out of the box is nothing yet."""
        self.titles: tuple[Fact, ...] = tuple(one.title for one in self.types)
        """What each type is called."""
        self.plain: tuple[int, ...] = tuple(
            kind if kind >= 0 and self.titles[kind] == called else -1
            for (_, _, kind), called in zip(pieces, self.called, strict=True)
        )
        """The type in which a piece is called as `called` says, -1 if in none."""
        self.of_side = tuple(sum(1 << i for i, one in enumerate(self.side) if one == side) for side in range(2))
        kinds = [self.types[kind].kind for kind in self.first]
        self.weapons = sum(1 << i for i, kind in enumerate(kinds) if kind == WEAPON)
        made = {i: self.types[self.first[i]].weapon for i in units_of(self.weapons)}
        self.machine_guns = sum(1 << i for i, word in made.items() if word in WEAPONS)
        """Support Weapons that fire on the IFT."""
        self.laid = sum(1 << i for i, word in made.items() if word in ("MTR", "BAZ", "PIAT"))
        """Those that are laid and roll To Hit."""
        self.of_kind = {one: sum(1 << i for i, kind in enumerate(kinds) if kind == one) for one in WORKS}
        self.works = sum(self.of_kind.values())
        """Everything built: entrenchments, wire and mines."""
        self.dummies = sum(1 << i for i, kind in enumerate(kinds) if kind == DUMMY) & ~self.spare
        self.guns = sum(1 << i for i, kind in enumerate(kinds) if kind == GUN)
        self.vehicles = sum(1 << i for i, kind in enumerate(kinds) if kind == VEHICLE)
        motors = [(1 << i, self.types[self.first[i]].vehicle) for i in units_of(self.vehicles)]
        self.armoured = sum(bit for bit, made in motors if made is not None and made.armoured)
        self.closed_topped = sum(bit for bit, made in motors if made is not None and made.top == "CT")
        self.one_man = sum(bit for bit, made in motors if made is not None and (made.turret, made.top) == ("1MT", "CT"))
        """D1.3 closed-topped AFV with a one-man turret."""
        self.hatched = sum(bit for bit, made in motors if made is not None and made.top == "CT" and not made.always_ce)
        """D5.3 vehicles with a hatch."""
        self.crewed = sum(bit for bit, made in motors if made is not None and made.inherent != "none")
        self.mounts = {
            weapon: sum(bit for bit, made in motors if made is not None and made.weapons & weapon)
            for weapon in hardware.WEAPONRY
        }
        """Weapon, of hardware.WEAPONRY -> the vehicles that have it."""
        self.armor_leaders = sum(1 << i for i, kind in enumerate(kinds) if kind == ARMOR_LEADER)
        things = self.weapons | self.works | self.dummies | self.guns | self.vehicles | self.armor_leaders
        self.men = (1 << len(pieces)) - 1 & ~things
        self.unmarked = bytes(len(pieces))
        """A row of all pieces in which none has anything."""
        self.armoury = tuple(i for i, kind in enumerate(kinds) if kind in (WEAPON, GUN))
        """What somebody can have: Support Weapons and Guns."""


def _sides(pack: AslPack, scenario: str) -> list[dict[str, Any]]:
    """The sides of a scenario in the order of SIDES."""
    found = {one["side"]: one for one in script_of(pack, scenario)["side"]}
    return [found[side] for side in SIDES]


def _count(script: dict[str, Any]) -> dict[str, int]:
    """How many pieces of each id a side has; a work counts by its counters, mines by those that are laid out."""
    count: dict[str, int] = {}
    for group in script["group"]:
        for unit in group["units"]:
            for id in (unit["id"], *([PORTEES[unit["id"]]] if unit["id"] in PORTEES else [])):
                count[id] = count.get(id, 0) + int(unit["n"])
        for id, n in group.get("fortifications", {}).items():
            count[id] = count.get(id, 0) + counters_of(id, int(n))
    if any("minefield" in id for id in count):
        count["dummy_minefield"] = DUMMY_MINES
    return count


def counters_of(id: str, n: int) -> int:
    """F.7c mines are given in factors: so many counters at the most, of 6 A-P factors or 1 A-T factor."""
    return n // 6 if id == "known_minefield_ap" else n
