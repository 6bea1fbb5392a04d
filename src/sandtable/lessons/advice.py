"""The next sensible thing: what each question of a game is for, and what most players do.

[[advice]]                  # games/<game>/data/advice.toml
step = "Moves"              # the step of the sequence of play that asks, by its name in the code
text = "One sentence."
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sandtable import registry, texts
from sandtable.engine.contract import Game
from sandtable.engine.frames import Frame
from sandtable.engine.packs.faults import Fault, refuse
from sandtable.engine.packs.files import read_toml


def asks(step: type[Frame[Any]]) -> bool:
    """Whether a step of a sequence of play may ask a player something: it offers actions, and no chances."""
    own = [one for one in step.__mro__ if one is not Frame and issubclass(one, Frame)]
    if getattr(step, "does", ()):
        return True
    return any("legal" in vars(one) for one in own) and not any("chances" in vars(one) for one in own)


def steps(game: Any) -> Iterator[type[Frame[Any]]]:
    """The steps of a game's sequence of play."""
    frames = getattr(game, "frames", ())
    for frame in frames.values() if isinstance(frames, dict) else frames:
        yield type(frame)


def read_advice(game: Game[Any], path: Path) -> Mapping[str, str]:
    """The advice in a file, by the name of the step; PackError with file and line if something is wrong with it."""
    faults: list[Fault] = []
    document = read_toml(path, path.name, faults)
    known = {step.__name__ for step in steps(game)}
    found: dict[str, str] = {}
    for number, one in enumerate(document.data.get("advice", [])):
        at = ("advice", number)
        step, text = one.get("step"), one.get("text")
        if set(one) != {"step", "text"} or not isinstance(text, str) or not text.strip():
            faults.append(document.fault(at, "advice is a step and a text"))
        elif step not in known:
            faults.append(document.fault((*at, "step"), f"{game.id} has no step '{step}'"))
        elif step in found:
            faults.append(document.fault((*at, "step"), f"there is advice for '{step}' already"))
        else:
            found[step] = texts.tidy(text)
    refuse(faults)
    return found


@cache
def _advice(game: Any) -> Mapping[str, str]:
    path = texts.home(game) / "data" / "advice.toml"
    return read_advice(game, path) if path.exists() else {}


def advice(game: Any, state: Any) -> str:
    """What to tell the side that decides; nothing where the game has no advice."""
    frames = getattr(game, "frames", None)
    if frames is None or game.id not in registry.GAMES or not state.stack:
        return ""
    known: Any = registry.get(game.id)
    return _advice(known).get(type(frames[state.stack[-1][0]]).__name__, "")
