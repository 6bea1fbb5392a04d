"""7.2-7.4 The Reaction Phase of the other side: avoid combat, reaction movement, No Retreat."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.engine.texts.verbs import Verb
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import enemy, mask_of, units_of
from sandtable.mechanics.orders import Order
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.phases import Each, Linked, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.advance import go_forward
from ..combat.coordination import ABLE, HELPS, Helped, hqs_of
from ..combat.declared import why_asked
from ..movement.orders import way_hint, why_far, why_held
from ..movement.walking import set_out
from ..paths.moves import ends, held_back, off_limits, reaction_leg
from ..retreat.ways import Retreat, room_for_all, ways
from ..table import steps, verbs
from ..table.ids import FLOWN, GERMAN, PHASES
from ..table.position import builders, put, steps_left, units_in
from ..table.ratings import leads, rating
from ..table.stacking import room
from ..table.state import State
from ..table.steps import At, HexAt, ReactAt, RetreatAt, SideAt, UnitAt
from ..table.zones import zone
from .checks import (
    AVOID_KIND,
    REACT_KIND,
    RULES,
    STAND_KIND,
    avoid_odds,
    check_odds,
    check_rating,
    check_terms,
    interdictors,
    joined_odds,
    lead_odds,
    offered_odds,
    react_odds,
    stand_odds,
)
from .standing import ORDERS, PHASE, due, silent


def reacting(s: State) -> int:
    """3.11b the side whose Reaction Phase it is."""
    return enemy(s.active)


def targets(s: State) -> Mask:
    """The defending hexes (7.12)."""
    return sum(1 << h for h in s.aims)


# 7.2 avoid combat


def away(s: State, h: Hex) -> Retreat:
    """7.22b, 7.24 two hexes, not into another defending hex."""
    return Retreat(h, 2, 2, targets(s) & ~(1 << h))


def _all(s: State, kind: int) -> Mask:
    """The defending hexes in which all units are of a kind."""
    side = reacting(s)
    return sum(1 << h for h in s.aims if not units_in(s, h, side) & ~kind)


AVOID: Bars[State, None] = Bars(
    Need("7.21", "{hex} is not attacked", lambda s, now: targets(s)),
    Bar("7.22a", "the units in {hex} have tried already", lambda s, now: s.avoided),
    Need("7.21a", "not all units in {hex} have a red box", lambda s, now: _all(s, s.board.red)),
    Need("7.21b", "a unit in {hex} is out of supply or disrupted", lambda s, now: _all(s, ~(s.oos | s.disrupted))),
    Bar("11.23b", "a unit in {hex} builds a strongpoint and stays", lambda s, now: _sites(s)),
    Doubt("15.13b", "a unit in {hex} may not leave it", lambda s, now, h: _held(s, h)),
    Doubt("7.25", "a unit in {hex} has no way but through a vacant EZOC", lambda s, now, h: _cornered(s, h)),
    Doubt("8.82b", "there is no room for the whole stack of {hex}", lambda s, now, h: not _together(s, h)),
)


def _sites(s: State) -> Mask:
    """A89 where a builder stands: he does not leave of his own will."""
    return mask_of(s.builder) if s.edition > 1 else 0


def _held(s: State, h: Hex) -> bool:
    return any(held_back(s, u) is not None for u in units_of(units_in(s, h, reacting(s))))


def _cornered(s: State, h: Hex) -> bool:
    """7.25, A27 path first: everybody needs one."""
    how = away(s, h)
    return any(not ways(s, u, how).ends for u in units_of(units_in(s, h, reacting(s))))


def _together(s: State, h: Hex) -> bool:
    return s.edition < 4 or room_for_all(s, units_in(s, h, reacting(s)), away(s, h))  # 7.22b


def avoid(s: State, f: At, h: int) -> None:
    s.avoided |= 1 << h
    s.tried |= units_in(s, h, reacting(s))  # A28
    s.stack.append(HexAt(steps.AVOID_LEAD, h))


def end_step(s: State, f: Any) -> None:
    s.stack.pop()


def pass_phase(s: State, f: At) -> None:
    """Nothing more of the side's in this Reaction Phase."""
    ORDERS.give(s, Order(reacting(s), PHASE))
    s.stack.pop()


def begin_orders(s: State, f: At) -> None:
    s.stack.append(SideAt(steps.STANDING_ORDERS, reacting(s)))


ASIDE: tuple[Once[State, At, None], ...] = (
    Once(verbs.PASS_PHASE, take=pass_phase),
    Once(verbs.ORDERS, take=begin_orders),
)


def offers(s: State, f: At, action: Action) -> Odds | None:
    step: Any = FRAMES[f.frame]
    return offered_odds(s, step.asked, step.kind, step.legal(s, f))


class _Reaction(Phase[State, At, None]):
    """A step of the Reaction Phase: it is over when nothing can be done, or when standing orders answer for all."""

    at = At
    asked: Verb
    kind: int

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        choices, side = self.legal(s, f), reacting(s)
        if choices[0][0] != self.asked:
            return None
        if s.orders and silent(s, side, self.asked, choices):
            return None
        s.choices = choices
        return side

    def run(self, s: State, f: At) -> None:
        side = reacting(s)
        choices = self.legal(s, f) if ORDERS.standing(s, side) else []
        order = due(s, side, self.asked, choices)
        if order is not None:
            self.carry_out(s, f, order)
            return
        if choices and choices[0][0] == self.asked:
            emit(s, "passed_over", RULES[self.kind], {"side": side, "kind": self.kind})
        s.stack.pop()

    def carry_out(self, s: State, f: At, order: Order) -> None:
        """The order is done with. The best ER leads (3.42); Command Points are spent by the player alone (12.23a)."""
        side, h = reacting(s), s.at[order.unit]
        s.orders.remove(order)
        emit(s, "ordered", RULES[self.kind], {"side": side, "kind": self.kind, "hex": h})
        self.take(s, f, (int(self.asked), h))
        lead = max(units_of(leads(s, units_in(s, h, side))), key=lambda u: (rating(s, u), -u))
        s.stack[-1] = ReactAt(steps.HARASSING, self.kind, h, lead)


class Avoiding(_Reaction):
    """7.21 after all combats have been declared."""

    does = (
        Each(verbs.AVOID, of=lambda s, now: targets(s), bars=AVOID, take=avoid, odds=avoid_odds),
        Once(verbs.END_AVOIDING, take=end_step, odds=offers),
        *ASIDE,
    )
    asked, kind = verbs.AVOID, AVOID_KIND

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("A stack of red-box units may try to slip away: an ER check, then a retreat of 2 hexes")
        return Prompt("Avoid combat?", why_asked(s, text), ("7.21",), PHASES[s.phase])


# 7.4 No Retreat

STAND: Bars[State, None] = Bars(
    Need("7.41", "{hex} is not attacked", lambda s, now: targets(s)),
    Bar("7.41c", "No Retreat has been tried in {hex}", lambda s, now: s.stood),
    Need(
        "7.41b",
        "{hex} has neither a strongpoint nor a minefield of yours",
        lambda s, now: s.strongpoints[reacting(s)] | s.mines[reacting(s)],
    ),
    Doubt(
        "7.41a",
        "fewer than 2 steps stand in {hex}",
        lambda s, now, h: steps_left(s, units_in(s, h, reacting(s))) < s.board.charts.constants["no_retreat_min_steps"],
    ),
)


def stand(s: State, f: At, h: int) -> None:
    s.stood |= 1 << h
    s.stack.append(HexAt(steps.STAND_LEAD, h))


class Stands(_Reaction):
    """7.41 the defender may forbid the units of a hex to retreat."""

    does = (
        Each(verbs.STAND, of=lambda s, now: targets(s), bars=STAND, take=stand, odds=stand_odds),
        Once(verbs.END_STANDS, take=end_step, odds=offers),
        *ASIDE,
    )
    asked, kind = verbs.STAND, STAND_KIND

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("In strongpoints and minefields the defenders may be told to hold: an ER check")
        return Prompt("No Retreat?", why_asked(s, text), ("7.41",), PHASES[s.phase])


class Lead(Phase[State, HexAt, HexAt]):
    """3.42 the owner names who makes the check."""

    at = HexAt
    kind = AVOID_KIND
    does = (
        Each(
            verbs.LEAD,
            of=lambda s, f: leads(s, units_in(s, f.hex, reacting(s))),
            bars=Bars(
                Need("3.42", "{unit} cannot lead here", lambda s, f: leads(s, units_in(s, f.hex, reacting(s)))),
            ),
            take=lambda s, f, u: _attempt(s, AVOID_KIND if f.frame == steps.AVOID_LEAD else STAND_KIND, f.hex, u),
            odds=lead_odds,
        ),
    )

    def actor(self, s: State, f: HexAt) -> int | None:
        found = leads(s, units_in(s, f.hex, reacting(s)))
        return reacting(s) if found & (found - 1) else None

    def run(self, s: State, f: HexAt) -> None:
        self.take(s, f, self.legal(s, f)[0])

    def prompt(self, s: State, f: HexAt) -> Prompt:
        return Prompt("Choose the lead unit", "Its ER decides", ("3.42",), PHASES[s.phase])


# 7.3 reaction movement


def near_combat(s: State) -> int:
    """7.31, A29 the units within 2 hexes of a defending hex."""
    side = reacting(s)
    reach = s.board.charts.constants["reaction_distance"]
    hexes = 0
    for h in s.aims:
        hexes |= s.board.grid.within(h, reach)
    return sum(1 << u for u in units_of(s.on_map[side]) if hexes >> s.at[u] & 1)


def _in_ezoc(s: State) -> int:
    """7.31b units in an EZOC that may not react: all but Germans."""
    side, ezoc = reacting(s), zone(s, s.active)
    units = s.on_map[side] & ~s.board.of_nation[GERMAN]
    return sum(1 << u for u in units_of(units) if ezoc >> s.at[u] & 1)


def _attacked_units(s: State) -> int:
    found = 0
    for h in s.aims:
        found |= s.here.get(h, 0)
    return found


REACT: Bars[State, None] = Bars(
    Need("3.11a", "{unit} is not yours", lambda s, now: s.board.of_side[reacting(s)]),
    Need("7.31", "{unit} is not within 2 hexes of a defending hex", lambda s, now: near_combat(s)),
    Need("7.31a", "{unit} has no red box, or is a headquarters", lambda s, now: s.board.red & ~s.board.hqs),
    Bar("7.32", "{unit} has tried already", lambda s, now: s.tried),
    Bar("7.31e", "{unit} is in a defending hex", lambda s, now: _attacked_units(s)),
    Bar("7.31f", "{unit} is out of supply or disrupted", lambda s, now: s.oos | s.disrupted),
    Bar("7.31b", "{unit} is in an EZOC", lambda s, now: _in_ezoc(s)),
    Bar("11.23b", "{unit} builds a strongpoint and stays", lambda s, now: builders(s)),
    Doubt("15.13b", why_held, lambda s, now, u: held_back(s, u) is not None),
    Doubt("7.33a", "{unit} has nowhere to go", lambda s, now, u: not places(s, u)),
)


def places(s: State, u: int) -> Mask:
    """7.33, 7.34 where a reacting unit can go."""
    return _leg(s, u).everywhere() & ends(s, u)


def _leg(s: State, u: int) -> Leg:
    key = ("reaction", u)
    found: Leg | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = reaction_leg(s, u)
    return found


def react(s: State, f: At, u: int) -> None:
    s.tried |= 1 << u
    s.reacted |= 1 << u
    _attempt_in_phase(s, REACT_KIND, s.at[u], u)


class Reactions(_Reaction):
    """7.3 unit by unit, each after its own ER check."""

    does = (
        Each(verbs.REACT, of=lambda s, now: near_combat(s), bars=REACT, take=react, odds=react_odds),
        Once(verbs.END_REACTIONS, take=end_step, odds=offers),
        *ASIDE,
    )
    asked, kind = verbs.REACT, REACT_KIND

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("Red-box units within 2 hexes of a defending hex may move half their MA after an ER check")
        return Prompt("Reaction movement?", why_asked(s, text), ("7.3a",), PHASES[s.phase])


class Reacting(NamedTuple):
    """Where the reacting unit can go."""

    unit: int
    places: Mask


GO: Bars[State, Reacting] = Bars(
    Need("7.33a", lambda s, now, h: why_not_to(s, now.unit, h), lambda s, now: now.places),
)


def why_not_to(s: State, u: int, h: Hex) -> Reason:
    """7.33a, 6.15a, 6.01 what keeps a reacting unit from a hex."""
    side, leg = reacting(s), _leg(s, u)
    beside = s.board.grid.around(s.occ[s.active]) & ~s.occ[side] & ~s.occ[s.active]
    if beside >> h & 1 and h != s.at[u]:
        return Reason("7.33a", Text("{hex} is next to an enemy, and no unit of yours is there", hex=h))
    if leg.everywhere() >> h & 1:
        return Reason("6.15a", Text("{unit} may not leave the reach of supply of its own will", unit=u))
    return why_far(s, u, h, leg)


def go(s: State, f: UnitAt, h: int) -> None:
    way = _leg(s, f.unit).to(h)
    assert way is not None
    s.stack.pop()
    set_out(s, 1 << f.unit, way.path, way.cost, "7.3a")


def go_hint(s: State, f: UnitAt, action: Action) -> Hint | None:
    return way_hint(s, _leg(s, f.unit), action[1])


class ReactionMove(Phase[State, UnitAt, Reacting]):
    """7.34 it need not go towards the combat."""

    at = UnitAt
    does = (
        Each(verbs.TO, of=lambda s, now: now.places, bars=GO, take=go, odds=joined_odds, hint=go_hint),
        Once(verbs.STAY, take=end_step),
    )

    def now(self, s: State, f: UnitAt) -> Reacting:
        return Reacting(f.unit, places(s, f.unit))

    def actor(self, s: State, f: UnitAt) -> int | None:
        return reacting(s)

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        title = Text("{unit} reacts", unit=f.unit)
        return Prompt(title, "Choose where it goes, or let it stay", ("7.31", "7.33a"), PHASES[s.phase])


# The check


def _attempt(s: State, kind: int, h: Hex, lead: int) -> None:
    s.stack.pop()
    _attempt_in_phase(s, kind, h, lead)


def _attempt_in_phase(s: State, kind: int, h: Hex, lead: int) -> None:
    """7.22, 7.31c, 7.41c Command Points, then the enemy's interdiction, then the roll."""
    s.stack.append(ReactAt(steps.COMMANDING, kind, h, lead))


COMMAND: Bars[State, Helped] = Bars(ABLE, HELPS)


def command(s: State, f: ReactAt, u: int) -> None:
    s.spent |= 1 << u
    emit(s, "commands", "12.23a", {"unit": u, "points": s.board.cp[u], "check": -1})
    s.stack[-1] = f._replace(frame=steps.HARASSING, points=s.board.cp[u])


def no_command(s: State, f: ReactAt) -> None:
    s.stack[-1] = f._replace(frame=steps.HARASSING)


class Commanding(Phase[State, ReactAt, Helped]):
    """12.23a an HQ may spend its Command Points on one attempt."""

    at = ReactAt
    does = (
        Each(verbs.COMMAND, of=lambda s, now: now.near, bars=COMMAND, take=command, odds=check_odds),
        Once(verbs.NO_COMMAND, take=no_command, odds=check_odds),
    )

    def now(self, s: State, f: ReactAt) -> Helped:
        return Helped(reacting(s), f.lead, hqs_of(s, f.lead))

    def actor(self, s: State, f: ReactAt) -> int | None:
        return reacting(s) if hqs_of(s, f.lead) else None

    def run(self, s: State, f: ReactAt) -> None:
        no_command(s, f)

    def prompt(self, s: State, f: ReactAt) -> Prompt:
        title = Text("Command Points for {unit}?", unit=f.lead)
        text = Text("They are subtracted from the roll ({kind} in {hex})", kind=f.kind, hex=f.hex)
        return Prompt(title, text, ("12.23a",), PHASES[s.phase])


HARASS: Bars[State, ReactAt] = Bars(
    Need("10.35a", "{unit} does not wait in your Interdiction box", lambda s, f: interdictors(s)),
)


def harass(s: State, f: ReactAt, u: int) -> None:
    put(s, u, FLOWN)
    emit(s, "harassed", "10.36b", {"unit": u, "other": f.lead, "hex": f.hex})
    s.stack[-1] = f._replace(frame=steps.REACTION_CHECK, harassed=1)


def let_go(s: State, f: ReactAt) -> None:
    s.stack[-1] = f._replace(frame=steps.REACTION_CHECK)


class Harassing(Phase[State, ReactAt, ReactAt]):
    """10.36b the other side may add 1 to the roll of an avoid combat or reaction attempt."""

    at = ReactAt
    does = (
        Each(verbs.HARASS, of=lambda s, f: interdictors(s), bars=HARASS, take=harass, odds=check_odds),
        Once(verbs.LET_GO, take=let_go, odds=check_odds),
    )

    def actor(self, s: State, f: ReactAt) -> int | None:
        return s.active if f.kind != STAND_KIND and interdictors(s) else None

    def run(self, s: State, f: ReactAt) -> None:
        let_go(s, f)

    def prompt(self, s: State, f: ReactAt) -> Prompt:
        title = Text("Interdict {unit}?", unit=f.lead)
        text = Text("One air unit adds 1 to its roll ({kind} in {hex})", kind=f.kind, hex=f.hex)
        return Prompt(title, text, ("10.36b",), PHASES[s.phase])


class ReactionCheck(Dice[State, ReactAt]):
    """3.43 the roll, and what follows from it."""

    at = ReactAt

    def take(self, s: State, f: ReactAt, action: Action) -> None:
        s.stack.pop()
        er = check_rating(s, f)
        roll = action[1] + sum(term.value for term in check_terms(s, f))
        passed = roll <= er
        told = {"kind": f.kind, "unit": f.lead, "hex": f.hex, "face": action[1], "roll": roll, "er": er}
        emit(s, "reaction", RULES[f.kind], {**told, "passed": int(passed)}, final=True)
        if not passed:
            return
        if f.kind == AVOID_KIND:
            how = away(s, f.hex)
            units = s.here[f.hex]
            s.stack.append(HexAt(steps.AVOID_ADVANCE, f.hex))
            s.stack.append(RetreatAt(steps.RETREATS, reacting(s), units, f.hex, how.least, how.most, how.shun))
        elif f.kind == REACT_KIND:
            s.stack.append(UnitAt(steps.REACTION_MOVE, f.lead))
        else:  # 7.42
            s.no_retreat |= 1 << f.hex

    def prompt(self, s: State, f: ReactAt) -> Prompt:
        return Prompt(Text("ER check of {unit}", unit=f.lead), "", (RULES[f.kind],), PHASES[s.phase])


# 7.22c the attackers follow


class Following(NamedTuple):
    """A26 who goes after those who slipped away, and into which hex."""

    unit: int
    hex: Hex


def following(s: State, u: int) -> Following:
    return Following(u, HexAt(*s.stack[-1]).hex)


FOLLOWERS: Bars[State, Hex] = Bars(
    Need("7.22c", "{unit} cannot advance to {hex}", lambda s, h: s.aims.get(h, 0)),
    Bar("6.5e", "{unit} has an orange circle and does not advance", lambda s, _: s.board.orange),
    Bar("11.23b", "{unit} builds a strongpoint and stays", lambda s, _: builders(s) if s.edition > 1 else 0),
)
"""A26 units that had declared against the hex."""
VACATED: Bars[State, Following] = Bars(
    Need("7.22c", "{unit} cannot advance to {hex}", lambda s, on: 1 << on.hex),
    Bar("15.13d", "{unit} cannot advance to {hex}", lambda s, on: off_limits(s, on.unit) if s.edition > 1 else 0),
    Doubt("3.32a", "there is no room for {unit} in {hex}", lambda s, on, h: not room(s, h, s.active, 1 << on.unit)),
)


def follow(s: State, f: HexAt, u: int, h: int) -> None:
    s.aims[f.hex] &= ~(1 << u)
    s.attacked |= 1 << u
    go_forward(s, u, f.hex, f.hex, "7.22c")


def end_following(s: State, f: HexAt) -> None:
    """The combat that was declared against the hex does not take place."""
    s.stack.pop()
    s.attacked |= s.aims.pop(f.hex, 0)


FOLLOW: Linked[State, HexAt, Hex] = Linked(
    verbs.ADVANCE,
    first=FOLLOWERS,
    of=lambda s, h: s.aims.get(h, 0),
    second=VACATED,
    to=lambda s, u: 1 << following(s, u).hex,
    knows=following,
    take=follow,
)


class AvoidAdvance(Phase[State, HexAt, Hex]):
    """7.22c up to 9 stacking points may advance into the vacated hex."""

    at = HexAt
    does = (
        FOLLOW,
        Once(verbs.END_ADVANCE, take=end_following),
    )

    def now(self, s: State, f: HexAt) -> Hex:
        return f.hex

    def actor(self, s: State, f: HexAt) -> int | None:
        return s.active if FOLLOW.pairs(s, f.hex) else None

    def run(self, s: State, f: HexAt) -> None:
        end_following(s, f)

    def prompt(self, s: State, f: HexAt) -> Prompt:
        title = Text("The enemy has left {hex}", hex=f.hex)
        return Prompt(title, "Units that were to attack may advance into it", ("7.22c",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.AVOIDING: Avoiding(),
    steps.AVOID_LEAD: Lead(),
    steps.REACTIONS: Reactions(),
    steps.REACTION_MOVE: ReactionMove(),
    steps.STANDS: Stands(),
    steps.STAND_LEAD: Lead(),
    steps.COMMANDING: Commanding(),
    steps.HARASSING: Harassing(),
    steps.REACTION_CHECK: ReactionCheck(verbs.ROLL, 1, 10),
    steps.AVOID_ADVANCE: AvoidAdvance(),
}
