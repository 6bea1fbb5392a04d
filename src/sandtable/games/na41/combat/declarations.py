"""8.3b, 8.3c What both sides declare before the die: attack supply, artillery support, air support; attacker first."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.fights.odds import column_name
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..supply.support import (
    OVERWHELMING,
    PAID,
    air_assets,
    covered,
    fire,
    fly,
    gun_actions,
    places_of,
    spend,
    supply_actions,
    why_no_air,
    why_no_guns,
    why_no_supply,
)
from ..table.frames import SupportAt
from ..table.ids import ASSETS, BREAKTHROUGH, COMBAT, F_ATTACK_SUPPLY, F_SUPPORT, NO_ASSET, PHASES, TAG_ALONG
from ..table.state import State
from ..table.verbs import V_AIR, V_ARTILLERY, V_ARTILLERY_SP, V_NO_ARTILLERY, V_NO_SUPPLY, V_SUPPLY_ASU, V_SUPPLY_SP
from .panel import fight_odds
from .results import AUTO, HIGHEST, LOWEST
from .strengths import Help, outcome, reckon

GUNS, AIR = 0, 1  # the steps of F_SUPPORT


def declare(s: State) -> None:
    """8.3b, 8.3c who declares what, the attacker first; 15.2.8a in breakthrough combat only attack supply, 8.9.1b and
    8.5.3a nothing at all for an Auto DS."""
    if s.fight.kind == COMBAT:
        for side in (enemy(s.active), s.active):
            s.stack += [SupportAt(F_SUPPORT, side, AIR), SupportAt(F_SUPPORT, side, GUNS)]
    if s.fight.kind in (COMBAT, BREAKTHROUGH):
        s.stack.append((F_ATTACK_SUPPLY,))


def help_of(s: State) -> Help:
    """The shifts that have been declared so far."""
    return Help(
        int(s.fight.guns_att > 0), int(s.fight.air_att > 0), int(s.fight.guns_def > 0), int(s.fight.air_def > 0)
    )


def standing(s: State, more: int = 0) -> int:
    """The column of the fight as declared so far, with more shifts to come, as the table will read it (8.8.3)."""
    best = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, True, help_of(s)).column + more
    if best >= AUTO:
        return AUTO
    if s.fight.supplied != PAID:
        best = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, False, help_of(s)).column + more
    return max(LOWEST, min(HIGHEST, best))


# 9.4, 18.7.4 What a side can still declare


def participants(s: State, side: int) -> int:
    """The units of a side that take part."""
    return s.fight.attackers if side == s.active else s.fight.defenders & s.board.combat


def field_of(s: State, side: int) -> Mask:
    """17.3 the hexes of a side's units that take part."""
    return places_of(s, s.fight.attackers) if side == s.active else 1 << s.fight.target


def guns_of(s: State, side: int) -> list[Action]:
    return gun_actions(s, side, field_of(s, side), participants(s, side))


def aircraft_of(s: State, side: int) -> list[int]:
    return air_assets(s, side, s.fight.target, participants(s, side))


def answers(s: State, side: int, from_step: int = GUNS) -> int:
    """How many columns a side could still shift by artillery (not after its step is over) and by air."""
    return int(from_step == GUNS and bool(guns_of(s, side))) + int(bool(aircraft_of(s, side)))


# 8.5 Attack supply


class AttackSupply(Frame[State]):
    """8.5 Attack supply for this attack (8.5.1g), if it has any use and there is a source in range."""

    def hexes(self, s: State) -> Mask:
        """8.5.1d, 8.5.3b where the attackers stand; in breakthrough combat, where they stood at first."""
        return s.fought_from if s.fight.kind == BREAKTHROUGH else places_of(s, s.fight.attackers)

    def choices(self, s: State) -> list[Action]:
        if s.fight.supplied == PAID or not self.useful(s):
            return []
        if s.fight.kind == BREAKTHROUGH and s.fight.supplied != OVERWHELMING:  # 15.2.8b
            return []
        return supply_actions(s, self.hexes(s), s.fight.attackers)

    def useful(self, s: State) -> bool:
        """8.5.1a ten points or more, or a tank shift; or units that may need it in a breakthrough combat (15.2.8b).

        At 10:1 none is needed (8.5.3a), unless the defender can still bring the odds down.
        """
        of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers)
        needed = of.brought >= s.board.general["attack_supply_needed_from"] or of.tank_shift > 0
        if of.column >= AUTO and (s.fight.kind == BREAKTHROUGH or of.column - answers(s, enemy(s.active)) >= AUTO):
            return False
        return needed or (s.fight.kind == COMBAT and self.useful_later(s))

    def useful_later(self, s: State) -> bool:
        """15.2.8b a breakthrough combat has no attack supply if the first attack had none: whether those who could
        fight it have tanks or ten points, though the first attack uses neither. 27.3.1b some may only tag along.
        """
        board = s.board
        units = s.fight.attackers
        if s.flags & TAG_ALONG:
            for h in hexes_in(places_of(s, s.fight.attackers)):
                units |= s.here[h] & board.of_side[s.active] & board.combat & ~(s.attacked | s.auto | s.advanced)
        units &= ~s.oos  # 16.4c
        strength = sum([board.att[u][s.step[u]] for u in units_of(units)])
        return bool(units & board.tanks) or strength >= int(board.general["attack_supply_needed_from"])

    def actor(self, s: State, f: F) -> int | None:
        if s.fight.supplied != PAID and s.supplies and covered(s, self.hexes(s), s.fight.attackers):
            return None
        choices = self.choices(s)
        if not choices:
            return None
        s.choices = [*choices, (V_NO_SUPPLY,)]
        return s.active

    def run(self, s: State, f: F) -> None:
        s.stack.pop()
        if s.supplies and covered(s, self.hexes(s), s.fight.attackers):  # 8.5.1c
            s.fight.supplied = PAID
        elif s.fight.supplied != PAID:
            s.fight.supplied = 0

    def legal(self, s: State, f: F) -> list[Action]:
        return [*self.choices(s), (V_NO_SUPPLY,)]

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        s.fight.supplied = 0
        if action[0] != V_NO_SUPPLY:
            spend(s, action)
            s.fight.supplied = PAID

    def prompt(self, s: State, f: F) -> Prompt:
        with_, without = (reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, paid) for paid in (True, False))
        text = Text(
            "{odds} with it, {odds2} without", odds=column_name(with_.column), odds2=column_name(without.column)
        )
        return Prompt("Attack supply?", text, ("8.5.1a", "8.5.1b", "8.5.1e"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] in (V_SUPPLY_SP, V_SUPPLY_ASU):
            return why_no_supply(s, action, self.hexes(s), s.fight.attackers)
        return None

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        return fight_odds(s, s.fight.kind, s.fight.target, s.fight.attackers, action[0] != V_NO_SUPPLY)


# 9.4, 18.7.4 Support


class Support(Frame[State, SupportAt]):
    """9.4.1, 18.7.4 One artillery shift and one air shift for a side. Frame: side, step (guns, then air).

    Passed over if there is nothing to choose, or if it could change nothing.
    """

    at = SupportAt

    def choices(self, s: State, f: SupportAt) -> list[Action]:
        side, step = f.side, f.step
        found: list[Action]
        if step == GUNS:
            found = guns_of(s, side)
        else:
            found = [(V_AIR, asset) for asset in aircraft_of(s, side)]
        return found if found and self.useful(s, side, step) else []

    def useful(self, s: State, side: int, step: int) -> bool:
        """Whether the column on which the die is read can depend on it."""
        mine = answers(s, side, step)
        if side != s.active:
            return standing(s, -mine) != standing(s)
        theirs = answers(s, enemy(side))
        return standing(s, -theirs) != standing(s, mine)

    def actor(self, s: State, f: SupportAt) -> int | None:
        choices = self.choices(s, f)
        if not choices:
            return None
        s.choices = [*choices, self.neither(f)]
        return f.side

    def run(self, s: State, f: SupportAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: SupportAt) -> list[Action]:
        return [*self.choices(s, f), self.neither(f)]

    def neither(self, f: SupportAt) -> Action:
        """Doing without."""
        return (V_NO_ARTILLERY,) if f.step == GUNS else (V_AIR, NO_ASSET)

    def take(self, s: State, f: SupportAt, action: Action) -> None:
        s.stack.pop()
        attacking = f.side == s.active
        if action[0] in (V_ARTILLERY, V_ARTILLERY_SP):
            fire(s, action, "9.4.1c")
            if attacking:
                s.fight.guns_att = 1 << action[1]
            else:
                s.fight.guns_def = 1 << action[1]
        elif action[0] == V_AIR and action[1] != NO_ASSET:
            fly(s, f.side, action[1], "18.7.4a")
            if attacking:
                s.fight.air_att = action[1] + 1
            else:
                s.fight.air_def = action[1] + 1

    def prompt(self, s: State, f: SupportAt) -> Prompt:
        of = outcome(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.supplied == PAID, help_of(s))
        hex_, attacks = s.board.hex_name(s.fight.target), f.side == s.active
        text = Text("{odds} against {hex} so far", odds=column_name(of.column), hex=s.board.hex_name(s.fight.target))
        if f.step == GUNS:
            mine, theirs = term("Artillery for the attack on {hex}?"), term("Artillery for the defence of {hex}?")
            rules = ("9.4.1a", "9.4.1c")
        else:
            mine, theirs = term("Air support for the attack on {hex}?"), term("Air support for the defence of {hex}?")
            rules = ("18.7.4a", "18.7.3")
        title = Text(mine if attacks else theirs, hex=hex_)
        return Prompt(title, text, rules, PHASES[s.phase])

    def why_not(self, s: State, f: SupportAt, action: Action) -> Reason | None:
        side = f.side
        if action[0] in (V_ARTILLERY, V_ARTILLERY_SP) and f.step == GUNS:
            return why_no_guns(s, side, action, participants(s, side))
        if action[0] == V_AIR and f.step == AIR and action[1] != NO_ASSET:
            return why_no_air(s, side, action[1], s.fight.target, participants(s, side))
        return None

    def odds(self, s: State, f: SupportAt, action: Action) -> Odds | None:
        used = action[0] in (V_ARTILLERY, V_ARTILLERY_SP) or (action[0] == V_AIR and action[1] != NO_ASSET)
        field = ("guns" if f.step == GUNS else "air") + ("_att" if f.side == s.active else "_def")
        help_ = help_of(s)._replace(**{field: int(used)})
        other = self.words(s, self.legal(s, f)[-1 if used else 0])
        paid = s.fight.supplied == PAID
        return fight_odds(s, s.fight.kind, s.fight.target, s.fight.attackers, paid, help_, toggle=(field, other))

    def words(self, s: State, action: Action) -> str:
        """An action in its notation."""
        if action[0] == V_AIR:
            return f"air {ASSETS[action[1]]}"
        if action[0] == V_NO_ARTILLERY:
            return "no-artillery"
        return f"{'artillery' if action[0] == V_ARTILLERY else 'artillery-sp'} {s.board.units[action[1]]}"


FRAMES: dict[int, Frame[State, Any]] = {F_ATTACK_SUPPLY: AttackSupply(), F_SUPPORT: Support()}
