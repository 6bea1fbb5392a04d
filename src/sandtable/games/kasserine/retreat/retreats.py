"""8.8 Retreats, unit by unit: the owner chooses where to (in overruns the overrunner, 6.67c)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Listed, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..table import steps, verbs
from ..table.ids import PHASES
from ..table.position import disrupt, eliminate, enter, forget, lose_step, put
from ..table.ratings import leads, rating
from ..table.stacking import room
from ..table.state import State
from ..table.steps import BreakOutAt, RetreatAt
from ..table.surprises import meet
from .ways import NOT_THERE, Going, Retreat, path, ways

Options = dict[int, Mask]
"""Unit -> where it can go."""


def how(f: RetreatAt) -> Retreat:
    return Retreat(f.centre, f.least, f.most, f.shun)


def lawful(s: State, f: RetreatAt) -> Options:
    """8.81-8.88 the units that have a path."""
    found = {}
    for u in units_of(f.units):
        ends = ways(s, u, how(f)).ends
        if ends:
            found[u] = ends
    return found


def breaking_out(s: State, f: RetreatAt) -> Options:
    """8.89 by the first unit of each stack that has to break out together: where all of it can go."""
    stacks: dict[Hex, int] = {}
    for u in units_of(f.units):
        if ways(s, u, how(f)).special:
            stacks[s.at[u]] = stacks.get(s.at[u], 0) | 1 << u
    found = {}
    for units in stacks.values():
        common = -1
        for u in units_of(units):
            common &= ways(s, u, how(f)).special
        side = s.board.side[units_of(units)[0]]
        common &= sum(1 << h for h in hexes_of(common) if room(s, h, side, units)) if common else 0
        if common:
            found[units_of(units)[0]] = common
        else:  # they cannot all go together: each for itself
            found |= {u: ways(s, u, how(f)).special for u in units_of(units)}
    return found


def stack_of(s: State, f: RetreatAt, u: int, h: Hex) -> int:
    """The units that break out with this one to a hex."""
    options = breaking_out(s, f)
    alone = sum(1 for other in options if s.at[other] == s.at[u]) > 1
    if alone:
        return 1 << u
    return sum(1 << v for v in units_of(f.units) if s.at[v] == s.at[u] and ways(s, v, how(f)).special)


def doomed(s: State, f: RetreatAt) -> int:
    """8.8, 8.89d the units that have no way at all."""
    found = 0
    for u in units_of(f.units):
        way = ways(s, u, how(f))
        if not way.ends and not way.special:
            found |= 1 << u
    return found


def follow(s: State, u: int, f: RetreatAt, h: Hex, rule: str) -> None:
    """One unit goes back to a hex: what it meets on its way, and what becomes of it there."""
    board = s.board
    way = path(s, u, how(f), h)
    emit(s, "retreated", rule, {"unit": u, "from": s.at[u], "to": h, "path": way})
    s.fire_net &= ~(1 << u)  # 12.35
    side = board.side[u]
    if not board.ground >> u & 1:
        put(s, u, h)
        return
    for step in way:
        enter(s, u, step)
        meet(s, side, step)
    if f.overrun:  # 6.67c
        disrupt(s, 1 << u, "6.67c")
    if h in s.aims and side != s.active:  # 8.84a it only shares the fate of that hex
        s.refugees[h] = s.refugees.get(h, 0) | 1 << u
    forget(s)


def retreat(s: State, f: RetreatAt, u: int, h: int) -> None:
    s.stack[-1] = f._replace(units=f.units & ~(1 << u))
    follow(s, u, f, h, "8.8")


def break_out(s: State, f: RetreatAt, u: int, h: int) -> None:
    """8.89c the stack goes together, and its lead unit makes a check afterwards."""
    units = stack_of(s, f, u, h)
    s.stack[-1] = f._replace(units=f.units & ~units)
    s.stack.append(BreakOutAt(steps.BREAK_OUT_LEAD, units))
    for other in units_of(units):
        follow(s, other, f, h, "8.89a")


def retreats(s: State, f: RetreatAt, now: RetreatAt) -> list[tuple[int, int]]:
    return [(u, h) for u, ends in lawful(s, f).items() for h in hexes_of(ends)]


def break_outs(s: State, f: RetreatAt, now: RetreatAt) -> list[tuple[int, int]]:
    return [(u, h) for u, ends in sorted(breaking_out(s, f).items()) for h in hexes_of(ends)]


def why_not_there(s: State, f: RetreatAt, now: RetreatAt, args: Any) -> Reason | None:
    u, h = args
    if not f.units >> u & 1:
        return Reason("8.8", Text("{unit} does not have to retreat", unit=u))
    way = ways(s, u, how(f))
    if way.ends >> h & 1:
        return None
    if not way.ends:
        return Reason("8.89a", Text("{unit} has no way but through a vacant EZOC", unit=u))
    facts = {"unit": u, "hex": h}
    known = NOT_THERE.why(h, s, Going(u, how(f)), facts)
    return known or Reason("8.81b", Text("no way of {unit} leads to {hex}", **facts))


def why_not_out(s: State, f: RetreatAt, now: RetreatAt, args: Any) -> Reason | None:
    u, h = args
    if breaking_out(s, f).get(u, 0) >> h & 1:
        return None
    if f.units >> u & 1 and ways(s, u, how(f)).ends:
        return Reason("8.88a", Text("{unit} has a way that avoids EZOCs", unit=u))
    return Reason("8.89a", Text("{unit} does not break out to {hex}", unit=u, hex=h))


def nobody_stays(s: State, f: RetreatAt) -> Reason | None:
    """12.41c leaders may go with a stack that retreats, and need not."""
    if s.edition < 4 or f.units & ~(s.board.leaders & s.board.of_side[f.decider]):
        return Reason("8.71a", "what has to retreat may not stay")
    return None


def stay(s: State, f: RetreatAt) -> None:
    s.stack[-1] = f._replace(units=0)


class Retreats(Phase[State, RetreatAt, RetreatAt]):
    """8.8 the units that have to retreat; what has no way is eliminated, what has only one takes it."""

    at = RetreatAt
    does = (
        Listed(verbs.RETREAT, of=retreats, reason=why_not_there, take=retreat),
        Listed(verbs.BREAK_OUT, of=break_outs, reason=why_not_out, take=break_out),
        Once(verbs.STAY, take=stay, shut=nobody_stays),
    )

    def actor(self, s: State, f: RetreatAt) -> int | None:
        if not f.units or doomed(s, f):
            return None
        choices = self.legal(s, f)
        if len(choices) < 2:
            return None
        s.choices = choices
        return f.decider

    def run(self, s: State, f: RetreatAt) -> None:
        if not f.units:
            s.stack.pop()
            return
        lost = doomed(s, f)
        if lost:
            s.stack[-1] = f._replace(units=f.units & ~lost)
            for u in units_of(lost):
                if s.board.leaders >> u & 1:
                    continue  # 12.41c a leader stays, and is met by whoever comes
                eliminate(s, u, "8.8")
            return
        self.take(s, f, self.legal(s, f)[0])

    def prompt(self, s: State, f: RetreatAt) -> Prompt:
        title = Text("Retreat from {hex}", hex=f.centre)
        if f.units and s.at[units_of(f.units)[0]] != f.centre:  # 8.71b attackers go back from where they attacked from
            title = Text("Retreat of the attackers of {hex}", hex=f.centre)
        if f.units and self.actor(s, f) != s.board.side[units_of(f.units)[0]]:  # 6.67c
            driven = term("The overrun drives them two hexes back: you choose where to")
            return Prompt(title, driven, ("6.67c", "8.85"), PHASES[s.phase])
        return Prompt(title, "Choose a unit and where it goes", ("8.8", "8.83a", "8.85"), PHASES[s.phase])


class BreakOutLead(Frame[State, BreakOutAt]):
    """8.89ca whoever leads the stack that broke out makes an ER check."""

    at = BreakOutAt

    def candidates(self, s: State, f: BreakOutAt) -> int:
        alive = sum(1 << u for u in units_of(f.units) if s.at[u] >= 0)
        return leads(s, alive)

    def actor(self, s: State, f: BreakOutAt) -> int | None:
        found = self.candidates(s, f)
        return s.board.side[units_of(found)[0]] if found & (found - 1) else None

    def run(self, s: State, f: BreakOutAt) -> None:
        found = self.candidates(s, f)
        s.stack.pop()
        if found:
            s.stack.append(BreakOutAt(steps.BREAK_OUT_CHECK, f.units, units_of(found)[0]))

    def legal(self, s: State, f: BreakOutAt) -> list[Action]:
        return [(int(verbs.LEAD), u) for u in units_of(self.candidates(s, f))]

    def take(self, s: State, f: BreakOutAt, action: Action) -> None:
        s.stack[-1] = BreakOutAt(steps.BREAK_OUT_CHECK, f.units, action[1])

    def prompt(self, s: State, f: BreakOutAt) -> Prompt:
        return Prompt("Who leads the break-out?", "The lead unit makes an ER check", ("8.89c",), PHASES[s.phase])


class BreakOutCheck(Dice[State, BreakOutAt]):
    """8.89cb on failure the lead unit loses a step."""

    at = BreakOutAt

    def take(self, s: State, f: BreakOutAt, action: Action) -> None:
        s.stack.pop()
        er = rating(s, f.lead)
        passed = action[1] <= er
        told = {"unit": f.lead, "roll": action[1], "er": er, "passed": int(passed)}
        emit(s, "broke_out", "8.89cb", told, final=True)
        if not passed:
            lose_step(s, f.lead, "8.89cb")

    def prompt(self, s: State, f: BreakOutAt) -> Prompt:
        return Prompt(Text("ER check of {unit}", unit=f.lead), "", ("8.89c",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.RETREATS: Retreats(),
    steps.BREAK_OUT_LEAD: BreakOutLead(),
    steps.BREAK_OUT_CHECK: BreakOutCheck(verbs.ROLL, 1, 10),
}
