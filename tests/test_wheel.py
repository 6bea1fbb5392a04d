"""What is installed from a wheel: the package alone needs only Python, and with its extras it serves the table.

The wheel is built here as `make wheel` builds it, without the compiled kernel, and installed into a new environment
that has nothing else in it. For the server that environment is then shown the packages of the one that runs the tests,
as the extra `server` would have brought them; of Sandtable itself it sees only what came out of the wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import msgspec
import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sandtable"
PURE = {"HATCH_BUILD_NO_HOOKS": "true"}
QUIET = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SANDTABLE_"))}
OWN = {"x-sandtable": "1"}


def pip(*words: str | Path, **env: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=QUIET | env)
    assert done.returncode == 0, done.stderr


def built(project: Path, into: Path, **env: str) -> Path:
    pip("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", into, project, **env)
    (found,) = into.glob("sandtable-*.whl")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (SOURCE / "server" / "static" / "index.html").exists(), "the browser client is not built: make web"
    return built(ROOT, tmp_path_factory.mktemp("wheel"), **PURE)


class Place:
    """An environment with Sandtable in it and nothing else."""

    def __init__(self, home: Path, wheel: Path) -> None:
        venv.EnvBuilder(with_pip=False).create(home)
        self.home = home
        self.python = home / "bin" / "python"
        pip("--python", self.python, "install", "--no-deps", "--no-index", wheel)
        self.packages = next(home.glob("lib/python*/site-packages"))

    def command(self, *words: str) -> list[str]:
        return [str(self.home / "bin" / "sandtable"), *words]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, check=False, env=QUIET, cwd=self.home)


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("empty"), wheel)


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    packed = set(ZipFile(wheel).namelist())
    files = (path for path in SOURCE.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".so", ".pyd"))
    missing = sorted({f"sandtable/{path.relative_to(SOURCE).as_posix()}" for path in files} - packed)
    assert not missing
    assert wheel.name.endswith("-py3-none-any.whl")


def test_alone_it_needs_nothing_but_python(place: Place) -> None:
    told = (place.packages / next(place.packages.glob("sandtable-*.dist-info")).name / "METADATA").read_text()
    asked = re.findall(r"^Requires-Dist: (.*)$", told, re.MULTILINE)
    assert asked
    assert [one for one in asked if "extra ==" not in one] == []
    program = """
import json
import sandtable
from sandtable import registry
games = registry.names()
for name in games:
    game = registry.get(name)
    game.legal(game.new(game.scenarios()[0].id))
print(json.dumps([sandtable.__file__, games]))
"""
    done = place.run(str(place.python), "-I", "-c", program)
    assert done.returncode == 0, done.stderr
    home, games = json.loads(done.stdout)
    assert home.startswith(str(place.packages))
    assert len(games) == 5


@pytest.mark.parametrize(("command", "extra"), [("serve", "server"), ("play", "cli"), ("games", "cli"), ("", "cli")])
def test_a_command_says_which_extra_it_needs(place: Place, command: str, extra: str) -> None:
    done = place.run(*place.command(*command.split()))
    name = f"sandtable {command}".strip()
    assert done.returncode == 1
    assert done.stderr == f'sandtable: `{name}` needs more packages: pip install "sandtable[{extra}]"\n'
    assert done.stdout == ""


@pytest.fixture
def served(place: Place, tmp_path: Path) -> Iterator[str]:
    """The address of `sandtable serve` in that environment."""
    extras = place.packages / "extras.pth"  # adds one folder, and not what other .pth files in it add
    extras.write_text(f"{Path(msgspec.__file__).parents[1]}\n")
    url = f"sqlite:///{tmp_path / 'table.db'}"
    env = QUIET | {"SANDTABLE_LOG_LEVEL": "error", "XDG_CACHE_HOME": str(tmp_path)}
    command = place.command("serve", "--port", "0", "--database-url", url)
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, cwd=tmp_path)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://\S+:\d+", line)
        assert found, line
        yield found[0].replace("localhost", "127.0.0.1")
    finally:
        server.terminate()
        server.wait(60)
        assert server.stdout is not None
        server.stdout.close()
        extras.unlink()


def test_with_its_extra_it_serves_the_table(place: Place, served: str) -> None:
    done = place.run(str(place.python), "-c", "import sandtable.server.app; print(sandtable.__file__)")
    assert done.stdout.startswith(str(place.packages)), done.stderr
    with httpx.Client(base_url=served, headers=OWN, timeout=60) as visitor:
        page = visitor.get("/")
        assert page.status_code == 200
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script
        assert visitor.get(script[1]).status_code == 200
        listed = visitor.get("/api/catalogue").json()
        assert len(listed) == 5
        rommel = next(one for one in listed if one["id"] == "rommel")
        assert visitor.get(rommel["picture"]).text.startswith("<svg")
        assert visitor.post("/api/account/guest", json={"name": "Visitor"}).status_code == 201
        wish = {"game": "rommel", "scenario": "gazala", "seats": {"axis": "me", "commonwealth": "planner"}}
        made = visitor.post("/api/games", json=wish)
        assert made.status_code == 201, made.text
        table = visitor.get(f"/api/games/{made.json()['id']}/table", params={"seat": "axis"}).json()
        assert table["scene"]["counters"]


def test_it_is_built_without_a_compiler(tmp_path: Path) -> None:
    """The kernel is left out, and the wheel is good for every machine."""
    project = tmp_path / "project"
    without = shutil.ignore_patterns("static", "maps", "games", "__pycache__", "*.so", "*.pyd")
    shutil.copytree(ROOT / "src", project / "src", ignore=without)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project / name)
    found = built(project, tmp_path / "dist", CC=str(tmp_path / "no-compiler"))
    assert found.name.endswith("-py3-none-any.whl")
    assert not [name for name in ZipFile(found).namelist() if name.endswith((".so", ".pyd"))]
