"""Playing: moves, undo, giving up."""

from __future__ import annotations

import asyncio
import time
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.contract import SPECTATOR, Action, Illegal, Outcome
from sandtable.engine.scene import Scene
from sandtable.engine.texts.text import Text

from .. import metrics
from ..house.house import House, clock, undo_asked
from ..people.accounts import Person
from ..people.limits import Asker
from ..refusals import Refused, forbidden, illegal, stale, unusable
from ..table import looks
from ..table.live import LiveTable, Question, Turns
from ..table.rooms import Key, Room
from ..wire.table import About, Cost, MoveWish, ReasonText, TableState, UndoAsk, UndoWish

LONGEST_WORD = 80
MOST_WORDS = 12


def parsed(table: LiveTable, action: dict[str, Any]) -> Action:
    """An action from its JSON form; 422 if it is none."""
    if len(action) > MOST_WORDS or not all(
        isinstance(value, str | int) and len(str(value)) <= LONGEST_WORD and len(name) <= LONGEST_WORD
        for name, value in action.items()
    ):
        illegal("an action is an object with 'do', the verb, and its arguments by name")
    try:
        return table.game.action_from_json(action)
    except Illegal as error:
        illegal(error.why, error.rule)


def read(table: LiveTable, text: str) -> Action:
    """An action from its notation; 422 if it is none."""
    if len(text) > 4 * LONGEST_WORD:
        illegal("an action is a verb and its arguments; this is too long")
    try:
        return table.game.parse(text)
    except Illegal as error:
        illegal(error.why, error.rule)


def state(room: Room, table: LiveTable, viewer: int, seat: str | None) -> TableState:
    return looks.table_state(table, viewer, seat, room.row["status"], undo_asked(room))


class Again(NamedTuple):
    """A move that was taken before: which, and who asks for its answer."""

    table: LiveTable
    key: tuple[str, str]
    asked: dict[str, Any]


async def move(house: House, room: Room, person: Person, wish: MoveWish) -> bytes | Again:
    """Take an action, once; the answer is given after it is safe."""
    # A client that goes away must not leave the table between memory and database.
    return await asyncio.shield(asyncio.ensure_future(_move(house, room, person, wish)))


async def _move(house: House, room: Room, person: Person, wish: MoveWish) -> bytes | Again:
    digest = sha256(msgspec.json.encode([wish.seat, wish.length, wish.action], order="sorted")).hexdigest()[:32]
    async with house.table(room) as table:
        viewer = _decider(house, room, person, wish.seat)
        known = room.keys.get((person.id, wish.key))
        if known is not None:
            return _known(house, room, table, known, (person.id, wish.key), digest, viewer, wish.seat)
        length = len(table.entries)
        if table.end is not None:
            metrics.REFUSED.labels("over").inc()
            raise Refused(409, "over", "the game is over", length=length)
        if wish.length != table.length(viewer):
            metrics.REFUSED.labels("stale").inc()
            stale(table.length(viewer))
        if table.to_act != viewer:
            metrics.REFUSED.labels("turn").inc()
            forbidden(looks.not_your_turn(table), "turn")
        action = parsed(table, wish.action)
        before = looks.scene(table.game, table.state, viewer) if wish.brief else None
        take(table, action, viewer)
        await house.commit(room, table, length, person, wish.key, digest)
        metrics.MOVES.labels(room.row["game"], "person").inc()
        answer = _answer(house, room, table, viewer, length, wish.seat, (person.id, wish.key), before)
        house.hub.knows(room.id, connection(wish.live, wish.seat), person.id, table.length(viewer))
    house.brains.kick(room)
    return answer


def connection(name: str | None, seat: str) -> str:
    """What a live connection is called: by its own name, and the seat that it looks from."""
    return f"{name} {seat}" if name else ""


def _answer(
    house: House,
    room: Room,
    table: LiveTable,
    viewer: int,
    since: int,
    seat: str,
    key: tuple[str, str] | None,
    before: Scene | None = None,
) -> bytes:
    """The answer to what a side has done, and kept, should it be asked for again."""
    moved = looks.moved(table, viewer, since, seat, room.row["status"], undo_asked(room), before)
    answer = msgspec.json.encode(moved)
    if key is not None:
        house.replays.kept.put(("answer", room.id, *key), answer)
    return answer


def _known(
    house: House, room: Room, table: LiveTable, known: Key, key: tuple[str, str], digest: str, viewer: int, seat: str
) -> bytes | Again:
    """What a key was answered that was used before: kept, or to be worked out again."""
    if known.digest != digest:
        unusable("this key was used for another move", "key")
    kept = house.replays.kept.get(("answer", room.id, *key))
    if kept is not None:
        return kept
    if known.upto == len(table.entries) and table.end is None:  # the table is still the one of that answer
        return _answer(house, room, table, viewer, known.n - 1, seat, key)
    return Again(table, key, {"viewer": viewer, "seat": seat, "n": known.n, "upto": known.upto})


async def again(house: House, room: Room, once_more: Again, asker: Asker) -> bytes:
    """The answer that a move was given when it was taken, long ago: the game is played again up to there."""
    await asker.dear()
    return await house.replays.answer(room, once_more.table, once_more.key, once_more.asked, asker.address)


def take(table: LiveTable, action: Action, side: int) -> None:
    try:
        table.act(action, side)
    except Illegal as error:
        metrics.REFUSED.labels("illegal").inc()
        illegal(error.why, error.rule)


def _decider(house: House, room: Room, person: Person, seat: str) -> int:
    house.seat(room, person, seat)
    return room.side_number(seat)


# ------------------------------------------------------------------------------------------ questions


async def about(house: House, room: Room, person: Person | None, seat: str | None, text: str) -> bytes:
    """What there is to know about one action: why it is not allowed, or else its cost and its chances.

    Only the side that decides may ask about the rules.
    """
    async with house.table(room) as table:
        viewer, _ = house.viewer(room, person, seat)
        action = read(table, text)
        found = About(None, None, None)
        if table.to_act is None:
            found.reason = ReasonText("", "the game is over")
        elif viewer < 0 or table.to_act != viewer:
            found.reason = ReasonText("", looks.not_your_turn(table))
        elif (reason := table.game.why_not(table.state, action)) is not None:
            found.reason = ReasonText(reason.rule, reason.why)
        else:
            found.hint = table.game.hint(table.state, action)
            found.odds = table.game.odds(table.state, action)
        return msgspec.json.encode(found, enc_hook=_exact)


async def costs(house: House, room: Room, person: Person | None, seat: str | None) -> list[Cost]:
    """What each of the listed actions costs that cost something, for the side that decides."""
    async with house.table(room) as table:
        viewer, _ = house.viewer(room, person, seat)
        found: list[Cost] = []
        if viewer < 0 or table.to_act != viewer:
            return found
        turns = Turns()
        for action in table.legal():
            hint = table.game.hint(table.state, action)
            if hint:
                stop, extended = hint.get("stop", False), hint.get("extended", False)
                found.append(Cost(table.game.text(action), hint.get("cost", ""), stop, extended))
            await turns.pause()
        return found


def _exact(value: Any) -> str:
    """A chance as the fraction that it is."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} does not travel")


# ------------------------------------------------------------------------------------------ undo


async def undo(house: House, room: Room, person: Person, wish: UndoWish) -> bytes | Again:
    """Take back one's own last decision, if nothing irreversible has happened since."""
    return await asyncio.shield(asyncio.ensure_future(_undo(house, room, person, wish)))


async def _undo(house: House, room: Room, person: Person, wish: UndoWish) -> bytes | Again:
    async with house.table(room) as table:
        seat = house.seat(room, person, wish.seat)
        viewer = room.side_number(seat)
        digest = sha256(msgspec.json.encode(["undo", seat, wish.length])).hexdigest()[:32]
        key = None if wish.key is None else (person.id, wish.key)
        if key is not None and (known := room.keys.get(key)) is not None:
            return _known(house, room, table, known, key, digest, viewer, seat)
        length = len(table.entries)
        if wish.length is not None and wish.length != table.length(viewer):
            stale(table.length(viewer))
        before = looks.scene(table.game, table.state, viewer) if wish.brief else None
        try:
            table.undo(viewer)
        except Illegal as error:
            illegal(error.why, error.rule)
        await house.commit(room, table, length, person, wish.key, digest)
        answer = _answer(house, room, table, viewer, length, seat, key, before)
        house.hub.knows(room.id, connection(wish.live, seat), person.id, table.length(viewer))
        return answer


async def ask_undo(house: House, room: Room, person: Person, wish: UndoAsk) -> None:
    """Ask the other side to let one take back more. Computers agree, and so does one's own other hand."""
    async with house.table(room) as table:
        seat = house.seat(room, person, wish.seat)
        if table.end is not None:
            illegal("the game has ended and its dice are revealed")
        since = table.decision_back(seat, wish.decisions)
        if not since:
            illegal(Text("there are not {n} decisions of this side to take back", n=wish.decisions))
        asked = Question(seat, since, table.length(SPECTATOR))
        if room.people() <= {person.id}:
            await _take_back(house, room, table, asked)
        else:
            await house.change(room, {"undo_asked": msgspec.json.encode(asked).decode()}, "events")
            await house.notices.undo_asked(room, person)
    house.brains.kick(room)


async def answer_undo(house: House, room: Room, person: Person, yes: bool, seat: str | None) -> None:
    async with house.table(room) as table:
        own = house.seat(room, person, seat)
        asked = undo_asked(room)
        if asked is None:
            length = table.length(room.side_number(own))
            raise Refused(409, "stale", "nobody asks to take anything back", length=length)
        if person.id == room.seats[asked.by].account_id and (yes or own != asked.by):
            forbidden("the other side has to answer", "seat")
        if yes:
            await _take_back(house, room, table, asked)
        else:
            await house.change(room, {"undo_asked": None}, "events")
    house.brains.kick(room)


async def _take_back(house: House, room: Room, table: LiveTable, asked: Question) -> None:
    length = len(table.entries)
    decisions = len(table.decisions_since(asked.since))
    if not decisions:
        illegal("this has been taken back already")
    try:
        table.undo_by_consent(decisions)
    except Illegal as error:
        illegal(error.why, error.rule)
    await asyncio.shield(asyncio.ensure_future(house.commit(room, table, length, answered=True)))


# ------------------------------------------------------------------------------------------ the end


async def end(house: House, room: Room, outcome: Outcome | None) -> None:
    """End a game before its rules do. Call it with the room's lock and its table at hand."""
    table = await house.rooms.table(room)
    if table.end is not None:
        raise Refused(409, "over", "the game is over", length=len(table.entries))
    table.finish(outcome)
    changes = house.moved(room, table, time.time())
    try:
        await house.change(room, changes)
    except BaseException:
        house.rooms.drop_table(room)
        raise
    house.hub.tell(room.id)
    await house.ended(room)


async def resign(house: House, room: Room, person: Person, seat: str | None) -> None:
    async with room.lock:
        await house.rooms.table(room)
        side = house.seat(room, person, seat)
        others = [number for number, name in enumerate(room.seats) if name != side]
        await end(house, room, Outcome(others[0] if len(others) == 1 else None, "resignation"))
        await house.notices.ended(room, person)


async def claim(house: House, room: Room, person: Person, seat: str | None) -> None:
    """Win a game in which the other side has let its time run out."""
    async with room.lock:
        await house.rooms.table(room)
        side = house.seat(room, person, seat)
        now = clock(room.row)
        if room.ended or now is None or not now.overdue or room.row["to_act"] == side:
            forbidden("the other side still has time", "clock")
        await end(house, room, Outcome(room.side_number(side), "on time"))
        await house.notices.ended(room, person)


async def abandon(house: House, room: Room, person: Person) -> None:
    """End a game without an outcome: possible as long as nobody else sits at the table."""
    async with room.lock:
        if person.id != room.row["owner_id"] and not room.sides_of(person.id):
            forbidden("you hold no seat at this table", "seat")
        if room.people() - {person.id}:
            forbidden("others sit at this table: resign instead", "others")
        await end(house, room, None)
