"""3 The sequence of play, and 4 the turn options.

A month is a Buildup, the initiative decision and alternating player turns (3.1); a player turn is
the list of parts below, in this order and no other (3.4a).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.phases import Once, Pairs, Phase

from .supply.fortresses import captures
from .table import verbs
from .table.ids import (
    ASSAULT,
    BASIC,
    BLITZ,
    F_AVOID,
    F_BATTLES,
    F_BUILDUP,
    F_CHALLENGE,
    F_DECLARE,
    F_ENGAGED,
    F_LEAVE,
    F_MARCH,
    F_MONTH,
    F_MOVES,
    F_OPTION,
    F_SUPPLY_CHECK,
    F_TURN,
    F_VICTORY,
    FINAL,
    INITIAL,
    OFFENSIVE,
    OPTIONS,
    PASS,
)
from .table.scenarios import Script, script
from .table.state import State, emit
from .table.steps import (
    BLITZ_PARTS,
    PART_FINAL,
    AvoidAt,
    Bare,
    BlitzAt,
    BuildupAt,
    DeclareAt,
    EngagedAt,
    MarchAt,
    MonthAt,
    MovesAt,
    SupplyCheckAt,
    TurnAt,
    VictoryAt,
)

CHOICE = (BASIC, OFFENSIVE, ASSAULT, BLITZ)
OPTION_RULES = ("4.1", "4.2a", "4.3a", "4.4a", "4.5a")


class Month(Frame[State, MonthAt]):
    """3.1 One month: Buildup, initiative, player turns until both pass in succession (4.5d)."""

    at = MonthAt

    def run(self, s: State, f: MonthAt) -> None:
        play: Script = script(s)
        step = f.step
        if step == 0:  # 3.2 the Buildup opens the month, except the first (3.2b; Gazala 16.0b)
            s.stack[-1] = MonthAt(F_MONTH, 1)
            s.passed = 0
            if s.month >= play.first_month or play.buildup_in_first_month:
                s.stack.append(BuildupAt(F_BUILDUP, 0))
            else:
                s.month = play.first_month
        elif step == 1:  # 3.3 the initiative
            s.stack[-1] = MonthAt(F_MONTH, 2)
            s.first = play.first_player if s.month == play.first_month else 0
            emit(s, "month", "3.1a", {"month": s.month, "name": play.months[s.month - 1]})
            if s.month >= play.first_challenge_month:
                s.stack.append(Bare(F_CHALLENGE))
        elif step == 2:  # 3.4 the first player turn
            s.stack[-1] = MonthAt(F_MONTH, 3)
            s.active = s.first
            # 11.2d whoever routed in the Buildup has seen no enemy turn yet if his side begins
            s.fresh = s.disrupted & s.board.of_side[s.first]
            s.stack.append(TurnAt(F_TURN, 0))
        elif s.passed < 2:  # the other player's turn
            s.active = 1 - s.active
            s.stack.append(TurnAt(F_TURN, 0))
        elif s.month >= play.last_month:  # 17.0a
            s.stack[-1] = VictoryAt(F_VICTORY)
        else:
            emit(s, "month_over", "4.5d", {"month": s.month, "name": play.months[s.month - 1]})
            s.stack[-1] = MonthAt(F_MONTH, 0)


def begin_turn(s: State) -> None:
    """What the last player turn left behind is cleared."""
    s.option = -1
    s.moved = 0
    s.disengaged = 0
    s.rommel_used = 0
    s.no_fight = 0
    s.fired = 0
    s.to_fight = 0
    s.assaults = 0
    emit(s, "turn", "3.4b", {"side": s.active})


def begin_phase(s: State) -> None:
    """A movement phase begins: hexside limits count anew (7.1a, A4)."""
    n = len(s.plan)
    s.entered = [0] * 12
    s.attacked = 0
    s.overrun = 0
    s.leaving = 0
    s.retreating = 0
    s.plan = [-1] * n
    s.start = [-1] * n
    s.moved_far = bytearray(n)
    s.marching = 0
    s.march_order = bytearray(n)
    s.mines_touched = 0


# The parts of a player turn (3.4a). A part is the frame it pushes; None marks a step done here.
PART_SUPPLY = 0
PART_OPTION = 1
PART_MOVE = 2
PART_LEAVE = 3
PART_MARCH = 4
PART_AVOID = 5
PART_ENGAGED = 6
PART_DECLARE = 7
PART_BATTLES = 8
PART_BLITZ = 9
PART_SHOW = PART_FINAL + 1


class Turn(Frame[State, TurnAt]):
    """3.4 One player turn, part by part."""

    at = TurnAt

    def run(self, s: State, f: TurnAt) -> None:
        """Parts that need nobody follow each other at once."""
        stack = s.stack
        depth = len(stack)
        while len(stack) == depth:
            self.part(s, stack[-1])

    def part(self, s: State, f: TurnAt) -> None:
        s.stack[-1] = TurnAt(F_TURN, f.step + 1)
        blitz, part = (1, f.step - BLITZ_PARTS) if f.blitz else (0, f.step)
        if part == PART_FINAL:  # 3.47
            s.stack.append(SupplyCheckAt(F_SUPPLY_CHECK, s.active, FINAL, 0))
        elif part == PART_SHOW:
            self.finish(s)
        elif part == PART_SUPPLY:  # 3.41
            begin_turn(s)
            s.stack.append(SupplyCheckAt(F_SUPPLY_CHECK, s.active, INITIAL, 0))
        elif part == PART_OPTION:  # 3.42
            s.stack.append(Bare(F_OPTION))
        elif part == PART_MOVE:  # 3.43, 3.45
            begin_phase(s)
            s.stack.append(MovesAt(F_MOVES, 0, blitz))
        elif part == PART_LEAVE:  # 10.4c after all other moves
            if s.leaving:
                s.stack.append(BlitzAt(F_LEAVE, blitz))
        elif part == PART_MARCH:  # 3.43b, A48
            s.stack.append(MarchAt(F_MARCH, blitz))
        elif part == PART_AVOID:  # 3.43c
            if s.attacked:
                s.stack.append(AvoidAt(F_AVOID))
        elif part == PART_ENGAGED:  # 7.3a
            s.stack.append(EngagedAt(F_ENGAGED, 0))
        elif part == PART_DECLARE:  # 3.44, 3.46
            if s.option == PASS:  # 4.5c
                s.stack[-1] = TurnAt(F_TURN, PART_FINAL)
            elif s.occ[0] & s.occ[1]:
                s.stack.append(DeclareAt(F_DECLARE, blitz))
        elif part == PART_BATTLES:
            if s.to_fight:
                s.stack.append(BlitzAt(F_BATTLES, blitz))
        else:  # 3.45a the second movement and combat phases belong to a Blitz turn alone
            second = s.option == BLITZ and not blitz
            s.stack[-1] = TurnAt(F_TURN, BLITZ_PARTS + PART_MOVE if second else PART_FINAL)

    def finish(self, s: State) -> None:
        """13.4 captures, 3.48 the cards are shown and discarded, and the turn is over."""
        captures(s)
        if s.option == PASS:
            s.passed += 1
        else:
            s.passed = 0
            emit(
                s,
                "cards_shown",
                "3.48a",
                {"side": s.active, "option": s.option, "real": s.played[0], "dummy": s.played[1]},
                final=True,
            )
        s.spent[0] += s.played[0]
        s.spent[1] += s.played[1]
        s.played = [0, 0]
        s.option = -1
        s.stack.pop()


def affordable(s: State) -> int:
    """4.1 to 4.4 The options that the Active player's real cards pay for."""
    return sum(1 << option for option in CHOICE if s.real[s.active] >= s.board.option_cost[option])


def why_too_dear(s: State, _: None, option: int) -> Reason:
    cost, held = s.board.option_cost[option], s.real[s.active]
    if cost == 1:
        text = Text("{option} costs {cost} real card, you hold {held}", option=option, cost=cost, held=held)
    else:
        text = Text("{option} costs {cost} real cards, you hold {held}", option=option, cost=cost, held=held)
    return Reason(OPTION_RULES[option], text)


def dummies_held(s: State, _: None, dummies: int) -> Text:
    held = s.dummy[s.active]
    if held == 1:
        return Text("you hold only {held} dummy card", held=held)
    return Text("you hold only {held} dummy cards", held=held)


def play_option(s: State, f: Bare, option: int, dummies: int) -> None:
    """3.42b The cards of the option and dummies beside them, face down."""
    s.stack.pop()
    side = s.active
    cost = s.board.option_cost[option]
    s.option = option
    s.real[side] -= cost
    s.dummy[side] -= dummies
    s.played = [cost, dummies]
    secret = {"option": option, "real": cost, "dummy": dummies}
    emit(s, "cards_played", "3.42b", {"side": side, "cards": cost + dummies}, side, secret, final=True)


def play_pass(s: State, f: Bare) -> None:
    """4.5a Declared openly, without cards (A29)."""
    s.stack.pop()
    s.option = PASS
    emit(s, "passed", "4.5a", {"side": s.active})


def option_odds(s: State, f: Bare, action: Action) -> Odds:
    """What an option costs and leaves."""
    _, option, dummies = action
    cost = s.board.option_cost[option]
    left = s.real[s.active] - cost
    return Odds(
        Text("{option} turn", option=OPTIONS[option]),
        (
            Term(Text("{n} real", n=cost), OPTION_RULES[option], "cards the option costs"),
            Term(Text("{n} dummy", n=dummies), "3.42b", "added to deceive"),
            Term(Text("{n} real", n=left), "3.48b", "left in hand afterwards"),
        ),
    )


class ChooseOption(Phase[State, Bare, None]):
    """3.42, 4.0a The Active player chooses an option in secret and plays cards face down."""

    at = Bare
    does = (
        Pairs(
            verbs.OPTION,
            first=Bars(Need("4.0a", why_too_dear, lambda s, _: affordable(s))),
            # A29: any number of dummies, no surplus real cards
            second=Bars(Need("3.42b", dummies_held, lambda s, _: (2 << s.dummy[s.active]) - 1)),
            take=play_option,
            odds=option_odds,
        ),
        Once(verbs.PASS, take=play_pass),
    )

    def actor(self, s: State, f: Bare) -> int | None:
        return s.active

    def now(self, s: State, f: Bare) -> None:
        return None

    def prompt(self, s: State, f: Bare) -> Prompt:
        side = s.active
        text = Text("{real} real and {dummy} dummy cards in hand", real=s.real[side], dummy=s.dummy[side])
        return Prompt("Choose a turn option", text, ("3.42a", "4.0a"), "option")


FRAMES: dict[int, Frame[State, Any]] = {
    F_MONTH: Month(),
    F_TURN: Turn(),
    F_OPTION: ChooseOption(),
}
