"""Arrows and notes that a player shows to those at the table."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sandtable.server.routes import table

from ..kit import Served

ARROW = {"start": "0515", "end": "0415"}
NOTE = {"hex": "0313", "text": "hold here\u0000"}
SEATS = {"axis": "me", "commonwealth": "open"}


def test_a_drawing_is_for_those_who_play_and_stays_until_it_is_taken_back(server: Served) -> None:
    ann, bob, eve = server.guest("Ann"), server.guest("Bob"), server.guest("Eve")
    game = ann.create(game="rommel", scenario="battleaxe", seats=SEATS)["id"]
    bob.post(f"/api/games/{game}/join", {})
    path = f"/api/games/{game}/drawing"
    with bob.live(game, "commonwealth") as live, eve.live(game) as public:
        live.next()
        public.next()
        (line,) = ann.post(path, {"arrows": [ARROW], "notes": [NOTE]}, 201)
        assert line["drawing"] == {"arrows": [ARROW], "notes": [{"hex": "0313", "text": "hold here"}]}
        assert (line["text"], line["you"]) == ("", True)
        heard = live.next("chat")["chat"][-1]
        assert (heard["drawing"], heard["by"], heard["you"]) == (line["drawing"], "Ann", False)
        assert not [text for text in eve.heard if "hold here" in text]
    assert eve.post(path, {"arrows": [ARROW]}, 403)["code"] == "seat"
    assert bob.get(f"/api/games/{game}/chat")[-1]["drawing"] == line["drawing"]
    ann.post(path, {}, 201)
    assert bob.get(f"/api/games/{game}/chat")[-1]["drawing"] == {"arrows": [], "notes": []}


def test_a_drawing_has_its_limits(server: Served) -> None:
    ann = server.guest("Ann")
    game = ann.create(game="rommel", scenario="battleaxe", seats=SEATS)["id"]
    path = f"/api/games/{game}/drawing"
    assert ann.post(path, {"arrows": [{"start": "0515", "end": "9999"}]}, 422)["code"] == "hex"
    ann.post(path, {"arrows": [ARROW] * 40}, 201)
    ann.post(path, {"arrows": [ARROW] * 41}, 400)
    ann.post(path, {"notes": [{"hex": "0515", "text": "x" * 81}]}, 400)
    ann.post(path, {"notes": [{"hex": "0515", "text": "x", "size": 9}]}, 400)


def test_nobody_draws_with_words(server: Served) -> None:
    """What is kept as a drawing is not to be had by saying it."""
    ann = server.guest("Ann")
    game = ann.create(game="rommel", scenario="battleaxe", seats=SEATS)["id"]
    (line,) = ann.post(f"/api/games/{game}/chat", {"text": '\x1e{"arrows": 3}'}, 201)
    assert (line["text"], line["drawing"]) == ('{"arrows": 3}', None)


def test_what_is_said_right_after_the_first_message_is_heard(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes to look up what had been said before."""
    look_up = table._last_chat

    async def slowly(*given: Any) -> int:
        await asyncio.sleep(0.3)
        return await look_up(*given)

    monkeypatch.setattr(table, "_last_chat", slowly)
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create(game="rommel", scenario="battleaxe", seats=SEATS)["id"]
    bob.post(f"/api/games/{game}/join", {})
    with bob.live(game, "commonwealth") as live:
        live.next()
        ann.post(f"/api/games/{game}/chat", {"text": "good luck"}, 201)
        assert live.next("chat")["chat"][-1]["text"] == "good luck"
