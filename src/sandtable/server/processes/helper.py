"""A process that is asked questions, one after the other. It is started when it is first needed.

Messages are JSON with their length in four bytes before them; the process ends with its standard input. While it works
it may tell how far it is, in messages that begin with a zero byte.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, BinaryIO

LONGEST = 256_000_000
"""Bytes of a message that is still believed."""
ON_THE_WAY = b"\0"
"""How a message begins that is not yet the answer."""


Heard = Callable[[bytes], None]

elsewhere: Callable[[str, bytes, Heard | None], Awaitable[bytes]] | None = None
"""Whom to ask where there are no processes, as in a browser: given the module, the message and who hears."""
on_the_way: Heard | None = None
"""Who is told what is said on the way to an answer, where that is not the one who asked by a pipe."""


class Helper:
    """One process, by the module that it runs. Who stops waiting stops the work: the next question starts it anew."""

    def __init__(self, module: str) -> None:
        self.module = module
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()

    async def ask(self, message: bytes, seconds: float, heard: Heard | None = None) -> bytes:
        """The answer. TimeoutError if it takes too long, OSError or EOFError if the process has come to grief.

        `heard` is told what the process says on the way.
        """
        async with self._lock:
            if elsewhere is not None:
                async with asyncio.timeout(seconds):
                    return await elsewhere(self.module, message, heard)
            try:
                process = await self._started()
                async with asyncio.timeout(seconds):
                    return await _exchange(process, message, heard)
            except BaseException:
                await self.stop()  # half a message may be on its way
                raise

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self.module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
        return self._process

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _exchange(process: asyncio.subprocess.Process, message: bytes, heard: Heard | None) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(len(message).to_bytes(4, "big") + message)
    await process.stdin.drain()
    while True:
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        if size > LONGEST:
            raise EOFError("the answer cannot be read")
        answer = await process.stdout.readexactly(size)
        if not answer.startswith(ON_THE_WAY):
            return answer
        if heard is not None:
            heard(answer[1:])


# The other side


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    if len(head) < 4:
        return None
    return stream.read(int.from_bytes(head, "big"))


def _write(stream: BinaryIO, data: bytes) -> None:
    stream.write(len(data).to_bytes(4, "big") + data)
    stream.flush()


def tell(data: bytes) -> None:
    """Say something on the way to an answer; only a helper's own process does."""
    if on_the_way is not None:
        on_the_way(data)
        return
    _write(_sink(), ON_THE_WAY + data)


def _sink() -> BinaryIO:
    stream: Any = sys.__stdout__
    buffer: BinaryIO = stream.buffer
    return buffer


def answer_all(answer: Callable[[bytes], bytes]) -> None:
    """Answer until nobody asks any more: what a helper's module does when it is run."""
    source, sink = sys.stdin.buffer, _sink()
    sys.stdout = sys.stderr  # what is printed on the way must not get between the messages
    while (message := _read(source)) is not None:
        try:
            _write(sink, answer(message))
        except BrokenPipeError:  # the server is gone
            os._exit(0)
