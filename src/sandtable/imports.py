"""The command line's `packs`, and what reads the boards of other programs into a player's own data."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from sandtable import registry
from sandtable.engine.packs import config_folder
from sandtable.lookup import Failure

packs_app = App(name="packs", help="Data packs: maps, counters, charts and scenarios.")


@packs_app.command(name="import-vasl")
def import_vasl(
    file: Path,
    /,
    *,
    to: Path | None = None,
    terrain: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Read a VASL board archive of your own into your data, as a board to play on.

    Parameters
    ----------
    file
        The board archive, such as bd25.
    to
        The folder of your own data. Otherwise the one in your configuration.
    terrain
        What a terrain number of the archive means, as NUMBER=WORD, if the program does not know it.
    json
        Print JSON.
    """
    game, read = registry.importer("vasl")
    words: dict[int, str] = {}
    for entry in terrain or ():
        number, equals, word = entry.partition("=")
        if not equals or not number.strip().isdigit():
            raise Failure(f"--terrain {entry}: write NUMBER=WORD")
        words[int(number)] = word.strip()
    done = read(file, to if to is not None else config_folder(game), words)
    if json:
        report = {"board": done.id, "folder": str(done.folder), "hexes": done.hexes, "hexsides": done.hexsides}
        text = json_module.dumps(report, ensure_ascii=False, indent=2)
    else:
        kinds = ", ".join(f"{word} {n}" for word, n in sorted(done.terrain.items(), key=lambda one: -one[1]))
        text = f"board {done.id}: {done.hexes} hexes ({kinds}), {done.hexsides} hexside features\n{done.folder}"
    sys.stdout.write(text + "\n")
    return 0
