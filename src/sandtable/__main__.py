"""The command `sandtable`, and `python -m sandtable`.

The package itself needs nothing but Python. What its commands are written with comes with an extra; where that is not
installed, the command says in one line which one it is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def extra_for(words: Sequence[str]) -> str:
    """The extra that brings all that a command line needs."""
    return "server" if words[:1] == ["serve"] else "cli"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the status to exit with."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        from sandtable.cli import main as run
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] == "sandtable":
            raise
        command = " ".join(["sandtable", *words[:1]])
        sys.stderr.write(f'sandtable: `{command}` needs more packages: pip install "sandtable[{extra_for(words)}]"\n')
        return 1
    return run(words)


if __name__ == "__main__":
    sys.exit(main())
