"""8 Battle hexes: standing or avoiding battle (8.4), and which battles are fought (8.6).

How battles begin, and whose their hexsides are (8.1 to 8.3), stands in engagement.py.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask, hexes_of

from ..table import verbs
from ..table.ids import (
    ASSAULT,
    F_AVOID,
    F_AVOIDING,
    F_BATTLES,
    F_DECLARE,
    F_ROUND,
)
from ..table.state import State, battles, emit
from ..table.steps import AvoidAt, BlitzAt, DeclareAt, HexStepAt, RoundAt
from .combat import forecast_odds
from .retreats import pursuit_outlook, stuck

# 8.2c, 8.4 Stand or avoid battle


def undecided(s: State) -> Mask:
    """8.4a hexes attacked in this phase whose undisrupted units have neither stood nor gone.

    Units that were engaged before are not among them (8.4b). A hex that stands is to be fought for
    (8.2d), which is how it is remembered.
    """
    return s.attacked & s.firm[1 - s.active] & battles(s) & ~s.to_fight


def able_to_avoid(s: State) -> Mask:
    """10.2a, 10.2b undecided hexes whose whole group can withdraw."""
    able = 0
    for h in hexes_of(undecided(s)):
        if stuck(s, h) < 0:
            able |= 1 << h
    return able


class Avoid(Frame[State, AvoidAt]):
    """8.4 The Passive player decides, group by group in the order he likes, to stand or to avoid (A37).

    Frame: 1 while he has something to decide. When no group can avoid battle, all of them stand.
    """

    at = AvoidAt

    def actor(self, s: State, f: AvoidAt) -> int | None:
        return 1 - s.active if f.asked == 1 else None

    def run(self, s: State, f: AvoidAt) -> None:
        able = able_to_avoid(s)
        if able:
            s.stack[-1] = AvoidAt(F_AVOID, 1)
            s.choices = _avoid_choices(s, able)
            return
        for h in hexes_of(undecided(s)):
            _stand(s, h)
        s.stack.pop()

    def legal(self, s: State, f: AvoidAt) -> list[Action]:
        return _avoid_choices(s, able_to_avoid(s))

    def take(self, s: State, f: AvoidAt, action: Action) -> None:
        h = action[1]
        s.stack[-1] = AvoidAt(F_AVOID)
        if action[0] == verbs.STAND:
            _stand(s, h)
        else:
            s.stack.append(HexStepAt(F_AVOIDING, h, 0))

    def prompt(self, s: State, f: AvoidAt) -> Prompt:
        places = ", ".join(s.board.hex_name(h) for h in hexes_of(undecided(s)))
        text = f"Attacked: {places}. Who avoids battle suffers pursuit fire and is disrupted"
        return Prompt("Stand and fight, or avoid battle?", text, ("8.2c", "8.4a", "10.2a"), "avoid")

    def odds(self, s: State, f: AvoidAt, action: Action) -> Odds | None:
        h = action[1]
        if action[0] == verbs.AVOID:
            return pursuit_outlook(s, h, 1 - s.active)
        return forecast_odds(s, h, 1 - s.active, f"Battle in {s.board.hex_name(h)}")

    def why_not(self, s: State, f: AvoidAt, action: Action) -> Reason | None:
        if action[0] not in (verbs.STAND, verbs.AVOID):
            return None
        h = action[1]
        b = 1 << h
        name = s.board.hex_name(h)
        if not undecided(s) & b:
            if s.to_fight & b:
                return Reason("8.2d", f"your units in {name} have chosen to stand")
            if battles(s) & b and not s.attacked & b:
                return Reason("8.4b", f"your units in {name} were engaged before this movement phase")
            return Reason("8.4a", f"{name} was not attacked")
        u = stuck(s, h)
        return Reason(
            "10.2b",
            f"the whole group must go, and {s.board.unit_names[u]} cannot withdraw along a supply line (5.3)",
        )


def _avoid_choices(s: State, able: Mask) -> list[Action]:
    stand: list[Action] = [(verbs.STAND, h) for h in hexes_of(undecided(s))]
    return stand + [(verbs.AVOID, h) for h in hexes_of(able)]


def _stand(s: State, h: int) -> None:
    """8.2d who stands must be fought."""
    s.to_fight |= 1 << h
    emit(s, "stood", "8.2c", {"hex": h, "side": 1 - s.active})


# 8.6 Fighting battles


def compulsory(s: State, blitz: int) -> Mask:
    """8.6b to 8.6d battles that must be fought: the first after an attack, and the Attacker's at fortresses.

    A partial retreat from the hex forbids even these (10.4e, A10).
    """
    must = s.attacked
    if not blitz:  # 8.6d, 13.2d
        must |= s.board.fortress_mask & s.defends[1 - s.active]  # 8.6c, 13.2c
    return must & battles(s) & ~s.no_fight


def optional(s: State, blitz: int) -> Mask:
    """8.6a battles that may be fought or left alone."""
    return battles(s) & ~(compulsory(s, blitz) | s.no_fight)


class Declare(Frame[State, DeclareAt]):
    """8.6e, 8.6f Before any battle is resolved the Active player says which are fought, and how.

    Frame: blitz, and 1 once the compulsory battles are marked. He is asked even where only an Assault
    turn would leave him a choice: not to be asked would tell the enemy that this is none.
    """

    at = DeclareAt

    def actor(self, s: State, f: DeclareAt) -> int | None:
        return s.active if f.asked == 1 else None

    def run(self, s: State, f: DeclareAt) -> None:
        blitz = f.blitz
        s.to_fight = compulsory(s, blitz)
        if optional(s, blitz) or (s.to_fight and not blitz):
            s.stack[-1] = DeclareAt(F_DECLARE, blitz, 1)
        else:
            _tell(s)
            s.stack.pop()

    def legal(self, s: State, f: DeclareAt) -> list[Action]:
        blitz = f.blitz
        free = optional(s, blitz) & ~s.to_fight
        out: list[Action] = [(verbs.FIGHT, h) for h in hexes_of(free)]
        if s.option == ASSAULT:  # 4.3b
            out += [(verbs.ASSAULT, h) for h in hexes_of(free | compulsory(s, blitz) & ~s.assaults)]
        out.append((verbs.DECLARED,))
        return out

    def take(self, s: State, f: DeclareAt, action: Action) -> None:
        if action[0] == verbs.DECLARED:
            _tell(s)
            s.stack.pop()
            return
        b = 1 << action[1]
        s.to_fight |= b
        if action[0] == verbs.ASSAULT:
            s.assaults |= b

    def prompt(self, s: State, f: DeclareAt) -> Prompt:
        must = ", ".join(s.board.hex_name(h) for h in hexes_of(compulsory(s, f.blitz)))
        text = f"Must be fought: {must}" if must else "No battle must be fought"
        return Prompt("Which battles are fought?", text, ("8.6e", "8.6f") if not f.blitz else ("8.6e",), "declare")

    def odds(self, s: State, f: DeclareAt, action: Action) -> Odds | None:
        if action[0] != verbs.FIGHT:
            return None
        return forecast_odds(s, action[1], s.active, f"Battle in {s.board.hex_name(action[1])}")

    def why_not(self, s: State, f: DeclareAt, action: Action) -> Reason | None:
        if action[0] not in (verbs.FIGHT, verbs.ASSAULT):
            return None
        h = action[1]
        b = 1 << h
        name = s.board.hex_name(h)
        if not battles(s) & b:
            return Reason("1.2d", f"there is no battle in {name}")
        if s.no_fight & b:
            return Reason("10.4e", f"some of your units made a partial retreat from {name} this turn")
        if action[0] == verbs.ASSAULT and s.option != ASSAULT:
            return Reason("4.3a", "only an Assault turn allows assaults")
        if s.assaults & b:
            return Reason("8.6f", f"{name} is declared an assault")
        if compulsory(s, f.blitz) & b:
            return Reason("8.6b" if s.attacked & b else "8.6c", f"the battle in {name} is fought anyway")
        return Reason("8.6e", f"the battle in {name} is already declared")


def _tell(s: State) -> None:
    """The battles that will be fought, told together before the first is resolved."""
    if s.to_fight:
        emit(s, "declared", "8.6e", {"side": s.active, "hexes": hexes_of(s.to_fight)})
    if s.assaults:
        emit(s, "assaults", "8.6f", {"side": s.active, "hexes": hexes_of(s.assaults)})


class Battles(Frame[State, BlitzAt]):
    """9.0a The battles are resolved one at a time, in the order the Active player wishes. Frame: blitz."""

    at = BlitzAt

    def actor(self, s: State, f: BlitzAt) -> int | None:
        return s.active if s.to_fight & (s.to_fight - 1) else None

    def run(self, s: State, f: BlitzAt) -> None:
        if s.to_fight:
            self.take(s, f, (verbs.RESOLVE, s.to_fight.bit_length() - 1))
        else:
            s.fired = 0
            s.stack.pop()

    def legal(self, s: State, f: BlitzAt) -> list[Action]:
        return [(verbs.RESOLVE, h) for h in hexes_of(s.to_fight)]

    def take(self, s: State, f: BlitzAt, action: Action) -> None:
        h = action[1]
        s.to_fight &= ~(1 << h)
        s.stack.append(RoundAt(F_ROUND, h, 0, 0))

    def prompt(self, s: State, f: BlitzAt) -> Prompt:
        places = ", ".join(s.board.hex_name(h) for h in hexes_of(s.to_fight))
        return Prompt("Which battle is resolved next?", f"To be fought: {places}", ("9.0a",), "combat")

    def why_not(self, s: State, f: BlitzAt, action: Action) -> Reason | None:
        if action[0] != verbs.RESOLVE:
            return None
        name = s.board.hex_name(action[1])
        if not battles(s) >> action[1] & 1:
            return Reason("1.2d", f"there is no battle in {name}")
        return Reason("8.6e", f"the battle in {name} was not declared, or has been fought (9.0b)")


FRAMES: dict[int, Frame[State, Any]] = {
    F_AVOID: Avoid(),
    F_DECLARE: Declare(),
    F_BATTLES: Battles(),
}
