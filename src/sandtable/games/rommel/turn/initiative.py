"""3.3 The initiative: the Axis has it unless the Commonwealth wins it with a card."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame

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


def cards_of(s: State, side: int, verb: int) -> list[Action]:
    """The kinds of card a side could use a verb on."""
    out: list[Action] = []
    if s.real[side]:
        out.append((verb, CARD_REAL))
    if s.dummy[side]:
        out.append((verb, CARD_DUMMY))
    return out


class Challenge(Frame[State, Bare]):
    """3.3b The Commonwealth may play one card face down to challenge for the initiative."""

    at = Bare

    def actor(self, s: State, f: Bare) -> int | None:
        return COMMONWEALTH if hand(s, COMMONWEALTH) else None

    def run(self, s: State, f: Bare) -> None:
        """Without a card there is no challenge."""
        s.stack.pop()
        begin(s, AXIS)

    def legal(self, s: State, f: Bare) -> list[Action]:
        return cards_of(s, COMMONWEALTH, verbs.CHALLENGE) + [(verbs.NO_CHALLENGE,)]

    def take(self, s: State, f: Bare, action: Action) -> None:
        s.stack.pop()
        if action[0] == verbs.NO_CHALLENGE:
            emit(s, "no_challenge", "3.3b", {"side": COMMONWEALTH})
            begin(s, AXIS)
            return
        card = action[1]
        take_card(s, COMMONWEALTH, card)
        emit(s, "challenged", "3.3b", {"side": COMMONWEALTH}, COMMONWEALTH, {"card": card})
        s.stack.append(AnswerAt(F_ANSWER, card))

    def prompt(self, s: State, f: Bare) -> Prompt:
        text = "Play one card face down to take the first turn of the month from the Axis, or do not"
        return Prompt("Challenge for the initiative", text, ("3.3b", "3.3d"), "initiative")

    def why_not(self, s: State, f: Bare, action: Action) -> Reason | None:
        if action[0] == verbs.CHALLENGE:
            return Reason("3.3b", f"you hold no {CARDS[action[1]]} card")
        return None


class Answer(Frame[State, AnswerAt]):
    """3.3c, A31 The Axis may answer with a card of his own; the challenge card lies in the frame, unseen."""

    at = AnswerAt

    def actor(self, s: State, f: AnswerAt) -> int | None:
        return AXIS if hand(s, AXIS) else None

    def run(self, s: State, f: AnswerAt) -> None:
        """Without a card there is no answer, which equals not playing a real one (A31)."""
        self.settle(s, f.card, NO_CARD)

    def legal(self, s: State, f: AnswerAt) -> list[Action]:
        return cards_of(s, AXIS, verbs.ANSWER) + [(verbs.NO_ANSWER,)]

    def take(self, s: State, f: AnswerAt, action: Action) -> None:
        self.settle(s, f.card, action[1] if action[0] == verbs.ANSWER else NO_CARD)

    def settle(self, s: State, challenge: int, answer: int) -> None:
        """3.3d to 3.3f Both cards are turned up and discarded, and the initiative is decided."""
        s.stack.pop()
        s.spent[challenge] += 1
        if answer != NO_CARD:
            take_card(s, AXIS, answer)
            s.spent[answer] += 1
        answered = CARDS[answer] if answer != NO_CARD else "none"
        shown = {"challenge": CARDS[challenge], "answer": answered}
        emit(s, "challenge_cards", "3.3f", shown, final=True)
        won = challenge == CARD_REAL and answer != CARD_REAL
        begin(s, COMMONWEALTH if won else AXIS)

    def prompt(self, s: State, f: AnswerAt) -> Prompt:
        text = "Only a real card keeps the initiative for certain; all cards played are lost"
        return Prompt("Answer the challenge", text, ("3.3c", "3.3d", "3.3f"), "initiative")

    def why_not(self, s: State, f: AnswerAt, action: Action) -> Reason | None:
        if action[0] == verbs.ANSWER:
            return Reason("3.3c", f"you hold no {CARDS[action[1]]} card")
        return None


def begin(s: State, side: int) -> None:
    """3.3a This side takes the first player turn of the month."""
    s.first = side
    emit(s, "initiative", "3.3d" if side == COMMONWEALTH else "3.3a", {"side": side}, final=True)


FRAMES: dict[int, Frame[State, Any]] = {F_CHALLENGE: Challenge(), F_ANSWER: Answer()}
