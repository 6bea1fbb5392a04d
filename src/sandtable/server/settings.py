"""What the server can be told, from the environment or the command line."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

PREFIX = "SANDTABLE_"


class SettingsError(ValueError):
    """A setting that makes no sense; its text is what the user reads."""


def default_database() -> str:
    """SQLite in the user's data folder."""
    return f"sqlite:///{user_data_path('sandtable') / 'sandtable.db'}"


@dataclass(frozen=True)
class Settings:
    """All settings. Each is read from ``SANDTABLE_<NAME>``."""

    database_url: str = field(default_factory=default_database)
    channels: str = ""
    """How workers tell each other: "" (by the database), memory, postgresql, or a redis:// URL."""
    workers: int = 1
    migrate: bool = True
    """Whether a process that starts brings the database up to date; `serve` does it once for all."""
    secure: bool = False
    """Behind TLS: cookies are marked Secure even if the proxy does not tell."""
    metrics: str = "local"
    """Who may read /metrics: local or all."""
    limits: bool = True
    """Rate limits."""
    log_level: str = "info"
    static: str = ""
    """The folder of the built client; the one in the package if not given."""

    tables: int = 512
    """Games kept in memory."""
    brains: int = 0
    """Processes for computer players; 0: as many as there are cores."""
    think_seconds: float = 60.0
    """The longest that a computer player may take for one decision."""
    pause: float = 0.0
    """Seconds between two decisions of a computer player, for those who watch."""

    replay_seconds: float = 30.0
    """The longest that a whole game may take to be played again, for a save that is brought or an old answer."""

    ending_seconds: float = 300.0
    """The same for the page of its end: who has won waits rather than never reads how."""

    analysis_seconds: float = 900.0
    """The longest that a game may take to be looked back at."""
    analysis_playouts: int = 8
    """Games that are played on from each moment of such a look back; fewer where they are long."""

    hash_cost: int = 3
    hash_memory: int = 65536
    """Argon2's time cost and memory (KiB)."""
    session_days: int = 60

    mail_url: str = ""
    """The mail server that letters are handed in at: smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS, or smtps://."""
    notify_private: bool = False
    """Whether notifications may go to addresses of the local network."""
    notify_every: float = 5.0
    """Seconds between two looks at the queue of notifications and the clocks."""
    notify_delay: float = 15.0
    """Seconds before somebody is told that it is his turn: he may be about to play."""
    address: str = ""
    """The public address, for links in notifications."""
    contact: str = "mailto:admin@localhost"
    """Who runs this server, as web push services want to know."""

    @property
    def several(self) -> bool:
        """Whether other processes may change the same database."""
        return self.workers > 1 or self.channels not in ("", "memory")


def from_environment(given: Mapping[str, str] | None = None, **changes: Any) -> Settings:
    """The settings of the environment, with changes over them."""
    env = os.environ if given is None else given
    values: dict[str, Any] = {}
    for one in fields(Settings):
        text = env.get(PREFIX + one.name.upper())
        if text is not None and text != "":
            values[one.name] = _parsed(one.name, text)
    values |= {name: value for name, value in changes.items() if value is not None}
    settings = Settings(**values)
    check(settings)
    return settings


def _parsed(name: str, text: str) -> Any:
    kind = type(getattr(Settings(database_url="-"), name))
    try:
        if kind is bool:
            return {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False}[text.lower()]
        return kind(text)
    except (KeyError, ValueError) as error:
        raise SettingsError(f"{PREFIX}{name.upper()} cannot be {text!r}") from error


LEAST = {
    "tables": 1,
    "brains": 0,
    "think_seconds": 0.1,
    "pause": 0,
    "replay_seconds": 0,
    "ending_seconds": 0,
    "analysis_seconds": 1,
    "analysis_playouts": 1,
    "hash_cost": 1,
    "hash_memory": 8,
    "session_days": 1,
    "notify_every": 0.01,
    "notify_delay": 0,
}
"""The least that numbers may be."""


def check(settings: Settings) -> None:
    if settings.workers < 1:
        raise SettingsError(f"the number of workers is at least 1, not {settings.workers}")
    for name, least in LEAST.items():
        if not getattr(settings, name) >= least:  # what is not a number is not either
            raise SettingsError(f"{PREFIX}{name.upper()} is at least {least:g}, not {getattr(settings, name)}")
    if settings.log_level.upper() not in logging.getLevelNamesMapping():
        raise SettingsError(f"{PREFIX}LOG_LEVEL is debug, info, warning or error, not {settings.log_level!r}")
    if settings.metrics not in ("local", "all"):
        raise SettingsError(f"metrics are for 'local' or 'all', not {settings.metrics!r}")
    if settings.several and channels_url(settings) == "memory":
        raise SettingsError(
            "several workers tell each other of moves through PostgreSQL or Redis: set a database "
            "postgresql://… or SANDTABLE_CHANNELS=redis://…"
        )


def channels_url(settings: Settings) -> str:
    """memory, or the URL through which workers tell each other."""
    given = settings.channels
    if given.startswith(("redis://", "rediss://", "postgresql://", "postgres://")):
        return given
    postgres = settings.database_url.startswith("postgres")
    if given == "postgresql" or (not given and settings.workers > 1):
        return settings.database_url if postgres else "memory"
    if given in ("", "memory"):
        return "memory"
    raise SettingsError(f"channels are memory, postgresql or redis://…, not {given!r}")


def static_folder(settings: Settings) -> Path:
    """Where the built client lies, if it was built."""
    return Path(settings.static) if settings.static else Path(__file__).parent / "static"
