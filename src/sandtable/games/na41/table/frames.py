"""The facts of each step of the sequence of play (ids.py numbers the steps), with their names.

Facts at the end that have a beginning of their own may be left out: a step that has just been laid on the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sandtable.mechanics.walk import WalkAt


class GameTurnAt(NamedTuple):
    """3.1 which part of the game turn is next."""

    frame: int
    step: int


class PlayerTurnAt(NamedTuple):
    """3.2 which phase of the player turn is next."""

    frame: int
    step: int


class PreparationAt(NamedTuple):
    """3.1b to 3.1f."""

    frame: int
    step: int


class RemovalAt(NamedTuple):
    """20.2, 20.3 which of the departures of this turn."""

    frame: int
    side: int
    number: int


class UpgradeAt(NamedTuple):
    """20.4.1 the tank unit that comes."""

    frame: int
    unit: int


class FreedAt(NamedTuple):
    """20.4.1c steps to give, to tank units of this value at most."""

    frame: int
    steps: int
    value: int


class ConvertAt(NamedTuple):
    """20.4.3 which conversion; steps to share, and what each new unit has of them."""

    frame: int
    number: int
    steps: int = -1
    has: tuple[int, ...] = ()

    @staticmethod
    def of(frame: int, number: int, steps: int = -1, *has: Any) -> ConvertAt:
        """Out of bare numbers."""
        return ConvertAt(frame, number, steps, tuple(_flat(has)))


class ChooseReplacementAt(NamedTuple):
    """19.2.4."""

    frame: int
    side: int
    code: int


class InitialAt(NamedTuple):
    """3.2b."""

    frame: int
    step: int


class FortRollAt(NamedTuple):
    """9.5.4."""

    frame: int
    hex: int


class BombRollAt(NamedTuple):
    """21.4.3."""

    frame: int
    place: int


class MovesAt(NamedTuple):
    """5 how far the phase is; at its end, how strong the side was."""

    frame: int
    stage: int = 0
    strength: int = -1


class CaptureRollAt(NamedTuple):
    """17.2.3 SPs to roll for, and who captures them."""

    frame: int
    place: int
    points: int
    side: int


class ASTAt(NamedTuple):
    """22.2."""

    frame: int
    leg: int


class SinkingAt(NamedTuple):
    """22.2.4 who is sunk by how much, one item after the other."""

    frame: int
    result: int
    items: tuple[int, ...]

    @staticmethod
    def of(frame: int, result: int, *items: Any) -> SinkingAt:
        """Out of bare numbers."""
        return SinkingAt(frame, result, tuple(_flat(items)))


class SplitAt(NamedTuple):
    """22.3.5d SPs that go on to Benghazi, or LAND."""

    frame: int
    points: int


class PortsAt(NamedTuple):
    """21.4 the ports where something has been done, one bit each."""

    frame: int
    done: int = 0


class DemolitionAt(NamedTuple):
    """21.4.2b."""

    frame: int
    port: int
    dice: int


class DisplaceAt(NamedTuple):
    """13.3.2e; the hex where trucks have been asked."""

    frame: int
    side: int
    asked: int = -1


class OverstackAt(NamedTuple):
    """4.4.1c in this hex, or anywhere."""

    frame: int
    side: int
    hex: int = -1


class CombatAt(NamedTuple):
    """8."""

    frame: int
    under_way: int = 0


class SupportAt(NamedTuple):
    """9.4, 18.7.4."""

    frame: int
    side: int
    step: int


class RollAt(NamedTuple):
    """8.3d the shifts are applied."""

    frame: int
    ready: int = 0


class RerollAt(NamedTuple):
    """18.5a."""

    frame: int
    what: int


class ResultAt(NamedTuple):
    """10."""

    frame: int
    step: int


class LossAt(NamedTuple):
    """10.2."""

    frame: int
    chooser: int
    loser: int
    kind: int


class RemnantAt(NamedTuple):
    """10.4.2."""

    frame: int
    unit: int
    surrenders: int


class DefenceAt(NamedTuple):
    """11 nations that have led a desperate defence."""

    frame: int
    desperate: int


class DDSupportAt(NamedTuple):
    """11.3."""

    frame: int
    desperate: int


class DDRollAt(NamedTuple):
    """11.2.1g; when the die is rolled again, that alone (18.5a)."""

    frame: int
    desperate: int = -1
    fallen: int = -1


class RetreatAt(NamedTuple):
    """12.1.1; 12.5.1b whom to carry has been asked."""

    frame: int
    hexes: int
    step: int
    asked: int = 0


class CarryAt(NamedTuple):
    """12.1.5b, 5.8.2c."""

    frame: int
    side: int
    moment: int
    hex: int


class CaptureAt(NamedTuple):
    """27.1."""

    frame: int
    hex: int
    msu: int


class GroupAt(NamedTuple):
    """15.2.1a; 5.8.2c trucks have been asked."""

    frame: int
    asked: int = 0


class BreakthroughAt(NamedTuple):
    """15.2 hexes left and entered, desert run, a hex to enter for nothing or -1."""

    frame: int
    left: int
    gone: int
    run: int
    free: int
    state: int


class CrowdAt(NamedTuple):
    """15.3b."""

    frame: int
    side: int


class AdvanceAt(NamedTuple):
    """14.1 the unit on its way, hexes gone, desert run."""

    frame: int
    unit: int = -1
    gone: int = -1
    run: int = -1


class DisengageAt(NamedTuple):
    """27.5."""

    frame: int
    step: int


class RecoveryAt(NamedTuple):
    """13.4 the unit that is next."""

    frame: int
    step: int


class RallyAt(NamedTuple):
    """13.5."""

    frame: int
    unit: int


class SupplyAt(NamedTuple):
    """16."""

    frame: int
    step: int


class PortSupplyAt(NamedTuple):
    """16.2d."""

    frame: int
    side: int


class IsolationAt(NamedTuple):
    """16.5."""

    frame: int
    unit: int


class RefitAt(NamedTuple):
    """17.1.4."""

    frame: int
    side: int


class DelayAt(NamedTuple):
    """24; markers placed so far."""

    frame: int
    step: int
    placed: int


class AttritionAt(NamedTuple):
    """25."""

    frame: int
    side: int
    step: int


class AttritionLossAt(NamedTuple):
    """25.1.1c."""

    frame: int
    side: int
    sector: int


class VictoryAt(NamedTuple):
    """26, S1.3, S2.3, S3.3."""

    frame: int
    when: int


class RetreatUnitAt(NamedTuple):
    """12.1.1a One unit on its retreat: the EZOCs it has entered, its way from its hex on, companions and when each
    joined it."""

    frame: int
    unit: int
    errand: int
    zones: int
    gone: int
    path: tuple[int, ...]
    friends: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(frame: int, unit: int, errand: int, zones: int, gone: int, *rest: Any) -> RetreatUnitAt:
        """Out of bare numbers."""
        bare = tuple(_flat(rest))
        path, friends = bare[: gone + 1], bare[gone + 1 :]
        pairs = tuple(zip(friends[::2], friends[1::2], strict=True))
        return RetreatUnitAt(frame, unit, errand, zones, gone, path, pairs)


def numbers(f: tuple[Any, ...]) -> list[Any]:
    """A step as bare numbers, facts left out at its end that are as they begin; a way that is walked stays together."""
    if isinstance(f, WalkAt):
        return [f.frame, f.who, list(f.path), f.entered, f.errand]
    facts = list(f)
    begins: dict[str, Any] = getattr(f, "_field_defaults", {})
    for name in reversed(getattr(f, "_fields", ())):
        if name not in begins or facts[-1] != begins[name]:
            break
        facts.pop()
    return list(_flat(facts))


def _flat(facts: Any) -> Iterator[int]:
    for fact in facts:
        if isinstance(fact, tuple):
            yield from _flat(fact)
        else:
            yield fact
