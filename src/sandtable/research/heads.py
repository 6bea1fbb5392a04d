"""An action in parts: the verb first, then its arguments, each chosen from a short list.

The flat space of a large game has millions of numbers, of which a handful are legal. In parts, every choice is one of a
few hundred, and one small network (or one head a kind of argument) can make it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import Action, Game


class Heads:
    """The parts of a game's actions. `size` is the widest of them: one space that holds every choice."""

    def __init__(self, game: Game[Any]) -> None:
        codec: Any = game.codec  # type: ignore[attr-defined]
        self.verbs: tuple[str, ...] = tuple(verb.word for verb in codec.verbs)
        self.kinds: tuple[tuple[str, ...], ...] = tuple(
            tuple(kind.name for _, kind in verb.args) for verb in codec.verbs
        )
        self.widths: dict[str, int] = {kind.name: len(kind.values) for verb in codec.verbs for _, kind in verb.args}
        self.size = max(len(self.verbs), *self.widths.values())
        self.longest = 1 + max(len(kinds) for kinds in self.kinds)

    def head(self, begun: Action) -> str:
        """What is chosen next after these parts: `verb`, or a kind of argument."""
        return "verb" if not begun else self.kinds[begun[0]][len(begun) - 1]

    def choices(self, legal: Sequence[Action], begun: Action) -> list[int]:
        """The numbers that the next part may be, so that a legal action can still come of it."""
        place = len(begun)
        return sorted({int(action[place]) for action in legal if action[:place] == begun and len(action) > place})

    def whole(self, begun: Action) -> bool:
        """Whether nothing is left to be chosen."""
        return bool(begun) and len(begun) == 1 + len(self.kinds[begun[0]])


class Choosing:
    """One action being put together, part by part, out of the legal ones."""

    def __init__(self, heads: Heads, legal: Sequence[Action]) -> None:
        self.heads, self.begun = heads, tuple[int, ...]()
        self.legal: list[Action] = [tuple(map(int, action)) for action in legal]

    def choices(self) -> list[int]:
        return self.heads.choices(self.legal, self.begun)

    def choose(self, part: int) -> Action | None:
        """Take the next part; the whole action when it is the last. ValueError if it leads to nothing legal."""
        if part not in self.choices():
            raise ValueError(
                f"{part} is not among the choices for {self.heads.head(self.begun)}: {self.choices()[:20]}"
            )
        self.begun = (*self.begun, int(part))
        self.legal = [action for action in self.legal if action[: len(self.begun)] == self.begun]
        return self.begun if self.heads.whole(self.begun) else None
