"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.kasserine.combat.advance import FORWARD
from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.table import steps, verbs
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At

from ..kit import (
    H,
    U,
    empty,
    place,
    units,
)

PZ, PZ2, PZG, PZHQ = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_10pz_i_69", "ger_10pz_10_pz_hq"
GRENADIERS, GRENADIERS2, PAK, FLAK = "ger_47gr_i_47", "ger_47gr_ii_47", "ger_10pz_90_pzjg", "ger_10pz_302_flak"
RIFLES, RIFLES2, TANKS, GUNS, HQ = (
    "us_34id_1_133",
    "us_34id_2_133",
    "us_1ad_2_1_ar",
    "us_34id_125_fa",
    "us_34id_34_id_hq",
)
ARMORED_GUNS, TD = "us_1ad_27_afa", "us_1ad_701_td"


def fight(attackers: list[str], target: list[str], hex_: str = "6732", from_: str = "6733", sky: str = "dry") -> State:
    """A combat of the Axis against Allied units whose leads are the first ones, not yet begun to be resolved."""
    s = empty("axis_combat", sky=sky)
    place(s, attackers, from_)
    place(s, target, hex_)
    s.aims = {H(hex_): units(*attackers)}
    begin(s, At(steps.COMBATS), H(hex_))
    s.stack.clear()
    s.fight.lead = [U(attackers[0]), U(target[0])]
    return s


def advancing(s: State) -> int:
    """8.93 who may advance after the combat."""
    return FORWARD.first.free(s.on_map[s.fight.side], s, None)


def advance_of(s: State, name: str) -> int:
    """8.91 where a unit may advance to."""
    return FORWARD.seconds(s, U(name))


def why_no_advance(s: State, name: str, hex_: str) -> str:
    """The rule that keeps a unit from advancing there, if one does."""
    reason = FORWARD.why(s, At(steps.ADVANCES), None, (int(verbs.ADVANCE), U(name), H(hex_)))
    return "" if reason is None else reason.rule
