"""A game's look as its file describes it, and what is refused in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.engine.drawing import AreaLook, BorderLook, MapStyle, SideLook, read_style


def look(folder: Path, text: str) -> MapStyle:
    path = folder / "look.toml"
    path.write_text(text)
    return read_style(path)


def test_a_file_says_what_the_classes_say(tmp_path: Path) -> None:
    read = look(
        tmp_path,
        """
        title = "Somewhere"
        line = 2
        void = ["gone"]
        areas = [{ fill = "sand", terrain = ["dune"], sharp = true }]
        borders = [{ tags = ["a", "b"] }]
        short = [["Brigade", "Bde"]]
        hexsides.river = { form = "river", width = 3.4 }
        """,
    )
    assert read == MapStyle(
        title="Somewhere",
        line=2,
        void=("gone",),
        areas=(AreaLook("sand", terrain=("dune",), sharp=True),),
        borders=(BorderLook(("a", "b")),),
        short=(("Brigade", "Bde"),),
        hexsides={"river": SideLook("river", width=3.4)},
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('titel = "x"', "look.toml: nothing is called titel here"),
        ('title = "x"\nareas = [{ fill = "a", colour = "b" }]', r"areas\[0\]: nothing is called colour here"),
        ('title = "x"\n[ways]\nroad = { width = 2.0 }', "ways.road: .*'form'"),
        ('title = "x"\n[ways]\nroad = { form = "road", width = "wide" }', "ways.road.width cannot be 'wide'"),
        ('title = "x"\n[ways]\nroad = "road"', "ways.road is no table"),
        ('title = "x"\nshort = [["one"]]', r"short\[0\] has 1 values instead of 2"),
        ("title = 1", "title cannot be 1"),
        ('title = "x', "look.toml: "),
        ("", "look.toml: .*'title'"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        look(tmp_path, text)
