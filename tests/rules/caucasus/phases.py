"""Initial Phases for the rule tests: who is due, who is in which box, and what is asked."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.caucasus.table.ids import F_ARRIVE, F_CORPS, F_INITIAL, TRACK
from sandtable.games.caucasus.table.state import State, put

from .kit import U, empty, start, texts
from .kit import why as refusal

STOP = (F_CORPS,)  # a decision below the phase, where it ends


def phase(side: str, turn: int) -> State:
    """An empty map at the beginning of an Initial Phase."""
    return empty(side, turn, f"{side}_initial")


def due(s: State, turn: int, *names: str) -> None:
    """Reinforcements on the turn track."""
    for name in names:
        put(s, U(name), TRACK)
        s.due[U(name)] = turn


def boxed(s: State, box: int, *names: str) -> None:
    for name in names:
        put(s, U(name), box)


def arrive(s: State) -> list[Event]:
    """The placement of reinforcements by the side whose phase it is."""
    return start(s, STOP, (F_ARRIVE, s.active, 0))


def initial(s: State) -> list[Event]:
    """The whole Initial Phase."""
    return start(s, STOP, (F_INITIAL, s.active, 0))


def places(s: State, unit: str) -> set[str]:
    """Where a unit may be placed."""
    return {text.split()[2] for text in texts(s) if text.startswith(f"place {unit} ")}


def why(s: State, text: str) -> tuple[str, str]:
    reason = refusal(s, text)
    assert reason is not None
    return reason.rule, reason.why


def over(s: State) -> bool:
    return s.stack == [STOP]
