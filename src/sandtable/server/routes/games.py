"""Games as wholes: lists, records, seats, chat, notes, saves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Router, delete, get, post, put
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import JSONBody, QueryParameter
from litestar.response import Response
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable.engine.packs import pack_of

from ..house.house import House, iso
from ..people.accounts import Person
from ..people.limits import CHAT, CREATE, IMPORT
from ..play import archive, lobby, moves
from ..refusals import forbidden, unusable
from ..storage import schema
from ..storage.database import keep
from ..table.rooms import Room
from ..wire.games import Branch, GameRecord, Join, NewGame, Rename, SeatChoice, SeatWish, WatchWish
from ..wire.table import ChatLine, Drawing, Notes, Say
from .common import GameId, Here, Me, Side, Somebody, asker, documented, while_there

MOST_CHAT = 500
DRAWN = "\x1e"
"""Before what was drawn and not said, where the table's talk is kept; nobody's words have it."""
SAVE_BYTES = 8_000_000

Invite = Annotated[str | None, QueryParameter(name="invite", required=False, max_length=64)]


@get("/", summary="Lists of games")
async def games(
    house: Here,
    somebody: Somebody,
    which: Annotated[
        Literal["mine", "turn", "open", "finished", "watch"], QueryParameter(name="list", required=False)
    ] = "mine",
    page: Annotated[int, QueryParameter(ge=0, le=10000, required=False)] = 0,
    game: Annotated[str | None, QueryParameter(name="game", required=False, max_length=40)] = None,
    pace: Annotated[
        int | None,
        QueryParameter(required=False, ge=0, le=365, description="At most so many days per turn; 0 for live play."),
    ] = None,
    rated: Annotated[bool | None, QueryParameter(required=False, description="Rated, or friendly.")] = None,
    within: Annotated[
        int | None,
        QueryParameter(required=False, ge=0, le=5000, description="How far ratings may be from one's own."),
    ] = None,
) -> list[GameRecord]:
    return await lobby.listed(house, somebody, which, page, lobby.Sieve(game, pace, rated, within))


@post("/", summary="Begin a game")
async def create(house: Here, me: Me, data: JSONBody[NewGame]) -> GameRecord:
    await house.limits.count("create", me.id, CREATE)
    return await house.record(await lobby.create(house, me, data), me)


@dataclass
class SaveOperation(Operation):
    """The body of an import is a save file, not JSON."""

    def __post_init__(self) -> None:
        media = OpenAPIMediaType(schema=Schema(type="string"))  # type: ignore[arg-type]
        self.request_body = RequestBody(
            content={"application/x-ndjson": media}, description="A save file.", required=True
        )


@post(
    "/import",
    summary="Bring a saved game",
    request_max_body_size=SAVE_BYTES,
    operation_class=SaveOperation,
)
async def import_save(request: Request[Any, Any, Any], house: Here, me: Me) -> GameRecord:
    """The body is the save file itself. A damaged one is refused with its line and the reason."""
    await house.limits.count("create", me.id, CREATE)
    await house.limits.count("import", me.id, IMPORT)
    asking = asker(request, house, me)
    await asking.dear()
    room = await while_there(request, archive.take_in(house, me, await request.body(), asking))
    return await house.record(room, me)


@get("/{game_id:str}", summary="One game")
async def game(house: Here, somebody: Somebody, game_id: GameId, invite: Invite = None) -> GameRecord:
    return await house.record(await house.room(game_id, somebody, invite), somebody)


@delete("/{game_id:str}", summary="Remove a game that is nobody else's", status_code=204)
async def remove(house: Here, me: Me, game_id: GameId) -> None:
    await lobby.remove(house, await house.room(game_id, me), me)


@post("/{game_id:str}/join", summary="Take a seat", status_code=200)
async def join(house: Here, me: Me, game_id: GameId, data: JSONBody[Join]) -> GameRecord:
    room = await house.room(game_id, me, data.invite)
    await lobby.join(house, room, me, data)
    return await house.record(room, me)


@post("/{game_id:str}/decline", summary="Decline the seat that is kept for me", status_code=204)
async def decline(house: Here, me: Me, game_id: GameId) -> None:
    await lobby.decline(house, await house.room(game_id, me), me)


@post("/{game_id:str}/seats/{side:str}", summary="Hand a seat over", status_code=200)
async def give(house: Here, me: Me, game_id: GameId, side: Side, data: JSONBody[SeatWish]) -> GameRecord:
    room = await house.room(game_id, me)
    await lobby.give(house, room, me, side, data)
    return await house.record(room, me)


@post("/{game_id:str}/rename", summary="Rename a game", status_code=200)
async def rename(house: Here, me: Me, game_id: GameId, data: JSONBody[Rename]) -> GameRecord:
    room = await house.room(game_id, me)
    await lobby.rename(house, room, me, data.name)
    return await house.record(room, me)


@put("/{game_id:str}/settings", summary="Who may watch; whether I am notified")
async def change(house: Here, me: Me, game_id: GameId, data: JSONBody[WatchWish]) -> GameRecord:
    room = await house.room(game_id, me)
    if data.watch is not None:
        async with room.lock:
            await house.rooms.refresh(room)
            if room.row["owner_id"] != me.id:
                forbidden("only who began the game says who may watch")
            await house.change(room, {"watch": data.watch})
    if data.notify is not None:
        await lobby.tell_me(house, room, me, data.notify)
    return await house.record(room, me)


@post("/{game_id:str}/abandon", summary="End a game that nobody else plays", status_code=200)
async def abandon(house: Here, me: Me, game_id: GameId) -> GameRecord:
    room = await house.room(game_id, me)
    await moves.abandon(house, room, me)
    return await house.record(room, me)


@post("/{game_id:str}/resign", summary="Give up", status_code=200)
async def resign(house: Here, me: Me, game_id: GameId, data: JSONBody[SeatChoice | None] = None) -> GameRecord:
    room = await house.room(game_id, me)
    await moves.resign(house, room, me, data.seat if data else None)
    return await house.record(room, me)


@post("/{game_id:str}/claim", summary="Win on time", status_code=200)
async def claim(house: Here, me: Me, game_id: GameId, data: JSONBody[SeatChoice | None] = None) -> GameRecord:
    room = await house.room(game_id, me)
    await moves.claim(house, room, me, data.seat if data else None)
    return await house.record(room, me)


@post("/{game_id:str}/rematch", summary="The same again")
async def rematch(
    house: Here,
    me: Me,
    game_id: GameId,
    swap: Annotated[bool, QueryParameter(name="swap", required=False, description="Change sides.")] = False,
) -> GameRecord:
    await house.limits.count("create", me.id, CREATE)
    room = await house.room(game_id, me)
    return await house.record(await lobby.rematch(house, room, me, swap), me)


@post("/{game_id:str}/branch", summary="Go on from a moment in a game of one's own")
async def branch(
    request: Request[Any, Any, Any], house: Here, me: Me, game_id: GameId, data: JSONBody[Branch]
) -> GameRecord:
    await house.limits.count("create", me.id, CREATE)
    await asker(request, house, me).dear()
    room = await house.room(game_id, me)
    new = await while_there(request, archive.branch(house, room, me, data.at, data.seat))
    return await house.record(new, me)


@get("/{game_id:str}/export", summary="The save file", media_type="application/x-ndjson")
async def export(request: Request[Any, Any, Any], house: Here, somebody: Somebody, game_id: GameId) -> Response[bytes]:
    room = await house.room(game_id, somebody)
    asker(request, house, somebody).moment()
    text, name = await archive.export(house, room, somebody)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), headers=headers, media_type="application/x-ndjson")


# ------------------------------------------------------------------------------------------ chat and notes


def _may_talk(room: Room, person: Person | None) -> bool:
    return person is not None and (room.row["owner_id"] == person.id or bool(room.sides_of(person.id)))


async def chat_lines(house: House, room: Room, person: Person | None, since: int) -> list[ChatLine]:
    """What was said: between the players while the game goes on, for all who may see it after."""
    if not room.ended and not _may_talk(room, person):
        forbidden("the chat is for those who play", "seat")
    chat, accounts = schema.chat, schema.accounts
    wanted = (
        select(chat, accounts.c.name, accounts.c.guest)
        .join(accounts, accounts.c.id == chat.c.account_id)
        .where(chat.c.game_id == room.id, chat.c.id > since)
        .order_by(chat.c.id.desc())
        .limit(MOST_CHAT)
    )
    async with house.database.read() as connection:
        rows = (await connection.execute(wanted)).all()
    return [
        ChatLine(
            id=row.id,
            by=row.name,
            account=row.account_id,
            guest=row.guest,
            sides=room.sides_of(row.account_id),
            you=person is not None and person.id == row.account_id,
            system=row.system,
            text="" if row.text.startswith(DRAWN) else row.text,
            at=iso(row.at),
            drawing=msgspec.json.decode(row.text[1:], type=Drawing) if row.text.startswith(DRAWN) else None,
        )
        for row in reversed(rows)
    ]


@get("/{game_id:str}/chat", summary="What was said")
async def chat(
    house: Here,
    somebody: Somebody,
    game_id: GameId,
    since: Annotated[int, QueryParameter(ge=0, le=2**31 - 1, required=False)] = 0,
) -> list[ChatLine]:
    return await chat_lines(house, await house.room(game_id, somebody), somebody, since)


@post("/{game_id:str}/chat", summary="Say something")
async def say(house: Here, me: Me, game_id: GameId, data: JSONBody[Say]) -> list[ChatLine]:
    room = await house.room(game_id, me)
    if not _may_talk(room, me):
        forbidden("the chat is for those who play", "seat")
    await house.limits.count("chat", me.id, CHAT)
    text = lobby.plain(data.text).replace(DRAWN, "").strip()
    return await _told(house, room, me, text) if text else []


@post("/{game_id:str}/drawing", summary="Show arrows and notes to those at the table, or no longer")
async def show(house: Here, me: Me, game_id: GameId, data: JSONBody[Drawing]) -> list[ChatLine]:
    room = await house.room(game_id, me)
    if not _may_talk(room, me):
        forbidden("the chat is for those who play", "seat")
    await house.limits.count("chat", me.id, CHAT)
    pack = pack_of(lobby.rules_named(room.row["game"]), room.row["scenario"])
    named = [hex_ for arrow in data.arrows for hex_ in (arrow.start, arrow.end)] + [note.hex for note in data.notes]
    if pack is None or any(hex_ not in pack.grid.index for hex_ in named):
        unusable("there is no hex of that name on the map", "hex")
    notes = [msgspec.structs.replace(note, text=lobby.plain(note.text)) for note in data.notes]
    drawn = msgspec.json.encode(Drawing(data.arrows, notes)).decode()
    return await _told(house, room, me, DRAWN + drawn)


async def _told(house: House, room: Room, me: Person, text: str) -> list[ChatLine]:
    """Keep it, and have all who look at the table hear of it."""
    line = {"game_id": room.id, "account_id": me.id, "text": text, "at": time.time(), "system": False}

    async def job(connection: AsyncConnection) -> int:
        done = await connection.execute(insert(schema.chat).values(**line))
        assert done.inserted_primary_key is not None
        return int(done.inserted_primary_key[0])

    number = await house.database.write(job)
    house.hub.tell(room.id, "chat")
    return await chat_lines(house, room, me, number - 1)


@get("/{game_id:str}/notes", summary="My notes")
async def notes(house: Here, me: Me, game_id: GameId) -> Notes:
    room = await house.room(game_id, me)
    table = schema.notes
    wanted = select(table.c.text).where(table.c.game_id == room.id, table.c.account_id == me.id)
    async with house.database.read() as connection:
        return Notes((await connection.execute(wanted)).scalar_one_or_none() or "")


@put("/{game_id:str}/notes", summary="Keep my notes")
async def keep_notes(house: Here, me: Me, game_id: GameId, data: JSONBody[Notes]) -> Notes:
    room = await house.room(game_id, me)
    table = schema.notes
    text = lobby.plain(data.text)
    row = {"game_id": room.id, "account_id": me.id, "text": text, "updated": time.time()}

    await house.database.write(partial(keep, table=table, row=row))
    return Notes(text)


router = Router(
    "/api/games",
    route_handlers=documented(
        games,
        create,
        import_save,
        game,
        remove,
        join,
        decline,
        give,
        rename,
        change,
        abandon,
        resign,
        claim,
        rematch,
        branch,
        export,
        chat,
        say,
        show,
        notes,
        keep_notes,
    ),
    tags=["games"],
)
