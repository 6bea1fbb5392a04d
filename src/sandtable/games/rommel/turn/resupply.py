"""16.6 Monthly resupply: the deck is formed anew, and cards are drawn from it (0.4)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Reason, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.words import count

from ..table import verbs
from ..table.ids import CARDS, F_DEAL, F_GIVE_UP
from ..table.scenarios import script
from ..table.state import State, emit
from ..table.steps import DealAt, SideAt
from .initiative import cards_of, hand, take_card


def deck(s: State) -> tuple[int, int]:
    """0.4b The real and dummy cards that nobody holds and that were not spent this month."""
    real, dummy = s.board.deck
    return (
        max(0, real - s.real[0] - s.real[1] - s.played[0] - s.spent[0]),
        max(0, dummy - s.dummy[0] - s.dummy[1] - s.played[1] - s.spent[1]),
    )


# 16.6a Reforming the deck


def collect_cards(s: State) -> None:
    """16.6a All cards spent in the past month go back; the deck is shuffled once for both players (A28)."""
    s.spent = [0, 0]
    emit(s, "deck_formed", "16.6a", {})


class GiveUp(Frame[State, SideAt]):
    """16.6a, A28 Before the shuffle each player may give up cards, unseen."""

    at = SideAt

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side if hand(s, f.side) else None

    def run(self, s: State, f: SideAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: SideAt) -> list[Action]:
        return cards_of(s, f.side, verbs.GIVE) + [(verbs.KEEP,)]

    def take(self, s: State, f: SideAt, action: Action) -> None:
        side = f.side
        if action[0] == verbs.KEEP:
            s.stack.pop()
            return
        take_card(s, side, action[1])
        emit(s, "card_given_up", "16.6a", {"side": side}, side, {"card": action[1]})

    def prompt(self, s: State, f: SideAt) -> Prompt:
        side = f.side
        coming = script(s).cards(s.month, side) + s.bonus[side]
        text = (
            f"You hold {s.real[side]} real and {s.dummy[side]} dummy cards and will draw {coming} or more; "
            f"a hand has at most {s.board.hand_limit}"
        )
        return Prompt("Give up supply cards", text, ("16.6a", "16.6c"), "buildup")

    def why_not(self, s: State, f: SideAt, action: Action) -> Reason | None:
        if action[0] == verbs.GIVE:
            return Reason("16.6a", f"you hold no {CARDS[action[1]]} card")
        return None


# 16.6b Cards dealt


def room(s: State, side: int) -> int:
    """16.6c, A6 How many cards a side may still draw, with those already bought and due counted in."""
    due = script(s).cards(s.month, side) + s.bonus[side] + s.bought[side]
    return s.board.hand_limit - hand(s, side) - due


def draw(s: State, side: int) -> None:
    """16.6b The scenario's cards, bonus cards (13.4c) and bought cards, all drawn at once; never above 16."""
    regular, bonus, extra = script(s).cards(s.month, side), s.bonus[side], s.bought[side]
    cards = min(regular + bonus + extra, s.board.hand_limit - hand(s, side), sum(deck(s)))
    s.bonus[side] = 0
    data = {"side": side, "cards": cards, "regular": regular, "bonus": bonus, "extra": extra}
    emit(s, "resupply", "16.6b", data)
    if cards > 0:
        s.stack.append(DealAt(F_DEAL, side, cards))


@lru_cache(maxsize=4096)
def deals(real: int, dummy: int, cards: int) -> tuple[tuple[Action, Fraction], ...]:
    """The chance of each number of real cards among some drawn from a deck of real and dummy cards."""
    ways = comb(real + dummy, cards)
    return tuple(
        ((verbs.DEALT, n), Fraction(comb(real, n) * comb(dummy, cards - n), ways))
        for n in range(max(0, cards - dummy), min(cards, real) + 1)
    )


class Deal(Frame[State, DealAt]):
    """16.6b, 3.0 Cards are dealt to a side; only their owner sees them."""

    at = DealAt

    def actor(self, s: State, f: DealAt) -> int | None:
        return CHANCE

    def legal(self, s: State, f: DealAt) -> list[Action]:
        return [action for action, _ in self.chances(s, f)]

    def chances(self, s: State, f: DealAt) -> list[tuple[Action, Fraction]]:
        return list(deals(*deck(s), f.cards))

    def roll(self, s: State, f: DealAt, die: Die) -> Roll:
        """One card after the other: of a deck with n cards the real ones are numbered first."""
        real, dummy = deck(s)
        drawn: list[int] = []
        dealt = 0
        for _ in range(f.cards):
            card = die(real + dummy)
            drawn.append(card)
            if card <= real:
                real -= 1
                dealt += 1
            else:
                dummy -= 1
        return Roll((verbs.DEALT, dealt), tuple(drawn))

    def take(self, s: State, f: DealAt, action: Action) -> None:
        side, cards, dealt = f.side, f.cards, action[1]
        s.stack.pop()
        s.real[side] += dealt
        s.dummy[side] += cards - dealt
        told = {"real": dealt, "dummy": cards - dealt}
        emit(s, "dealt", "16.6b", {"side": side, "cards": cards}, side, told, final=True)

    def prompt(self, s: State, f: DealAt) -> Prompt:
        return Prompt("Supply cards", f"To be dealt: {count(f.cards, 'card')}", ("16.6b", "0.4b"), "buildup")


FRAMES: dict[int, Frame[State, Any]] = {F_GIVE_UP: GiveUp(), F_DEAL: Deal()}
