"""Bring the catalogues up to date with the texts in the source.

    python -m tests.texts

What is not known yet comes last, untranslated; what nobody says any more goes. All else stays where it is and as it is
written, so that a changed text is a small change of a catalogue.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from sandtable import registry, texts
from sandtable.engine.texts.catalogue import LANGUAGES, read_po


def said_by(entry: str) -> str:
    """What an entry of a catalogue is about, translated or not."""
    lines = entry.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith("msgid ")), len(lines))
    end = next((i for i, line in enumerate(lines) if line.startswith("msgstr ")), len(lines))
    return "".join(json.loads(line.removeprefix("msgid ")) for line in lines[begin:end])


def brought_up(source: str, wanted: Iterable[str], elsewhere: Iterable[str] = ()) -> str:
    """A catalogue that knows what is wanted and nothing else, except what another catalogue says already."""
    missing = set(wanted) - set(elsewhere)
    kept = [entry for entry in source.strip("\n").split("\n\n") if said_by(entry) in {*wanted, ""}]
    missing -= {said_by(entry) for entry in kept}
    new = [f'msgid {json.dumps(text, ensure_ascii=False)}\nmsgstr ""' for text in sorted(missing)]
    return "\n\n".join([*kept, *new]).lstrip("\n") + "\n"


def main() -> None:
    for language in LANGUAGES:
        common = texts.COMMON / f"{language}.po"
        update(common, texts.common(), ())
        known = read_po(common.read_text(encoding="utf-8"))
        for name in registry.names():
            game = registry.get(name)
            update(texts.home(game) / "text" / f"{language}.po", texts.wanted(game), known)


def update(path: Path, wanted: Iterable[str], elsewhere: Iterable[str]) -> None:
    if not path.exists():
        return
    before = path.read_text(encoding="utf-8")
    after = brought_up(before, wanted, elsewhere)
    if after != before:
        path.write_text(after, encoding="utf-8")
        left = after.count('msgstr ""\n\n') + after.endswith('msgstr ""\n')
        sys.stdout.write(f"{path}: brought up to date; {left} without a translation\n")


if __name__ == "__main__":
    main()
