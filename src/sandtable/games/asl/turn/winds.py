"""B25.65, F11.76 The Wind Change DR at the start of each Rally Phase, and what follows for dust."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.mechanics.dice import ColoredDice, OneDie

from ..boards.climate import DUSTS, after_wind_change
from ..table import verbs
from ..table.ids import F_WIND, F_WIND_TURN, PHASES
from ..table.smoke import blow
from ..table.state import State
from ..table.telling import emit
from ..table.weather import FORCES, HEAVY, NO_WIND, climate, dust


class WindAt(NamedTuple):
    """The Wind Change DR."""

    frame: int


class WindTurnAt(NamedTuple):
    """The dr that says how the wind changes."""

    frame: int


def blows(s: State) -> bool:
    """Whether wind is used in this scenario."""
    return "wind" not in s.stage.off


def follow(s: State) -> None:
    """F11.76, F11.74c dust rises and falls with the wind; Heavy Wind or Gusts take the dust of vehicles away."""
    now = after_wind_change(dust(s), climate(s), s.stage.field)
    if now.density != DUSTS[s.density]:
        emit(s, "dust_changes", "F11.76", {"density": now.density})
    s.density, s.raised = DUSTS.index(now.density), int(now.raised)
    if s.wind == HEAVY or s.gusts:
        s.trail = {}
        blow(s)  # A24.4


class Wind(ColoredDice[State, WindAt]):
    """B25.65 two: it changes; twelve: Gusts in this Player Turn."""

    at = WindAt

    def take(self, s: State, f: WindAt, action: Action) -> None:
        s.stack.pop()
        chart = s.stage.pack.tables["wind"]["change_dr"]
        total = action[1] + action[2]
        s.gusts = int(total == int(chart["gusts"]))
        if s.gusts:
            emit(s, "gusts", "B25.65", {"dice": list(action[1:])}, final=True)
        if total == int(chart["change"]):
            s.stack.append(WindTurnAt(F_WIND_TURN))
        else:
            follow(s)

    def prompt(self, s: State, f: WindAt) -> Prompt:
        return Prompt("Does the wind change?", "", ("B25.65",), PHASES[s.phase])


class WindTurn(OneDie[State, WindTurnAt]):
    """The wind veers, or blows harder or less."""

    at = WindTurnAt

    def take(self, s: State, f: WindTurnAt, action: Action) -> None:
        s.stack.pop()
        effect = s.stage.pack.tables["wind"]["change_effect_by_dr"][action[1] - 1]
        if "force" in effect:
            s.wind = max(0, min(len(FORCES) - 1, s.wind + int(effect["force"])))
            if s.wind != NO_WIND and not s.toward:
                s.toward = 1
        elif s.toward:
            s.toward = (s.toward - 1 + int(effect["turn"])) % 6 + 1
        emit(s, "wind", "B25.65", {"force": FORCES[s.wind], "toward": s.toward, "die": action[1]}, final=True)
        follow(s)

    def prompt(self, s: State, f: WindTurnAt) -> Prompt:
        return Prompt("How does the wind change?", "", ("B25.65",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_WIND: Wind(verbs.ROLLED), F_WIND_TURN: WindTurn(verbs.FELL)}
