"""Failures that a user can do something about, said in one line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class Failure(Exception):
    """Its text is what the user reads."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a wrong name: the nearest right ones, or all."""
    words = list(dict.fromkeys(known))
    near = get_close_matches(name.lower(), words, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else f"; there are: {', '.join(words)}"
