"""Advances for the rule tests: an attack that has emptied a hex, and what the attackers do then.

The field is flat, without slopes; a road passes two hexes north of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.contract import Event
from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.supply.support import PAID, places_of
from sandtable.games.na41.table.ids import COMBAT, F_ADVANCE, F_BREAKTHROUGH, F_GROUP, F_RESULT, F_ROLL
from sandtable.games.na41.table.scenarios import option_bits
from sandtable.games.na41.table.state import State

from .kit import GAME, H, do, empty, place, start, texts, units
from .retreatkit import REST

FIELD = "1945"
WEST, EAST, NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST = "1944", "1946", "2044", "2045", "1844", "1845"
FAR_EAST = "1947"

TANK, TANKS, GUNNERS, RECON = "GE_I5_5L", "GE_II5_5L", "GE_MG8_5L", "GE_AA3_5L"
"""Four units of the German 5th Light Division, all mechanised."""
ON_FOOT, TRUCK = "GE_155", "AX_TR1"
FOE, OTHER_FOE = "BR_22G", "AU_20"
"""Three steps each, on foot."""

QUIET = (F_ADVANCE, F_BREAKTHROUGH, F_GROUP)
"""The frames in which the attackers decide about their advance."""

Stacks = Mapping[str, str | Sequence[str]]


def line_up(s: State, stacks: Stacks) -> None:
    """Put units into hexes, given by hex."""
    for where, names in stacks.items():
        place(s, names, where)


def prepared(
    attackers: Stacks,
    foes: Stacks | None = None,
    others: Stacks | None = None,
    *,
    active: str = "axis",
    **options: bool,
) -> State:
    """The table after the fight, before anybody is asked; Rommel has been used."""
    s = empty(active, "combat")
    s.flags = option_bits(options)
    s.rommel = 0
    for stacks in (attackers, foes or {}, others or {}):
        line_up(s, stacks)
    return s


def advance(
    s: State, attackers: Stacks, result: str = "DR4", hex_: str = FIELD, *, supplied: bool = True, guns: int = 0
) -> list[Event]:
    """The hex has been emptied by these units with this result, and the help of these ASUs: they may advance."""
    names = [n for stack in attackers.values() for n in ([stack] if isinstance(stack, str) else stack)]
    effects.begin(s, COMBAT, H(hex_), units(*names))
    s.attacked |= s.fight.attackers
    s.fought_from = places_of(s, s.fight.attackers)
    s.fight.supplied = PAID if supplied else 0
    s.fight.guns_att = guns
    s.fight.result = results.cell(result)
    s.stack.append(REST)
    effects.follow_up(s)
    return start(s)


def won(
    attackers: Stacks,
    result: str = "DR4",
    foes: Stacks | None = None,
    others: Stacks | None = None,
    *,
    hex_: str = FIELD,
    active: str = "axis",
    grouping: bool = False,
    **options: bool,
) -> State:
    """A fight that is won: the attackers may advance. Unless `grouping`, without a breakthrough group."""
    s = prepared(attackers, foes, others, active=active, **options)
    s.events = advance(s, attackers, result, hex_)
    if not grouping:
        plod(s)
    return s


def plod(s: State) -> None:
    """Nobody is carried, and nobody breaks through."""
    while (answer := next((text for text in ("no-carry", "grouped") if text in texts(s)), "")) != "":
        do(s, answer)


def group(s: State, *names: str) -> None:
    """These units are the breakthrough group."""
    do(s, *(f"group {name}" for name in names))
    if "grouped" in texts(s):
        do(s, "grouped")


def to(s: State, *hexes: str) -> list[Event]:
    """The group goes hex by hex."""
    return do(s, *(f"to {h} normal" for h in hexes))


def ways(s: State) -> set[str]:
    """Where the group may go next."""
    return {text.split()[1] for text in texts(s) if text.startswith("to ")}


def storms(s: State) -> set[str]:
    """What the group may attack."""
    return {text.split()[1] for text in texts(s) if text.startswith("storm ")}


def groupable(s: State) -> set[str]:
    return {text.split()[1] for text in texts(s) if text.startswith("group ")}


def steps(s: State, unit: str) -> set[str]:
    """The hexes that a unit may enter next."""
    return {text.split()[2] for text in texts(s) if text.startswith(f"advance {unit} ")}


def march(s: State, unit: str, *hexes: str) -> list[Event]:
    """A unit advances hex by hex."""
    return do(s, *(f"advance {unit} {h}" for h in hexes))


def storm(s: State, hex_: str, result: str) -> list[Event]:
    """The group attacks a hex with this result; the defenders do not stand, and retreat where they may."""
    events = do(s, f"storm {hex_}")
    while "no-supply" in texts(s):
        events += do(s, "no-supply")
    assert s.stack[-1][0] == F_ROLL, "this fight needs no die"
    s.fight.result = results.cell(result)
    s.stack[-1] = GAME.framed((F_RESULT, effects.LOSSES))
    s.events = []
    s.choices = None
    GAME.settle(s)
    return events + s.events + yield_ground(s)


def yield_ground(s: State) -> list[Event]:
    """Losses fall on the first unit, nobody stands, and everybody retreats on the first way there is."""
    events: list[Event] = []
    while s.stack[-1][0] not in QUIET and s.stack[-1] != REST:
        choices = texts(s)
        first = next((text for text in ("yield", "no-carry", "remnant", "accept") if text in choices), choices[0])
        events += do(s, first)
    return events


def over(s: State) -> bool:
    return s.stack[-1] == REST
