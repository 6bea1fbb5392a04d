"""12 Advance after combat, and 8.5e: the advance of units that made an automatic elimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Listed, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import exits, stops, unbridged_major
from ..table import verbs
from ..table.frames import ClaimAt, StackAt, UnitAt
from ..table.ids import AFTER_ADVANCE, EX, F_ADVANCE, F_CLAIM, F_OVERSTACK, PHASES
from ..table.state import State, enter, zone

# 12.1 Who advances, and how far


def length(s: State, u: int) -> int:
    """12.1a, 15.4b two hexes for mechanised units and cavalry, one for others; 12.4, 14.4a one out of supply."""
    limits = s.board.pack.tables["limits"]
    if s.board.mobile >> u & 1 and not s.oos >> u & 1:
        return int(limits["advance_mobile"])
    return int(limits["advance_foot"])


def only_vacated(s: State) -> bool:
    """10.1g, 10.4l after an exchange or a successful Determined Defence: into the vacated hex, and no farther."""
    return bool(s.fight.held) or s.fight.result == EX


class Advancing(NamedTuple):
    """One unit: the hexes that it has advanced, and the hex that was cleared."""

    unit: int
    gone: int
    vacated: Hex


def _held(now: Advancing, units: int) -> Mask:
    """A bar for the unit, wherever it goes."""
    return ALL if units >> now.unit & 1 else 0


def _enough(s: State, now: Advancing, unsupplied: bool) -> Mask:
    """12.1a, 12.4 the unit has gone as far as it may."""
    far = now.gone >= length(s, now.unit)
    return ALL if far and bool(s.oos >> now.unit & 1) == unsupplied else 0


def _rivers(s: State, now: Advancing) -> Mask:
    """12.3d the hexes across an unbridged major river, but for the first step."""
    if not now.gone:
        return 0
    a = s.at[now.unit]
    return sum(1 << n for d, n in s.board.grid.neighbours[a] if unbridged_major(s, a, d))


def _zone_to_zone(s: State, now: Advancing) -> Mask:
    """12.2, A33 the hexes in the ZOC of an enemy unit in whose ZOC it stands, the vacated hex aside."""
    a, foe = s.at[now.unit], enemy(s.board.side[now.unit])
    found = 0
    if a != now.vacated and zone(s, foe) >> a & 1:
        around = s.ground.around
        for h in hexes_in(around[a] & s.zocs[foe]):
            found |= around[h]
    return found & ~(1 << now.vacated)


INTO: Bars[State, Advancing] = Bars(
    Bar("15.3c", "{unit} does not advance", lambda s, now: _held(now, 1 << s.board.flotilla)),
    Bar(
        "15.9b",
        "{unit} stays in Rostov",
        lambda s, now: _held(now, 1 << s.board.security) if s.at[now.unit] == s.board.rostov else 0,
    ),
    Bar("12.1c", "{unit} has MA 0", lambda s, now: _held(now, s.board.immobile)),
    Bar("12.4", "{unit} advances no more than {length} hex", lambda s, now: _enough(s, now, True)),
    Bar("12.1a", "{unit} advances no more than {length} hex", lambda s, now: _enough(s, now, False)),
    Need(
        "12.1a",
        "{hex} is not the next hex: an advance goes hex by hex",
        lambda s, now: s.board.beside[s.at[now.unit]] if s.at[now.unit] >= 0 else 0,
    ),
    Bar("7.1d", "the enemy is in {hex}", lambda s, now: s.occ[enemy(s.board.side[now.unit])]),
    Bar(
        "15.6b",
        "{unit} may not move into {hex}",
        lambda s, now: ~exits(s, now.unit, s.at[now.unit]) if now.unit == s.board.train else 0,
    ),
    Need("12.3a", "{unit} may not move into {hex}", lambda s, now: exits(s, now.unit, s.at[now.unit])),
    Bar("12.3d", "an unbridged major river is crossed only on the first hex of an advance", _rivers),
    Bar("12.2", "{unit} would go from one hex to another in the ZOC of the same enemy unit", _zone_to_zone),
)
"""12.1b, 12.2, 12.3 the hexes into which a unit may advance next."""


def steps(s: State, u: int, gone: int, vacated: Hex) -> Mask:
    """12.1b, 12.2, 12.3 the hexes into which a unit may advance next."""
    return INTO.free(s.ground.around[s.at[u]], s, Advancing(u, gone, vacated)) if s.at[u] >= 0 else 0


def why_not_into(s: State, h: Hex, now: Advancing) -> Reason | None:
    """12 what keeps a unit out of a hex."""
    return INTO.why(h, s, now, {"unit": now.unit, "hex": h, "length": length(s, now.unit)})


def stopped(s: State, u: int, a: Hex, h: Hex) -> bool:
    """12.3b, 12.3c cavalry in mountain or marsh, mechanised units in forest, unless they follow a road."""
    return stops(s, u, a, s.board.grid.direction(a, h))


def go(s: State, u: int, h: Hex, rule: str) -> None:
    """One hex of an advance."""
    a = s.at[u]
    emit(s, "advanced", rule, {"unit": u, "side": s.board.side[u], "from": a, "to": h, "path": [a, h]})
    enter(s, u, h)


# After a combat

ADVANCES: Bars[State, None] = Bars(
    Need("10.1a", "{unit} took no part in this combat", lambda s, _: s.fight.attackers),
    Bar("15.2b", "{unit} was used for its shift and leaves the map", lambda s, _: s.fight.shifters),
    Bar(
        "12.1a",
        "{unit} has ended its advance: two hexes, or terrain that stops it (12.3)",
        lambda s, _: 0 if only_vacated(s) else s.fight.advanced & s.fight.advanced_once & _mobile(s),
    ),
)
"""Who may advance after a combat."""


def _mobile(s: State) -> int:
    """12.1a, 12.4 those that may advance two hexes."""
    return s.board.mobile & ~s.oos


def _only_there(s: State) -> Mask:
    return 1 << s.fight.vacated if only_vacated(s) else ALL


THERE: Bars[State, None] = Bars(
    Need(
        "10.1g",
        "only {vacated} may be entered now",
        lambda s, _: _only_there(s) if s.fight.result == EX else ALL,
    ),
    Need("10.4l", "only {vacated} may be entered now", lambda s, _: _only_there(s)),
)
"""10.1g, 10.4l where they may advance to."""


def advancing(s: State, u: int) -> Advancing:
    """A unit after a combat; one that has ended its advance has no hex left."""
    fight = s.fight
    ended = fight.advanced >> u & 1
    return Advancing(u, length(s, u) if ended else fight.advanced_once >> u & 1, fight.vacated)


def options(s: State) -> list[tuple[int, int]]:
    """12.1 the advances that are open now, unit by unit."""
    fight = s.fight
    key = ("advances", fight.attackers, fight.advanced, fight.advanced_once)
    found: list[tuple[int, int]] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = []
        for u in units_of(ADVANCES.free(fight.attackers, s, None)):
            if s.at[u] >= 0:
                to = INTO.free(s.ground.around[s.at[u]], s, advancing(s, u))
                found += [(u, h) for h in hexes_in(THERE.free(to, s, None))]
    return found


def why_not(s: State, pair: Sequence[int]) -> Reason | None:
    """12 why a unit that fought does not advance into a hex."""
    u, h = pair
    return (
        ADVANCES.why(u, s, None, {"unit": u})
        or THERE.why(h, s, None, {"hex": h, "vacated": s.board.hex_name(s.fight.vacated)})
        or why_not_into(s, h, advancing(s, u))
    )


def _advance(s: State, f: UnitAt, u: int, h: Hex) -> None:
    fight = s.fight
    b, a = 1 << u, s.at[u]
    once = fight.advanced_once & b
    go(s, u, h, "12.1a")
    fight.advanced_once |= b
    if once or length(s, u) < 2 or only_vacated(s) or stopped(s, u, a, h):
        fight.advanced |= b


def _done(s: State, f: UnitAt) -> None:
    s.stack[-1] = StackAt(F_OVERSTACK, s.active, AFTER_ADVANCE)  # 5.2b


class Advance(Phase[State, UnitAt, None]):
    """12.1 The attackers advance, one hex of one unit at a time (s.fight.advanced tells how far they are)."""

    at = UnitAt
    does = (
        Listed(
            verbs.ADVANCE,
            of=lambda s, f, _: options(s),
            reason=lambda s, f, _, pair: why_not(s, pair),
            take=_advance,
            hint=lambda s, f, action: way_shown(s, action),
            others=lambda s, f, _: [
                (u, h) for u in units_of(s.fight.attackers) for h in hexes_in(s.board.grid.within(s.fight.vacated, 2))
            ],
        ),
        Once(verbs.DONE, take=_done),
    )

    def now(self, s: State, f: UnitAt) -> None:
        return None

    def actor(self, s: State, f: UnitAt) -> int | None:
        return s.active if options(s) else None

    def run(self, s: State, f: UnitAt) -> None:
        _done(s, f)

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        if only_vacated(s):
            rule = "10.1g" if s.fight.result == EX else "10.4l"
            there = Text("Only into {hex}, and no farther", hex=s.fight.vacated)
            return Prompt("Advance after combat?", there, (rule, "12.1a"), PHASES[s.phase])
        text = term("Mechanised units and cavalry two hexes, others one, in any direction")
        return Prompt("Advance after combat?", text, ("12.1a", "12.1b", "12.2"), PHASES[s.phase])


def way_shown(s: State, action: Action) -> Hint:
    _, u, h = action
    return {"path": [s.board.grid.names[h]], "stop": stopped(s, u, s.at[u], h)}


# 8.5e Units with automatic elimination markers


def claim_moves(s: State) -> list[tuple[int, int]]:
    """8.5e the first hexes of the advances of marked units, offered at any time in the combat phase."""
    found: list[tuple[int, int]] = []
    for vacated, units in s.claims.items():
        for u in units_of(units):
            found += [(u, h) for h in hexes_in(steps(s, u, 0, vacated))]
    found.sort()
    return found


def claimed(s: State, u: int) -> Hex:
    """The hex that this marked unit has cleared, -1 if it has cleared none or has advanced."""
    for vacated, units in s.claims.items():
        if units >> u & 1:
            return vacated
    return -1


def why_no_claim(s: State, pair: Sequence[int]) -> Reason | None:
    """8.5e why a unit does not advance between combats."""
    u, h = pair
    vacated = claimed(s, u)
    if vacated < 0:
        return Reason("8.5e", Text("{unit} has no automatic elimination marker to advance with", unit=u))
    return why_not_into(s, h, Advancing(u, 0, vacated))


def take_claim(s: State, u: int, h: Hex) -> None:
    """8.5e a marked unit advances; its marker is removed, but it still takes part in no attack (8.5c)."""
    b, a, vacated = 1 << u, s.at[u], claimed(s, u)
    s.claims[vacated] &= ~b
    if not s.claims[vacated]:
        del s.claims[vacated]
    s.marked &= ~b
    s.attacked |= b
    go(s, u, h, "8.5e")
    s.stack.append(StackAt(F_OVERSTACK, s.active, AFTER_ADVANCE))
    if length(s, u) > 1 and not stopped(s, u, a, h):
        s.stack.append(ClaimAt(F_CLAIM, u, vacated))


def leave(s: State, f: object) -> None:
    """Enough of it."""
    s.stack.pop()


def _claim(s: State, f: ClaimAt, u: int, h: Hex) -> None:
    s.stack.pop()
    go(s, u, h, "8.5e")


def why_not_on(s: State, f: ClaimAt, pair: Sequence[int]) -> Reason | None:
    """8.5e why this is not the second hex of the unit that advances."""
    u, h = pair
    if u != f.unit:
        return Reason("8.5e", Text("{unit} is advancing", unit=f.unit))
    return why_not_into(s, h, Advancing(u, 1, f.vacated))


class Claim(Phase[State, ClaimAt, None]):
    """8.5e The second hex of a marked unit's advance."""

    at = ClaimAt
    does = (
        Listed(
            verbs.ADVANCE,
            of=lambda s, f, _: [(f.unit, h) for h in hexes_in(steps(s, f.unit, 1, f.vacated))],
            reason=lambda s, f, _, pair: why_not_on(s, f, pair),
            take=_claim,
            hint=lambda s, f, action: way_shown(s, action),
            others=lambda s, f, _: [(f.unit, h) for h in hexes_in(s.board.grid.within(s.at[f.unit], 2))],
        ),
        Once(verbs.DONE, take=leave),
    )

    def now(self, s: State, f: ClaimAt) -> None:
        return None

    def actor(self, s: State, f: ClaimAt) -> int | None:
        return s.active if steps(s, f.unit, 1, f.vacated) else None

    def prompt(self, s: State, f: ClaimAt) -> Prompt:
        title = Text("Does {unit} advance a second hex?", unit=f.unit)
        return Prompt(title, "", ("8.5e", "12.1a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_ADVANCE: Advance(), F_CLAIM: Claim()}
