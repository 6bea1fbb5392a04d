"""Texts are templates with facts; other languages know them by the template."""

from __future__ import annotations

import builtins

import pytest

from sandtable.engine.texts.catalogue import BadCatalogue, faults, read_po
from sandtable.engine.texts.text import Text, holes, say, unwire

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#: movement.py:3
msgid "{unit} may not move to {hex}"
msgstr "{unit}は{hex}へ"
"移動できない"

msgid "Tobruk"
msgstr "トブルク"

#, fuzzy
msgid "Bardia"
msgstr "バルディア？"

msgid "Gazala"
msgstr ""

#~ msgid "old"
#~ msgstr "古い"
"""


def test_a_text_is_said_with_its_facts() -> None:
    text = Text("{unit} may not move to {hex}", unit="The 7th", hex="Tobruk")
    assert str(text) == "The 7th may not move to Tobruk"
    assert text == "The 7th may not move to Tobruk"
    assert "7th" in text
    assert str(Text("{a} and {b}", a=("x", "y"), b=1.5)) == "x, y and 1.5"
    assert str(Text("{a} {b}", a="x")) == "x {b}"
    assert [str(Text.many(n, "{n} hex", "{n} hexes")) for n in (0, 1, 2)] == ["0 hexes", "1 hex", "2 hexes"]


def test_another_language_knows_it_by_its_template() -> None:
    known = read_po(PO)
    assert set(known) == {"{unit} may not move to {hex}", "Tobruk"}
    text = Text("{unit} may not move to {hex}", unit=("A", "B"), hex="Tobruk")
    assert say(text, known.get, "、") == "A、Bはトブルクへ移動できない"
    assert say("Bardia", known.get) == "Bardia"


def test_a_text_comes_back_from_the_wire() -> None:
    inner = {"template": "Move {units}", "facts": {"units": ["A", "B"]}}
    text = unwire({"template": "not now: {title}", "facts": {"title": inner}})
    assert text == Text("not now: {title}", title=Text("Move {units}", units=("A", "B")))
    assert unwire("plain") == "plain"


def test_faults_of_a_catalogue_are_named() -> None:
    assert holes("{b} {a} {a}") == ["a", "a", "b"]
    assert faults(["{a}"], {"{a}": "{a}!"}) == []
    assert faults(["x"], {}) == ["no translation: 'x'"]
    assert "left out" in faults(["{a}"], {"{a}": "!"})[0]
    assert "does not have" in faults(["{a}"], {"{a}": "{a}{b}"})[0]
    with pytest.raises(BadCatalogue, match=r"x\.po, line 2: not a line of a \.po file"):
        read_po('msgid "a"\nmsgstr "b', "x.po")


def test_a_catalogue_is_read_without_the_compiler_of_python_which_fails_in_threads_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def compiler(*_: object, **__: object) -> None:
        raise SystemError("AST constructor recursion depth mismatch")

    monkeypatch.setattr(builtins, "compile", compiler)
    assert read_po('msgid "a \\"b\\"\\n"\nmsgstr "“b”の\\ta\\\\"') == {'a "b"\n': "“b”の\ta\\"}
