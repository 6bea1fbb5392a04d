"""What the workers of a page without a server call: the desk in one of them, and in others those who think for it.

It runs under Pyodide alone. The page's side is `web/src/offline`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pyodide.ffi import create_proxy, to_js

from . import absent

absent.stand_in()


class Page:
    """The desk of a page: requests and live connections by their numbers."""

    def __init__(self, folder: str, helpers: Any, changed: Callable[[], None]) -> None:
        """`helpers` answers what a server asks of other processes; `changed` hears that there is something to keep."""
        from sandtable.server.processes import helper
        from sandtable.server.storage import alone

        from .desk import Desk

        self._helpers = helpers
        self._changed = changed
        self._gone: dict[int, asyncio.Event] = {}
        helper.elsewhere = self._elsewhere
        alone.committed.append(changed)
        self._desk = Desk(Path(folder))

    async def open(self) -> None:
        await self._desk.open()

    async def ask(
        self, number: int, method: str, target: str, headers: str, body: str, answered: Any, took: Any
    ) -> None:
        gone = self._gone[number] = asyncio.Event()

        def begins(status: int, told: dict[str, str]) -> None:
            answered(status, json.dumps(told))

        def comes(piece: bytes) -> None:
            took(to_js(piece))

        try:
            await self._desk.ask(method, target, json.loads(headers), body.encode(), begins, comes, gone)
        finally:
            del self._gone[number]

    async def live(self, number: int, target: str, heard: Callable[[str], None]) -> int:
        gone = self._gone[number] = asyncio.Event()
        try:
            return await self._desk.live(target, heard, gone)
        finally:
            del self._gone[number]

    def leave(self, number: int) -> None:
        """Nobody waits for this any more."""
        if number in self._gone:
            self._gone[number].set()

    async def _elsewhere(self, module: str, message: bytes, heard: Callable[[bytes], None] | None) -> bytes:
        told = create_proxy(lambda piece: None if heard is None else heard(piece.to_bytes()))
        try:
            found = await self._helpers.ask(module, to_js(message), told)
            answer: bytes = found.to_bytes()
            return answer
        except asyncio.CancelledError:
            self._helpers.stop(module)
            raise
        finally:
            told.destroy()


class Thinker:
    """Answers the questions to one module, as its process would."""

    def __init__(self, module: str) -> None:
        self._answer: Callable[[bytes], bytes] = import_module(module).answerer()

    def answer(self, message: Any, told: Any) -> Any:
        from sandtable.server.processes import helper

        helper.on_the_way = lambda piece: told(to_js(piece))
        return to_js(self._answer(message.to_bytes()))
