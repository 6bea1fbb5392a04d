"""How the command line reads flags and prints: a console, JSON, and complaints on standard error."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

Flag = Annotated[bool, Parameter(negative="")]
Words = Annotated[list[str] | None, Parameter(negative="")]


def out() -> Console:
    """Standard output; where nobody watches, lines are left long for other programs to read."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=max(console.width, 160))


def print_json(data: Any) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def complain(text: str, lead: str = "sandtable: ") -> None:
    """One line on standard error."""
    sys.stderr.write(lead + " ".join(str(text).split()) + "\n")
