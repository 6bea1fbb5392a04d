"""Names as people see them: what is shown of one, and which two of them nobody could tell apart."""

from __future__ import annotations

import re
import unicodedata

from sandtable.engine.texts.text import Text

from ..refusals import unusable

BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, marks and signs that are drawn as nothing. (Those of Unicode's category C are left out anyhow.)"""
MOST_MARKS = 3
"""Accents on one letter: more of them climb over the lines above."""

ALIKE = (
    ("АВЕЅІЈКМНОРСТХУаеѕіјорсхуһԁԛԝ", "ABESIJKMHOPCTXYaesijopcxyhdqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονυ", "ABEZHIKMNOPTYXovu"),
    ("ı", "i"),
)
"""Letters of the Cyrillic and Greek scripts, one of Turkish, and the Latin ones that look like them."""
TABLES = [str.maketrans(one, other) for pair in ALIKE for one, other in (pair, pair[::-1])]
SCRIPTS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "DESERET", "GOTHIC", "LISU", "OLD", "OSAGE"}
"""Scripts with letters that look like those of another."""
PHONETIC = re.compile("[\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]")
"""Latin letters of phonetics, no language's own: many look like plain ones."""


def fold(name: str) -> str:
    """What two names have in common that look the same."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()


def clean_name(name: str) -> str:
    """A name as it is shown: nothing that cannot be seen, no heaps of accents, no spaces at its ends."""
    text = BLANK.sub("", unicodedata.normalize("NFC", name))
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C")
    text = re.sub(r"\s+", " ", text).strip()
    found: list[str] = []
    marks = 0
    for c in text:
        marks = marks + 1 if unicodedata.combining(c) else 0
        if marks <= (MOST_MARKS if found else 0):
            found.append(c)
    return "".join(found)


LONGEST, LONGEST_KEY = 40, 120
"""Letters of a person's name as it is shown, and of what two names have in common: some letters are many in one."""


def checked(name: str, most: int = LONGEST) -> str:
    """A clean name that is not too long, however it is written; some letters become three, or eighteen."""
    if len(name) > most or len(fold(name)) > max(most, LONGEST_KEY):
        unusable(Text("a name has at most {n} letters, and some count as several", n=most), "name")
    return name


def scripts(name: str) -> set[str]:
    """Which of the scripts that look alike a name is written in; the letters of phonetics are one by themselves."""
    letters = [c for c in unicodedata.normalize("NFKC", name) if c.isalpha()]
    words = {"PHONETIC" if PHONETIC.match(c) else unicodedata.name(c, "").partition(" ")[0] for c in letters}
    return words & (SCRIPTS | {"PHONETIC"})


def twins(name: str) -> list[str]:
    """Names in the letters of another script that look like this one."""
    text = unicodedata.normalize("NFKC", name)
    found = {text.translate(table) for table in TABLES} - {text}
    return sorted(one for one in found if len(scripts(one)) == 1)
