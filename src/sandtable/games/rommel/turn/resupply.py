"""16.6 Monthly resupply: the deck is formed anew, and cards are drawn from it (0.4)."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Once, Phase

from ..table import verbs
from ..table.ids import F_DEAL, F_GIVE_UP
from ..table.scenarios import script
from ..table.state import State, emit
from ..table.steps import DealAt, SideAt
from .initiative import hand, in_hand, take_card


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


def give_up(s: State, f: SideAt, card: int) -> None:
    take_card(s, f.side, card)
    emit(s, "card_given_up", "16.6a", {"side": f.side}, f.side, {"card": card})


def keep(s: State, f: SideAt) -> None:
    s.stack.pop()


class GiveUp(Phase[State, SideAt, int]):
    """16.6a, A28 Before the shuffle each player may give up cards, unseen."""

    at = SideAt
    does = (
        Each(verbs.GIVE, bars=Bars(Need("16.6a", "you hold no {card} card", in_hand)), take=give_up),
        Once(verbs.KEEP, take=keep),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side if hand(s, f.side) else None

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def prompt(self, s: State, f: SideAt) -> Prompt:
        side = f.side
        text = Text(
            "You hold {real} real and {dummy} dummy cards and will draw {coming} or more; a hand has at most {most}",
            real=s.real[side],
            dummy=s.dummy[side],
            coming=script(s).cards(s.month, side) + s.bonus[side],
            most=s.board.hand_limit,
        )
        return Prompt("Give up supply cards", text, ("16.6a", "16.6c"), "buildup")


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


@remembered(4096)
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
        text = Text.many(f.cards, "To be dealt: {n} card", "To be dealt: {n} cards")
        return Prompt("Supply cards", text, ("16.6b", "0.4b"), "buildup")


FRAMES: dict[int, Frame[State, Any]] = {F_GIVE_UP: GiveUp(), F_DEAL: Deal()}
