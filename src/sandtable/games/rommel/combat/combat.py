"""9 Combat: one combat round in one battle hex, from the first shot to the last loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.phases import Listed, Phase

from ..table import verbs
from ..table.board import units_of
from ..table.ids import ANTITANK, ARMOUR, ARTILLERY, CLASSES, F_FIRE, F_FIRE_ROLL, F_ROUND, F_ROUT, INFANTRY
from ..table.minefields import FULL_HIT, HALF_HIT, has_double_defence, is_defending, worth_of_hit
from ..table.state import State, emit, reveal
from ..table.steps import FireAt, FireRollAt, RoundAt, RoutAt
from ..table.throws import Throw, in_words, so_many_dice
from .disruption import battle_line, settle_base
from .losses import aimed_at, allot, strength, wipe_out

# 9.1 The combat round


def fires_first(s: State, probe: int) -> int:
    """9.1a the Passive player's units fire first; a probe reverses that (10.41b)."""
    return s.active if probe else 1 - s.active


# Steps of a round
DEFENSIVE, OFFENSIVE, OVER = 0, 1, 2


class Round(Frame[State, RoundAt]):
    """9.1 One combat round in a battle: defensive fire, then offensive fire. Frame: hex, step, probe."""

    at = RoundAt

    def run(self, s: State, f: RoundAt) -> None:
        _, h, step, probe = f
        first = fires_first(s, probe)
        lines = battle_line(s, h, 0), battle_line(s, h, 1)
        if step == DEFENSIVE:
            s.fired = 0
            s.hits = [0, 0, 0, 0]
            reveal(s, lines[0] | lines[1], "8.5b")
            assault = int(is_assault(s, h))
            emit(s, "round", "9.1a", {"hex": h, "side": s.active, "assault": assault, "probe": probe})
        if step == OVER or not (lines[0] and lines[1]):
            s.stack.pop()
            settle_base(s, h)
            return
        s.stack[-1] = RoundAt(F_ROUND, h, step + 1, probe)
        s.stack.append(FireAt(F_FIRE, h, first if step == DEFENSIVE else 1 - first, probe))


# 9.2 Firing


def is_assault(s: State, h: Hex) -> bool:
    """8.6f whether the battle was declared an assault."""
    return bool(s.assaults >> h & 1)


def double_dice(s: State, h: Hex, u: int, probe: int) -> str:
    """9.21 the rule that gives a unit double dice, or "". Two such rules double only once (A21)."""
    if is_assault(s, h):
        return "4.3c"
    # 13.2a the Defender in a fortress, in defensive fire; not armour, and not if he starts the fight (13.2b)
    if s.board.fortress_mask >> h & 1 and s.board.cls[u] != ARMOUR and is_defending(s, h, s.board.side[u], probe):
        return "13.2a"
    return ""


def dice_of(s: State, h: Hex, u: int, probe: int) -> int:
    """9.2c one die per CV, or two with double dice (9.21b)."""
    return s.cv[u] * (2 if double_dice(s, h, u, probe) else 1)


# 9.3 Targeting

COMPULSORY = {ARMOUR: "9.3a", INFANTRY: "9.3b"}
"""Classes that must fire at their own kind, with the rule that says so; the others are free (9.3c)."""


class Aim(NamedTuple):
    """A unit of a class that looks for a target among the classes present; in a battle of this hex, for this side."""

    firing: int
    present: int
    hex: Hex = -1
    side: int = -1


def why_no_target(s: State, now: Aim, cls: int) -> Reason:
    if s.here[now.hex] & s.board.of_side[1 - now.side] & s.disrupted:
        text = Text("no undisrupted enemy {cls} here; disrupted units take no hits", cls=cls)
        return Reason("11.1d", text)
    return Reason("9.2b", Text("there is no enemy {cls} in {hex}", cls=cls, hex=now.hex))


AIMING: Bars[State, Aim] = Bars(
    Need("9.2b", why_no_target, lambda s, now: now.present),
    # a class that has been wiped out is not there any more, which frees the fire on the others (9.3f)
    Bar(
        "9.3a",
        lambda s, now, cls: Reason(
            COMPULSORY[now.firing], Text("{cls} must fire at enemy {cls} while there is any", cls=now.firing)
        ),
        lambda s, now: ALL ^ 1 << now.firing if now.firing in COMPULSORY and now.present >> now.firing & 1 else 0,
    ),
    # artillery stays protected from other classes until it is all that is left (9.3d, A33)
    Bar(
        "9.3d",
        "only artillery may fire at artillery while the enemy has anything else here",
        lambda s, now: 1 << ARTILLERY if now.firing != ARTILLERY and now.present != 1 << ARTILLERY else 0,
    ),
)
"""9.3 The classes that a class may fire at."""


def may_target(firing: int, present: int) -> tuple[int, ...]:
    """9.3 the classes that a class may fire at when the classes in the mask `present` are there."""
    return units_of(AIMING.free(15, cast(State, None), Aim(firing, present)))  # what lies on the table says no more


TARGETS = [[may_target(firing, present) for firing in range(4)] for present in range(16)]
"""By the classes present and the firing class."""


def classes_in(s: State, units: int) -> int:
    """The classes of some units, as a mask."""
    armour, infantry, antitank, artillery = s.board.of_class
    return (
        (1 << ARMOUR if units & armour else 0)
        | (1 << INFANTRY if units & infantry else 0)
        | (1 << ANTITANK if units & antitank else 0)
        | (1 << ARTILLERY if units & artillery else 0)
    )


def waiting_to_fire(s: State, h: Hex, side: int) -> int:
    """9.2a the units that may fire now: those that have not, and of them the artillery first."""
    units = battle_line(s, h, side) & ~s.fired
    return units & s.board.of_class[ARTILLERY] or units


SHOOTING: Bars[State, FireAt] = Bars(
    Need("9.2b", "{unit} is not yours to fire with", lambda s, f: s.board.of_side[f.side]),
    Need("9.0c", "{unit} is not in the battle in {hex}, which is finished first", lambda s, f: s.here[f.hex]),
    Bar("11.1c", "{unit} is disrupted and cannot fire", lambda s, f: s.disrupted),
    Bar("10.4d", "{unit} is leaving: only the rearguard fires", lambda s, f: s.retreating),
    Bar("9.0b", "{unit} has fired in this round", lambda s, f: s.fired),
    Need(
        "9.2a",
        "artillery fires before all other units, so {unit} has to wait",
        lambda s, f: waiting_to_fire(s, f.hex, f.side),
    ),
)


def shots(s: State, f: FireAt, now: FireAt) -> list[tuple[int, int]]:
    """9.2, 9.3 every shot that a side may announce now. Disrupted units are no targets (A54)."""
    targets = TARGETS[classes_in(s, battle_line(s, f.hex, 1 - f.side))]
    cls = s.board.cls
    return [(u, c) for u in units_of(waiting_to_fire(s, f.hex, f.side)) for c in targets[cls[u]]]


def why_no_shot(s: State, f: FireAt, now: FireAt, shot: Sequence[int]) -> Reason | None:
    """The rule against a shot: first against the unit, then against the class it would fire at."""
    u, cls = shot
    aim = Aim(s.board.cls[u], classes_in(s, battle_line(s, f.hex, 1 - f.side)), f.hex, f.side)
    return SHOOTING.why(u, s, f, {"unit": u, "hex": f.hex}) or AIMING.why(cls, s, aim, {"cls": cls})


def announce(s: State, f: FireAt, u: int, cls: int) -> None:
    """9.2b, 9.3e the shot is announced; then the dice fall."""
    worth = worth_of_hit(s, f.hex, 1 - f.side, s.board.cls[u], f.probe)
    s.stack.append(FireRollAt(F_FIRE_ROLL, f.hex, f.side, u, cls, dice_of(s, f.hex, u, f.probe), worth))


class Fire(Phase[State, FireAt, FireAt]):
    """9.2 One side's fire in a round, shot by shot, until all have fired or nobody is left to fire at.

    A last unit with a single target is not asked about.
    """

    at = FireAt
    does = (
        Listed(
            verbs.FIRE,
            of=shots,
            reason=why_no_shot,
            take=announce,
            odds=lambda s, f, a: fire_odds(s, f.hex, 1 - f.side, a[1], a[2], f.probe),
        ),
    )

    def actor(self, s: State, f: FireAt) -> int | None:
        units = waiting_to_fire(s, f.hex, f.side)
        if not units or not battle_line(s, f.hex, 1 - f.side):
            return None
        if units & (units - 1):
            return f.side
        return f.side if len(shots(s, f, f)) > 1 else None

    def run(self, s: State, f: FireAt) -> None:
        only = shots(s, f, f)
        if only:
            announce(s, f, *only[0])
            return
        for cls in range(len(CLASSES)):  # 9.5f the fire is over: the losses become final
            if s.hits[cls]:
                allot(s, f.hex, 1 - f.side, cls)
                if s.stack[-1] is not f:
                    return
        s.stack.pop()

    def prompt(self, s: State, f: FireAt) -> Prompt:
        defensive = f.side == fires_first(s, f.probe)
        if waiting_to_fire(s, f.hex, f.side) & s.board.of_class[ARTILLERY]:
            text = Text("Battle in {hex}: the artillery fires first", hex=f.hex)
        else:
            text = Text("Battle in {hex}", hex=f.hex)
        return Prompt(
            "Defensive fire: which unit fires at which class?"
            if defensive
            else "Offensive fire: which unit fires at which class?",
            text,
            ("9.1a" if defensive else "9.1b", "9.2b", "9.3"),
            "probe" if f.probe else "combat",
        )


# 9.4 Firepower

FIREPOWER = {
    1: ("6", "9.4b", term("single fire: hits on 6")),
    2: ("5-6", "9.4c", term("double fire: hits on 5 and 6")),
    3: ("4-6", "9.4d", term("triple fire: hits on 4, 5 and 6")),
}


def fire_odds(s: State, h: Hex, target: int, u: int, cls: int, probe: int) -> Odds:
    """The calculation of one shot at a class of side `target`, and the chance of each number of hits."""
    board = s.board
    faces = board.fire[board.cls[u]][cls]
    terms = [Term(str(s.cv[u]), "9.2c", "one die per CV")]
    doubled = double_dice(s, h, u, probe)
    if doubled:
        why = "double dice: assault" if doubled == "4.3c" else term("double dice: defensive fire in a fortress")
        terms.append(Term("×2", doubled, why))
    terms.append(Term(*FIREPOWER[faces]))
    if has_double_defence(s, h, target, probe):
        if board.cls[u] == ARTILLERY:
            terms.append(Term("1", "9.52b", "artillery ignores the minefield"))
        else:
            terms.append(Term("½", "9.52a", "minefield: each hit counts half"))
    here = aimed_at(s, h, target, cls)
    terms.append(Term(str(strength(s, here)), "9.5g", Text("CV of all enemy {cls} here", cls=CLASSES[cls])))
    if s.hits[cls]:
        terms.append(Term(f"{s.hits[cls] / 2:g}", "9.5f", "hits on them so far"))
    title = Text("{unit} fires at {cls}", unit=board.unit_names[u], cls=CLASSES[cls])
    return Odds(title, tuple(terms), in_words(dice_of(s, h, u, probe), faces))


class FireRoll(Throw[FireRollAt]):
    """9.4 The dice of one shot. Frame: hex, side, unit, class, dice, and a hit's worth in halves (A51)."""

    at = FireRollAt

    def throw(self, s: State, f: FireRollAt) -> tuple[int, int]:
        return f.dice, s.board.fire[s.board.cls[f.unit]][f.cls]

    def take(self, s: State, f: FireRollAt, action: Action) -> None:
        _, h, side, u, cls, dice, worth = f
        hits = action[1]
        s.stack.pop()
        s.fired |= 1 << u
        data = {"hex": h, "side": side, "unit": u, "cls": cls, "dice": dice, "hits": hits}
        if worth == HALF_HIT:
            data["half"] = 1
        emit(s, "fired", "9.2d", data, final=True)
        if not hits:
            return
        s.hits[cls] += hits * worth
        targets = aimed_at(s, h, 1 - side, cls)
        if s.hits[cls] >= FULL_HIT * strength(s, targets):  # 9.5g
            s.hits[cls] = 0
            wipe_out(s, targets, "9.5g")
            if not battle_line(s, h, 1 - side):  # 11.3b, A35: disrupted friends of the dead rout at once
                s.stack.append(RoutAt(F_ROUT, h, 1 - side, 0, s.stack[-1].probe))

    def prompt(self, s: State, f: FireRollAt) -> Prompt:
        faces = FIREPOWER[self.throw(s, f)[1]]
        text = Text("{dice}; {how}", dice=so_many_dice(f.dice), how=faces[2])
        return Prompt(Text("{unit} fires at {cls}", unit=f.unit, cls=f.cls), text, ("9.2c", faces[1]), "combat")


# What a round may bring


class Forecast(NamedTuple):
    """What each side brings to a combat round, and what it may expect to lose there, in CV."""

    force: tuple[float, float]
    loss: tuple[float, float]


UNKNOWN_CV = 2.5
"""What an unrevealed enemy block is taken for: infantry of middling strength."""


def forecast(s: State, h: Hex, viewer: int, probe: int = 0) -> Forecast:
    """What side `viewer` may expect of a combat round in a hex, from what it knows.

    An estimate: every unit fires at the class where it hits most often, hits beyond a class's
    strength are lost, and the side that fires second fires with what is left of it. Enemy blocks
    that are not revealed count as average infantry.
    """
    board = s.board
    known = board.of_side[viewer] | s.revealed
    lines = (battle_line(s, h, 0), battle_line(s, h, 1))
    force = [[0.0] * 4, [0.0] * 4]
    for side in (0, 1):
        for u in units_of(lines[side]):
            if known >> u & 1:
                force[side][board.cls[u]] += s.cv[u]
            else:
                force[side][INFANTRY] += UNKNOWN_CV
    before = (sum(force[0]), sum(force[1]))
    first = fires_first(s, probe)
    loss = [0.0, 0.0]
    for side in (first, 1 - first):
        loss[1 - side] = _expected_fire(s, h, side, force[side], force[1 - side], probe)
    return Forecast(before, (loss[0], loss[1]))


WHO_FIRES_WORDS = {
    (True, 0): "you fire first",
    (True, 1): "you fire second",
    (False, 0): "the enemy fires first",
    (False, 1): "the enemy fires second",
}


def forecast_odds(s: State, h: Hex, viewer: int, title: Said, probe: int = 0) -> Odds:
    """A forecast in the form of odds: strengths and average losses, the side that fires first in front."""
    look = forecast(s, h, viewer, probe)
    terms = []
    for side, rule, order in (
        (fires_first(s, probe), "10.41b" if probe else "9.1a", 0),
        (1 - fires_first(s, probe), "9.1b", 1),
    ):
        terms.append(Term(Text("{n} CV", n=look.force[side]), rule, WHO_FIRES_WORDS[side == viewer, order]))
        loss = Text("-{n} CV", n=f"{look.loss[side]:.1f}")
        terms.append(Term(loss, "9.5a", "average loss of this side (estimate)"))
    return Odds(title, tuple(terms))


def _expected_fire(s: State, h: Hex, side: int, own: list[float], enemy: list[float], probe: int) -> float:
    """The CV that one side's fire takes on average; takes it from `enemy`."""
    fire = s.board.fire
    assault = is_assault(s, h)
    walls = bool(s.board.fortress_mask >> h & 1) and is_defending(s, h, side, probe)
    mines = has_double_defence(s, h, 1 - side, probe)
    total = 0.0
    for cls in (ARTILLERY, ARMOUR, INFANTRY, ANTITANK):  # 9.2a
        present = sum(1 << c for c in range(4) if enemy[c] > 0)
        if not own[cls] or not present:
            continue
        dice = own[cls] * (2 if assault or (walls and cls != ARMOUR) else 1)
        each = dice / 6 / (2 if mines and cls != ARTILLERY else 1)
        target = max(TARGETS[present][cls], key=lambda c: min(enemy[c], each * fire[cls][c]))
        taken = min(enemy[target], each * fire[cls][target])
        enemy[target] -= taken
        total += taken
    return total


FRAMES: dict[int, Frame[State, Any]] = {
    F_ROUND: Round(),
    F_FIRE: Fire(),
    F_FIRE_ROLL: FireRoll(),
}
