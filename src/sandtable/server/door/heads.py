"""HTTP as uvicorn speaks it, with a limit to how long the head of a request may be.

uvicorn's limit is for its other, slower parser; this one would keep an endless header in memory.
"""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 32768


class ShortHeads(HttpToolsProtocol):
    """One connection."""

    _head = 0
    """Bytes that have come since the last head was complete."""

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        in_head = self._head
        super().data_received(data)
        if self._head == in_head and in_head > LONGEST and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._head = 0

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head = 0
