"""14 Advance after combat, 8.9.2 the advance of units with Auto DS markers, 17.4 the free SP at the end of the phase.

Who may advance stands in s.advancing, how far in s.allowance, over which emptied hex in `vacated`. A unit that a truck
carries is in effect mechanised (5.8.1f); the truck goes with it. The breakthrough group goes first (breakthrough.py).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import across_escarpment, along_road, box_beside, desert_run, exits, pinned, why_pinned
from ..paths.modes import supplied_hexes
from ..retreat import displacement, surrender
from ..retreat.retreats import BEFORE_ADVANCE
from ..retreat.surrender import free_trucks
from ..supply import supply_lines
from ..supply.support import places_of
from ..table import captures
from ..table.frames import AdvanceAt, CarryAt, GroupAt, OverstackAt
from ..table.ids import (
    COMBAT,
    F_ADVANCE,
    F_AUTO_ADVANCE,
    F_CARRY,
    F_FREE_SP,
    F_GROUP,
    F_OVERSTACK,
    NORMAL,
    PHASES,
    TAG_ALONG,
)
from ..table.position import add_sp, good_order, of_no_use, put, tread, units_in
from ..table.state import State
from ..table.verbs import V_ADVANCE, V_DONE, V_FREE_SP, V_TO
from ..table.zones import full_zoc
from . import combat, effects
from .results import code_of

# 14.1 Who


def tag_alongs(s: State) -> int:
    """27.3.1a units stacked with attackers that gave nothing to the attack and have neither attacked nor advanced."""
    if not s.flags & TAG_ALONG:
        return 0
    found = 0
    for h in hexes_in(places_of(s, alive(s, s.fight.attackers))):
        found |= units_in(s, h, s.active)
    barred = s.fight.attackers | s.attacked | s.auto | s.advanced | s.shipped | s.fight.guns_att
    return found & good_order(s) & ~barred


def alive(s: State, units: int) -> int:
    """Of some units, those that are still on the map."""
    at = s.at
    return sum([1 << u for u in units_of(units) if at[u] >= 0])


def begin(s: State) -> None:
    """14.1a everybody who took part, and 27.3.1a those who tag along; 19.5c, 17.1.2c not those who may not move.

    14.1a An ASU that gave a shift stays: ASUs never are among the attackers, and none tags along that fired.
    """
    s.group = 0
    s.advancing = (s.advancing | tag_alongs(s)) & ~s.refreshed & ~pinned(s)
    for h in hexes_in(places_of(s, s.advancing & s.board.foot)):
        if free_trucks(s, s.active, h):
            s.stack.append(CarryAt(F_CARRY, s.active, BEFORE_ADVANCE, h))  # 5.8.2c


# 14.2 How far


def length(s: State, u: int) -> int:
    """14.2.1, 16.4c how many hexes a unit advances after this fight."""
    general = s.board.general
    most = s.allowance
    if s.board.matildas >> u & 1 or (s.board.foot >> u & 1 and s.carried[u] < 0):
        most = min(most, general["foot_and_matilda_advance_limit_hexes"])
    if s.oos >> u & 1:
        most = min(most, general["oos_advance_limit_hexes"])
    return int(most)


def passengers(s: State) -> int:
    """The trucks that carry somebody in this advance: they go where their loads go."""
    return sum({1 << truck for truck in s.carried if truck >= 0})


def with_truck(s: State, u: int) -> tuple[int, ...]:
    """A unit, and the truck that carries it."""
    return (u, s.carried[u]) if s.carried[u] >= 0 else (u,)


# 14.3 to 14.5 Where to


def halts(s: State, h: Hex) -> bool:
    """14.4b, 14.4c an EZOC ends the advance, but not in the vacated hex; 7.3b a limited one does not."""
    return h != s.fight.vacated and bool(full_zoc(s, enemy(s.active)) >> h & 1)


def clear_of_zones(s: State, a: Hex, vacated: Mask) -> Mask:
    """14.4a the hexes that are in no EZOC of an enemy unit in whose EZOC the unit stands; but vacated ones always.

    14.4d overlapping EZOCs are like all others.
    """
    found = -1
    if vacated >> a & 1:
        return found
    around = s.board.around
    for h in hexes_in(around[a] & s.zocs[enemy(s.active)]):
        found &= ~around[h]
    return found | vacated


def ways_on(s: State, u: int, a: Hex, gone: int, run: int) -> Mask:
    """14.5 the hexes that terrain lets a unit enter next, whoever is there; 6.3.3a its own off-map box too."""
    board, carried = s.board, s.carried[u] >= 0
    foot = board.foot >> u & 1 and not carried
    found = exits(s, u, a, carried)
    if gone and run >= int(board.general["desert_run_hexes"]):  # 14.5c
        return 0
    if foot:
        if any(board.escarpments[d] >> a & 1 for d in range(6)):
            for d, n in board.steps[a]:
                if across_escarpment(s, a, d) and (gone or n != s.fight.vacated):  # 14.5e
                    found &= ~(1 << n)
    elif gone and board.jebel >> a & 1:  # 14.5b
        for d, n in board.steps[a]:
            if not along_road(s, a, d):
                found &= ~(1 << n)
    box = box_beside(s, s.active, a)
    return found | 1 << box if box >= 0 else found


def closed_to(s: State, u: int) -> Mask:
    """8.7b, 14.6 enemy combat units; 5.8.3 for trucks that go alone all enemy units, SPs among them (2.3.1b)."""
    foe = enemy(s.active)
    return s.occ[foe] | supplied_hexes(s, foe) if s.board.trucks >> u & 1 else s.men[foe]


def steps(s: State, u: int, gone: int, run: int) -> Mask:
    """14.2 to 14.5 the hexes into which a unit that has advanced so far may go on."""
    a = s.at[u]
    if gone >= length(s, u) or (gone and halts(s, a)) or s.board.box_mask >> a & 1:
        return 0
    found = ways_on(s, u, a, gone, run) & ~closed_to(s, u) & clear_of_zones(s, a, 1 << s.fight.vacated)
    return found & 1 << s.fight.vacated if s.fight.limited_advance else found  # 14.2.2


def go(s: State, units: tuple[int, ...], h: Hex, rule: str) -> None:
    """One hex of an advance. The frame in charge has to be settled before: dice may follow (17.2.3, 27.1)."""
    side = s.active
    surrender.port_falls(s, h)
    for u in units:
        a = s.at[u]
        emit(s, "advanced", rule, {"unit": u, "side": side, "from": a, "to": h, "path": [a, h]})
        put(s, u, h)
        s.advanced |= 1 << u
    everybody = sum(1 << u for u in units)
    tread(s, everybody, h)  # 5.5b who tagged along (27.3.1a) may disengage later in the phase
    captures.enter(s, side, h)
    displacement.check(s, everybody)


def options(s: State) -> list[Action]:
    """14.1a, 14.3 the first steps that are open to those who have not advanced yet."""
    key = ("advances", s.advancing, s.fight.vacated, s.allowance, s.fight.limited_advance)
    found: list[Action] | None = s.memo.get(key)
    if found is None:
        found = []
        for u in units_of(s.advancing & ~passengers(s)):
            if s.at[u] >= 0:
                found += [(V_ADVANCE, u, h) for h in hexes_in(steps(s, u, 0, 0))]
        s.memo[key] = found
    return found


class Advance(Frame[State, AdvanceAt]):
    """14.1 The attackers advance in turn. Frame: the unit on its way, hexes gone, desert run; or nothing."""

    at = AdvanceAt

    def choices(self, s: State, f: AdvanceAt) -> list[Action]:
        if f.unit < 0:
            return options(s)
        u, gone, run = f.unit, f.gone, f.run
        if s.at[u] < 0:
            return []
        return [(V_ADVANCE, u, h) for h in hexes_in(steps(s, u, gone, run))]

    def actor(self, s: State, f: AdvanceAt) -> int | None:
        choices = self.choices(s, f)
        if not choices:
            return None
        s.choices = [*choices, (V_DONE,)]
        return s.active

    def run(self, s: State, f: AdvanceAt) -> None:
        if f.unit >= 0:
            s.stack[-1] = AdvanceAt(F_ADVANCE)
        else:
            self.over(s)

    def over(self, s: State) -> None:
        """14.1c the stacking limit applies at the end of the advance; trucks set down whom they carried."""
        s.stack.pop()
        moved = alive(s, s.advanced)
        for u in range(len(s.carried)):
            s.carried[u] = -1
        s.advancing = s.group = 0
        s.stack += [OverstackAt(F_OVERSTACK, s.active, h) for h in hexes_in(places_of(s, moved) & ~s.board.box_mask)]

    def legal(self, s: State, f: AdvanceAt) -> list[Action]:
        return [*self.choices(s, f), (V_DONE,)]

    def take(self, s: State, f: AdvanceAt, action: Action) -> None:
        if action[0] == V_DONE:
            self.run(s, f)
            return
        _, u, h = action
        gone, run = (f.gone, f.run) if f.unit >= 0 else (0, 0)
        s.advancing &= ~(1 << u)
        s.stack[-1] = AdvanceAt(F_ADVANCE, u, gone + 1, desert_run(s, run, h))
        go(s, with_truck(s, u), h, "14.2.2" if s.fight.limited_advance else "14.2.1a")

    def prompt(self, s: State, f: AdvanceAt) -> Prompt:
        place = s.board.hex_name(s.fight.vacated)
        if s.fight.limited_advance:
            return Prompt(
                "Advance after combat?", Text("Only into {hex}", hex=place), ("14.2.2", "14.1a"), PHASES[s.phase]
            )
        if f.unit >= 0:
            title = Text("Does {unit} go on?", unit=s.board.unit_names[f.unit])
            far = length(s, f.unit)
            text = Text.many(far, "It has advanced {gone} of 1 hex", "It has advanced {gone} of {n} hexes", gone=f.gone)
            return Prompt(title, text, ("14.2.1a", "14.4b", "14.5c"), PHASES[s.phase])
        text = Text("Up to {allowance} hexes in any direction, on foot and for Matildas 2", allowance=s.allowance)
        return Prompt("Advance after combat?", text, ("14.2.1a", "14.2.1b", "14.3"), PHASES[s.phase])

    def hint(self, s: State, f: AdvanceAt, action: Action) -> Hint | None:
        return way_shown(s, f, action)

    def why_not(self, s: State, f: AdvanceAt, action: Action) -> Reason | None:
        if action[0] != V_ADVANCE:
            return None
        _, u, h = action
        name = s.board.unit_names[u]
        if f.unit >= 0 and u != f.unit:
            return Reason("14.1a", Text("{unit} is advancing: end that first", unit=s.board.unit_names[f.unit]))
        if f.unit < 0 and not s.advancing >> u & 1:
            return why_not_among(s, u)
        if passengers(s) >> u & 1:
            return Reason("5.8.2c", Text("{unit} goes with the unit that it carries", unit=name))
        gone, run = (f.gone, f.run) if f.unit >= 0 else (0, 0)
        return why_not_there(s, u, h, gone, run)


def way_shown(s: State, f: AdvanceAt, action: Action) -> Hint | None:
    """What an advance shows on the map."""
    if action[0] != V_ADVANCE:
        return None
    _, u, h = action
    gone = max(f.gone, 0)
    found: Hint = {
        "path": [s.board.grid.names[h]],
        "cost": str(gone + 1),
        "of": Text.many(length(s, u), "{n} hex", "{n} hexes"),
        "stop": gone + 1 >= length(s, u) or halts(s, h),
    }
    if halts(s, h):
        found["note"] = term("enemy zone of control: the advance ends there (14.4b)")
    return found


def why_not_among(s: State, u: int) -> Reason:
    """14.1a why a unit does not advance after this fight."""
    name, b = s.board.unit_names[u], 1 << u
    if s.board.side[u] != s.active:
        return Reason("14.1a", Text("{unit} is not yours", unit=name))
    if s.refreshed & b:
        return Reason("19.5c", Text("{unit} has a replacement marker", unit=name))
    if pinned(s) & b:
        return why_pinned(s, u)
    if s.advanced & b:
        return Reason("14.1a", Text("{unit} has advanced", unit=name))
    if s.fight.guns_att & b:
        return Reason("14.1a", Text("{unit} gave a shift and stays", unit=name))
    if s.fight.attackers & b:
        return Reason("14.1a", Text("{unit} has ended its advance", unit=name))
    if s.flags & TAG_ALONG:
        return Reason("27.3.1a", Text("{unit} is not stacked with the attackers, or cannot tag along", unit=name))
    return Reason("14.1a", Text("{unit} took no part in this combat", unit=name))


def why_not_there(s: State, u: int, h: Hex, gone: int, run: int) -> Reason:
    """14.2 to 14.6 why a unit does not advance into a hex."""
    board, a = s.board, s.at[u]
    name, place = board.unit_names[u], board.hex_name(h)
    if gone >= length(s, u):
        rule = "16.4c" if s.oos >> u & 1 else "14.2.1b" if length(s, u) < s.allowance else "14.2.1a"
        return Reason(
            rule,
            Text.many(
                length(s, u), "{unit} advances no more than 1 hex", "{unit} advances no more than {n} hexes", unit=name
            ),
        )
    if s.fight.limited_advance and h != s.fight.vacated:
        return Reason(
            "14.2.2", Text("only {hex} may be entered after this result", hex=board.hex_name(s.fight.vacated))
        )
    if gone and halts(s, a):
        return Reason("14.4b", Text("{unit} stopped on entering an enemy zone of control", unit=name))
    if not board.around[a] >> h & 1 and h != box_beside(s, s.active, a):
        return Reason("14.1b", Text("{hex} is not the next hex: an advance goes hex by hex", hex=place))
    if closed_to(s, u) >> h & 1:
        return Reason("5.8.3" if board.trucks >> u & 1 else "14.5a", Text("the enemy is in {hex}", hex=place))
    if not ways_on(s, u, a, gone, run) >> h & 1:
        return why_no_way(s, u, h, gone, run)
    return Reason(
        "14.4a",
        Text("{unit} would go from one zone of control of an enemy unit into another of the same unit", unit=name),
    )


def why_no_way(s: State, u: int, h: Hex, gone: int, run: int) -> Reason:
    """14.5 which rule on terrain keeps a unit out of the next hex."""
    board, a = s.board, s.at[u]
    name, place = board.unit_names[u], board.hex_name(h)
    foot = board.foot >> u & 1 and s.carried[u] < 0
    if gone and run >= int(board.general["desert_run_hexes"]):
        return Reason("14.5c", Text("{unit} ends its advance in the second desert hex", unit=name))
    if across_escarpment(s, a, board.grid.direction(a, h)):
        if foot:
            return Reason(
                "14.5e", Text("{unit} crosses an escarpment only with its first hex, into the hex attacked", unit=name)
            )
        return Reason("14.5d", Text("{unit} crosses an escarpment only by road", unit=name))
    if gone and not foot and board.jebel >> a & 1:
        return Reason("14.5b", Text("{unit} ends its advance in the jebel, unless it leaves by road", unit=name))
    return Reason("14.5a", Text("{unit} may not enter {hex}", unit=name, hex=place))


# 8.9.2 Auto DS


class AutoAdvance(Frame[State]):
    """8.9.2a The marked units advance, one Auto DS after the other, when all combats are over."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if len(s.claims) > 1 else None

    def run(self, s: State, f: F) -> None:
        if s.claims:
            self.resume(s, next(iter(s.claims)))
            return
        effects.begin(s, COMBAT, -1, 0)
        s.auto = 0
        s.stack.pop()

    def resume(self, s: State, h: Hex) -> None:
        """8.9.2a their markers come off, and they advance at the full rate; 8.9.2b one group may break through."""
        units = alive(s, s.claims[h]) & good_order(s)
        s.auto &= ~units
        if units:
            combat.reopen(s, h, units)
        del s.claims[h]
        if not units:
            return
        s.fight.vacated = h
        s.allowance = code_of(s).advance
        s.advancing = units
        s.stack.append(GroupAt(F_GROUP))

    def legal(self, s: State, f: F) -> list[Action]:
        return [(V_TO, h, NORMAL) for h in sorted(s.claims)]

    def take(self, s: State, f: F, action: Action) -> None:
        self.resume(s, action[1])

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("The units that cleared a hex by an Auto DS advance, one hex after the other")
        return Prompt("Which Auto DS is followed up next?", text, ("8.9.2a",), PHASES[s.phase])


# 17.4 The free SP


def depots(s: State) -> list[int]:
    """17.4b, A39 own off-map boxes, and the hexes of own corps HQs that are in full supply now; of no use is one under
    a naval transport marker (21.1.5b)."""
    board, side = s.board, s.active
    found = board.own_boxes[side]
    for u in units_of(board.hqs & board.of_side[side] & ~of_no_use(s)):
        if s.at[u] >= 0:
            found |= 1 << s.at[u]
    return list(hexes_in(found & supply_lines.full(s, side)))


class FreeSp(Frame[State]):
    """17.4 The end of the Combat Phase: whoever has neither attacked nor marched gets a supply point."""

    def actor(self, s: State, f: F) -> int | None:
        if s.attacked_at_all or s.moved_at_all:  # 17.4a
            return None
        return s.active if len(depots(s)) > 1 else None

    def run(self, s: State, f: F) -> None:
        if s.attacked_at_all or s.moved_at_all:
            self.over(s)
        else:
            self.put_down(s, depots(s)[0])

    def put_down(self, s: State, place: int) -> None:
        add_sp(s, s.active, place, 1)
        emit(s, "free_sp", "17.4a", {"hex": place, "side": s.active})
        self.over(s)

    def over(self, s: State) -> None:
        s.advanced = s.disengaged = 0
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        return [(V_FREE_SP, place) for place in depots(s)]

    def take(self, s: State, f: F, action: Action) -> None:
        self.put_down(s, action[1])

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("In an off-map box, or with a corps HQ in full supply")
        return Prompt("Where does the free supply point go?", text, ("17.4a", "17.4b"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != V_FREE_SP:
            return None
        name = s.board.hex_name(action[1])
        return Reason(
            "17.4b", Text("{hex} is neither a box of yours nor the hex of a corps HQ in full supply", hex=name)
        )


FRAMES: dict[int, Frame[State, Any]] = {F_ADVANCE: Advance(), F_AUTO_ADVANCE: AutoAdvance(), F_FREE_SP: FreeSp()}
