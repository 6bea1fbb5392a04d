"""What can be wrong with a pack, said with file and line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong; line 0 means the file as a whole."""

    file: str
    line: int
    fault: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.fault}"


class PackError(Exception):
    """A pack that cannot be used. Its text is the first fault; `faults` holds them all."""

    def __init__(self, file: str, line: int, fault: str, others: Sequence[Fault] = ()) -> None:
        first = Fault(file, line, fault)
        super().__init__(str(first))
        self.file = file
        self.line = line
        self.fault = fault
        self.faults: tuple[Fault, ...] = (first, *others)


def refuse(faults: Sequence[Fault]) -> None:
    """Raise the faults, if there are any, as one error."""
    if faults:
        first, *others = faults
        raise PackError(first.file, first.line, first.fault, others)
