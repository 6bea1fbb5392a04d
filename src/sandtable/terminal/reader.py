"""Where the player's lines come from: a keyboard, a pipe, or a list in a test."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TextIO

from rich.console import Console
from rich.text import Text


class Leave(Exception):
    """The player leaves; the game is kept."""


class Reader:
    """Reads one line at a time. From a keyboard with history and editing; from elsewhere with an echo, so
    that what was printed can be read as a record of the game."""

    def __init__(self, console: Console, lines: Iterable[str] | None = None) -> None:
        self.console = console
        keyboard: TextIO | None = sys.stdin
        self.is_keyboard = lines is None and keyboard is not None and keyboard.isatty()
        if lines is None:
            lines = keyboard if keyboard is not None and not self.is_keyboard else ()
        self._lines: Iterator[str] = iter(lines)
        self._waiting: list[str] = []
        if self.is_keyboard:
            with suppress(ImportError):
                import readline  # noqa: F401

    def line(self, prompt: str) -> str:
        """The next line; EOFError when there is none."""
        if self.is_keyboard:
            return self._waiting.pop() if self._waiting else input(prompt)
        text = self._next()
        self.console.print(Text(prompt + text, "dim"))
        return text

    def _next(self) -> str:
        if self._waiting:
            return self._waiting.pop()
        try:
            return next(self._lines).rstrip("\r\n")
        except StopIteration:
            raise EOFError from None

    def pause(self, prompt: str) -> None:
        """Wait for Enter. A script that has no line for this is not made to wait: its line is kept."""
        if self.is_keyboard:
            if input(prompt).strip().casefold() in ("quit", "exit", "q"):
                self._waiting.append("quit")
            return
        self.console.print(Text(prompt, "dim"))
        text = self._next()
        if text.strip():
            self._waiting.append(text)
