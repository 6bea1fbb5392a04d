"""A game at one terminal: people, computers, or both, taking turns at the same screen.

Whatever is printed is printed for one side, the viewer, from what `events_for`, `view` and the decision of
that side give. When the viewer changes, the screen is handed over: cleared, scrollback and all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from sandtable.engine.contract import SPECTATOR, Action, Illegal, Outcome, Reason
from sandtable.engine.table import UNDO, Table

from . import show
from .board import Board
from .commands import find_command
from .desk import Desk, Group, Names, Unclear, event_hexes
from .reader import Leave, Reader

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clear the screen and what could be scrolled back to."""

PAGE = 24
"""Lines of actions shown at once where the height of the screen does not say."""

Choose = Callable[[Table[Any], int], Action]
"""How a computer decides for a side."""


@dataclass(frozen=True)
class Seat:
    """Who plays a side: a person, if nothing else chooses."""

    name: str
    choose: Choose | None = None

    @property
    def is_human(self) -> bool:
        return self.choose is None


class Session:
    """One game being played at this terminal."""

    def __init__(
        self,
        table: Table[Any],
        seats: Sequence[Seat],
        console: Console,
        reader: Reader,
        save: Path | None = None,
        fallback: Callable[[], Path] | None = None,
    ) -> None:
        self.table = table
        self.game = table.game
        self.seats = tuple(seats)
        self.console = console
        self.reader = reader
        self.save_path = save
        self.fallback = fallback
        self.board = Board(self.game, table.header.scenario)
        self.names = Names(self.board.pack)
        self.people = [side for side, seat in enumerate(self.seats) if seat.is_human]
        self.viewer: int | None = None
        if not self.people:
            self.viewer = SPECTATOR
        elif len(self.people) == 1:
            self.viewer = self.people[0]
        self._seen = dict.fromkeys([SPECTATOR, *range(len(self.seats))], 0)
        self._recent: list[Mapping[str, Any]] = []
        self._desk: Desk | None = None
        self._page = 0
        self._filter = ""
        self._fresh = True
        self._saved_at = -1

    # ------------------------------------------------------------------------------- the game

    def run(self) -> Outcome | None:
        """Play until the game is over or the player leaves; the game is saved either way."""
        try:
            self.table.roll_on()
            while (side := self.table.to_act) is not None:
                if self.seats[side].is_human:
                    self._human(side)
                else:
                    self._computer(side)
        except (Leave, EOFError, KeyboardInterrupt):
            self._leave()
            return None
        except Exception:
            self._leave()  # whatever went wrong, the game is not lost
            raise
        self._finish()
        return self.table.end.outcome if self.table.end is not None else None

    def side_title(self, side: int) -> str:
        return self.game.info.side_titles[side] if side >= 0 else "Spectator"

    def say(self, *lines: object) -> None:
        for line in lines:
            self.console.print(line, markup=False, highlight=False, soft_wrap=False)

    def _computer(self, side: int) -> None:
        choose = self.seats[side].choose
        assert choose is not None
        thinking = f"{self.side_title(side)} ({self.seats[side].name}) decides"
        if self.console.is_terminal and self.viewer is not None:
            with self.console.status(thinking):
                action = choose(self.table, side)
        else:
            action = choose(self.table, side)
        self.table.act(action, side)
        self._fresh = True
        if self.viewer is not None:
            self.tell_news(self.viewer)

    def _human(self, side: int) -> None:
        if self.viewer != side:
            self._hand_over(side)
        self.tell_news(side)
        self._keep()
        desk = self._desk = Desk(self.game, self.table.state, self.names)
        if len(desk.legal) == 1:
            self._forced(side, desk)
            return
        self._page = 0
        self._filter = ""
        targets = desk.targets()
        if self._fresh or targets:
            self.show_map()
        self._fresh = False
        self.show_prompt()
        self.show_actions()
        while self.table.to_act == side and self._desk is desk:
            self._line(self.reader.line(f"{self.game.info.sides[side]}> "))

    def _forced(self, side: int, desk: Desk) -> None:
        prompt = self.game.prompt(self.table.state)
        stop = "" if str(prompt.title).endswith((".", "?", "!")) else "."
        line = Text(f"{prompt.title}{stop} Only one choice: {desk.entries[0].label}", "dim")
        line.append_text(show.rule_chip(prompt.rules))
        self.say(line)
        self.table.act(desk.legal[0], side)

    def _hand_over(self, side: int) -> None:
        """Hide everything, and wait until the other player sits here."""
        title = self.side_title(side)
        if self.viewer is not None:
            self.tell_news(self.viewer)
            self.reader.pause(f"Enter clears the screen for the {title} player. ")
        self.viewer = None
        self.clear()
        self.say(Text(), show.side_badge(side, title), Text(f"Hand over to the {title} player."))
        self.reader.pause("Enter when only that player sees the screen. ")
        self.clear()
        self.viewer = side
        self._fresh = True

    def clear(self) -> None:
        self._recent = []
        self._desk = None
        if self.console.is_terminal:
            self.console.file.write(CLEAR)
            self.console.file.flush()
        else:
            self.console.rule()

    def _finish(self) -> None:
        for side in self.people or [SPECTATOR]:
            if side == self.viewer:
                self.tell_news(side)
        end = self.table.end
        outcome = end.outcome if end is not None else None
        self.say(show.outcome_line(outcome, self.game.info.side_titles))
        if self.save_path is not None:
            self.save(self.save_path)
            path = self.save_path
            self.say(Text(f"Saved as {path}. Check its dice with: sandtable verify {path}"))

    def _leave(self) -> None:
        self.say(Text())
        path = self.save_path
        if path is None and self.table.entries and self.fallback is not None:
            path = self.fallback()
        if path is None:
            self.say(Text("Left. Nothing was decided, so nothing was saved."))
            return
        self.save(path)
        self.say(Text(f"Saved as {path}. Go on with: sandtable play --save {path}"))

    def _keep(self) -> None:
        """Save where the game is to be saved, if anything has happened since."""
        if self.save_path is not None and self._saved_at != len(self.table.entries):
            self.save(self.save_path)

    def save(self, path: Path) -> None:
        self.table.save(path)
        if path == self.save_path:
            self._saved_at = len(self.table.entries)

    # ------------------------------------------------------------------------------- what a side sees

    def log_lines(self, side: int, since: int = 0) -> list[Text]:
        """The log as one side may read it."""
        return log_lines(self.table, side, since)

    def tell_news(self, side: int) -> None:
        """What this side has not been told yet."""
        since, self._seen[side] = self._seen[side], len(self.table.entries)
        news = self.table.events_for(side, since)
        if not news:
            return
        self._recent = [*news]
        room = max(10, self.console.height - 4) if self.reader.is_keyboard else len(news)
        if len(news) > room:
            self.say(Text(f"  … {len(news) - room} earlier lines: log", "dim"))
        self.say(*told_once(log_line(self.table, seen) for seen in news[-room:]))

    def desk(self) -> Desk:
        """The present decision of the viewer."""
        assert self._desk is not None
        return self._desk

    def show_prompt(self) -> None:
        side = self.viewer if self.viewer is not None else SPECTATOR
        self.say(Text(), *show.prompt_lines(self.game.prompt(self.table.state), side, self.side_title(side)))

    def show_actions(self) -> None:
        """One page of the actions, and how to see the rest."""
        groups = self.desk().groups(self._filter)
        lines = show.action_lines(groups, self.console.width)
        room = max(6, self.console.height - 8) if self.reader.is_keyboard else PAGE
        start = self._page * room
        if start >= len(lines):
            start = self._page = 0
        self.say(*lines[start : start + room])
        rest = len(lines) - start - room
        if not lines:
            self.say(Text(f"No action contains {self._filter!r}.", "dim"))
        elif rest > 0:
            self.say(Text(f" … {rest} more lines: more, or list WORD for those that contain it", "dim"))

    def turn_page(self) -> None:
        self._page += 1
        self.show_actions()

    def show_list(self, containing: str) -> None:
        self._filter, self._page = containing, 0
        self.show_actions()

    def show_map(self, where: str = "", scale: str = "") -> None:
        """The map around the decision, or around a hex, or whole."""
        if self.board.hexmap is None or self.viewer is None:
            return
        view = self.game.view(self.table.state, self.viewer)
        height = max(9, self.console.height - 12) if self.reader.is_keyboard else 40
        marked = self._desk.targets() if self._desk is not None else 0
        units = self._desk.units() if self._desk is not None else set()
        focus = self.board.focus(view, marked, units)
        if not focus:
            focus = {h for seen in self._recent for h in event_hexes(self.names, seen)}
        selected = self.names.hex(where) if where else None
        if selected is not None:
            focus = {selected}
        self.say(
            *self.board.picture(
                view,
                self.console.width,
                height,
                focus=focus,
                scale=scale,
                marked=marked,
                selected=1 << selected if selected is not None else 0,
            )
        )

    # ------------------------------------------------------------------------------- a typed line

    def _line(self, line: str) -> None:
        """Carry out one line: an action, or one of the table's commands."""
        text = line.strip()
        if not text:
            self.turn_page()
            return
        desk = self.desk()
        try:
            if not self._is_action(text):
                command, rest = find_command(text)
                if command is not None:
                    command.run(self, rest)
                    return
            self._act(desk.read(text))
        except Unclear as error:
            self.say(Text(f"{error}."))
            self.say(*show.action_lines([Group("", error.readings)], self.console.width))
            if not error.readings:
                self.say(Text("help lists what can be typed here.", "dim"))
        except Illegal as error:
            self.say(show.refusal(Reason(error.rule, error.why)))
        except OSError as error:
            self.say(Text(f"That did not work: {error.strerror or error}", "red"))

    def _is_action(self, text: str) -> bool:
        """Whether a line is the very notation of a legal action, which comes before any command."""
        return any(entry.text.casefold() == text.casefold() for entry in self.desk().entries)

    def _act(self, action: Action) -> None:
        side = self.table.to_act
        assert side is not None
        self.table.act(action, side)
        self._desk = None

    def undo(self) -> None:
        """Back to the last real choice of this side, if nothing irreversible lies between."""
        side = self.table.to_act
        assert side is not None
        self.table.undo(side)
        while len(self.table.legal()) == 1 and self.table.can_undo(side):
            self.table.undo(side)
        self._desk = None
        self._fresh = True


def log_line(table: Table[Any], seen: Mapping[str, Any]) -> Text:
    """One event in the form of `events_for`, as a line."""
    by = table.entries[seen["n"] - 1].by
    sides = table.header.sides
    side = sides.index(by) if by in sides else -1
    text = str(table.describe(seen) if seen.get("kind") == UNDO else table.game.describe(seen))
    return show.log_line(text, str(seen.get("rule", "")), side)


def told_once(lines: Iterable[Text]) -> list[Text]:
    """Lines that repeat the one before are counted instead."""
    told: list[tuple[Text, int]] = []
    for line in lines:
        if told and told[-1][0].plain == line.plain:
            told[-1] = (told[-1][0], told[-1][1] + 1)
        else:
            told.append((line, 1))
    return [line if count == 1 else line.copy().append(f" ×{count}", "dim") for line, count in told]


def log_lines(table: Table[Any], side: int, since: int = 0) -> list[Text]:
    """The log as one side may read it."""
    return [log_line(table, seen) for seen in table.events_for(side, since)]
