"""C3, C7 The dice of a shot: To Hit, the burst on the IFT, To Kill; and what a weapon is marked with afterwards.

TO_HIT is the first roll (canister and rapid fire have none); IMPROBABLE, RELOAD and STRUCK are what it may lead to;
BURST is the DR on the IFT, TO_KILL the one against a vehicle.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Asking
from sandtable.mechanics.phases import Each, Once, Phase

from ..fire.fate import bail_out
from ..fire.san import shot_at
from ..table import verbs
from ..table.hardware import SHELLS
from ..table.ids import (
    F_BURST,
    F_IMPROBABLE,
    F_RELOAD,
    F_STRUCK,
    F_TO_HIT,
    F_TO_KILL,
    PHASES,
)
from ..table.state import Shoot, State
from ..table.telling import emit
from . import to_hit, to_kill, weapons
from .aim import hull_down, loads, marks, of_shot, piece, shot_of, span_to, supply_of, vehicles_hit
from .bursts import (
    BurstAt,
    KillAt,
    StruckAt,
    after_shot,
    fired,
    malfunction,
    out_of_order,
    over,
    place_smoke,
    run_out,
    seen_firing,
)
from .effects import motors_struck, on_the_ift
from .laying import RollAt
from .to_hit import CRITICAL, HIT, IMPROBABLE, MISS, VEHICLE

NEAR = 16  # A12.14a


class DieAt(NamedTuple):
    """The second die of an improbable hit."""

    frame: int


class ReloadAt(NamedTuple):
    """C8.9 the shell had run out: another may be fired with the same DR."""

    frame: int


# To Hit


class ToHit(ColoredDice[State, RollAt]):
    """C3 the To Hit DR: the coloured die first. Canister and rapid fire go straight to the IFT."""

    at = RollAt

    def actor(self, s: State, f: RollAt) -> int | None:
        assert s.shoot is not None
        return None if on_the_ift(s.shoot) else super().actor(s, f)

    def run(self, s: State, f: RollAt) -> None:
        shoot = s.shoot
        assert shoot is not None
        shoot.hit = marks(s, shoot)
        s.stack[-1] = BurstAt(F_BURST)

    def take(self, s: State, f: RollAt, action: Action) -> None:
        shoot = s.shoot
        assert shoot is not None
        shoot.first, shoot.second = action[1], action[2]
        side, h, depth = shoot.side, shoot.hex, len(s.stack) - 1
        self.fall(s, shoot)
        if s.edition > 3:  # A14.1
            shot_at(s, side, action[1] + action[2], h, depth)

    def fall(self, s: State, shoot: Shoot) -> None:
        """What the dice give."""
        if out_of_order(s, shoot, _one(s, shoot)):
            s.stack.pop()
            break_down(s, shoot)
            return
        number = supply_of(s, piece(shoot), shoot.weapon)[shoot.shell]
        state = weapons.depletion(shoot.first + shoot.second, number)
        if state != weapons.AVAILABLE:
            run_out(s, shoot)
        if state == weapons.DEPLETED:
            s.stack[-1] = ReloadAt(F_RELOAD)
            return
        s.stack.pop()
        resolve(s, shoot)

    def prompt(self, s: State, f: RollAt) -> Prompt:
        return Prompt("The dice To Hit", "", ("C3.3", "C5.2"), PHASES[s.phase])


def break_down(s: State, shoot: Shoot) -> None:
    """A9.7 an Original DR at or above the B#: the weapon malfunctions, and the shot misses."""
    fired(s, shoot, kept=False)
    if s.edition > 3:  # it has fired all the same
        seen_firing(s, shoot)
        shake_off(s, piece(shoot))
    malfunction(s, shoot)
    over(s)


def shake_off(s: State, u: int) -> None:
    """D6.2 nobody rides on a vehicle that fires its MA or is fired at by ordnance."""
    if u >= 0 and s.stage.roster.vehicles >> u & 1:
        bail_out(s, u)


def _one(s: State, shoot: Shoot) -> int:
    """One of those at whom the shot is fired, -1 if it is a bare hex."""
    if shoot.type == VEHICLE:
        return shoot.target.bit_length() - 1
    return next(iter(units_of(marks(s, shoot))), -1)


def resolve(s: State, shoot: Shoot) -> None:
    """C5.2 who is hit by the dice that have fallen; the weapon is marked, and what it fired at acquired (C6.5)."""
    for one in (piece(shoot), shoot.target.bit_length() - 1 if shoot.type == VEHICLE else -1):
        shake_off(s, one)
    if s.edition > 4 and not to_hit.blinds(shoot.shell):  # D6.2 all that a shot at an area attacks
        for one in units_of(vehicles_hit(s, shoot)):
            shake_off(s, one)
    first, second = shoot.first, shoot.second
    found: dict[int, int] = {MISS: 0, HIT: 0, CRITICAL: 0, IMPROBABLE: 0}
    with Asking(s):
        if shoot.type == VEHICLE:
            u = shoot.target.bit_length() - 1
            found[vehicle_hit(s, shoot, u)] = 1 << u
        else:
            for u in units_of(aimed_at(s, shoot)):
                found[to_hit.judge(shot_of(s, shoot, u), first, second)] |= 1 << u
        bare = to_hit.judge(shot_of(s, shoot), first, second) if not any(found.values()) else MISS
    hit = found[HIT] | found[CRITICAL]
    word = "critical" if found[CRITICAL] or bare == CRITICAL else "hit" if hit or bare == HIT else "miss"
    if word == "miss" and (found[IMPROBABLE] or bare == IMPROBABLE):
        word = "improbable"
    emit(s, "to_hit", "C5.2", {"hex": shoot.hex, "dice": [first, second], "word": word, "side": shoot.side}, final=True)
    after_shot(s, shoot)
    shoot.hit, shoot.struck, shoot.critical = hit, found[CRITICAL], 1 if word == "critical" else 0
    if word == "improbable":
        shoot.hit = found[IMPROBABLE]
        s.stack.append(DieAt(F_IMPROBABLE))
    elif word == "miss":
        over(s)
    else:
        land(s, shoot)


def aimed_at(s: State, shoot: Shoot) -> int:
    """C3.32 whom the DR is judged for, one by one: an Area hit strikes vehicles too; A24.2 SMOKE falls on the hex."""
    if s.edition < 4:
        return marks(s, shoot)
    return 0 if to_hit.blinds(shoot.shell) else marks(s, shoot) | vehicles_hit(s, shoot)


def vehicle_hit(s: State, shoot: Shoot, u: int) -> int:
    """C3.9, D4.2 a hull hit on a HD target is no hit."""
    found = to_hit.judge(shot_of(s, shoot, u), shoot.first, shoot.second)
    low = not to_hit.turret(shoot.first, shoot.second)
    if found in (HIT, CRITICAL) and low and hull_down(s, shoot, u) is not None:
        return MISS
    return found


class Improbable(OneDie[State, DieAt]):
    """AMB-66 an Original 2 that would miss: one more die."""

    at = DieAt

    def take(self, s: State, f: DieAt, action: Action) -> None:
        shoot = s.shoot
        assert shoot is not None
        s.stack.pop()
        made = action[1] <= to_hit.improbable(shoot.type)
        emit(s, "improbable", "C5.2", {"hex": shoot.hex, "die": action[1], "passed": made}, final=True)
        low = shoot.type == VEHICLE and hull_down(s, shoot, shoot.target.bit_length() - 1) is not None
        if made and not low:  # 1 and 1 is a hull hit
            land(s, shoot)
        else:
            over(s)

    def prompt(self, s: State, f: DieAt) -> Prompt:
        return Prompt("An improbable hit?", "", ("C5.2",), PHASES[s.phase])


OTHERS: Bars[State, Shoot] = Bars(
    Need(
        "C8.9",
        "it has no {shell} that could be fired at this target",
        lambda s, now: sum(1 << one for one in _other_shells(s, now)),
    ),
)


def _other_shells(s: State, shoot: Shoot) -> list[int]:
    u = piece(shoot)
    found = loads(s, u, shoot.weapon, shoot.type, span_to(s, u, shoot.hex))
    return [one for one in found if one != shoot.shell and one != weapons.CANISTER]


def reload(s: State, f: ReloadAt, shell: int) -> None:
    """C8.9 another shell, the same DR."""
    shoot = s.shoot
    assert shoot is not None
    shoot.shell = shell
    number = supply_of(s, piece(shoot), shoot.weapon)[shell]
    state = weapons.depletion(shoot.first + shoot.second, number)
    if state != weapons.AVAILABLE:
        run_out(s, shoot)
    if state != weapons.DEPLETED:
        s.stack.pop()
        resolve(s, shoot)


def forgo(s: State, f: ReloadAt) -> None:
    """C8.9 no shot is taken: the weapon has not fired."""
    s.stack.pop()
    s.shoot = None


class Reload(Phase[State, ReloadAt, Shoot]):
    """C8.9 none was left."""

    at = ReloadAt
    does = (Each(verbs.LOAD, bars=OTHERS, take=reload), Once(verbs.HOLD, take=forgo))

    def now(self, s: State, f: ReloadAt) -> Shoot:
        assert s.shoot is not None
        return s.shoot

    def actor(self, s: State, f: ReloadAt) -> int | None:
        assert s.shoot is not None
        return s.shoot.side if _other_shells(s, s.shoot) else None

    def run(self, s: State, f: ReloadAt) -> None:
        forgo(s, f)

    def prompt(self, s: State, f: ReloadAt) -> Prompt:
        assert s.shoot is not None
        title = Text("No {shell} is left: with what else?", shell=SHELLS[s.shoot.shell])
        return Prompt(title, "The dice stay as they fell", ("C8.9",), PHASES[s.phase])


# The hit


def land(s: State, shoot: Shoot) -> None:
    """What comes of a hit: SMOKE, a TK DR, or a DR on the IFT."""
    if shoot.shell in weapons.PLACED:
        place_smoke(s, shoot)
        over(s)
    elif shoot.type == VEHICLE:
        shoot.rolls = of_shot(s, shoot).tk_rolls
        shoot.best = to_kill.NOTHING
        s.stack.append(KillAt(F_TO_KILL))
    elif not shoot.hit and not motors_struck(s, shoot):
        over(s)
    else:
        s.stack.append(BurstAt(F_BURST))
        if shoot.struck:
            s.stack.append(StruckAt(F_STRUCK, shoot.struck, shoot.struck, 0, 0))


FRAMES: dict[int, Frame[State, Any]] = {
    F_TO_HIT: ToHit(verbs.ROLLED),
    F_IMPROBABLE: Improbable(verbs.FELL),
    F_RELOAD: Reload(),
}
