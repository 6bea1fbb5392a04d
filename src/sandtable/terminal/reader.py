"""Where the player's lines come from: a keyboard, a pipe, or a list in a test."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TextIO

from rich.console import Console
from rich.text import Text


class Reader:
    """Reads one line at a time. From a keyboard with history and editing; from elsewhere with an echo, so
    that what was printed can be read as a record of the game."""

    def __init__(self, console: Console, lines: Iterable[str] | None = None, stream: TextIO | None = None) -> None:
        self.console = console
        stream = stream if stream is not None else sys.stdin
        self.is_keyboard = lines is None and stream is not None and stream.isatty()
        source = lines if lines is not None else (stream if stream is not None else ())
        self._lines: Iterator[str] = iter(source)
        self._waiting: list[str] = []
        if self.is_keyboard:
            with suppress(ImportError):
                import readline  # noqa: F401

    def line(self, prompt: str) -> str:
        """The next line; EOFError when there is none."""
        if self._waiting:
            return self._waiting.pop()
        if self.is_keyboard:
            return input(prompt)
        try:
            text = next(self._lines).rstrip("\r\n")
        except StopIteration:
            raise EOFError from None
        self.console.print(Text(prompt + text, "dim"))
        return text

    def pause(self, prompt: str) -> None:
        """Wait for Enter. A script that has no line for this is not made to wait: its line is kept."""
        text = self.line(prompt)
        if text.strip() and not self.is_keyboard:
            self._waiting.append(text)
        elif text.strip().casefold() in ("quit", "exit", "q"):
            self._waiting.append("quit")
