"""7.1 Declaration of combat, when all movement of the phase is done (A25)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.declared import attack_odds, in_short
from ..combat.strengths import may_attack
from ..paths.moves import enterable
from ..table import steps, verbs
from ..table.ids import PHASES
from ..table.state import State
from ..table.steps import At, HexAt


def declared(s: State) -> int:
    """The units that have a marker already."""
    found = 0
    for units in s.aims.values():
        found |= units
    return found


def able(s: State, h: Hex) -> int:
    """7.14, 7.15 the units next to a hex that could attack it, as far as terrain and strength go."""
    board = s.board
    near = 0
    for _, n in board.grid.neighbours[h]:
        near |= s.here.get(n, 0)
    near &= board.of_side[s.active] & board.combat & ~declared(s)
    found = 0
    for u in units_of(near):
        if board.attack[u][s.step[u]] and enterable(s, u, s.at[u], h):
            found |= 1 << u
    return found


def strong(s: State, h: Hex) -> int:
    """7.14b of these, those whose stack comes to a strength of 1 or more."""
    units = able(s, h)
    found = 0
    for origin in {s.at[u] for u in units_of(units)}:
        stack = units & s.here[origin]
        if may_attack(s, stack, h):
            found |= stack
    return found


def targets(s: State) -> Mask:
    """7.11a the enemy hexes that somebody could attack."""
    side = s.active
    near = s.occ[enemy(side)] & s.board.grid.around(s.fighting[side])
    return sum(1 << h for h in hexes_of(near) if h not in s.aims and strong(s, h))


DECLARE: Bars[State, None] = Bars(
    Need("7.11a", "no enemy stands in {hex}", lambda s, now: s.occ[enemy(s.active)]),
    Bar("8.14", "the attack on {hex} is declared already", lambda s, now: sum(1 << h for h in s.aims)),
    Doubt("7.15", lambda s, now, h: why_unattacked(s, h), lambda s, now, h: not strong(s, h)),
)


def why_unattacked(s: State, h: Hex) -> Reason:
    """7.11a, 7.14, 7.15 why nobody can attack a hex."""
    near = _beside(s, h) & s.board.of_side[s.active] & s.board.combat
    if not near:
        return Reason("7.11a", Text("no combat unit of yours is next to {hex}", hex=h))
    if not near & ~declared(s):
        return Reason("8.13", Text("all your units next to {hex} attack elsewhere", hex=h))
    near &= ~declared(s)
    if not any(s.board.attack[u][s.step[u]] for u in units_of(near)):
        return Reason("7.14a", Text("your units next to {hex} have no attack strength", hex=h))
    if able(s, h):
        return Reason("7.14b", Text("your units next to {hex} come to less than 1", hex=h))
    return Reason("7.15", Text("no unit of yours could enter {hex} from where it stands", hex=h))


def declare(s: State, f: At, h: int) -> None:
    s.aims[h] = 0
    s.stack.append(HexAt(steps.DECLARING, h))


def odds_of_all(s: State, f: At, action: Action) -> Odds:
    """What the attack would be with everybody who can take part: the player may leave some of them out."""
    return attack_odds(s, action[1], attackers=strong(s, action[1]))


def end_declarations(s: State, f: At) -> None:
    s.stack.pop()


class Declarations(Phase[State, At, None]):
    """7.11 which enemy hexes are attacked; there is no duty to attack (8.15a)."""

    at = At
    does = (
        Each(verbs.DECLARE, of=lambda s, now: targets(s), bars=DECLARE, take=declare, odds=odds_of_all),
        Once(verbs.END_DECLARATIONS, take=end_declarations),
        Elsewhere("7.11a", "movement is over", verbs.MOVE, verbs.END_MOVES),
    )

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        return s.active if targets(s) else None

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("Choose an enemy hex to attack; what is declared must be fought")
        return Prompt("Declaration of combat", text, ("7.11a", "8.15a"), PHASES[s.phase])


# One attack


def candidates(s: State, f: HexAt) -> int:
    """Who could still be declared: those whose stack is strong enough, with what has been declared from its hex."""
    units = able(s, f.hex)
    chosen = s.aims[f.hex]
    found = 0
    for origin in {s.at[u] for u in units_of(units)}:
        stack = units & s.here[origin]
        if may_attack(s, stack | chosen & s.here[origin], f.hex):
            found |= stack
    return found


ATTACK_WITH: Bars[State, HexAt] = Bars(
    Need("3.11a", "{unit} is not yours", lambda s, f: s.board.of_side[s.active]),
    Bar("8.13", "{unit} is declared for an attack already", lambda s, f: declared(s)),
    Need("2.24", "{unit} is not a combat unit: it cannot attack", lambda s, f: s.board.combat),
    Need("7.11a", "{unit} is not next to the hex", lambda s, f: _beside(s, f.hex)),
    Doubt("7.14a", "{unit} has no attack strength", lambda s, f, u: s.board.attack[u][s.step[u]] == 0),
    Doubt(
        "7.15",
        "{unit} could not enter the hex from where it stands, so it cannot attack it",
        lambda s, f, u: not enterable(s, u, s.at[u], f.hex),
    ),
    Doubt("7.14b", "{unit} and its stack come to less than 1", lambda s, f, u: not candidates(s, f) >> u & 1),
)


def _beside(s: State, h: Hex) -> int:
    found = 0
    for _, n in s.board.grid.neighbours[h]:
        found |= s.here.get(n, 0)
    return found


def attack_with(s: State, f: HexAt, u: int) -> None:
    s.aims[f.hex] |= 1 << u


def finish(s: State, f: HexAt) -> None:
    """7.12b, 7.16a the markers lie."""
    s.stack.pop()
    emit(s, "declared", "7.12b", {"hex": f.hex, "side": s.active, "attackers": list(units_of(s.aims[f.hex]))})


def too_weak(s: State, f: HexAt) -> Reason | None:
    """7.14b every stack that has declared must come to 1 or more."""
    chosen = s.aims[f.hex]
    if not chosen:
        return Reason("7.11a", "nobody attacks yet")
    for origin in {s.at[u] for u in units_of(chosen)}:
        if not may_attack(s, chosen & s.here[origin], f.hex):
            return Reason("7.14b", Text("the stack in {hex} comes to less than 1", hex=origin))
    return None


def declared_odds(s: State, f: HexAt, action: Action) -> Odds | None:
    return in_short(s, f.hex) if s.aims[f.hex] else None


class Declaring(Phase[State, HexAt, HexAt]):
    """7.11b which units attack the hex; units of one stack may attack different hexes."""

    at = HexAt
    does = (
        Each(verbs.ATTACK_WITH, of=candidates, bars=ATTACK_WITH, take=attack_with),
        Once(verbs.DECLARED, take=finish, shut=too_weak, odds=declared_odds),
    )

    def actor(self, s: State, f: HexAt) -> int | None:
        return s.active if candidates(s, f) else None

    def run(self, s: State, f: HexAt) -> None:
        finish(s, f)

    def prompt(self, s: State, f: HexAt) -> Prompt:
        title = Text("Attack on {hex}", hex=f.hex)
        return Prompt(title, "Choose the units that attack", ("7.11a", "7.14a", "7.15"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.DECLARATIONS: Declarations(),
    steps.DECLARING: Declaring(),
}
