"""Requests that a machine makes up from the API's own description: clean refusals, never a fault."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from ..kit import OWN, Served
from .wander import wander

EXAMPLES = 8
MANY_EXAMPLES = 250
MANY = 10_000

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@schemathesis.serializer("application/x-ndjson")
def as_save(context: Any, value: Any) -> bytes:
    """A save is sent as it is."""
    return str(value).encode("utf-8", "replace")


def fuzz(server: Served, examples: int, seed: int) -> dict[str, int]:
    """So many requests to every operation, half of them with values that are right; counts the statuses."""
    ann = server.guest()
    games = [ann.create(seats={"red": "me", "blue": "me"})["id"], ann.create(seats={"red": "me"})["id"]]
    rng = Random(seed)
    client = httpx.Client(base_url=server.url, headers=OWN, cookies=dict(ann.http.cookies), timeout=30)
    schema = schemathesis.openapi.from_dict(ann.http.get("/api/schema/openapi.json").json())
    counts: dict[str, int] = {}
    faults: list[str] = []

    def call(case: Any) -> None:
        if "game_id" in (case.path_parameters or {}) and rng.random() < 0.7:
            case.path_parameters["game_id"] = rng.choice(games)
        if case.operation.path == "/api/account/logout":
            return
        arguments = case.as_transport_kwargs(base_url=server.url)
        try:
            answer = client.request(
                arguments["method"],
                arguments["url"],
                params=arguments.get("params"),
                headers={**OWN, **{k: str(v) for k, v in (arguments.get("headers") or {}).items() if _plain(k, v)}},
                json=arguments.get("json"),
                content=arguments.get("data") if isinstance(arguments.get("data"), bytes | str) else None,
            )
        except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError, ValueError, TypeError):
            return  # cannot be sent at all
        if not client.cookies:
            client.cookies.update(ann.http.cookies)
        counts[str(answer.status_code)] = counts.get(str(answer.status_code), 0) + 1
        if answer.status_code >= 500:
            faults.append(
                f"{answer.request.method} {answer.request.url} {answer.request.content[:300]!r}: {answer.text}"
            )

    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @settings(
                max_examples=examples // 2,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=QUIET,
                derandomize=True,
            )
            def run(case: Any) -> None:
                call(case)

            strategy = operation.as_strategy(generation_mode=mode)
            try:
                _given(strategy)(run)()
            except Exception as error:
                if type(error).__name__ not in ("Unsatisfiable", "SkipTest", "InvalidArgument"):
                    raise
    assert not faults, "\n".join(faults[:5])
    return counts


def _given(strategy: Any) -> Any:
    from hypothesis import given

    return given(case=strategy)


def _plain(name: Any, value: Any) -> bool:
    text = f"{name}{value}"
    return text.isascii() and text.isprintable() and str(name).lower() not in ("content-length", "cookie")


def test_made_up_requests_are_refused_cleanly(server: Served) -> None:
    counts = fuzz(server, EXAMPLES, 1)
    assert sum(counts.values()) >= 150
    assert any(status.startswith("4") for status in counts)


def test_made_up_people_are_refused_cleanly(server: Served) -> None:
    """Requests that follow from each other, on each database."""
    walk = wander(server, 400, 3)
    assert walk.taken >= 1
    assert sum(walk.statuses[status] for status in (400, 401, 403, 404, 409, 422)) >= 100


@pytest.mark.slow
def test_ten_thousand_made_up_requests(server: Served) -> None:
    counts = fuzz(server, MANY_EXAMPLES, 2)
    assert sum(counts.values()) >= MANY


@pytest.mark.slow
def test_ten_thousand_made_up_requests_that_follow_from_each_other(server: Served) -> None:
    walk = wander(server, MANY, 4)
    assert walk.taken >= 100
