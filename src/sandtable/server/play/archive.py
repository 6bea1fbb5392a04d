"""A game's past: moments, dice, saves, and games that branch off from it."""

from __future__ import annotations

import secrets
from dataclasses import replace
from random import Random
from typing import Any

import msgspec

from sandtable import registry
from sandtable.engine.contract import SPECTATOR, Game
from sandtable.engine.dice import FairDice, commitment, secret_seed
from sandtable.engine.log import Log, dump_log

from ..house.house import House
from ..people.accounts import Person
from ..people.limits import Asker
from ..refusals import Refused, forbidden, unusable
from ..table import looks
from ..table.film import Film
from ..table.live import Imagined, LiveTable, replayed
from ..table.replayer import begun
from ..table.rooms import Room
from ..table.told import EVERYTHING
from ..wire.table import DiceRecord, Moment, RollRecord
from . import lobby

TRIES = 20


async def film(house: House, room: Room) -> tuple[Film, LiveTable]:
    """The game as a film that has all that was played so far, and its table (which may go on)."""
    async with house.table(room) as table:
        entries = list(table.entries)
        if room.film is None:
            room.film = Film(table.header, table.game, entries, house.rooms.stage)
        house.rooms.filmed(room)
        found: Film = room.film
        found.extend(entries)
        return found, table


async def moment(house: House, room: Room, person: Person | None, seat: str | None, count: int, counted: str) -> Moment:
    """A moment by its number: one's own view while the game goes on, everything after its end.

    The number is in one's own count, or in that of spectators, which means the same to everybody; when the game has
    ended also in that of any side: what was noted while it went on can be found again.
    """
    viewer, _ = house.viewer(room, person, seat)
    reel, table = await film(house, room)
    length = table.length(viewer)
    by = {"own": viewer, "public": SPECTATOR}.get(counted)
    if by is None:
        if counted not in room.seats or not room.ended:
            forbidden("moments are told in the count of a side when the game is over", "counted")
        by = room.side_number(counted)
    if count > table.length(by):
        raise Refused(404, "not_found", "the game has not come that far", length=length)
    return await reel.at(table.told.entry(by, count), viewer, length)


async def dice(house: House, room: Room, person: Person | None, seat: str | None, asker: Asker) -> DiceRecord:
    """Every roll so far that may be known; and the seed and every die once the game has ended."""
    viewer, _ = house.viewer(room, person, seat)
    foreign = other_seed(room)
    async with house.table(room) as table:
        if viewer != EVERYTHING:
            return DiceRecord(room.row["commitment"], None, foreign, looks.rolls(table, viewer))
    if house.replays.kept.get(("dice", room.id)) is None:
        await asker.dear()
    found = msgspec.json.decode(await house.replays.dice(room, table, foreign, asker.address), type=list[RollRecord])
    return DiceRecord(room.row["commitment"], room.row["seed"], foreign, found)


async def ending(house: House, room: Room, asker: Asker) -> bytes:
    """How the game was decided, both sides over time, and what had been hidden; when it has ended."""
    async with house.table(room) as table:
        if not room.ended:
            forbidden("the game is not over", "running")
    if house.replays.kept.get(("ending", room.id)) is None:
        await asker.dear()
    return await house.replays.ending(room, table, asker.address)


def other_seed(room: Room) -> int:
    """The last entry that was played with the dice of the game this one was branched from."""
    if room.row["base"]:
        return int(msgspec.json.decode(room.row["base"])["copied"])
    return room.row["branched_at"] or 0


# ------------------------------------------------------------------------------------------ saves


async def export(house: House, room: Room, person: Person | None) -> tuple[str, str]:
    """The game as a save, and a name for the file.

    A save tells everything. While the game goes on it is for a player whose secrets are all that it
    tells: nobody else sits at the table. He then knows the seed, which is noted for all to see.
    """
    if room.row["base"]:
        forbidden("an analysis that began from one side's view cannot be saved", "analysis")
    async with house.table(room) as table:
        if not room.ended:
            if person is None or not room.sides_of(person.id):
                forbidden("a save tells secrets: it can be had when the game is over", "running")
            if room.people() - {person.id} or any(seat.empty for seat in room.seats.values()):
                forbidden("a save tells the other side's secrets: it can be had when the game is over", "running")
            if not room.row["unsealed"]:
                await house.change(room, {"unsealed": True})
        header = replace(table.header, players=room.header().players, foreign=other_seed(room))
        text = dump_log(Log(header, tuple(table.entries), table.end))
    return text, f"{room.row['game']}-{room.row['scenario']}-{room.id}.jsonl"


async def take_in(house: House, person: Person, body: bytes, asker: Asker) -> Room:
    """A saved game as a game here; the one who brings it holds all its seats."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise Refused(422, "save", "the file is not text", line=line) from error
    if "\0" in text or "\\u0000" in text:
        line = text[: max(text.find("\0"), text.find("\\u0000"))].count("\n") + 1
        raise Refused(422, "save", "the line is not proper text", line=line)
    answer = await house.replays.save(text, asker.address)
    if answer.bad is not None:
        raise Refused(422, "save", answer.bad.why, line=answer.bad.line)
    brought = answer.begun
    assert brought is not None
    game = registry.get(brought.header.game)
    seats = [lobby.seat_values(game, side, "me", person) for side in game.info.sides]
    title = registry.scenario(game, brought.header.scenario).title
    foreign = min(brought.header.foreign, len(brought.entries)) or None
    values = {"name": title, "watch": "players", "unsealed": brought.end is None, "branched_at": foreign}
    return await lobby.store(house, person, brought, seats, values)


# ------------------------------------------------------------------------------------------ branches


async def branch(house: House, room: Room, person: Person, at: int, seat: str | None) -> Room:
    """A private game of one's own that goes on from a moment of another.

    Of a game that has ended, or whose seats are all one's own, it is the game itself up to there with
    new dice. Of a game in progress it is a table that fits what one's own side knew then.
    """
    if room.row["rated"] and not room.ended:
        forbidden("a rated game is not tried out while it goes on", "rated")
    viewer, _ = house.viewer(room, person, seat)
    async with house.table(room) as table:
        length = table.length(viewer)
        if at > length:
            raise Refused(404, "not_found", "the game has not come that far", length=length)
        everything = room.ended or set(room.sides_of(person.id)) == set(room.seats)
        n = table.told.entry(viewer, at)
        header, entries, rules = table.header, table.entries[:n], table.game
    game = room.game
    seed = secret_seed()
    fresh = replace(header, seed=seed.hex(), commitment=commitment(seed), players={}, created="")
    base: str | None = room.row["base"] if everything else None
    if everything:
        new = await _again(house, Log(fresh, tuple(entries)), rules)
        if base:
            base = msgspec.json.encode(msgspec.json.decode(base) | {"copied": n}).decode()
    else:
        reel, _ = await film(house, room)
        view = await reel.view_at(n, viewer)
        start = _fitting(game, view)
        base = msgspec.json.encode({"view": view, "seed": start, "copied": 0}).decode()
        new = _imagined(game, view, start, fresh)
    seats = [lobby.seat_values(game, name, "me", person) for name in game.info.sides]
    values: dict[str, Any] = {
        "name": f"{room.row['name']}, from {at}"[:120],
        "watch": "players",
        "analysis": True,
        "base": base,
        "parent": room.id,
        "branched_at": n if everything else at,
    }
    return await lobby.store(house, person, begun(new), seats, values)


async def _again(house: House, log: Log, rules: Game[Any]) -> LiveTable:
    table = await replayed(log, rules, stage=house.rooms.stage)
    if table.end is None:
        table.roll_on()
    return table


def _fitting(game: Game[Any], view: dict[str, Any]) -> str:
    """A seed with which a table that fits the view can be imagined."""
    for _ in range(TRIES):
        seed = secrets.token_hex(8)
        try:
            game.imagine(view, Random(seed))
        except ValueError:
            continue
        return seed
    unusable("this moment cannot be imagined: try one beside it", "branch")


def _imagined(game: Game[Any], view: dict[str, Any], start: str, header: Any) -> LiveTable:
    rules: Any = Imagined(game, view, start)
    table = LiveTable(rules, header, FairDice(bytes.fromhex(header.seed)))
    table.roll_on()
    return table
