"""What the computer tells a player: hints, for those who play against nobody but it and themselves."""

from __future__ import annotations

from sandtable import registry
from sandtable.players.hints import Moment, has_hints, lately, moment_of

from ..computers.brain import Wish
from ..house.house import House
from ..people.accounts import Person
from ..people.limits import Asker
from ..refusals import Refused, forbidden
from ..table import looks
from ..table.rooms import Room
from ..wire.table import HintRecord


async def alone(house: House, room: Room, person: Person) -> None:
    """Refuse where somebody else plays, may sit down, or plays the game that this one was branched from."""
    seats = room.seats.values()
    if room.people() - {person.id} or any(seat.empty for seat in seats):
        forbidden("the computer helps nobody against other people", "people")
    parent, seen = room.row["parent"], {room.id}
    while parent is not None and parent not in seen:
        seen.add(parent)
        try:
            origin = await house.rooms.get(parent)
        except Refused:  # it was removed
            return
        if not origin.ended and origin.people() - {person.id}:
            forbidden("the game that this one was branched from goes on against other people", "people")
        parent = origin.row["parent"]


async def hint(house: House, room: Room, person: Person, seat: str | None, asker: Asker) -> HintRecord:
    """What the computer would do at the present decision of a seat, from that seat's view alone."""
    own = house.seat(room, person, seat)
    await alone(house, room, person)
    async with house.table(room) as table:
        game = table.game
        if table.end is not None:
            raise Refused(409, "over", "the game is over", length=len(table.entries))
        side = room.side_number(own)
        if table.to_act != side:
            forbidden(f"it is not your turn: {looks.side_name(table, table.to_act)} decides", "turn")
        if not has_hints(game):
            forbidden(f"{game.id} has no computer player that could be asked", "hint")
        length = len(table.entries)
        moment: Moment = moment_of(game, table.state, side, lately(table))
    await asker.dear()
    wish = Wish(
        game=game.id,
        target=registry.GAMES[game.id],
        seed=f"{room.id} {length}",
        side=side,
        view=moment.view,
        legal=list(moment.legal),
        opened=moment.opened,
        since=list(moment.since),
    )
    return await house.brains.hint(room, wish)
