"""One combat or overrun from its leads to its advance, as one record (8.3-8.9)."""

from __future__ import annotations

from sandtable.engine.flat import Flat, hexes, number, row, units
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy

from ..table.ids import ASSAULT
from ..table.position import units_in
from ..table.state import State

# 8.41 what became of a side's artillery; 8.43 and of its aircraft
NO_CHECK, FULL_SUPPORT, HALF_SUPPORT, NO_SUPPORT = range(4)


class Fight(Flat):
    """A combat (8) or overrun (6.6) being resolved; lists are by side."""

    overrun: int = number("6.6 it is an overrun")
    target: Hex = number("the defending or target hex", -1)
    side: int = number("the attacker")
    attackers: int = units("units with a marker for this combat, or of the overrunning stack")
    origins: Mask = hexes("8.93a the hexes from which the attack is made")
    refugees: int = units("8.84 units in the defending hex that only share its fate")
    lead: list[int] = row(lambda _: [-1, -1], "8.31a side -> lead unit")
    crt: int = number("8.32", ASSAULT)
    planes: list[int] = row(lambda _: [0, 0], "8.43a side -> air units committed to CAS")
    lead_plane: list[int] = row(lambda _: [-1, -1], "8.43b side -> lead air unit")
    guns: list[int] = row(lambda _: [0, 0], "8.41a side -> artillery committed from outside the defending hex")
    lead_gun: list[int] = row(lambda _: [-1, -1], "8.41a side -> lead artillery")
    commanded: list[int] = row(lambda _: [-1, -1], "12.23b side -> the HQ that has spent CP in this combat")
    points: list[int] = row(lambda _: [0, 0], "12.22a side -> Command Points spent")
    on: list[int] = row(lambda _: [-1, -1], "12.23b side -> the kind of check on which they were spent")
    artillery: list[int] = row(lambda _: [NO_CHECK, NO_CHECK], "8.41 side -> how its check came out")
    air: list[int] = row(lambda _: [NO_CHECK, NO_CHECK], "8.43 side -> how its check came out")
    ground_failed: int = number("8.42c the attacker's ground check failed")
    rommel: int = number("8.55a, 12.42 the shift is used")
    harmon: int = number("8.55b the shift is used")
    mine: int = number("11.45d the value of the minefield, -1 while it is Untried", 0)
    dud: int = number("A67 the minefield proved a dud in this combat")
    no_retreat: int = number("7.42 the hex has a No Retreat marker")
    column: int = number("8.53 after shifts")
    roll: int = number("8.63 the modified roll")
    owed: list[int] = row(lambda _: [0, 0], "side -> steps that it still has to lose")
    armor_owed: int = number("8.72b the attacker's next step must be armor")
    stand_owed: int = number("8.87ba the step that No Retreat still costs")
    last_step_stood: int = number("8.87bb the last step in the hex went to No Retreat")
    retreating: list[int] = row(lambda _: [0, 0], "side -> units that still have to retreat")
    advanced: int = units("8.92 units that have advanced, or may not")
    green: int = number("16.2 the lead failed so badly that it is disrupted after the combat")
    fled_guns: int = units("9.25 artillery that was in the defending hex")


def defenders(s: State, fight: Fight) -> int:
    """8.17, 8.84b the units that defend: all in the hex but those that only fled into it."""
    return units_in(s, fight.target, enemy(fight.side)) & ~fight.refugees
