"""Why a request is refused, as exceptions that become answers."""

from __future__ import annotations

from typing import NoReturn

from sandtable.engine.texts.text import Said, Text

from .wire.common import Problem


class Refused(Exception):
    """A request that is not carried out: the status of the answer and what it says."""

    def __init__(
        self,
        status: int,
        code: str,
        why: Said,
        rule: str = "",
        length: int | None = None,
        line: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(str(why))
        self.status = status
        self.problem = Problem(str(why), code, rule, length, line, why if isinstance(why, Text) else None)
        self.headers = headers


def no_game() -> Refused:
    return Refused(404, "not_found", "this game does not exist, or is not for you to see")


def not_found() -> NoReturn:
    raise no_game()


def forbidden(why: Said, code: str = "forbidden") -> NoReturn:
    raise Refused(403, code, why)


def stale(length: int | None = None) -> NoReturn:
    """The game has gone on; `length` in the count of who asked."""
    raise Refused(409, "stale", "the game has gone on: look at the table again", length=length)


def unusable(why: Said, code: str = "unusable", rule: str = "") -> NoReturn:
    raise Refused(422, code, why, rule)


def illegal(why: Said, rule: str = "") -> NoReturn:
    raise Refused(422, "illegal", why, rule)
