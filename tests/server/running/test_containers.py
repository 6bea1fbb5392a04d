"""The container files: they can be read, say only what the server knows, and their parts work together.

No container engine is needed: the parts of `compose.yaml` are started here by hand, a PostgreSQL and the server with
the very environment that the file gives it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandtable.server.settings import PREFIX, Settings, channels_url, from_environment

from .. import postgres
from ..kit import Person

ROOT = Path(__file__).parents[3]
COMPOSE = ROOT / "compose.yaml"
CONTAINER = ROOT / "Containerfile"
KNOWN = {PREFIX + one.name.upper() for one in fields(Settings)}
PROXY = "FORWARDED_ALLOW_IPS"
"""Read by the web server itself."""

VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def compose(**given: str) -> dict[str, Any]:
    """The file as an engine reads it, with these variables in its environment."""

    def value(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        if given.get(name):
            return given[name]
        if kind == "?":
            raise LookupError(f"{name}: {rest}")
        return rest or ""

    read: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, COMPOSE.read_text(encoding="utf-8")))
    return read


def environment(**given: str) -> dict[str, str]:
    asked = compose(POSTGRES_PASSWORD="secret", **given)["services"]["table"]["environment"]
    return {name: "" if value is None else str(value) for name, value in asked.items()}


def lines() -> list[list[str]]:
    """The instructions of the container file, word by word."""
    text = re.sub(r"\\\n\s*", " ", CONTAINER.read_text(encoding="utf-8"))
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def test_the_compose_file_gives_the_server_what_it_knows() -> None:
    asked = environment()
    assert asked.keys() - {PROXY} <= KNOWN
    settings = from_environment(asked)
    assert settings.database_url == "postgresql://sandtable:secret@database:5432/sandtable"
    assert settings.workers == 2
    assert channels_url(settings) == settings.database_url
    assert settings.contact == Settings.contact
    with_redis = from_environment(environment(CHANNELS="redis://redis:6379", SECURE="1", WORKERS="4", BRAINS="1"))
    assert channels_url(with_redis) == "redis://redis:6379"
    assert (with_redis.secure, with_redis.workers, with_redis.brains) == (True, 4, 1)


def test_a_database_without_a_password_is_not_started() -> None:
    with pytest.raises(LookupError, match="POSTGRES_PASSWORD"):
        compose()


def test_the_services_fit_together() -> None:
    found = compose(POSTGRES_PASSWORD="secret")
    services = found["services"]
    assert set(services["table"]["depends_on"]) <= set(services)
    assert services["table"]["ports"] == ["127.0.0.1:8000:8000"]
    database = services["database"]["environment"]
    url = environment()[PREFIX + "DATABASE_URL"]
    assert url == "postgresql://{POSTGRES_USER}:{POSTGRES_PASSWORD}@database:5432/{POSTGRES_DB}".format(**database)
    kept = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert kept == set(found["volumes"])
    assert (ROOT / services["table"]["build"]["dockerfile"]) == CONTAINER


def test_images_are_named_without_a_host() -> None:
    images = [service["image"] for service in compose(POSTGRES_PASSWORD="secret")["services"].values()]
    images += [words[1] for words in lines() if words[0] == "FROM"]
    assert len(images) == 6
    assert not [image for image in images if "/" in image]


def test_the_container_file_takes_what_is_there() -> None:
    """What it copies is in the repository, what it sets is known, and what it runs is a command."""
    stage = ""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for first, *words in lines():
        if first == "FROM":
            stage = words[-1] if "AS" in words else ""
        if first == "COPY" and not words[0].startswith("--from"):
            for name in words[:-1]:
                assert (ROOT / name).exists(), f"{stage}: {name}"
                assert name not in ignored
        if first == "ENV":
            assert {word.partition("=")[0] for word in words} <= KNOWN | {"PATH"}
    run = json.loads(next(" ".join(words) for first, *words in lines() if first == "CMD"))
    done = subprocess.run([sys.executable, "-m", *run[:2], "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [word for word in run[2:] if word.startswith("--")] == ["--host", "--port"]
    assert "--host" in done.stdout
    assert "--port" in done.stdout


@contextmanager
def running(asked: Mapping[str, str]) -> Iterator[str]:
    """The server as the container starts it, on a free port; its address."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    command = [sys.executable, "-m", "sandtable", "serve", "--host", "0.0.0.0", "--port", "0"]
    process = subprocess.Popen(command, env=plain | dict(asked), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield f"http://127.0.0.1:{line.split('localhost:')[1].split('/')[0]}"
    finally:
        process.terminate()
        process.wait(60)
        assert process.stdout is not None
        process.stdout.close()


def test_its_parts_started_by_hand_keep_a_game(postgres_url: str) -> None:
    url = postgres.create_database(postgres_url, "compose")
    asked = environment(BRAINS="1") | {PREFIX + "DATABASE_URL": url}
    with running(asked) as address:
        person = Person(address)
        person.http.timeout = 180  # two processes that have just begun, beside all other tests
        assert person.get("/health")["database"] == "ok"
        person.guest("Visitor")
        game = person.create("rommel", "gazala", seats={"axis": "me", "commonwealth": "me"})["id"]
        cookies = dict(person.http.cookies)
    with running(asked) as address:
        person = Person(address)
        person.http.timeout = 180
        person.http.cookies.update(cookies)
        assert person.get(f"/api/games/{game}")["status"] == "running"
