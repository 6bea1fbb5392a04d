"""The server at a desk of one, as a page without a server runs it: no thread, no process, no network."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.offline.desk import DATABASE, Desk, newest, prepare, settings_for
from sandtable.server.processes import helper
from sandtable.server.storage import alone

from ..server.kit import one_by_one

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "web" / "offline-requirements.txt"
OWN = {"x-sandtable": "1", "content-type": "application/json"}
Json = Any


class Visitor:
    """Somebody who asks a desk as the page does."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def ask(self, method: str, path: str, data: Json = None, status: int = 200) -> Json:
        body = b"" if data is None else json.dumps(data).encode()
        seen: list[int] = []
        took: list[bytes] = []
        await self.desk.ask(method, path, OWN, body, lambda code, _: seen.append(code), took.append)
        text = b"".join(took).decode()
        assert seen == [status], text
        return text if path.endswith("/export") else json.loads(text)

    async def begin(self, scenario: str = "gazala", **seats: str) -> str:
        wish = {"game": "rommel", "scenario": scenario, "seats": seats}
        made = await self.ask("POST", "/api/games", wish, 201)
        return str(made["id"])

    async def step(self, game: str, seat: str, rng: Random) -> Json:
        table = await self.ask("GET", f"/api/games/{game}/table?seat={seat}")
        wish = {
            "seat": seat,
            "length": table["length"],
            "key": f"{rng.getrandbits(64):x}",
            "action": rng.choice(one_by_one(table["actions"]))["action"],
        }
        return await self.ask("POST", f"/api/games/{game}/moves", wish)


@asynccontextmanager
async def desk_in(folder: Path) -> AsyncIterator[Visitor]:
    desk = Desk(folder)
    await desk.open()
    try:
        yield Visitor(desk)
    finally:
        await desk.close()


def runs(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    def run(tmp_path: Path) -> None:
        asyncio.run(test(tmp_path))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server asks of other processes is answered here, as by another worker of the page."""
    answerers: dict[str, Callable[[bytes], bytes]] = {}

    async def elsewhere(module: str, message: bytes, heard: helper.Heard | None) -> bytes:
        answer = answerers.get(module)
        if answer is None:
            answer = answerers[module] = import_module(module).answerer()
        monkeypatch.setattr(helper, "on_the_way", heard)
        await asyncio.sleep(0)
        return answer(message)

    monkeypatch.setattr(helper, "elsewhere", elsewhere)


@runs
async def test_a_game_against_the_computer_is_played_and_found_again(tmp_path: Path) -> None:
    rng = Random(1)
    saved: list[int] = []
    alone.committed.append(lambda: saved.append(1))
    try:
        async with desk_in(tmp_path) as visitor:
            await visitor.ask("GET", "/api/me", status=401)
            await visitor.ask("POST", "/api/account/guest", {"name": "I"}, 201)
            assert len(await visitor.ask("GET", "/api/catalogue")) == 5
            game = await visitor.begin(axis="me", commonwealth="random")
            lived: list[Json] = []
            gone = asyncio.Event()
            path = f"/api/games/{game}/live?seat=axis&since=0"
            line = asyncio.ensure_future(visitor.desk.live(path, lambda text: lived.append(json.loads(text)), gone))
            mine = 0
            for _ in range(2000):
                record = await visitor.ask("GET", f"/api/games/{game}")
                if record["to_act"] != "axis":
                    await asyncio.sleep(0.005)
                    continue
                await visitor.step(game, "axis", rng)
                mine += 1
                if mine == 12:
                    break
            assert mine == 12
            before = await visitor.ask("GET", f"/api/games/{game}/table?seat=axis")
            assert lived
            assert lived[0]["kind"] == "events"
            gone.set()
            assert await line == 1000
        assert len(saved) > 12
    finally:
        alone.committed.clear()
    async with desk_in(tmp_path) as visitor:  # the page was loaded again
        assert (await visitor.ask("GET", "/api/me"))["name"] == "I"
        for _ in range(400):
            after = await visitor.ask("GET", f"/api/games/{game}/table?seat=axis")
            if after["to_act"] == before["to_act"]:
                break
            await asyncio.sleep(0.01)
        assert after["length"] >= before["length"]
        assert [one["id"] for one in await visitor.ask("GET", "/api/games?list=mine")] == [game]


@runs
async def test_both_hands_hints_saves_and_what_is_asked_of_other_processes(tmp_path: Path) -> None:
    rng = Random(2)
    async with desk_in(tmp_path) as visitor:
        await visitor.ask("POST", "/api/account/guest", {}, 201)
        game = await visitor.begin(axis="me", commonwealth="me")
        for _ in range(8):
            table = await visitor.ask("GET", f"/api/games/{game}/table")
            await visitor.step(game, table["to_act"], rng)
        hint = await visitor.ask("GET", f"/api/games/{game}/hint")
        assert hint["label"]
        save = await visitor.ask("GET", f"/api/games/{game}/export")
        await visitor.ask("POST", f"/api/games/{game}/resign", {"seat": "axis"})
        ending = await visitor.ask("GET", f"/api/games/{game}/ending")
        assert ending["lines"]
        seen: list[int] = []
        took: list[bytes] = []
        await visitor.desk.ask(
            "POST", "/api/games/import", OWN, save.encode(), lambda code, _: seen.append(code), took.append
        )
        assert seen == [201]


def test_a_database_of_an_older_form_is_brought_up_to_date(tmp_path: Path) -> None:
    from alembic import command
    from sqlalchemy import create_engine, inspect, text

    from sandtable.server.storage.migrate import config

    url = settings_for(tmp_path).database_url
    engine = create_engine(url)
    with engine.begin() as connection:
        made = config()
        made.attributes["connection"] = connection
        command.upgrade(made, "0005")
    prepare(url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == newest()
        assert "lesson" in {column["name"] for column in inspect(connection).get_columns("games")}
    engine.dispose()
    assert (tmp_path / DATABASE).exists()


def test_the_newest_form_is_the_head_of_the_migrations() -> None:
    from alembic.script import ScriptDirectory

    from sandtable.server.storage.migrate import config

    assert ScriptDirectory.from_config(config()).get_current_head() == newest()


def test_the_application_needs_no_package_that_the_page_does_not_bring(tmp_path: Path) -> None:
    """In a Python that can import nothing but what `make offline` packs, a game is begun."""
    wanted = [line.partition("==")[0] for line in REQUIREMENTS.read_text().splitlines() if line and line[0] != "#"]
    program = """
import asyncio, json, sys
from importlib.metadata import packages_distributions
from pathlib import Path
from sandtable.offline import absent

plain = lambda name: name.lower().replace("_", "-")
brought = {plain(name) for name in sys.argv[2].split()} | {"sandtable"}
found = packages_distributions()

class Nowhere:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in found and not brought & {plain(one) for one in found[top]}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path[:0] = [absent.Absent(), Nowhere()]  # before those that would find them here
from sandtable.offline.desk import Desk
import sandtable.server.computers.brain, sandtable.server.table.replayer, sandtable.server.table.analyst
import sandtable.server.storage.migrate

async def main():
    desk = Desk(Path(sys.argv[1]))
    await desk.open()
    seen = []
    async def ask(method, path, data):
        own = {"x-sandtable": "1", "content-type": "application/json"}
        await desk.ask(method, path, own, json.dumps(data).encode(), lambda code, _: seen.append(code), lambda _: None)
    await ask("POST", "/api/account/guest", {})
    seats = {"axis": "me", "commonwealth": "me"}
    await ask("POST", "/api/games", {"game": "rommel", "scenario": "gazala", "seats": seats})
    await desk.close()
    print(seen, type(sys.modules["asyncpg"]).__name__)

asyncio.run(main())
"""
    command = [sys.executable, "-c", program, tmp_path, " ".join(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "[201, 201] AbsentModule\n", done.stderr


def test_the_page_brings_the_versions_that_the_server_runs_with() -> None:
    pins = {line.lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    wanted = [line for line in REQUIREMENTS.read_text().splitlines() if line and line[0] != "#"]
    assert wanted
    assert [line for line in wanted if line.lower() not in pins] == []
