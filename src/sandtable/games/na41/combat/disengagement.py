"""27.5 Disengagement (optional): the phasing player's units retreat by themselves in his Combat Phase."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import pinned, why_pinned
from ..retreat import retreats
from ..retreat.search import DISENGAGING, way_exists
from ..table.frames import DisengageAt, LossAt
from ..table.ids import DISENGAGEMENT, F_DISENGAGE, F_LOSS, PHASES
from ..table.position import touch, units_in
from ..table.state import State
from ..table.verbs import V_COMMIT, V_DONE, V_FLEE, V_JOIN, V_ROLLED
from ..table.zones import beside_any
from .losses import DISENGAGING as STEP
from .strengths import is_elite, is_low

GATHER, ROLL, GO, AWAY, ORDER = range(5)  # the steps of F_DISENGAGE

# 27.5.3 Who may


def quick(s: State, u: int) -> bool:
    """27.5.3a an MA of 2 or more."""
    return bool(s.board.ma[u][s.step[u]] >= s.board.general["disengage_min_ma"])


ROLLING: Bars[State, Any] = Bars(
    Bar("27.5.1", "the game is played without disengagement", lambda s, _: 0 if s.flags & DISENGAGEMENT else ALL),
    Need("27.5.1", "{unit} is not yours", lambda s, _: s.board.of_side[s.active]),
    Need("27.5.3a", "{unit} is not beside an enemy unit", lambda s, _: in_touch(s)),
    Bar("27.5.3b", "{unit} has attacked in this turn", lambda s, _: s.attacked | s.auto),
    Bar("27.5.3d", "{unit} has rolled to disengage in this phase", lambda s, _: s.disengaged),
    Bar("19.5c", "{unit} has a replacement marker", lambda s, _: s.refreshed),
    Bar("13.3.3", "{unit} is in Full Retreat already", lambda s, _: s.routed),
    Bar("27.5.3a", "{unit} is under a transport marker", lambda s, _: s.shipped),
    Bar("17.1.2c", lambda s, _, u: why_pinned(s, u), lambda s, _: pinned(s)),
    Doubt("27.5.3a", "{unit} has not the MA of 2 that it takes", lambda s, _, u: not quick(s, u)),
    Doubt(
        "27.5.4c",
        "{unit} has nowhere to go: not into an EZOC without a friendly unit in it",
        lambda s, _, u: not way_exists(s, u, DISENGAGING, s.at[u], 1 << u),
    ),
)
"""27.5.3 who may roll to disengage."""


def in_touch(s: State) -> int:
    """27.5.3a the units of the active side that stand beside an enemy unit."""
    near, found = s.occ[s.active] & beside_any(s, enemy(s.active)), 0
    for h in hexes_in(near):
        found |= s.here[h]
    return found & s.board.of_side[s.active]


def candidates(s: State) -> int:
    """27.5.3a everybody who may roll now and would have somewhere to go (27.5.4c)."""
    if not s.flags & DISENGAGEMENT:
        return 0
    key = ("disengage", s.attacked, s.disengaged, s.auto)
    found: int | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = ROLLING.free(in_touch(s), s, None)
    return found


def begin(s: State, u: int) -> None:
    """27.5.3d a unit rolls, alone or with others of its hex."""
    s.group = 1 << u
    s.stack.append(DisengageAt(F_DISENGAGE, GATHER))


# 27.5.2 The roll


def drm(s: State, units: int) -> list[Term]:
    """27.5.2b what modifies the die: the positive ones only if every unit qualifies."""
    by: Mapping[str, int] = s.board.pack.tables["disengagement"]["drm"]
    found: list[Term] = []
    if not units & ~s.board.mech:
        found.append(Term(signed(by["mechanised"]), "27.5.2b", "all mechanised"))
    if all(is_elite(s, u) for u in units_of(units)):
        found.append(Term(signed(by["elite"]), "27.5.2b", "all elite"))
    if any(is_low(s, u) for u in units_of(units)):
        found.append(Term(signed(by["low"]), "27.5.2b", "a unit of low quality"))
    return found


def total(s: State, units: int) -> int:
    return sum(int(str(term.value)) for term in drm(s, units))


NO, MINUS_STEP, YES = range(3)
ANSWERS = ("no", "yes, minus 1 step", "yes")


def answer(s: State, die: int) -> int:
    """27.5.2a the table, the die modified and kept within 1 and 6."""
    table: Mapping[str, Any] = s.board.pack.tables["disengagement"]
    low, high = table["clamp"]
    die = max(low, min(high, die))
    if die in table["no"]:
        return NO
    return MINUS_STEP if die in table["yes_minus_one_step"] else YES


def odds(s: State, units: int) -> Odds:
    """The chance of each line of the table."""
    chances = {text: Fraction(0) for text in ANSWERS}
    for die in range(1, 7):
        chances[ANSWERS[answer(s, die + total(s, units))]] += Fraction(1, 6)
    return Odds("Disengagement", tuple(drm(s, units)), tuple((text, p) for text, p in chances.items() if p))


# 27.5.3d, 27.5.4 What comes of it


def place_of(s: State) -> Hex:
    return s.at[s.group.bit_length() - 1]


def mates(s: State) -> int:
    """27.5.3d the others of the stack."""
    return units_in(s, place_of(s), s.active) & ~s.group


def undecided(s: State) -> int:
    """27.5.4b the Good Order units that came away: Disrupted or in Full Retreat, as their owner likes."""
    units = s.group & s.board.combat & ~(s.disrupted | s.routed)
    return sum([1 << u for u in units_of(units) if s.at[u] >= 0])


HAVE_ROLLED, NOT_YET = term("they have rolled"), term("they have not rolled yet")

JOINING: Bars[State, DisengageAt] = Bars(
    Bar("27.5.3d", HAVE_ROLLED, lambda s, f: 0 if f.step == GATHER else ALL),
    Need("27.5.3d", "{unit} is no other unit of this stack", lambda s, f: mates(s)),
    ROLLING,
)
FLEEING: Bars[State, DisengageAt] = Bars(
    Bar("27.5.2a", NOT_YET, lambda s, f: ALL if f.step == GATHER else 0),
    Need("27.5.4b", "{unit} did not come away in Good Order", lambda s, f: undecided(s)),
)


def joins(s: State, f: DisengageAt, u: int) -> None:
    s.group |= 1 << u


def settle(s: State, f: DisengageAt) -> None:
    """27.5.3b these units roll, and neither attack nor roll again in this phase."""
    s.disengaged |= s.group
    touch(s)
    s.stack[-1] = DisengageAt(F_DISENGAGE, ROLL)


def rolled(s: State, die: int) -> None:
    """27.5.4a no; 27.5.4b yes; 27.5.4d yes with the loss of a step, which comes first."""
    modifier = total(s, s.group)
    found = answer(s, die + modifier)
    data = {"units": list(units_of(s.group)), "hex": place_of(s), "side": s.active, "die": die, "drm": modifier}
    emit(s, "disengagement", "27.5.2a", {**data, "answer": ANSWERS[found]}, final=True)
    if found == NO:
        over(s)
        return
    s.stack[-1] = DisengageAt(F_DISENGAGE, GO)
    if found == MINUS_STEP:
        s.stack.append(LossAt(F_LOSS, s.active, s.active, STEP))


def flees(s: State, f: DisengageAt, u: int) -> None:
    retreats.worsen(s, u, 2, "27.5.4b")


def others_stay(s: State, f: DisengageAt) -> None:
    for u in units_of(undecided(s)):
        retreats.worsen(s, u, 1, "27.5.4b")
    over(s)


def over(s: State) -> None:
    s.group = 0
    s.stack.pop()


def gather_odds(s: State, f: DisengageAt, action: Action) -> Odds:
    return odds(s, s.group | (1 << action[1] if action[0] == V_JOIN else 0))


class Disengage(Phase[State, DisengageAt, DisengageAt], OneDie[State, DisengageAt]):
    """27.5 Who rolls together, the die, the retreat, and the order of those who came away. Frame: step."""

    at = DisengageAt
    does = (
        Each(
            V_JOIN,
            worked=lambda s, f: mates(s) & candidates(s) if f.step == GATHER else 0,
            bars=JOINING,
            take=joins,
            odds=gather_odds,
        ),
        Each(V_FLEE, bars=FLEEING, take=flees),
        Once(
            V_COMMIT,
            take=settle,
            shut=lambda s, f: None if f.step == GATHER else Reason("27.5.3d", HAVE_ROLLED),
            odds=gather_odds,
        ),
        Once(V_DONE, take=others_stay, shut=lambda s, f: Reason("27.5.2a", NOT_YET) if f.step == GATHER else None),
    )

    def actor(self, s: State, f: DisengageAt) -> int | None:
        if f.step == ROLL:
            return CHANCE
        asked = mates(s) & candidates(s) if f.step == GATHER else f.step == ORDER and undecided(s)
        return s.active if asked else None

    def run(self, s: State, f: DisengageAt) -> None:
        if f.step == GATHER:
            settle(s, f)
        elif f.step == GO and s.group:
            s.stack[-1] = DisengageAt(F_DISENGAGE, AWAY)
            retreats.begin(s, s.group, place_of(s), DISENGAGING)
        elif f.step == AWAY:
            s.stack[-1] = DisengageAt(F_DISENGAGE, ORDER)
            for u in units_of(s.group & s.disrupted):  # 27.5.4b compulsory
                retreats.worsen(s, u, 2, "27.5.4b")
        else:
            over(s)

    def legal(self, s: State, f: DisengageAt) -> list[Action]:
        return OneDie.legal(self, s, f) if f.step == ROLL else super().legal(s, f)

    def take(self, s: State, f: DisengageAt, action: Action) -> None:
        if f.step == ROLL:
            rolled(s, action[1])
        else:
            super().take(s, f, action)

    def prompt(self, s: State, f: DisengageAt) -> Prompt:
        names = ", ".join(s.board.unit_names[u] for u in units_of(s.group))
        if f.step == GATHER:
            text = Text("{units}; one roll for all of them", units=names)
            return Prompt("Who rolls to disengage together?", text, ("27.5.3d", "27.5.2b"), PHASES[s.phase])
        if f.step == ROLL:
            needs = term("{units}: 4 with the loss of a step, 5 and 6; {signed} to the die")
            text = Text(needs, units=names, signed=signed(total(s, s.group)))
            return Prompt("Do they disengage?", text, ("27.5.2a", "27.5.2b"), PHASES[s.phase])
        return Prompt("Who goes into Full Retreat?", "The others are Disrupted", ("27.5.4b",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_DISENGAGE: Disengage(V_ROLLED)}
