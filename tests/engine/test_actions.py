"""Actions as words, JSON and numbers, and back."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.contract import Action, Illegal

HEX = Kind("hex", ("Tobruk", "", "Msus", "Bardia"))
SIDE = Kind("hexside", ("N", "S", "W"))
CODEC = Codec(
    [
        Verb("pass"),
        Verb("to", (("hex", HEX), ("via", SIDE))),
        Verb("buy", (("cards", numbers("number", 5)),)),
    ]
)
ALL: list[Action] = [(0,)]
ALL += [(1, h, d) for h in (0, 2, 3) for d in range(3)]
ALL += [(2, n) for n in range(5)]


@pytest.mark.parametrize("action", ALL)
def test_every_form_leads_back(action: Action) -> None:
    assert CODEC.parse(CODEC.text(action)) == action
    assert CODEC.parse(CODEC.text(action).upper()) == action
    assert CODEC.from_json(CODEC.json(action)) == action
    assert CODEC.unflat(CODEC.flat(action)) == action


def test_the_forms_themselves() -> None:
    assert CODEC.text((1, 2, 1)) == "to Msus S"
    assert CODEC.json((1, 2, 1)) == {"do": "to", "hex": "Msus", "via": "S"}
    assert CODEC.json((0,)) == {"do": "pass"}
    assert CODEC.from_json({"do": "buy", "cards": 3}) == (2, 3)


def test_flat_numbers_are_all_different_and_fill_the_range() -> None:
    assert CODEC.size == 1 + 4 * 3 + 5
    flat = [CODEC.flat(action) for action in ALL]
    assert len(set(flat)) == len(ALL)
    assert flat == sorted(flat)
    assert min(flat) == 0
    assert max(flat) == CODEC.size - 1
    assert len({CODEC.unflat(number) for number in range(CODEC.size)}) == CODEC.size


@pytest.mark.parametrize("number", [-1, CODEC.size])
def test_numbers_outside_the_range(number: int) -> None:
    with pytest.raises(Illegal, match="is not between 0 and 17"):
        CODEC.unflat(number)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ((), "is not an action"),
        ((3,), "is not an action"),
        ((-1,), "is not an action"),
        ((0, 0), "takes 0 arguments, not 1"),
        ((1, 0), "takes 2 arguments, not 1"),
        ((1, 4, 0), "4 is not a hex for 'hex'"),
        ((1, 1, 0), "1 is not a hex for 'hex'"),
        ((1, 0, -1), "-1 is not a hexside for 'via'"),
    ],
)
def test_tuples_that_are_no_actions(action: Action, why: str) -> None:
    for form in (CODEC.text, CODEC.json, CODEC.flat):
        with pytest.raises(Illegal, match=why):
            form(action)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "this is empty"),
        ("pas", "no action is called 'pas'; near it: pass"),
        ("to Tobruk", r"write 'to <hex> <via>', not 'to Tobruk'"),
        ("pass now", "write 'pass', not 'pass now'"),
        ("to Tobrk N", "no hex is called 'Tobrk'; near it: Tobruk"),
        ("to Q N", "no hex is called 'Q'$"),
        ("to Tobruk E", "no hexside is called 'E'"),
        ("buy 5", "no number is called '5'"),
    ],
)
def test_words_that_are_no_actions(text: str, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        CODEC.parse(text)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "an object with 'do'"),
        ({}, "an object with 'do'"),
        ({"do": 3}, "an object with 'do'"),
        ({"do": "to", "hex": "Msus"}, "'to' lacks via"),
        ({"do": "pass", "hex": "Msus"}, "'pass' does not know hex"),
        ({"do": "to", "hex": "Msus", "side": "N"}, "'to' lacks via and does not know side"),
        ({"do": "to", "hex": "Nowhere", "via": "N"}, "no hex is called 'Nowhere'"),
    ],
)
def test_json_that_is_no_action(data: Any, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        CODEC.from_json(data)


def test_two_verbs_of_one_word_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two verbs share one word"):
        Codec([Verb("pass"), Verb("pass")])
