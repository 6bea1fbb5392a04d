"""8.3b, 8.3c What both sides declare before the die: attack supply, artillery support, air support; attacker first."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.actions import Codec
from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars
from sandtable.mechanics.fights.odds import column_name
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Each, Offered, Once

from ..supply import support
from ..supply.support import (
    BY_SP,
    BY_UNIT,
    FLIPS,
    OVERWHELMING,
    PAID,
    PAYS,
    SHIFT,
    covered,
    fire,
    fly,
    places_of,
    storm_hexes,
)
from ..table.frames import SupportAt
from ..table.ids import BREAKTHROUGH, COMBAT, F_ATTACK_SUPPLY, F_SUPPORT, NO_ASSET, PHASES, TAG_ALONG
from ..table.state import State
from ..table.verbs import V_AIR, V_ARTILLERY, V_ARTILLERY_SP, V_NO_ARTILLERY, V_NO_SUPPLY, V_SUPPLY_ASU, V_SUPPLY_SP
from .panel import fight_odds, supply_in_reach
from .results import AUTO, HIGHEST, LOWEST
from .strengths import Help, Reckoning, outcome, reckon

GUNS, AIR = 0, 1  # the steps of F_SUPPORT


def declare(s: State) -> None:
    """8.3b, 8.3c who declares what, the attacker first; 15.2.8a in breakthrough combat only attack supply, 8.9.1b and
    8.5.3a nothing at all for an Auto DS. Attack supply is the last that the attacker declares: whoever comes to 10:1 by
    his shifts uses none."""
    us, them = (
        [SupportAt(F_SUPPORT, side, AIR), SupportAt(F_SUPPORT, side, GUNS)] for side in (s.active, enemy(s.active))
    )
    if s.fight.kind == COMBAT:
        s.stack += [*them, (F_ATTACK_SUPPLY,), *us] if s.edition > 1 else [*them, *us, (F_ATTACK_SUPPLY,)]
    elif s.fight.kind == BREAKTHROUGH:
        s.stack.append((F_ATTACK_SUPPLY,))


def ways_to_pay(s: State) -> tuple[bool, ...]:
    """Whether the attack has attack supply: known, or still to be asked."""
    if (F_ATTACK_SUPPLY,) not in s.stack[-4:]:
        return (s.fight.supplied == PAID,)
    return (True, False) if supply_in_reach(s, s.fight.attackers) else (False,)


def help_of(s: State) -> Help:
    """The shifts that have been declared so far."""
    fight = s.fight
    return Help(int(fight.guns_att > 0), int(fight.air_att > 0), int(fight.guns_def > 0), int(fight.air_def > 0))


def odds_of(s: State, supplied: bool) -> Reckoning:
    """8.3 the odds of the fight as declared so far."""
    return reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, supplied, help_of(s))


def standing(s: State, paid: bool, more: int = 0) -> int:
    """The column of the fight as declared so far, with more shifts to come, as the table will read it (8.8.3)."""
    best = odds_of(s, True).column + more
    if best >= AUTO:
        return AUTO
    return max(LOWEST, min(HIGHEST, best if paid else odds_of(s, False).column + more))


# 9.4, 18.7.4 What a side can still declare


def guns_for(s: State, side: int) -> support.Help:
    """17.3 whom artillery of a side would help: its units that take part, in their hexes."""
    if side == s.active:
        return support.Help(side, places_of(s, s.fight.attackers), s.fight.attackers)
    return support.Help(side, 1 << s.fight.target, s.fight.defenders & s.board.combat)


def guns_of(s: State, side: int) -> list[Action]:
    return support.gun_actions(s, *guns_for(s, side))


def aircraft_of(s: State, side: int) -> list[int]:
    return support.air_assets(s, side, s.fight.target, guns_for(s, side).units)


def answers(s: State, side: int, from_step: int = GUNS) -> int:
    """How many columns a side could still shift by artillery (not after its step is over) and by air."""
    return int(from_step == GUNS and bool(guns_of(s, side))) + int(bool(aircraft_of(s, side)))


# 8.5 Attack supply


def supply_hexes(s: State) -> Mask:
    """8.5.1d, 8.5.3b where the attackers stand; in breakthrough combat, where they stood at first too."""
    units = s.fight.attackers
    return storm_hexes(s, units) if s.fight.kind == BREAKTHROUGH else places_of(s, units)


def supplied_already(s: State) -> bool:
    """8.5.1c by a source that was spent earlier in the phase."""
    return bool(s.supplies) and covered(s, supply_hexes(s), s.fight.attackers)


def supply_is_of_use(s: State) -> bool:
    """8.5.1a ten points or more, or a tank shift; or units that may need it in a breakthrough combat (15.2.8b).

    At 10:1 none is needed (8.5.3a), unless the defender can still bring the odds down. A breakthrough combat has the
    supply of the first attack, and can have any of its own only after 10:1 odds (15.2.8b).
    """
    fight, of = s.fight, odds_of(s, True)
    breaking = fight.kind == BREAKTHROUGH
    if fight.supplied == PAID or (breaking and fight.supplied != OVERWHELMING):
        return False
    if of.column >= AUTO and (breaking or of.column - answers(s, enemy(s.active)) >= AUTO):
        return False
    needed = of.brought >= s.board.general["attack_supply_needed_from"] or of.tank_shift > 0
    return needed or (not breaking and supply_is_of_use_later(s))


def supply_is_of_use_later(s: State) -> bool:
    """15.2.8b a breakthrough combat has no attack supply if the first attack had none: whether those who could fight
    it have tanks or ten points, though the first attack uses neither. 27.3.1b some may only tag along."""
    board, units = s.board, s.fight.attackers
    if s.flags & TAG_ALONG:
        for h in hexes_in(places_of(s, units)):
            units |= s.here[h] & board.of_side[s.active] & board.combat & ~(s.attacked | s.auto | s.advanced)
    units &= ~s.oos  # 16.4c
    strength = sum([board.att[u][s.step[u]] for u in units_of(units)])
    return bool(units & board.tanks) or strength >= int(board.general["attack_supply_needed_from"])


def pay(s: State, action: Action) -> None:
    s.stack.pop()
    support.spend(s, action)
    s.fight.supplied = PAID


def do_without(s: State, f: F) -> None:
    """Nothing is spent: what a source gives that was spent before (8.5.1c) still counts."""
    s.stack.pop()
    if supplied_already(s):
        s.fight.supplied = PAID
    elif s.fight.supplied != PAID:
        s.fight.supplied = 0


def supply_odds(s: State, f: F, action: Action) -> Odds:
    paid, asked = action[0] != V_NO_SUPPLY, ("supply" if s.edition > 1 and s.fight.kind == COMBAT else "", "")
    return fight_odds(s, s.fight.kind, s.fight.target, s.fight.attackers, paid, help_of(s), toggle=asked)


class AttackSupply(Offered[State, F, support.Help]):
    """8.5 Attack supply for this attack (8.5.1g), if it has any use and there is a source in range."""

    does = (
        Each(V_SUPPLY_SP, bars=BY_SP, take=lambda s, f, h: pay(s, (V_SUPPLY_SP, h)), odds=supply_odds),
        Each(V_SUPPLY_ASU, bars=BY_UNIT, take=lambda s, f, u: pay(s, (V_SUPPLY_ASU, u)), odds=supply_odds),
        Once(V_NO_SUPPLY, take=do_without, odds=supply_odds),
    )

    def now(self, s: State, f: F) -> support.Help:
        return support.Help(s.active, supply_hexes(s), s.fight.attackers)

    def of_use(self, s: State, f: F) -> bool:
        return supply_is_of_use(s) and not supplied_already(s)

    def prompt(self, s: State, f: F) -> Prompt:
        with_, without = (column_name(odds_of(s, paid).column) for paid in (True, False))
        text = Text("{odds} with it, {odds2} without", odds=with_, odds2=without)
        return Prompt("Attack supply?", text, ("8.5.1a", "8.5.1b", "8.5.1e"), PHASES[s.phase])


# 9.4, 18.7.4 Support


class Backing(NamedTuple):
    """Which question it is, artillery or aircraft, and whom they would help."""

    step: int
    of: support.Help


NOT_NOW = Reason("8.3b", term("artillery is declared first, then aircraft"))


def in_turn(step: int, bars: Bars[State, support.Help]) -> Bars[State, Backing]:
    """8.3b artillery or aircraft, when it is their turn."""
    late: Bar[State, Backing] = Bar("8.3b", lambda s, now, _: NOT_NOW, lambda s, now: 0 if now.step == step else ALL)
    return Bars(late, bars.asked_of(lambda now: now.of))


def shift_of(s: State, f: SupportAt) -> str:
    """What is being declared, as a field of Help and of the fight."""
    return ("guns" if f.step == GUNS else "air") + ("_att" if f.side == s.active else "_def")


def fires(s: State, f: SupportAt, action: Action) -> None:
    s.stack.pop()
    fire(s, action, "9.4.1c")
    setattr(s.fight, shift_of(s, f), 1 << action[1])


def flies(s: State, f: SupportAt, asset: int) -> None:
    s.stack.pop()
    if asset != NO_ASSET:
        fly(s, f.side, asset, "18.7.4a")
        setattr(s.fight, shift_of(s, f), asset + 1)


def passes(s: State, f: SupportAt) -> None:
    s.stack.pop()


class Support(Offered[State, SupportAt, Backing]):
    """9.4.1, 18.7.4 One artillery shift and one air shift for a side. Frame: side, step (guns, then air).

    Passed over if there is nothing to choose, or if it could change nothing.
    """

    at = SupportAt
    does = (
        Each(V_ARTILLERY, bars=in_turn(GUNS, FLIPS[SHIFT]), take=lambda s, f, u: fires(s, f, (V_ARTILLERY, u))),
        Each(V_ARTILLERY_SP, bars=in_turn(GUNS, PAYS[SHIFT]), take=lambda s, f, u: fires(s, f, (V_ARTILLERY_SP, u))),
        Once(V_NO_ARTILLERY, take=passes, shut=lambda s, now: None if now.step == GUNS else NOT_NOW),
        Each(V_AIR, bars=in_turn(AIR, support.AIR[SHIFT]), take=flies, facts=lambda s, _: {"hex": s.fight.target}),
    )

    def bind(self, codec: Codec) -> None:
        super().bind(codec)
        self._notation = codec.text

    def now(self, s: State, f: SupportAt) -> Backing:
        helped = guns_for(s, f.side)
        return Backing(f.step, helped if f.step == GUNS else helped._replace(hexes=1 << s.fight.target))

    def of_use(self, s: State, f: SupportAt) -> bool:
        """Whether the column on which the die is read can depend on it."""
        mine = answers(s, f.side, f.step)
        less, more = (-answers(s, enemy(f.side)), mine) if f.side == s.active else (-mine, 0)
        return any(standing(s, paid, less) != standing(s, paid, more) for paid in ways_to_pay(s))

    def prompt(self, s: State, f: SupportAt) -> Prompt:
        fight = s.fight
        ways = [outcome(s, fight.kind, fight.target, fight.attackers, paid, help_of(s)) for paid in ways_to_pay(s)]
        odds = [column_name(of.column) for of in ways]
        text = Text("{odds} against {hex} so far", odds=odds[0], hex=fight.target)
        if odds[0] != odds[-1]:
            with_ = term("{odds} against {hex} so far with attack supply, {odds2} without: that is asked last")
            text = Text(with_, odds=odds[0], odds2=odds[1], hex=fight.target)
        if f.step == GUNS:
            mine, theirs = term("Artillery for the attack on {hex}?"), term("Artillery for the defence of {hex}?")
            rules = ("9.4.1a", "9.4.1c")
        else:
            mine, theirs = term("Air support for the attack on {hex}?"), term("Air support for the defence of {hex}?")
            rules = ("18.7.4a", "18.7.3")
        return Prompt(Text(mine if f.side == s.active else theirs, hex=fight.target), text, rules, PHASES[s.phase])

    def odds(self, s: State, f: SupportAt, action: Action) -> Odds | None:
        """The fight with this declared, and the action that would have it the other way round."""
        used, fight = action[0] != V_NO_ARTILLERY and action != (V_AIR, NO_ASSET), s.fight
        field = shift_of(s, f)
        ways = ways_to_pay(s)
        help_, paid = help_of(s)._replace(**{field: int(used)}), ways[0] if len(ways) == 1 else None
        other = self._notation(self.legal(s, f)[-1 if used else 0])
        return fight_odds(s, fight.kind, fight.target, fight.attackers, paid, help_, toggle=(field, other))


FRAMES: dict[int, Frame[State, Any]] = {F_ATTACK_SUPPLY: AttackSupply(), F_SUPPORT: Support()}
