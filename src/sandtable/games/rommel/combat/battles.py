"""8 Battle hexes: standing or avoiding battle (8.4), and which battles are fought (8.6).

How battles begin, and whose their hexsides are (8.1 to 8.3), stands in engagement.py.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.phases import Each, Once, Phase

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


ATTACKED: Bars[State, None] = Bars(
    Bar("8.2d", "your units in {hex} have chosen to stand", lambda s, _: s.to_fight),
    Bar("8.4b", "your units in {hex} were engaged before this movement phase", lambda s, _: battles(s) & ~s.attacked),
    Need("8.4a", "{hex} was not attacked", lambda s, _: undecided(s)),
)

AVOIDING: Bars[State, None] = Bars(
    ATTACKED,
    Doubt(  # 10.2a the whole group or nobody
        "10.2b",
        lambda s, _, h: Text(
            "the whole group must go, and {unit} cannot withdraw along a supply line (5.3)", unit=stuck(s, h)
        ),
        lambda s, _, h: stuck(s, h) >= 0,
    ),
)


def stand(s: State, f: AvoidAt, h: Hex) -> None:
    s.stack[-1] = AvoidAt(F_AVOID)
    _stand(s, h)


def avoid(s: State, f: AvoidAt, h: Hex) -> None:
    s.stack[-1] = AvoidAt(F_AVOID)
    s.stack.append(HexStepAt(F_AVOIDING, h, 0))


def _stand(s: State, h: Hex) -> None:
    """8.2d who stands must be fought."""
    s.to_fight |= 1 << h
    emit(s, "stood", "8.2c", {"hex": h, "side": 1 - s.active})


def battle_odds(s: State, h: Hex, viewer: int) -> Odds:
    return forecast_odds(s, h, viewer, Text("Battle in {hex}", hex=s.board.hex_name(h)))


class Avoid(Phase[State, AvoidAt, None]):
    """8.4 The Passive player decides, group by group in the order he likes, to stand or to avoid (A37).

    When no group can avoid battle, all of them stand.
    """

    at = AvoidAt
    does = (
        Each(verbs.STAND, bars=ATTACKED, take=stand, odds=lambda s, f, a: battle_odds(s, a[1], 1 - s.active)),
        Each(verbs.AVOID, bars=AVOIDING, take=avoid, odds=lambda s, f, a: pursuit_outlook(s, a[1], 1 - s.active)),
    )

    def actor(self, s: State, f: AvoidAt) -> int | None:
        return 1 - s.active if f.asked == 1 else None

    def run(self, s: State, f: AvoidAt) -> None:
        choices = self.legal(s, f)
        if choices and choices[-1][0] == verbs.AVOID:
            s.stack[-1] = AvoidAt(F_AVOID, 1)
            s.choices = choices
            return
        for _, h in choices:
            _stand(s, h)
        s.stack.pop()

    def now(self, s: State, f: AvoidAt) -> None:
        return None

    def prompt(self, s: State, f: AvoidAt) -> Prompt:
        text = Text(
            "Attacked: {hexes}. Who avoids battle suffers pursuit fire and is disrupted",
            hexes=hexes_of(undecided(s)),
        )
        return Prompt("Stand and fight, or avoid battle?", text, ("8.2c", "8.4a", "10.2a"), "avoid")


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


DECLARING: Bars[State, Mask] = Bars(
    Need("1.2d", "there is no battle in {hex}", lambda s, must: battles(s)),
    Bar("10.4e", "some of your units made a partial retreat from {hex} this turn", lambda s, must: s.no_fight),
)
"""Which battles the Active player can still say something about; those that must be fought are given."""

FIGHTING: Bars[State, Mask] = Bars(
    DECLARING,
    Bar("8.6f", "{hex} is declared an assault", lambda s, must: s.assaults),
    Bar("8.6b", "the battle in {hex} is fought anyway", lambda s, must: must & s.attacked),
    Bar("8.6c", "the battle in {hex} is fought anyway", lambda s, must: must),
    Bar("8.6e", "the battle in {hex} is already declared", lambda s, must: s.to_fight),
)

ASSAULTING: Bars[State, Mask] = Bars(
    DECLARING,
    Bar("4.3a", "only an Assault turn allows assaults", lambda s, must: ALL if s.option != ASSAULT else 0),  # 4.3b
    Bar("8.6f", "{hex} is declared an assault", lambda s, must: s.assaults),
    Bar("8.6e", "the battle in {hex} is already declared", lambda s, must: s.to_fight & ~must),
)


def fight(s: State, f: DeclareAt, h: Hex) -> None:
    s.to_fight |= 1 << h


def assault(s: State, f: DeclareAt, h: Hex) -> None:
    s.to_fight |= 1 << h
    s.assaults |= 1 << h


def all_declared(s: State, f: DeclareAt) -> None:
    _tell(s)
    s.stack.pop()


class Declare(Phase[State, DeclareAt, Mask]):
    """8.6e, 8.6f Before any battle is resolved the Active player says which are fought, and how.

    He is asked even where only an Assault turn would leave him a choice: not to be asked would tell the
    enemy that this is none.
    """

    at = DeclareAt
    does = (
        Each(verbs.FIGHT, bars=FIGHTING, take=fight, odds=lambda s, f, a: battle_odds(s, a[1], s.active)),
        Each(verbs.ASSAULT, bars=ASSAULTING, take=assault),
        Once(verbs.DECLARED, take=all_declared),
    )

    def actor(self, s: State, f: DeclareAt) -> int | None:
        return s.active if f.asked == 1 else None

    def run(self, s: State, f: DeclareAt) -> None:
        s.to_fight = compulsory(s, f.blitz)
        if optional(s, f.blitz) or (s.to_fight and not f.blitz):
            s.stack[-1] = DeclareAt(F_DECLARE, f.blitz, 1)
        else:
            all_declared(s, f)

    def now(self, s: State, f: DeclareAt) -> Mask:
        return compulsory(s, f.blitz)

    def prompt(self, s: State, f: DeclareAt) -> Prompt:
        must = hexes_of(compulsory(s, f.blitz))
        text = Text("Must be fought: {hexes}", hexes=must) if must else "No battle must be fought"
        return Prompt("Which battles are fought?", text, ("8.6e", "8.6f") if not f.blitz else ("8.6e",), "declare")


def _tell(s: State) -> None:
    """The battles that will be fought, told together before the first is resolved."""
    if s.to_fight:
        emit(s, "declared", "8.6e", {"side": s.active, "hexes": hexes_of(s.to_fight)})
    if s.assaults:
        emit(s, "assaults", "8.6f", {"side": s.active, "hexes": hexes_of(s.assaults)})


RESOLVING: Bars[State, None] = Bars(
    Need("1.2d", "there is no battle in {hex}", lambda s, _: battles(s)),
    Need("8.6e", "the battle in {hex} was not declared, or has been fought (9.0b)", lambda s, _: s.to_fight),
)


def resolve(s: State, f: BlitzAt, h: Hex) -> None:
    s.to_fight &= ~(1 << h)
    s.stack.append(RoundAt(F_ROUND, h, 0, 0))


class Battles(Phase[State, BlitzAt, None]):
    """9.0a The battles are resolved one at a time, in the order the Active player wishes."""

    at = BlitzAt
    does = (Each(verbs.RESOLVE, bars=RESOLVING, take=resolve),)

    def actor(self, s: State, f: BlitzAt) -> int | None:
        return s.active if s.to_fight & (s.to_fight - 1) else None

    def run(self, s: State, f: BlitzAt) -> None:
        if s.to_fight:
            resolve(s, f, s.to_fight.bit_length() - 1)
        else:
            s.fired = 0
            s.stack.pop()

    def now(self, s: State, f: BlitzAt) -> None:
        return None

    def prompt(self, s: State, f: BlitzAt) -> Prompt:
        text = Text("To be fought: {hexes}", hexes=hexes_of(s.to_fight))
        return Prompt("Which battle is resolved next?", text, ("9.0a",), "combat")


FRAMES: dict[int, Frame[State, Any]] = {
    F_AVOID: Avoid(),
    F_DECLARE: Declare(),
    F_BATTLES: Battles(),
}
