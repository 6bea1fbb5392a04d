"""Lessons at the table: private games that begin with a prepared position and are followed by a coach."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import select

from sandtable import registry
from sandtable.engine.contract import Game
from sandtable.engine.log import Log
from sandtable.lessons import coach, form

from ..house.house import House
from ..people.accounts import Person
from ..refusals import Refused, unusable
from ..storage import schema
from ..table.live import LiveTable, replayed
from ..table.replayer import begun
from ..table.rooms import Room
from ..wire.lessons import BattleInfo, LessonInfo, LessonState, StepText
from . import lobby


def lesson_of(room: Room) -> form.Lesson:
    """The lesson that is taught at this table; 404 if it is an ordinary one."""
    name = room.row["lesson"]
    known = form.lessons(room.game)
    if name is None or name not in known:
        raise Refused(404, "not_found", "no lesson is taught at this table")
    return known[name]


def acks(room: Room) -> list[coach.Ack]:
    return [coach.Ack(*one) for one in msgspec.json.decode(room.row["coached"] or "[]")]


async def listed(house: House, person: Person | None) -> list[LessonInfo]:
    """All lessons, game by game, and where this person has left them."""
    left = await _left(house, person)
    return [
        LessonInfo(
            game=lesson.game,
            id=lesson.id,
            title=lesson.title,
            summary=lesson.summary,
            minutes=lesson.minutes,
            steps=len(lesson.steps),
            battle=battle_of(lesson),
            yours=left.get((lesson.game, lesson.id), (None, 0))[0],
            step=left.get((lesson.game, lesson.id), (None, 0))[1],
        )
        for name in registry.names()
        for lesson in form.lessons(registry.get(name)).values()
    ]


def battle_of(lesson: form.Lesson) -> BattleInfo:
    """The battle after a lesson, as it is offered: against the easy player, where there is one."""
    battle, players = lesson.battle, registry.get(lesson.game).info.players
    other = "easy" if registry.PLANNER in players else "random"
    return BattleInfo(battle.scenario, battle.side, other, battle.summary, battle.minutes)


async def _left(house: House, person: Person | None) -> dict[tuple[str, str], tuple[str, int]]:
    """The lessons that this person has begun and not finished: the table, and the step."""
    if person is None:
        return {}
    games = schema.games
    wanted = (
        select(games.c.id, games.c.game, games.c.lesson)
        .where(games.c.owner_id == person.id, games.c.lesson.is_not(None), games.c.status == "running")
        .order_by(games.c.updated)
    )
    async with house.database.read() as connection:
        rows = (await connection.execute(wanted)).all()
    found = {}
    for row in rows:
        if row.game in registry.GAMES and row.lesson in form.lessons(registry.get(row.game)):
            room = await house.rooms.get(row.id)
            async with house.table(room) as table:
                place = _place(room, table)
            if place.step < len(lesson_of(room).steps):
                found[row.game, row.lesson] = (row.id, place.step)
    return found


async def begin(house: House, person: Person, game: Game[Any], name: str, anew: bool) -> Room:
    """The lesson where it was left, or from its beginning."""
    if name not in form.lessons(game):
        raise Refused(404, "not_found", "this game has no lesson of that name")
    left = await _left(house, person)
    known = left.get((game.id, name))
    if known is not None and not anew:
        return await house.rooms.get(known[0])
    if known is not None:
        await lobby.remove(house, await house.rooms.get(known[0]), person)
    lesson = form.lessons(game)[name]
    table = LiveTable.new(game, lesson.scenario, lesson.options, seed=lesson.seed)
    assert isinstance(table, LiveTable)
    coach.lay_out(table, lesson)
    return await _store(house, person, game, lesson, table, [])


async def _store(
    house: House, person: Person, game: Game[Any], lesson: form.Lesson, table: LiveTable, read: list[coach.Ack]
) -> Room:
    other = registry.PLANNER if registry.PLANNER in game.info.players else "random"
    seats = [lobby.seat_values(game, side, "me" if side == lesson.side else other, person) for side in game.info.sides]
    coached = msgspec.json.encode(read).decode()
    values = {"name": lesson.title, "watch": "players", "lesson": lesson.id, "coached": coached}
    return await lobby.store(house, person, begun(table), seats, values)


def _place(room: Room, table: LiveTable) -> coach.Place:
    return coach.follow(table.game, lesson_of(room), table.entries, acks(room))


async def state(house: House, room: Room) -> LessonState:
    """What the coach says now."""
    lesson = lesson_of(room)
    async with house.table(room) as table:
        place, length = _place(room, table), table.length(room.side_number(lesson.side))
    step = lesson.steps[place.step] if place.step < len(lesson.steps) else None
    return LessonState(
        id=lesson.id,
        title=lesson.title,
        length=length,
        step=place.step,
        steps=len(lesson.steps),
        now=None if step is None else StepText(step.title, step.text, list(step.rules), step.kind),  # type: ignore[arg-type]
        ending=lesson.ending if step is None else "",
        answer=place.answer,
        wanted=place.wanted,
        hexes=list(step.hexes) if step else [],
        units=list(step.units) if step else [],
        panel=step.panel if step else "",
        look=step.look if step else "",
        stuck=place.stuck,
        begun=place.step in place.starts,
        battle=battle_of(lesson),
    )


async def read(house: House, room: Room, step: int) -> None:
    """Note that a step was read or looked at; or left out, when what it asks for is not on offer any more."""
    lesson = lesson_of(room)
    async with house.table(room) as table:
        place = _place(room, table)
        if place.step != step or step >= len(lesson.steps):
            return  # the lesson has gone on meanwhile
        if lesson.steps[step].kind == form.DO and not place.stuck:
            return  # there is something to do first
        live = coach.live(table.entries)
        noted = [*acks(room), coach.Ack(step, live[-1] + 1 if live else 0)]
        await house.change(room, {"coached": msgspec.json.encode(noted).decode()})


async def again(house: House, room: Room, person: Person, step: int) -> Room:
    """The lesson from the beginning of a step, with the same dice, at a table of its own; the old one goes."""
    lesson = lesson_of(room)
    async with house.table(room) as table:
        place = _place(room, table)
        if step > place.step:
            unusable("the lesson has not come that far", "step")
        begins = [length for number, length in place.starts.items() if number >= step]
        length = min(begins, default=len(table.entries))
        header, entries, noted = table.header, tuple(table.entries[:length]), acks(room)
    new = await replayed(Log(header, entries), room.game, stage=house.rooms.stage)
    kept = [ack for ack in noted if ack.step < step and ack.length <= length]
    made = await _store(house, person, room.game, lesson, new, kept)
    await lobby.remove(house, room, person)
    return made
