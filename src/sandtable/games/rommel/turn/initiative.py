"""3.3 The initiative: the Axis has it unless the Commonwealth wins it with a card."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.phases import Each, Once, Phase

from ..table import verbs
from ..table.ids import (
    AXIS,
    CARD_DUMMY,
    CARD_REAL,
    CARDS,
    COMMONWEALTH,
    F_ANSWER,
    F_CHALLENGE,
)
from ..table.state import State, emit
from ..table.steps import AnswerAt, Bare

NO_CARD = 2


def hand(s: State, side: int) -> int:
    """How many cards a side holds: everybody sees that."""
    return s.real[side] + s.dummy[side]


def take_card(s: State, side: int, card: int) -> None:
    """A card leaves a hand."""
    if card == CARD_REAL:
        s.real[side] -= 1
    else:
        s.dummy[side] -= 1


def in_hand(s: State, side: int) -> int:
    """The kinds of card a side holds, as a mask."""
    return (s.real[side] > 0) << CARD_REAL | (s.dummy[side] > 0) << CARD_DUMMY


def challenge(s: State, f: Bare, card: int) -> None:
    """3.3b One card, face down."""
    s.stack.pop()
    take_card(s, COMMONWEALTH, card)
    emit(s, "challenged", "3.3b", {"side": COMMONWEALTH}, COMMONWEALTH, {"card": card})
    s.stack.append(AnswerAt(F_ANSWER, card))


def no_challenge(s: State, f: Bare) -> None:
    s.stack.pop()
    emit(s, "no_challenge", "3.3b", {"side": COMMONWEALTH})
    begin(s, AXIS)


class Challenge(Phase[State, Bare, None]):
    """3.3b The Commonwealth may play one card face down to challenge for the initiative."""

    at = Bare
    does = (
        Each(
            verbs.CHALLENGE,
            bars=Bars(Need("3.3b", "you hold no {card} card", lambda s, _: in_hand(s, COMMONWEALTH))),
            take=challenge,
        ),
        Once(verbs.NO_CHALLENGE, take=no_challenge),
    )

    def actor(self, s: State, f: Bare) -> int | None:
        return COMMONWEALTH if hand(s, COMMONWEALTH) else None

    def run(self, s: State, f: Bare) -> None:
        """Without a card there is no challenge."""
        s.stack.pop()
        begin(s, AXIS)

    def now(self, s: State, f: Bare) -> None:
        return None

    def prompt(self, s: State, f: Bare) -> Prompt:
        text = term("Play one card face down to take the first turn of the month from the Axis, or do not")
        return Prompt("Challenge for the initiative", text, ("3.3b", "3.3d"), "initiative")


def settle(s: State, f: AnswerAt, answer: int = NO_CARD) -> None:
    """3.3d to 3.3f Both cards are turned up and discarded, and the initiative is decided."""
    s.stack.pop()
    s.spent[f.card] += 1
    if answer != NO_CARD:
        take_card(s, AXIS, answer)
        s.spent[answer] += 1
    answered = CARDS[answer] if answer != NO_CARD else term("none")
    shown = {"challenge": CARDS[f.card], "answer": answered}
    emit(s, "challenge_cards", "3.3f", shown, final=True)
    won = f.card == CARD_REAL and answer != CARD_REAL
    begin(s, COMMONWEALTH if won else AXIS)


class Answer(Phase[State, AnswerAt, None]):
    """3.3c, A31 The Axis may answer with a card of his own; the challenge card lies in the frame, unseen."""

    at = AnswerAt
    does = (
        Each(
            verbs.ANSWER,
            bars=Bars(Need("3.3c", "you hold no {card} card", lambda s, _: in_hand(s, AXIS))),
            take=settle,
        ),
        Once(verbs.NO_ANSWER, take=settle),
    )

    def actor(self, s: State, f: AnswerAt) -> int | None:
        return AXIS if hand(s, AXIS) else None

    def run(self, s: State, f: AnswerAt) -> None:
        """Without a card there is no answer, which equals not playing a real one (A31)."""
        settle(s, f)

    def now(self, s: State, f: AnswerAt) -> None:
        return None

    def prompt(self, s: State, f: AnswerAt) -> Prompt:
        text = term("Only a real card keeps the initiative for certain; all cards played are lost")
        return Prompt("Answer the challenge", text, ("3.3c", "3.3d", "3.3f"), "initiative")


def begin(s: State, side: int) -> None:
    """3.3a This side takes the first player turn of the month."""
    s.first = side
    emit(s, "initiative", "3.3d" if side == COMMONWEALTH else "3.3a", {"side": side}, final=True)


FRAMES: dict[int, Frame[State, Any]] = {F_CHALLENGE: Challenge(), F_ANSWER: Answer()}
