"""C3 A weapon is laid: which one, at what, with which shell, under whom; then it fires.

`LAY` is the same list in every phase of fire, and in the Defensive First Fire into a move; `Aiming` holds what differs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Asking, asked_once
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase

from ..fire import bursts
from ..fire.air import DustAt, dusty
from ..fire.mounts import one_men
from ..fire.sights import veils
from ..table import verbs
from ..table.hardware import MA, SA
from ..table.ids import ADVANCING, F_DUST_DIE, F_SHOT, F_TO_HIT, FIRES, LEADER, PHASES, PREP
from ..table.state import Shoot, State, good_order, men
from ..table.telling import known_to, tell
from ..table.works import spot
from . import aim, to_hit
from .acquisition import beside, user_of
from .aim import IFE, Aiming
from .targets import (
    AT_AREA,
    AT_IFE,
    AT_INFANTRY,
    AT_VEHICLE,
    UNNAMED,
    Laid,
    any_area,
    has_target,
    laid,
    melees,
    soft_motors,
)
from .to_hit import AREA, INFANTRY, VEHICLE

MOST_RANGE_DELIBERATE = 6


class ShotAt(NamedTuple):
    """The shot in hand is being laid."""

    frame: int


class RollAt(NamedTuple):
    """The To Hit DR of the shot in hand."""

    frame: int


# Which weapon


def _marked(s: State, now: Aiming, weapon: int, marked: bytearray, others: int) -> int:
    """Weapons that bear a mark: those of vehicles in a row of all pieces, others in a set."""
    able, motors = aim.armed(s, now, weapon), s.stage.roster.vehicles
    found = able & others & ~motors
    if marked != s.stage.roster.unmarked:
        found |= sum([1 << u for u in units_of(able & motors) if marked[u] & weapon])
    return found


def _users(s: State, now: Aiming, weapon: int, marked: int) -> int:
    """Weapons whose users bear a marker."""
    known = marked & aim.users(s, now, weapon)
    return sum([bit for bit, user in aim.crews(s, now, weapon) if user & known]) if known else 0


def _busy(s: State, now: Aiming, weapon: int) -> int:
    """A4.9 those whose users dig, search or clear."""
    return _users(s, now, weapon, s.ti) if s.edition > 3 else 0


def _waiting(s: State, now: Aiming, weapon: int) -> int:
    """A7.25 those whose users are marked for Opportunity Fire, which they make in the AFPh."""
    return _users(s, now, weapon, s.waits) if now.fire == PREP and s.edition > 3 else 0


def no_hands(s: State, now: Aiming, weapon: int) -> int:
    """A7.35 those whose users have fired themselves, or another weapon, and have no hands left for them."""
    if s.edition < 4 or not (s.handled | s.fired):
        return 0
    manned = aim.armed(s, now, weapon) & ~s.stage.roster.vehicles
    return bursts.out_of_hands(s, manned, 0, 0)


def used_up(s: State, now: Aiming, weapon: int) -> int:
    """A7.11, C5.6 those that have fired and may not fire intensively."""
    found = _marked(s, now, weapon, s.used, s.fired)
    for u in units_of(found):
        gun = aim.tube_of(s, u, weapon)
        if gun is not None and aim.may_work(s, now, u, weapon, gun):
            found ^= 1 << u
    return found


def out_of_order(s: State, now: Aiming, weapon: int) -> int:
    """A9.7, D3.7 those that have malfunctioned or are disabled."""
    return _marked(s, now, weapon, s.jam, s.jammed) | _marked(s, now, weapon, s.off, 0)


def prepared(s: State, now: Aiming) -> int:
    """A3.2 vehicles that have fired any weapon in the PFPh fire none in the AFPh."""
    return s.fired & s.stage.roster.vehicles if now.fire == ADVANCING and s.edition > 5 else 0


def unready(s: State, now: Aiming) -> int:
    """C10.2, C10.3 Guns without QSU that were unhooked or pushed in this MPh do not fire in its AFPh."""
    if now.fire != ADVANCING:
        return 0
    pushed = units_of(aim.armed(s, now, MA) & s.moved)
    return sum(1 << u for u in pushed if (gun := s.kind(u).gun) is not None and not gun.qsu)


def unsettled(s: State, now: Aiming) -> int:
    """C2.6 AA Guns that have not stood long enough; AMB-182 those that can fire from their wheels."""
    return s.settling & ~(s.limbered if s.edition > 6 else 0)


def shots_out(weapon: int) -> Any:
    """A8.14"""
    return lambda s, now, u: bool(now.movers) and bursts.shots_out(s, u, weapon)


def no_target(weapon: int) -> Any:
    def look(s: State, now: Aiming, u: int) -> bool:
        shoot = Shoot(fire=now.fire, side=now.side, gun=1 << u, weapon=weapon, movers=now.movers)
        return not has_target(s, laid(s, shoot))

    def ask(s: State, now: Aiming, u: int) -> bool:
        """While all that it depends on is as it was, it is not looked for again: the lines of sight, how the enemy
        stands, and the weapon with its place, its facing and its shells."""
        if now.movers:
            return look(s, now, u)
        user, gun = user_of(s, u), aim.tube_of(s, u, weapon)
        told, bit = told_of_targets(s, now.side), 1 << u
        place = (spot(s, user), s.cafp[user], s.mounted >> user & 1, s.at[u], s.place[u], s.cafp[u], s.vca[u], s.tca[u])
        marks = (
            s.type[u],
            weapon,
            bool(s.limbered & bit),
            bool(s.turned & bit),
            aim.held(s, u),
            s.empty[u],
            s.empty_second[u],
        )
        found = told.get((place, marks))
        if found is None:
            area = gun is not None and AREA in aim.target_types(s, u, weapon, gun) and any_area(s, u, gun)
            found = told[place, marks] = not area and look(s, now, u)  # as a rule there is: the rest is not asked
        return found and not (gun is not None and gun.mortar and s.edition > 2 and has_spotter(s, now, u, weapon))

    return ask


@asked_once
def told_of_targets(s: State, side: int) -> dict[Any, bool]:
    """What is known of weapons that have nothing to fire at, for these lines of sight and these enemies."""
    soft = soft_motors(s, side)
    foes = (aim.foe_stances(s, side), aim.foe_places(s, side), aim.motor_stances(s, side), melees(s), soft)
    found: dict[Any, bool] = veils(s).told((foes, s.edition))
    return found


def _table(weapon: int) -> Bars[State, Aiming]:
    return Bars(
        Need("C3.3", "{weapon} is no gun of the side that fires", lambda s, now: aim.armed(s, now, weapon)),
        Need("C2.1", "nobody mans {weapon}", lambda s, now: aim.manned(s, now, weapon)),
        Bar("A10.41", "whoever mans {weapon} is broken", lambda s, now: _users(s, now, weapon, s.broken)),
        Bar("A11.15", "whoever mans {weapon} is held in Melee", lambda s, now: _users(s, now, weapon, s.melee)),
        Bar("A4.9", "whoever mans {weapon} is busy in this Player Turn", lambda s, now: _busy(s, now, weapon)),
        Bar("A7.25", "whoever has {weapon} waits to fire", lambda s, now: _waiting(s, now, weapon)),
        Bar("D5.34", "the crew of {weapon} can do nothing now", lambda s, now: aim.helpless(s)),
        Bar("D1.3", "its one man is exposed", lambda s, now: one_men(s) if s.edition > 1 and weapon == MA else 0),
        Bar("A9.7", "{weapon} has malfunctioned", lambda s, now: out_of_order(s, now, weapon)),
        Bar("A9.8", "{weapon} is dismantled", lambda s, now: s.apart if s.edition > 3 else 0),
        Bar("C2.6", "{weapon} has not been in place since before its Prep Fire Phase", unsettled),
        Bar("C10.2", "{weapon} was moved in this MPh and is not set up yet", unready),
        Bar("A7.11", "{weapon} has fired in this Player Turn", lambda s, now: used_up(s, now, weapon)),
        Bar("A3.2", "{weapon} has fired in the Prep Fire Phase", prepared),
        Bar("A7.35", "whoever has {weapon} has no hands left for it", lambda s, now: no_hands(s, now, weapon)),
        Doubt("A8.14", "{weapon} has fired at the mover here as often as it spent points", shots_out(weapon)),
        Doubt("C3.3", "nothing that {weapon} could fire at is within its sight and range", no_target(weapon)),
    )


LAY = _table(MA)
LAY_SECOND = _table(SA)


def begin(s: State, now: Aiming, u: int, weapon: int = MA) -> None:
    """A weapon is laid; one that has fired before fires intensively (C5.6)."""
    worn = 1 if aim.spent(s, u, weapon) else 0
    s.shoot = Shoot(fire=now.fire, side=now.side, gun=1 << u, weapon=weapon, movers=now.movers, intensive=worn)
    s.stack.append(ShotAt(F_SHOT))


# At what


def _aim(s: State, target: int, h: Hex, unit: int = 0) -> None:
    shoot = s.shoot
    assert shoot is not None
    shoot.type, shoot.hex, shoot.target = target, h, unit
    fitting = aim.loads(s, aim.piece(shoot), shoot.weapon, target, aim.span_to(s, aim.piece(shoot), h))
    if len(fitting) == 1:
        shoot.shell = fitting[0]


def at_vehicle(s: State, f: ShotAt, u: int) -> None:
    _aim(s, VEHICLE, s.at[u], 1 << u)


def at_infantry(s: State, f: ShotAt, g: int) -> None:
    _aim(s, INFANTRY, s.stage.into[g])


def at_area(s: State, f: ShotAt, g: int) -> None:
    _aim(s, AREA, s.stage.into[g])


def at_ife(s: State, f: ShotAt, g: int) -> None:
    _aim(s, IFE, s.stage.into[g])


# With what, and under whom


def shells_now(s: State, now: Laid) -> int:
    if now.shoot.type < 0:
        return 0
    return sum(
        1 << one for one in aim.loads(s, now.u, now.shoot.weapon, now.shoot.type, aim.span_to(s, now.u, now.shoot.hex))
    )


LOAD: Bars[State, Laid] = Bars(
    Need("C3.3", "first say at what", lambda s, now: 0 if now.shoot.type < 0 else ALL),
    Need("C8.3", "it is loaded", lambda s, now: 0 if now.shoot.shell >= 0 else ALL),
    Need("C8.3", "it has no {shell} that could be fired at this target", shells_now),
)


def load(s: State, f: ShotAt, shell: int) -> None:
    assert s.shoot is not None
    s.shoot.shell = shell


def directors(s: State, now: Laid) -> int:
    """A7.531 leaders in the Location of a Gun or Support Weapon."""
    if s.stage.roster.vehicles >> now.u & 1:
        return 0
    found = good_order(s, men(s, s.at[now.user], now.shoot.side))
    return sum(1 << u for u in units_of(found) if s.kind(u).kind == LEADER and u != now.user)


def stale(s: State, now: Laid) -> int:
    """A7.531 leaders who have directed, but for the one under whom this weapon kept its ROF."""
    again = s.guided.get(now.u, -1)
    return s.directed & ~(1 << again) if again >= 0 else s.directed


DIRECT: Bars[State, Laid] = Bars(
    Need("C3.3", "first say at what", lambda s, now: 0 if now.shoot.shell < 0 else ALL),
    Need("A7.531", "somebody directs this shot", lambda s, now: 0 if now.shoot.leader else ALL),
    Need("A7.531", "{unit} is no leader who could direct this shot", directors),
    Bar("A7.8", "{unit} is pinned and directs nobody", lambda s, now: s.pinned),
    Bar("A7.531", "{unit} has directed fire in this phase", stale),
    Bar("A7.11", "{unit} has fired in this Player Turn", lambda s, now: bursts.fires_himself(s, now.shoot.fire)),
)


def direct(s: State, f: ShotAt, u: int) -> None:
    assert s.shoot is not None
    s.shoot.leader = 1 << u


def spotters(s: State, now: Laid) -> int:
    """C9.3 Good Order SMC and HS beside the crew of a mortar."""
    return beside(s, now.user, now.shoot.side)


SPOT: Bars[State, Laid] = Bars(
    UNNAMED,
    Need("C9.3", "only a mortar has a spotter", lambda s, now: ALL if now.gun.mortar else 0),
    Need("C9.3", "it has a spotter", lambda s, now: 0 if now.shoot.spotter else ALL),
    Need("A8.1", "First Fire is fired at what is seen", lambda s, now: 0 if now.shoot.movers else ALL),
    Need("C9.3", "{unit} is no Good Order SMC or half-squad beside the crew", spotters),
    Doubt("C9.3", "{unit} sees nothing within the mortar's range", lambda s, now, u: not _spots(s, now, u)),
)


def _spots(s: State, now: Laid, u: int) -> bool:
    """Whether there is a hex to fire at by the eyes of this spotter: in sight, and not only Melees or beyond the CA."""
    shoot = now.shoot.copy()
    shoot.spotter = 1 << u
    return AT_AREA.some(ALL, s, now._replace(shoot=shoot))


def has_spotter(s: State, now: Aiming, u: int, weapon: int) -> bool:
    """C9.3 whether somebody beside a mortar sees something for it."""
    laying = laid(s, Shoot(fire=now.fire, side=now.side, gun=1 << u, weapon=weapon))
    return any(_spots(s, laying, one) for one in units_of(spotters(s, laying)))


def let_spot(s: State, f: ShotAt, u: int) -> None:
    assert s.shoot is not None
    s.shoot.spotter = 1 << u


def no_low_aim(s: State, now: Laid) -> Reason | None:
    """C5.7"""
    shoot = now.shoot
    if shoot.type != VEHICLE or shoot.shell < 0:
        return Reason("C5.7", "it is declared for a shot at a vehicle that is loaded")
    if shoot.deliberate:
        return Reason("C5.7", "it is declared already")
    if aim.span_to(s, now.u, shoot.hex) > MOST_RANGE_DELIBERATE:
        return Reason("C5.7", "the target is more than 6 hexes away")
    target = s.kind(shoot.target.bit_length() - 1).vehicle
    if target is not None and not target.armoured:
        return Reason("C5.7", "the target has no armour to spare")
    if s.edition > 2 and aim.hull_down(s, shoot, shoot.target.bit_length() - 1) is not None:
        return Reason("C5.7", "the target is Hull Down: its hull cannot be aimed at")
    return None


def aim_low(s: State, f: ShotAt) -> None:
    assert s.shoot is not None
    s.shoot.deliberate = 1


def not_ready(s: State, now: Laid) -> Reason | None:
    if now.shoot.type < 0:
        return Reason("C3.3", "first say at what")
    return Reason("C8.3", "first say with what") if now.shoot.shell < 0 else None


def fire(s: State, f: ShotAt) -> None:
    """C3 the shot: the dice are rolled."""
    shoot = s.shoot
    assert shoot is not None
    facts: dict[str, Any] = {"hex": shoot.hex, "fire": FIRES[shoot.fire], "shell": shoot.shell, "type": shoot.type}
    if shoot.type != IFE:
        known = known_to(s, shoot.side)
        with Asking(known):
            shot = worst(known, shoot)
        facts |= {"number": to_hit.needed(shot), "drm": to_hit.drm(shot)}
    tell(s, "shot", "C3.3", shoot.gun, shoot.side, facts)
    s.directed |= shoot.leader
    s.stack[-1] = RollAt(F_TO_HIT)
    if dusty(s):
        s.stack.append(DustAt(F_DUST_DIE, 1))


def worst(s: State, shoot: Shoot) -> to_hit.Shot:
    """The shot against the most exposed of its targets, or against the bare hex."""
    return most_exposed(s, shoot)[0]


def most_exposed(s: State, shoot: Shoot) -> tuple[to_hit.Shot, int]:
    """The same with that target, -1 for the hex."""
    if shoot.type == VEHICLE:
        u = shoot.target.bit_length() - 1
        return aim.shot_of(s, shoot, u), u
    unknown = s.hip & s.stage.roster.of_side[1 - shoot.side]  # A12.3 it may be hit, and is not counted on
    there = 0 if to_hit.blinds(shoot.shell) and s.edition > 3 else aim.marks(s, shoot)  # A24.2 the hex itself
    if s.edition > 3 and not to_hit.blinds(shoot.shell):
        there |= aim.vehicles_hit(s, shoot)
    shots = [(aim.shot_of(s, shoot, u), u) for u in units_of(there & ~unknown)]
    shots = [(one._replace(size=0), u) if one.concealed else (one, u) for one, u in shots]  # A12.1 nor under a "?"
    return min(shots, key=lambda one: to_hit.drm(one[0])) if shots else (aim.shot_of(s, shoot), -1)


class Shot(Phase[State, ShotAt, Laid]):
    """C3.3 at what, with what, and fire."""

    at = ShotAt

    def now(self, s: State, f: ShotAt) -> Laid:
        assert s.shoot is not None
        return laid(s, s.shoot)

    def actor(self, s: State, f: ShotAt) -> int | None:
        assert s.shoot is not None
        return s.shoot.side

    def prompt(self, s: State, f: ShotAt) -> Prompt:
        assert s.shoot is not None
        rules = ("C3.3", "C8.3", "C5.2")
        u = aim.piece(
            s.shoot
        )  # A12.3 named in the text alone: the title stands before the enemy too, who may not know it
        if s.shoot.type < 0:
            text = Text("{unit}: at what?", unit=u)
        elif s.shoot.shell < 0:
            text = Text("{unit}: with what?", unit=u)
        else:
            text = Text("{unit} fires at {hex}", unit=u, hex=s.stage.field.name(s.shoot.hex))
        return Prompt("Fire", text, rules, PHASES[s.phase])


def deeds(odds: Any) -> tuple[Any, ...]:
    """What is done while a shot is laid; `odds` is the panel of the shot."""
    return (
        Each(verbs.AT_VEHICLE, bars=AT_VEHICLE, take=at_vehicle),
        Each(verbs.AT_INFANTRY, bars=AT_INFANTRY, take=at_infantry),
        Each(verbs.AT_AREA, bars=AT_AREA, take=at_area),
        Each(verbs.AT_IFE, bars=AT_IFE, take=at_ife),
        Each(verbs.SPOT, bars=SPOT, take=let_spot),
        Each(verbs.LOAD, bars=LOAD, take=load),
        Each(verbs.DIRECT, bars=DIRECT, take=direct),
        Once(verbs.DELIBERATE, take=aim_low, shut=no_low_aim),
        Once(verbs.SHOOT, take=fire, shut=not_ready, odds=odds),
        Elsewhere("C3.3", "first finish this shot", verbs.FIRE, verbs.LAY, verbs.LAY_SECOND, verbs.END_FIRE),
    )
