"""Names and numbers as requests may give them, and what is answered to one that is refused."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sandtable.engine.texts.text import Text

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
Id = Annotated[str, Meta(max_length=40)]
Title = Annotated[str, Meta(max_length=100)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Problem(Struct, omit_defaults=True):
    """What an answer says that is not a success; `length` is in the count of who asked.

    `why` is English, for programs; `said` is the same as a template, where it has facts, for a browser to render.
    """

    why: str
    code: str = ""
    rule: str = ""
    length: int | None = None
    line: int | None = None
    said: Text | None = None
