"""What the log says of rolls."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.shown.texts import LINES


@pytest.mark.parametrize(("face", "said"), [(7, "(roll 7, ER 7)"), (2, "(roll 2, modified 7, ER 7)")])
def test_a_check_says_what_the_die_showed_and_what_it_came_to(face: int, said: str) -> None:
    for event in ("coordinated", "reaction"):
        line = LINES[event]
        assert callable(line)
        facts = {"unit": "I/69", "check": "ground", "kind": "reaction movement", "face": face, "roll": 7, "er": 7}
        assert str(line({**facts, "passed": 1})).endswith(said)
