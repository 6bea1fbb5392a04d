"""The table: what a seat sees, moves, questions, undo, replay, and the live connection."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Annotated, Any, NamedTuple, cast

import msgspec
from litestar import Request, Router, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Response, Stream

from sandtable.engine.scene import Overlay, Sight

from .. import metrics
from ..door.security import check_origin, whence, who
from ..house.house import House, undo_asked
from ..people.accounts import COOKIE, Person
from ..people.limits import Asker
from ..play import advice, archive, moves
from ..refusals import Refused
from ..table import looks
from ..table.away import away as since_last_move
from ..table.rooms import Room
from ..wire.analysis import AnalysisLine
from ..wire.away import Away
from ..wire.ending import Ending
from ..wire.games import GameRecord
from ..wire.table import (
    About,
    Cost,
    DiceRecord,
    HintRecord,
    Lived,
    Moment,
    Moved,
    MoveWish,
    TableState,
    UndoAnswer,
    UndoAsk,
    UndoWish,
)
from .common import GameId, Here, Me, Seat, Somebody, Text, asker, documented, packed, while_there
from .games import chat_lines

Hex = Annotated[str, QueryParameter(max_length=20, description="A hex by its number.")]
Since = Annotated[int, QueryParameter(ge=0, le=2**31 - 1, required=False)]

POLL = 15.0
"""Seconds after which a live connection looks for itself, should a notice have been lost."""
MOST_NEWS = 50
"""Messages that are kept for those who know as much; more than a few come only of made-up numbers."""
LONG_NEWS = 2
"""Of those, how many may tell of more than so many events: the whole story of a game is heavy."""
SHORT = 20
LONG = 200
"""Steps of a game whose story counts as a dear question."""
CLOSED = 4000
"""Added to nothing: the close code says in its last three digits which HTTP status it stands for."""


@get(
    "/table",
    summary="The table as a seat sees it",
    responses={200: ResponseSpec(TableState, generate_examples=False)},
)
async def table(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId, seat: Seat = None
) -> Response[bytes]:
    room = await house.room(game_id, somebody)
    async with house.table(room) as found:
        viewer, side = house.viewer(room, somebody, seat)
        state = moves.state(room, found, viewer, side)
    return packed(request, msgspec.json.encode(state))


MOVED = {200: ResponseSpec(Moved, generate_examples=False)}


async def _moved(
    request: Request[Any, Any, Any], house: House, me: Person, room: Room, done: bytes | moves.Again
) -> Response[bytes]:
    """The answer to a move: what it was answered before is worked out as long as somebody waits for it."""
    if isinstance(done, moves.Again):
        done = await while_there(request, moves.again(house, room, done, asker(request, house, me)))
    return packed(request, done)


@post("/moves", summary="Take an action", status_code=200, responses=MOVED)
async def move(
    request: Request[Any, Any, Any], house: Here, me: Me, game_id: GameId, data: JSONBody[MoveWish]
) -> Response[bytes]:
    """409 if the game has gone on, 422 with rule and reason if the action is not legal.

    The same key again gets the same answer, and nothing happens twice.
    """
    room = await house.room(game_id, me)
    return await _moved(request, house, me, room, await moves.move(house, room, me, data))


def _long_story(room: Room, since: int, asking: Asker) -> None:
    """Count a question to which most of a long game is the answer."""
    if (room.row["length"] if room.ended else room.row["steps"]) - since > LONG:
        asking.moment()


@get("/events", summary="What a seat has learned")
async def events(
    request: Request[Any, Any, Any],
    house: Here,
    somebody: Somebody,
    game_id: GameId,
    seat: Seat = None,
    since: Since = 0,
) -> list[dict[str, Any]]:
    """Numbered, and asked for, in the seat's own count; when the game has ended, as in its log."""
    room = await house.room(game_id, somebody)
    _long_story(room, since, asker(request, house, somebody))
    async with house.table(room) as found:
        viewer, _ = house.viewer(room, somebody, seat)
        return looks.events(found, viewer, since)


@get("/away", summary="What has happened since a seat's last decision")
async def away(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId, seat: Seat = None
) -> Away | None:
    """In short, for who comes back; null for those who hold no seat."""
    room = await house.room(game_id, somebody)
    _long_story(room, 0, asker(request, house, somebody))
    async with house.table(room) as found:
        viewer, side = house.viewer(room, somebody, seat)
        return None if side is None else since_last_move(found, room.side_number(side), viewer)


@get(
    "/news",
    summary="What the live connection would say",
    responses={200: ResponseSpec(Lived, generate_examples=False)},
)
async def news(
    request: Request[Any, Any, Any],
    house: Here,
    somebody: Somebody,
    game_id: GameId,
    seat: Seat = None,
    since: Since = 0,
) -> Response[bytes]:
    """For those who cannot hold a WebSocket open: its first message."""
    room = await house.room(game_id, somebody)
    _long_story(room, since, asker(request, house, somebody))
    found = await _news(house, room, somebody, seat, since)
    return packed(request, found.text.encode())


@get(
    "/about",
    summary="What there is to know about an action",
    responses={200: ResponseSpec(About, generate_examples=False)},
)
async def about(house: Here, somebody: Somebody, game_id: GameId, action: Text, seat: Seat = None) -> Response[bytes]:
    """Why it is not allowed; or else what it costs and what may come of it, for the side that decides."""
    room = await house.room(game_id, somebody)
    found = await moves.about(house, room, somebody, seat, action)
    return Response(found, media_type="application/json")


@get("/hint", summary="What the computer would do at one's own decision")
async def hint(request: Request[Any, Any, Any], house: Here, me: Me, game_id: GameId, seat: Seat = None) -> HintRecord:
    """From the view of the seat alone, and why. 403 in a game against other people."""
    room = await house.room(game_id, me)
    return await while_there(request, advice.hint(house, room, me, seat, asker(request, house, me)))


@get(
    "/analysis",
    summary="A game looked back at",
    responses={200: ResponseSpec(AnalysisLine, media_type="application/x-ndjson", generate_examples=False)},
)
async def analysis(
    request: Request[Any, Any, Any],
    house: Here,
    somebody: Somebody,
    game_id: GameId,
    done: Annotated[bool, QueryParameter(required=False)] = False,
) -> Stream:
    """Chance to win, luck, losses, and the decisions that cost most: line by line, the last has it all.

    403 while the game goes on, but for whoever holds all its seats. `done`: what was worked out before, or nothing.
    """
    room = await house.room(game_id, somebody)
    lines = await advice.analysis(house, room, somebody, asker(request, house, somebody), done)
    return Stream(lines, media_type="application/x-ndjson")


@get(
    "/costs",
    summary="What the listed actions cost",
    responses={200: ResponseSpec(list[Cost], generate_examples=False)},
)
async def costs(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId, seat: Seat = None
) -> Response[bytes]:
    """In a word each, for a map that shows them all; asked for after the table, which does not wait for it."""
    room = await house.room(game_id, somebody)
    found = await moves.costs(house, room, somebody, seat)
    return packed(request, msgspec.json.encode(found))


@get(
    "/overlays",
    summary="What can be laid over the map",
    responses={200: ResponseSpec(list[Overlay], generate_examples=False)},
)
async def overlays(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId, seat: Seat = None
) -> Response[bytes]:
    room = await house.room(game_id, somebody)
    async with house.table(room) as found:
        viewer, _ = house.viewer(room, somebody, seat)
        laid = looks.overlays(found, viewer)
    return packed(request, msgspec.json.encode(laid))


@get("/sight", summary="The line of sight between two hexes")
async def sight(house: Here, somebody: Somebody, game_id: GameId, a: Hex, b: Hex, seat: Seat = None) -> Sight | None:
    """In games in which it matters: where it runs, what hinders it, where it ends."""
    room = await house.room(game_id, somebody)
    async with house.table(room) as found:
        viewer, _ = house.viewer(room, somebody, seat)
        return cast(Sight | None, looks.sight(found, viewer, a, b))


@post("/undo", summary="Take back one's own last decision", status_code=200, responses=MOVED)
async def undo(
    request: Request[Any, Any, Any], house: Here, me: Me, game_id: GameId, data: JSONBody[UndoWish | None] = None
) -> Response[bytes]:
    room = await house.room(game_id, me)
    return await _moved(request, house, me, room, await moves.undo(house, room, me, data or UndoWish()))


@post("/undo/ask", summary="Ask the other side to take more back", status_code=200)
async def ask_undo(house: Here, me: Me, game_id: GameId, data: JSONBody[UndoAsk | None] = None) -> GameRecord:
    room = await house.room(game_id, me)
    await moves.ask_undo(house, room, me, data or UndoAsk())
    return await house.record(room, me)


@post("/undo/answer", summary="Answer the other side", status_code=200)
async def answer_undo(house: Here, me: Me, game_id: GameId, data: JSONBody[UndoAnswer]) -> GameRecord:
    room = await house.room(game_id, me)
    await moves.answer_undo(house, room, me, data.yes, data.seat)
    return await house.record(room, me)


@get("/at/{n:int}", summary="A moment of the game")
async def moment(
    request: Request[Any, Any, Any],
    house: Here,
    somebody: Somebody,
    game_id: GameId,
    n: Annotated[int, PathParameter(ge=0, le=2**31 - 1)],
    seat: Seat = None,
    counted: Annotated[
        str,
        QueryParameter(
            required=False, max_length=40, description="Whose count the number is in: own, public, or a side."
        ),
    ] = "own",
) -> Moment:
    """The number is in the seat's own count, or in the public one, which means the same to everybody.

    When the game has ended it may also be in that of a side: what the side noted in its own count is found again.
    """
    room = await house.room(game_id, somebody)
    asker(request, house, somebody).moment()
    return await while_there(request, archive.moment(house, room, somebody, seat, n, counted))


@get("/dice", summary="The rolls, for checking")
async def dice(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId, seat: Seat = None
) -> DiceRecord:
    room = await house.room(game_id, somebody)
    who = asker(request, house, somebody)
    return await while_there(request, archive.dice(house, room, somebody, seat, who))


@get(
    "/ending",
    summary="How the game was decided",
    responses={200: ResponseSpec(Ending, generate_examples=False)},
)
async def ending(request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId) -> Response[bytes]:
    """The reckoning line by line, both sides over time, and what had been hidden. 403 while the game goes on."""
    room = await house.room(game_id, somebody)
    found = await while_there(request, archive.ending(house, room, asker(request, house, somebody)))
    return packed(request, found)


# ------------------------------------------------------------------------------------------ live


@websocket("/live", summary="Live updates")
async def live(
    socket: WebSocket[Any, Any, Any],
    state: State,
    game_id: GameId,
    seat: Seat = None,
    since: Since = 0,
    name: Annotated[str | None, QueryParameter(name="name", required=False, max_length=40)] = None,
) -> None:
    """What happens, as this seat may see it, after its count was `since`; a lost connection resumes by it.

    Nothing is sent of what the seat does not notice: even an empty message would tell that something was done.
    """
    house: House = state.house
    try:
        check_origin(socket.scope)
        token = socket.cookies.get(COOKIE)
        person = await who(socket, house)
        room = await house.room(game_id, person)
        seat = house.viewer(room, person, seat)[1] or ""
        asking = Asker(house.limits, person.id if person else None, whence(socket))
        _long_story(room, since, asking)
        held = asking.live()
    except Refused as error:
        await socket.accept()
        await socket.close(code=CLOSED + error.status, reason=error.problem.why[:100])
        return
    with held:
        await socket.accept()
        metrics.LIVE.inc()
        sender = asyncio.create_task(_send(socket, house, game_id, token, seat, since, moves.connection(name, seat)))
        try:
            await _until_gone(socket, sender)
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender
            metrics.LIVE.dec()


async def _until_gone(socket: WebSocket[Any, Any, Any], sender: asyncio.Task[None]) -> None:
    """Read and drop what the client says, until it or the sender is gone."""
    while not sender.done():
        receiver = asyncio.ensure_future(socket.receive())
        await asyncio.wait({receiver, sender}, return_when=asyncio.FIRST_COMPLETED)
        if not receiver.done():
            receiver.cancel()
            return
        with suppress(WebSocketDisconnect, RuntimeError):
            if receiver.result()["type"] != "websocket.disconnect":
                continue
        return


async def _send(
    socket: WebSocket[Any, Any, Any],
    house: House,
    game_id: GameId,
    token: str | None,
    seat: str,
    since: int,
    name: str,
) -> None:
    person = await house.accounts.person(token)
    account = person.id if person else None
    said = -1
    last: Lived | None = None
    async with house.hub.watch(game_id, account, name) as watcher:
        kinds = {"events"}
        while True:
            try:
                if person is not None and await house.accounts.person(token) is None:
                    raise Refused(401, "session", "the session has ended")
                room = await house.room(game_id, person, since=watcher.told)
                if said < 0:  # before anything is sent: what is said after the first message is news
                    said = await _last_chat(house, room, person)
                news = await _news(house, room, person, seat, since)
                if news.tells or news.plain != last:
                    if last is None or news.plain.length > watcher.knows or _asked_or_ended(news.plain, last):
                        await socket.send_data(news.text, mode="text")
                    since, last = news.plain.length, news.plain
                if "game" in kinds:
                    await _say(socket, msgspec.structs.replace(last, kind="game"))
                if "chat" in kinds:
                    said = await _send_chat(socket, house, room, person, said, last)
            except Refused as error:  # removed, or the seat was given away
                await socket.close(code=CLOSED + error.status, reason=error.problem.why[:100])
                return
            kinds = await watcher.wait(POLL)
            if not kinds and house.settings.several:
                kinds = {"events", "chat"}
                watcher.told = time.monotonic()


def _asked_or_ended(message: Lived, last: Lived) -> bool:
    """Whether something is new that no answer to a move says: a question of the other side, or another status."""
    return message.undo_asked != last.undo_asked or message.status != last.status


class News(NamedTuple):
    """What a viewer is told who knows so much: as it is sent, and without its events."""

    text: str
    plain: Lived
    tells: bool
    short: bool


async def _news(house: House, room: Room, person: Person | None, seat: str | None, since: int) -> News:
    """What there is to tell: worked out once for all who look from the same side and know as much."""
    viewer, _ = house.viewer(room, person, seat)
    revision, told = room.news
    if revision == room.row["revision"] and (found := told.get((viewer, since))) is not None:
        return cast("News", found)
    async with house.table(room) as table:
        viewer, _ = house.viewer(room, person, seat)
        message = Lived(
            kind="events",
            length=table.length(viewer),
            to_act=None if room.ended else room.row["to_act"],
            status=room.row["status"],
            undo_asked=looks.undo_asked(table, viewer, undo_asked(room)),
            events=looks.events(table, viewer, since),
        )
        short = len(message.events) <= SHORT
        plain = msgspec.structs.replace(message, events=[])
        news = News(msgspec.json.encode(message).decode(), plain, bool(message.events), short)
        if room.news[0] != room.row["revision"]:
            room.news = (room.row["revision"], {})
        kept = room.news[1]
        if len(kept) < MOST_NEWS and (short or sum(not one.short for one in kept.values()) < LONG_NEWS):
            room.news[1][viewer, since] = news
        return news


async def _last_chat(house: House, room: Room, person: Person | None) -> int:
    with suppress(Refused):
        lines = await chat_lines(house, room, person, 0)
        return lines[-1].id if lines else 0
    return 0


async def _send_chat(
    socket: WebSocket[Any, Any, Any], house: House, room: Room, person: Person | None, said: int, last: Lived
) -> int:
    with suppress(Refused):
        lines = await chat_lines(house, room, person, max(said, 0))
        if lines:
            await _say(socket, msgspec.structs.replace(last, kind="chat", chat=lines))
            return lines[-1].id
    return max(said, 0)


async def _say(socket: WebSocket[Any, Any, Any], message: Lived) -> None:
    await socket.send_data(msgspec.json.encode(message).decode(), mode="text")


router = Router(
    "/api/games/{game_id:str}",
    route_handlers=documented(
        table,
        move,
        events,
        away,
        news,
        about,
        hint,
        analysis,
        costs,
        overlays,
        sight,
        undo,
        ask_undo,
        answer_undo,
        moment,
        dice,
        ending,
        live,
    ),
    tags=["table"],
)
