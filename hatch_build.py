"""Builds the compiled kernel of `mechanics/paths` in its place, where there is a C compiler. Without one the game is
installed and played all the same: it only takes longer to list where units can go.

`pip install` runs this; `python hatch_build.py` does it by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "sandtable.mechanics.paths._swift"
PLACE = Path("src/sandtable/mechanics/paths")


def build() -> list[Path]:
    """Compile it; what was made."""
    try:
        from setuptools import Distribution, Extension
    except ImportError:
        return []
    kernel = Extension(NAME, [str(PLACE / "_swift.c")], optional=True)
    command = Distribution({"ext_modules": [kernel], "package_dir": {"": "src"}}).get_command_obj("build_ext")
    command.inplace = True
    command.ensure_finalized()
    command.run()
    made = Path(command.get_ext_fullpath(NAME))  # for this Python alone, and not one from before that failed to be made
    return [made] if made.exists() and made.stat().st_mtime >= (PLACE / "_swift.c").stat().st_mtime else []


class Kernel(BuildHookInterface[Any]):
    """Run by hatchling before it packs a wheel, and when the project is installed where it stands."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        made = build()
        if made and version != "editable":
            here = Path(self.root)
            build_data["artifacts"] += [f"/{path.resolve().relative_to(here.resolve()).as_posix()}" for path in made]
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


if __name__ == "__main__":
    print(*(build() or ["nothing was compiled"]), sep="\n")
