"""One thing has one name in Japanese, the one by which its players know it: what they would misread is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "src/sandtable/games"
NOT_SO_CALLED = {
    # its ground and its states: scrub, deir, sangar, track, Crest, Motion, Bog, starting, reversing, Open Ground
    "asl": "灌木 低木 藪 デイル サンガー 小道 崖縁 走行中 立ち往生 発進 後退 開闊地 タコツボ 潜伏 捜索 鹵獲",
    # determined defence is 断固とした防御; 死守 is the desperate one of North Africa, and nothing in the Caucasus
    "caucasus": "死守 補給切れ 延長移動 勝利得点 先頭部隊",
    "na41": "決死 補給切れ 延長移動 勝利得点 先頭部隊",
    # No Retreat is 退却不可; air units hinder (妨害)
    "kasserine": "死守 阻止",
}
OF_THE_WORD_ITSELF = "[FN15]"


@pytest.mark.parametrize("game", NOT_SO_CALLED)
def test_things_are_called_by_the_names_that_their_players_know(game: str) -> None:
    said = (GAMES / game / "rulebook.ja.md").read_text().splitlines()
    written = (GAMES / game / "text/ja.po").read_text().splitlines()
    said += [line for line in written if line.startswith(("msgstr", '"'))]
    wrong = [
        f"{word}: {line[:80]}"
        for line in said
        for word in NOT_SO_CALLED[game].split()
        if word in line and OF_THE_WORD_ITSELF not in line
    ]
    assert not wrong
