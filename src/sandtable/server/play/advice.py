"""What the computer tells a player: hints, for those who play against nobody but it and themselves, and analyses of
games that are over, or whose seats are all one's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack

import msgspec

from sandtable import registry
from sandtable.players.hints import Moment, has_hints, lately, moment_of

from ..computers.brain import Wish
from ..house.house import House
from ..house.replays import Replays, analysis_key
from ..people.accounts import Person
from ..people.limits import Asker
from ..refusals import Refused, forbidden
from ..table import looks
from ..table.live import LiveTable
from ..table.rooms import Room
from ..wire.analysis import AnalysisLine
from ..wire.table import HintRecord

EVERY = 0.5
"""Seconds between two lines of an answer that takes long."""


async def alone(house: House, room: Room, person: Person) -> None:
    """Refuse where somebody else plays, may sit down, or plays the game that this one was branched from."""
    if room.people() - {person.id} or any(seat.empty for seat in room.seats.values()):
        forbidden("the computer helps nobody against other people", "people")
    await _not_against_people(house, room)


async def _not_against_people(house: House, room: Room) -> None:
    """Refuse where this game was branched from one that people still play against each other."""
    parent, seen = room.row["parent"], {room.id}
    while parent is not None and parent not in seen:
        seen.add(parent)
        try:
            origin = await house.rooms.get(parent)
        except Refused:  # it was removed
            return
        if not origin.ended and len(origin.people()) > 1:
            forbidden("the game that this one was branched from goes on against other people", "people")
        parent = origin.row["parent"]


async def hint(house: House, room: Room, person: Person, seat: str | None, asker: Asker) -> HintRecord:
    """What the computer would do at the present decision of a seat, from that seat's view alone."""
    own = house.seat(room, person, seat)
    if room.row["rated"]:
        forbidden("the computer helps nobody in a rated game", "rated")
    await alone(house, room, person)
    async with house.table(room) as table:
        game = table.game
        if table.end is not None:
            raise Refused(409, "over", "the game is over", length=len(table.entries))
        side = room.side_number(own)
        if table.to_act != side:
            forbidden(looks.not_your_turn(table), "turn")
        if not has_hints(game):
            forbidden("this game has no computer player that could be asked", "hint")
        length = len(table.entries)
        moment: Moment = moment_of(game, table.state, side, lately(table))
    await asker.dear()
    wish = Wish(
        game=game.id,
        target=registry.GAMES[game.id],
        seed=f"{room.id} {length - len(moment.since)}",  # that of the whole plan
        side=side,
        view=moment.view,
        legal=list(moment.legal),
        opened=moment.opened,
        since=list(moment.since),
    )
    return await house.brains.hint(room, wish)


# ------------------------------------------------------------------------------------------ looking back


async def analysis(
    house: House, room: Room, person: Person | None, asker: Asker, done: bool = False
) -> AsyncIterator[bytes]:
    """A game looked back at, line by line: how far the work is, and in the end the analysis.

    It is for a game that is over, and for one's own hot-seat. What was worked out once is given to anybody who may see
    the game; to have it worked out takes a session, and is counted. `done`: only what was worked out, or nothing.
    """
    if not room.ended and (person is None or set(room.sides_of(person.id)) != set(room.seats)):
        forbidden("a game is looked back at when it is over", "running")
    await _not_against_people(house, room)
    async with house.table(room) as table:
        replays, key = house.replays, analysis_key(room, table)
        if done and replays.kept.get(key) is None:
            return _nothing()
        if not has_hints(room.game):
            forbidden("this game has no computer player that could look back at it", "analysis")
        if not table.entries:
            forbidden("nothing has been played yet", "analysis")
    if replays.kept.get(key) is None and key not in replays.progress:
        if person is None:
            raise Refused(401, "account", "log in first, or play as a guest")
        await asker.analysis()
    return _lines(replays, key, room, table, asker)


async def _nothing() -> AsyncIterator[bytes]:
    yield b"\n"


async def _lines(
    replays: Replays, key: tuple[str, ...], room: Room, table: LiveTable, asker: Asker
) -> AsyncIterator[bytes]:
    with ExitStack() as held:
        try:
            if replays.kept.get(key) is None:
                held.enter_context(asker.looking())
        except Refused as error:
            yield msgspec.json.encode(AnalysisLine(problem=error.problem)) + b"\n"
            return
        work = asyncio.ensure_future(replays.analysis(room, table))
        told: tuple[int, int] | None = None
        try:
            while not work.done():
                now = replays.progress.get(key, (0, 1))
                yield msgspec.json.encode(AnalysisLine(*now)) + b"\n" if now != told else b"\n"
                told = now
                await asyncio.wait({work}, timeout=EVERY)
            try:
                yield b'{"analysis":' + work.result() + b"}\n"
            except Refused as error:
                yield msgspec.json.encode(AnalysisLine(problem=error.problem)) + b"\n"
        finally:
            if not work.done():
                work.cancel()
                await asyncio.wait({work})
