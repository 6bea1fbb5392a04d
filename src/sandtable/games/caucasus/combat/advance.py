"""12 Advance after combat, and 8.5e: the advance of units that made an automatic elimination."""

from __future__ import annotations

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.telling import emit

from ..paths.legs import exits, stops, unbridged_major
from ..table import verbs
from ..table.ids import AFTER_ADVANCE, EX, F_ADVANCE, F_CLAIM, F_OVERSTACK, PHASES
from ..table.state import State, enter, zone

# 12.1 Who advances, and how far


def length(s: State, u: int) -> int:
    """12.1a, 15.4b two hexes for mechanised units and cavalry, one for others; 12.4, 14.4a one out of supply."""
    limits = s.board.pack.tables["limits"]
    if s.board.mobile >> u & 1 and not s.oos >> u & 1:
        return int(limits["advance_mobile"])
    return int(limits["advance_foot"])


def able(s: State, u: int) -> bool:
    """12.1c no unit with MA 0, and not the Azov Flotilla (15.3c); the 454th stays in Rostov (15.9b)."""
    board = s.board
    if u == board.flotilla or (u == board.security and s.at[u] == board.rostov):
        return False
    return u == board.train or board.ma[u][s.step[u]] > 0


def only_vacated(s: State) -> bool:
    """10.1g, 10.4l after an exchange or a successful Determined Defence: into the vacated hex, and no farther."""
    return bool(s.fight.held) or s.fight.result == EX


def steps(s: State, u: int, gone: int, vacated: Hex) -> Mask:
    """12.1b, 12.2, 12.3 the hexes into which a unit may advance next."""
    board, ground, a = s.board, s.ground, s.at[u]
    foe = enemy(board.side[u])
    found = exits(s, u, a) & ~s.occ[foe]  # 12.3a, 15.6b
    if found and a != vacated and zone(s, foe) >> a & 1:  # 12.2, A33
        near = ground.around[a] & s.zocs[foe]
        for h in hexes_in(near):
            found &= ~ground.around[h] | 1 << vacated
    if gone:  # 12.3d only on the first hex
        for h in hexes_in(found):
            if unbridged_major(s, a, board.grid.direction(a, h)):
                found &= ~(1 << h)
    return found


def stopped(s: State, u: int, a: Hex, h: Hex) -> bool:
    """12.3b, 12.3c cavalry in mountain or marsh, mechanised units in forest, unless they follow a road."""
    return stops(s, u, a, s.board.grid.direction(a, h))


def go(s: State, u: int, h: Hex, rule: str) -> None:
    """One hex of an advance."""
    a = s.at[u]
    emit(s, "advanced", rule, {"unit": u, "side": s.board.side[u], "from": a, "to": h, "path": [a, h]})
    enter(s, u, h)


# After a combat


def options(s: State) -> list[Action]:
    """12.1 the advances that are open now, unit by unit."""
    key = ("advances", s.fight.attackers, s.fight.advanced, s.fight.advanced_once)
    found: list[Action] | None = s.memo.get(key)
    if found is not None:
        return found
    found = []
    limit = only_vacated(s)
    for u in units_of(s.fight.attackers & ~s.fight.shifters & ~s.fight.advanced):
        if s.at[u] < 0 or not able(s, u):
            continue
        gone = s.fight.advanced_once >> u & 1
        if gone >= length(s, u) or (gone and limit):
            continue
        to = steps(s, u, gone, s.fight.vacated)
        if limit:
            to &= 1 << s.fight.vacated
        found += [(verbs.ADVANCE, u, h) for h in hexes_in(to)]
    s.memo[key] = found
    return found


class Advance(Frame[State]):
    """12.1 The attackers advance, one hex of one unit at a time. Frame: unused, unused (s.fight.advanced tells)."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if options(s) else None

    def run(self, s: State, f: F) -> None:
        s.stack[-1] = (F_OVERSTACK, s.active, AFTER_ADVANCE)  # 5.2b

    def legal(self, s: State, f: F) -> list[Action]:
        return [*options(s), (verbs.DONE,)]

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.DONE:
            self.run(s, f)
            return
        _, u, h = action
        b, a = 1 << u, s.at[u]
        once = s.fight.advanced_once & b
        go(s, u, h, "12.1a")
        s.fight.advanced_once |= b
        if once or length(s, u) < 2 or only_vacated(s) or stopped(s, u, a, h):
            s.fight.advanced |= b

    def prompt(self, s: State, f: F) -> Prompt:
        if only_vacated(s):
            rule = "10.1g" if s.fight.result == EX else "10.4l"
            text = f"Only into {s.board.hex_name(s.fight.vacated)}, and no farther"
            return Prompt("Advance after combat?", text, (rule, "12.1a"), PHASES[s.phase])
        text = "Mechanised units and cavalry two hexes, others one, in any direction"
        return Prompt("Advance after combat?", text, ("12.1a", "12.1b", "12.2"), PHASES[s.phase])

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        return way_shown(s, action)

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.ADVANCE:
            return None
        _, u, h = action
        name = s.board.unit_names[u]
        if not s.fight.attackers >> u & 1:
            return Reason("10.1a", f"{name} took no part in this combat")
        if s.fight.shifters >> u & 1:
            return Reason("15.2b", f"{name} was used for its shift and leaves the map")
        if s.fight.advanced & 1 << u and length(s, u) > 1 and not only_vacated(s) and s.fight.advanced_once >> u & 1:
            return Reason("12.1a", f"{name} has ended its advance: two hexes, or terrain that stops it (12.3)")
        if only_vacated(s) and h != s.fight.vacated:
            rule = "10.1g" if s.fight.result == EX else "10.4l"
            return Reason(rule, f"only {s.board.hex_name(s.fight.vacated)} may be entered now")
        return why_no_advance(s, u, h, s.fight.advanced_once >> u & 1, s.fight.vacated)


def way_shown(s: State, action: Action) -> Hint | None:
    if action[0] != verbs.ADVANCE:
        return None
    _, u, h = action
    return {"path": [s.board.grid.names[h]], "stop": stopped(s, u, s.at[u], h)}


def why_no_advance(s: State, u: int, h: Hex, gone: int, vacated: Hex) -> Reason:
    """12 why a unit that fought does not advance into a hex."""
    board, a = s.board, s.at[u]
    name, place = board.unit_names[u], board.hex_name(h)
    if u == board.flotilla:
        return Reason("15.3c", f"{name} does not advance")
    if u == board.security and a == board.rostov:
        return Reason("15.9b", f"{name} stays in Rostov")
    if not able(s, u):
        return Reason("12.1c", f"{name} has MA 0")
    if gone >= length(s, u):
        rule = "12.4" if s.oos >> u & 1 else "12.1a"
        return Reason(rule, f"{name} advances no more than {length(s, u)} hex")
    if a < 0 or not board.grid.adjacent(a, h):
        return Reason("12.1a", f"{place} is not the next hex: an advance goes hex by hex")
    if s.occ[enemy(board.side[u])] >> h & 1:
        return Reason("7.1d", f"the enemy is in {place}")
    if not exits(s, u, a) >> h & 1:
        return Reason("15.6b" if u == board.train else "12.3a", f"{name} may not move into {place}")
    if gone and unbridged_major(s, a, board.grid.direction(a, h)):
        return Reason("12.3d", "an unbridged major river is crossed only on the first hex of an advance")
    return Reason("12.2", f"{name} would go from one hex to another in the ZOC of the same enemy unit")


# 8.5e Units with automatic elimination markers


def claim_actions(s: State) -> list[Action]:
    """8.5e the first hexes of the advances of marked units, offered at any time in the combat phase."""
    found: list[Action] = []
    for vacated, units in s.claims.items():
        for u in units_of(units):
            if s.at[u] >= 0 and able(s, u):
                found += [(verbs.ADVANCE, u, h) for h in hexes_in(steps(s, u, 0, vacated))]
    found.sort()
    return found


def claimed(s: State, u: int) -> Hex:
    """The hex that this marked unit has cleared, -1 if it has cleared none or has advanced."""
    for vacated, units in s.claims.items():
        if units >> u & 1:
            return vacated
    return -1


def take_claim(s: State, action: Action) -> None:
    """8.5e a marked unit advances; its marker is removed, but it still takes part in no attack (8.5c)."""
    _, u, h = action
    b, a, vacated = 1 << u, s.at[u], claimed(s, u)
    s.claims[vacated] &= ~b
    if not s.claims[vacated]:
        del s.claims[vacated]
    s.marked &= ~b
    s.attacked |= b
    go(s, u, h, "8.5e")
    s.stack.append((F_OVERSTACK, s.active, AFTER_ADVANCE))
    if length(s, u) > 1 and not stopped(s, u, a, h):
        s.stack.append((F_CLAIM, u, vacated))


def why_no_claim(s: State, action: Action) -> Reason:
    """8.5e why a unit does not advance between combats."""
    _, u, h = action
    vacated = claimed(s, u)
    if vacated < 0:
        return Reason("8.5e", f"{s.board.unit_names[u]} has no automatic elimination marker to advance with")
    return why_no_advance(s, u, h, 0, vacated)


class Claim(Frame[State]):
    """8.5e The second hex of a marked unit's advance. Frame: unit, the hex that it cleared."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if steps(s, f[1], 1, f[2]) else None

    def run(self, s: State, f: F) -> None:
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        return [*((verbs.ADVANCE, f[1], h) for h in hexes_in(steps(s, f[1], 1, f[2]))), (verbs.DONE,)]

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        if action[0] == verbs.ADVANCE:
            go(s, action[1], action[2], "8.5e")

    def prompt(self, s: State, f: F) -> Prompt:
        name = s.board.unit_names[f[1]]
        return Prompt(f"Does {name} advance a second hex?", "", ("8.5e", "12.1a"), PHASES[s.phase])

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        return way_shown(s, action)

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.ADVANCE:
            return None
        if action[1] != f[1]:
            return Reason("8.5e", f"{s.board.unit_names[f[1]]} is advancing")
        return why_no_advance(s, f[1], action[2], 1, f[2])


FRAMES: dict[int, Frame[State]] = {F_ADVANCE: Advance(), F_CLAIM: Claim()}
