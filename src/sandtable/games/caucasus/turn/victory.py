"""19 Victory, and 21.2, 21.3 that of the tournament scenario: checked only in the Victory Determination Phase."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.contract import Outcome, Tally, verdict
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.telling import emit

from ..table.ids import AXIS, F_VICTORY
from ..table.scenarios import Condition, script
from ..table.state import State, controls, vp, vp_of


def par(s: State) -> int:
    """19.3a the victory points that the Axis must have by this turn; -1 before turn 6."""
    found: int = s.board.turns[s.turn]["par"] if s.turn else -1  # before the first turn there is none
    return found


def needed(s: State, condition: Condition) -> int:
    """19.2a, 21.2 the points that win; more if the Alpini Corps has entered play (4.2e)."""
    return condition.with_alpini if s.alpini_came else condition.value


BY_PAR = ("vp_at_least_par_plus", "vp_below_par")  # 19.3b, 19.3c


def holds(s: State, condition: Condition) -> bool:
    """Whether a condition of the scenario is met on this turn."""
    if s.turn < condition.from_turn:
        return False
    kind = condition.kind
    if kind in BY_PAR and s.turn == script(s).last_turn:  # 3.0e nothing is sudden any more: 19.2 or 21.2 decides
        return False
    if kind == "controls":  # 19.3d, A46
        return controls(s, condition.side, condition.hex)
    if kind == "vp_at_least_par_plus":  # 19.3b
        return vp(s) >= par(s) + condition.value
    if kind == "vp_below_par":  # 19.3c
        return vp(s) < par(s)
    if kind == "vp_at_least":  # 19.2a, 21.2, A45 only on the last turn
        return vp(s) >= needed(s, condition)
    if kind == "otherwise":  # 19.2b, 21.3
        return True
    raise ValueError(f"no rule says what the victory condition {kind!r} means")


# The level of victory, and the rule that gives it in the campaign and in the tournament.
LEVELS = {
    "controls": (term("sudden death: Rostov"), "19.3d", "19.3d"),
    "vp_at_least_par_plus": (term("sudden death"), "19.3b", "19.3b"),
    "vp_below_par": (term("sudden death: below par"), "19.3c", "21.3"),
    "vp_at_least": (term("victory"), "19.2a", "21.2"),
    "otherwise": (term("victory"), "19.2b", "21.3"),
}


# What each condition asks for, with what it asks and from which turn on.
ASKED_LINES = {
    "controls": term("{side} controls {hex}"),
    "vp_at_least_par_plus": term("The Axis is {points} points or more above par, from turn {turn} and before the last"),
    "vp_below_par": term("The Axis is below par, from turn {turn} and before the last"),
    "vp_at_least": term("Points of the Axis on turn {turn}: {points} or more"),
    "otherwise": term("None of these by the end of turn {turn}"),
}


def asked(s: State, condition: Condition) -> tuple[Said, Said]:
    """What a condition asks for, and how that stands."""
    points = needed(s, condition) if condition.kind == "vp_at_least" else condition.value
    facts = {"side": condition.side, "hex": condition.hex, "points": points, "turn": condition.from_turn}
    stands: Said = Text("{vp} (par {par})", vp=vp(s), par=par(s)) if condition.kind in BY_PAR and par(s) >= 0 else ""
    return Text.of(ASKED_LINES[condition.kind], facts), str(vp(s)) if condition.kind == "vp_at_least" else stands


def reckon(s: State) -> Iterator[Tally]:
    """19.1a the points place by place, and the conditions of the scenario in their order (19.3e, 3.0e)."""
    places = tuple(Tally("19.1a", Text("{hex}", hex=h), str(s.board.vp[h]), points=vp_of(s, h)) for h in s.board.vp)
    yield Tally("19.1a", "Victory points of the Axis", points=vp(s), parts=places)
    for condition in script(s).conditions:
        level, campaign, tournament = LEVELS[condition.kind]
        rule = tournament if s.scenario == "tournament" else campaign
        ends = Outcome(condition.winner, level, vp(s), rule)
        yield Tally(rule, *asked(s, condition), met=holds(s, condition), ends=ends)


class Victory(Frame[State]):
    """19.3e, 3.0e the first condition that is met ends the game; if none is met, play continues."""

    def run(self, s: State, f: F) -> None:
        s.stack.pop()
        s.ended = verdict(reckon(s))
        if s.ended is not None:
            facts = {"winner": s.ended.winner, "level": s.ended.level, "vp": vp(s), "turn": s.turn}
            emit(s, "game_over", s.ended.rule, facts, final=True)
            return
        emit(s, "victory_check", "19.3e", {"side": AXIS, "vp": vp(s), "par": par(s), "turn": s.turn})


FRAMES: dict[int, Frame[State]] = {F_VICTORY: Victory()}
