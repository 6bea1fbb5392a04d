"""Catalogues of texts in other languages: gettext `.po` files, as translators' tools write them, read as they are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from sandtable.engine.texts.text import holes

LANGUAGES = ("ja",)
"""The languages besides English."""

BETWEEN = {"ja": "、"}
"""What stands between the parts of a list, by language."""


class BadCatalogue(ValueError):
    """A `.po` file that cannot be read; says file, line and why."""


def read_po(source: str, where: str = "catalogue") -> dict[str, str]:
    """English to translation. Entries that are fuzzy, obsolete or not translated are left out."""
    found: dict[str, str] = {}
    parts: dict[str, list[str]] = {}
    current = ""
    fuzzy = False

    def keep() -> None:
        english, other = "".join(parts.get("msgid", ())), "".join(parts.get("msgstr", ()))
        if english and other and not fuzzy:
            found[english] = other

    for number, raw in enumerate(source.splitlines(), 1):
        line = raw.strip()
        if line.startswith("#"):
            if line.startswith("#,"):
                keep()
                parts, fuzzy = {}, "fuzzy" in line
            continue
        if line.startswith("msgid ") and "msgstr" in parts:
            keep()
            parts, fuzzy = {}, False
        if line.startswith(("msgid ", "msgstr ", "msgctxt ")):
            current, _, line = line.partition(" ")
        if not line:
            continue
        try:
            value = json.loads(line, strict=False)  # its escapes are those of a .po file
        except ValueError:
            value = None
        if not isinstance(value, str) or not current:
            raise BadCatalogue(f"{where}, line {number}: not a line of a .po file: {raw.strip()!r}")
        parts.setdefault(current, []).append(value)
    keep()
    return found


@lru_cache(maxsize=32)
def catalogue(path: Path) -> dict[str, str]:
    """The translations of a `.po` file; none if there is no such file."""
    return read_po(path.read_text(encoding="utf-8"), str(path)) if path.exists() else {}


def faults(wanted: Iterable[str], known: dict[str, str]) -> list[str]:
    """What is wrong with a catalogue: templates without a translation, and translations with other holes."""
    found = []
    for template in sorted(set(wanted)):
        other = known.get(template)
        if other is None:
            found.append(f"no translation: {template!r}")
        elif set(holes(other)) - set(holes(template)):
            found.append(f"a fact that the template does not have: {template!r} → {other!r}")
        elif set(holes(template)) - set(holes(other)):
            found.append(f"a fact is left out: {template!r} → {other!r}")
    return found
