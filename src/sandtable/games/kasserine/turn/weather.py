"""A1 Weather (3.7) and A2 Reinforcements and Special Events (14.4)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from ..table import steps, verbs
from ..table.ids import AXIS, CLOUDY, MUD, PHASES, RAIN, READY, TO_COME, WITHDRAWN
from ..table.position import clear_marks, control, eliminate, forget, put
from ..table.script import HISTORICAL_WEATHER, VARIABLE_COMMAND, script
from ..table.state import State
from ..table.steps import At


def set_weather(s: State, weather: int, face: int = 0) -> None:
    """3.71, 3.74 the weather of the turn; a Cloudy turn after Rain is a Lingering Mud turn."""
    if weather == CLOUDY and s.weather == RAIN:
        weather = MUD
    s.weather = weather
    s.zones[0] = s.zones[1] = -1
    forget(s)
    emit(s, "weather", "3.71a", {"weather": weather, "face": face, "turn": s.turn}, final=bool(face))
    if weather == RAIN:
        bind_tigers(s)
    control(s)


def bind_tigers(s: State) -> None:
    """13.22 from the first Rain turn on Tigers keep to the roads; one caught off them is lost."""
    s.tigers_bound = 1
    for u in units_of(s.on_map[AXIS] & s.board.tigers):
        if not s.board.terrain.road_hexes >> s.at[u] & 1:
            eliminate(s, u, "13.22c")


class Weather(Dice[State, At]):
    """3.71a the die, unless the scenario or an agreement says what the weather is."""

    at = At

    def actor(self, s: State, f: At) -> int | None:
        return super().actor(s, f) if self.known(s) < 0 else None

    def known(self, s: State) -> int:
        """4.14, 3.71d the weather that needs no die, -1 if it does."""
        play = script(s)
        if play.always >= 0:
            return play.always
        if s.turn == play.first:
            return play.weather
        if s.flags & HISTORICAL_WEATHER and (play.historical or s.edition < 3):
            return s.board.charts.historical[s.turn]
        return -1

    def run(self, s: State, f: At) -> None:
        s.stack.pop()
        set_weather(s, self.known(s))

    def take(self, s: State, f: At, action: Action) -> None:
        s.stack.pop()
        set_weather(s, s.board.charts.roll_weather(s.weather, s.turn, action[1]), action[1])

    def prompt(self, s: State, f: At) -> Prompt:
        return Prompt("Weather", "", ("3.71a",), PHASES[s.phase])


class CommandRoll(Dice[State, At]):
    """16.3 in Scenario 1 a die on turn 4 may end the divided command."""

    at = At

    def actor(self, s: State, f: At) -> int | None:
        wanted = s.flags & VARIABLE_COMMAND and s.turn == script(s).command_turn
        return super().actor(s, f) if wanted else None

    def run(self, s: State, f: At) -> None:
        s.stack.pop()

    def take(self, s: State, f: At, action: Action) -> None:
        s.stack.pop()
        s.command_free = int(action[1] in script(s).command_faces)
        emit(s, "command", "16.3", {"face": action[1], "free": s.command_free}, final=True)

    def prompt(self, s: State, f: At) -> Prompt:
        return Prompt("Variable command", "", ("16.3",), PHASES[s.phase])


def reinforcements(s: State) -> None:
    """A2 units that withdraw go (14.41, 14.42); air units come and go (14.43)."""
    play = script(s)
    for turn, u in play.withdrawals:
        if turn == s.turn and s.at[u] >= 0:  # 14.42a
            emit(s, "withdrawn", "14.41", {"unit": u, "hex": s.at[u]})
            clear_marks(s, u)
            put(s, u, WITHDRAWN)
    for turn, u in play.air_goes:
        if turn == s.turn:
            emit(s, "withdrawn", "14.43", {"unit": u, "hex": -1})
            put(s, u, WITHDRAWN)
    for turn, u in play.air_comes:
        if turn == s.turn and s.at[u] == TO_COME:
            s.due[u] = 0
            put(s, u, READY)
            emit(s, "arrived", "14.43", {"unit": u, "hex": -1, "side": s.board.side[u]})
    control(s)


FRAMES: dict[int, Frame[State, Any]] = {
    steps.WEATHER: Weather(verbs.ROLL, 1, 10),
    steps.COMMAND_ROLL: CommandRoll(verbs.ROLL, 1, 10),
}
