"""HTTP as uvicorn speaks it, with a limit to how long a request may be in coming and how long its head may be.

uvicorn's limit of size is for its other, slower parser; this one would keep an endless header in memory, and a request
that is never sent to its end for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 32768
HEAD_SECONDS = 20.0
"""How long the head of a request may take to come, from the connection or its first byte on."""
BODY_SECONDS = 60.0
"""How long the rest may take: eight megabytes at a slow megabit."""


class ShortHeads(HttpToolsProtocol):
    """One connection."""

    _head = 0
    """Bytes that have come since the last head was complete."""
    _wait: asyncio.TimerHandle | None = None
    _coming = False
    """Whether a request has begun and not ended."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._allow(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forbid_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._coming and self._wait is None:
            self._allow(HEAD_SECONDS)
        self._head += len(data)
        in_head = self._head
        super().data_received(data)
        if self._head == in_head and in_head > LONGEST and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._coming = True

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._head = 0
        self._allow(BODY_SECONDS)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head = 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._coming = False
        self._forbid_nothing()

    def handle_websocket_upgrade(self) -> None:
        self._forbid_nothing()
        super().handle_websocket_upgrade()

    def _allow(self, seconds: float) -> None:
        """So long may the next part of the request take."""
        self._forbid_nothing()
        self._wait = self.loop.call_later(seconds, self._too_slow)

    def _forbid_nothing(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None

    def _too_slow(self) -> None:
        self._wait = None
        if not self.transport.is_closing():
            self.transport.close()
