"""C3.32, C7 What a hit does: the burst on the IFT, SMOKE, the TK DR; and the marks that a shot leaves on its weapon."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of

from ..boards.locations import elevation
from ..fire.attack import ResultAt, encircle, reveal
from ..fire.bursts import count_shot
from ..fire.crews import immobilize, inert, onlookers, shock, vehicle_of
from ..fire.fate import KILLED, bail_out, destroy, soft_outcome, strike_soft
from ..fire.ift import NO_EFFECT, PIN_CHECK, RESULTS, ift
from ..fire.morale import push_checks
from ..fire.san import shot_at
from ..fire.sights import line, sees
from ..los import arcs
from ..table import verbs
from ..table.hardware import SA
from ..table.ids import (
    F_BURST,
    F_RESULT,
    F_SKIRTS,
    F_STRUCK,
    F_TO_KILL,
    FINAL,
    FIRST,
    FULL,
    GONE,
    MC,
    PHASES,
    PREP,
    WP,
)
from ..table.state import Shoot, State, all_men, all_vehicles, good_order, gun_of, men, passengers, put
from ..table.telling import emit, tell
from ..table.weather import grit
from ..table.works import spot
from . import shells, to_hit, to_kill, weapons
from .acquisition import acquire, look_away, prune, shift, user_of
from .acquisition import lose as lose_aim
from .aim import IFE, burst_of, facing, indirect, of_shot, piece, shot_of, span_to, supply_of
from .effects import (
    batter,
    caves_in,
    collateral_column,
    doom,
    effect,
    firer_drms,
    gun_fate,
    motor_columns,
    motors_struck,
    on_the_ift,
    prc,
    prc_results,
    rapid,
    rapid_fp,
    shake,
    soft_tem,
)
from .laying import RollAt
from .to_hit import AREA, VEHICLE
from .weapons import LATW, Tube

NEAR = 16  # A12.14a


class BurstAt(NamedTuple):
    """The DR of a hit on the IFT; `collateral`: against the PRC of the vehicle that was hit (D.8)."""

    frame: int
    collateral: int = 0


class StruckAt(NamedTuple):
    """C3.7, A.9 Random Selection of whom a Critical Hit strikes."""

    frame: int
    candidates: int
    left: int
    highest: int
    chosen: int


# The marks of a shot


def after_shot(s: State, shoot: Shoot) -> None:
    """A9.2, A9.21, C6.5 the weapon keeps its ROF or is marked; it is seen firing; it has acquired its target."""
    u, keeps = piece(shoot), keeps_rof(s, shoot, shoot.first)
    fired(s, shoot, keeps)
    s.fired |= shoot.leader if s.edition > 5 else 0  # AMB-160
    s.guided.pop(u, None)
    if keeps and shoot.leader and s.edition > 1:  # A7.531
        s.guided[u] = shoot.leader.bit_length() - 1
    if keeps:
        tell(s, "fires_again", "A9.2", 1 << u, shoot.side, {"hex": s.at[u]})
    if shoot.type != IFE and shoot.shell != weapons.CANISTER:
        acquire(s, u, shoot.weapon, shoot.target.bit_length() - 1 if shoot.type == VEHICLE else -1, shoot.hex)
    elif s.edition > 5:
        look_away(s, u, shoot.weapon, shoot.hex)
    seen_firing(s, shoot)


def keeps_rof(s: State, shoot: Shoot, first: int) -> bool:
    """A9.2, A9.21 whether the weapon may fire again, by the coloured die."""
    gun = of_shot(s, shoot)
    low, steady = first <= gun.rof, shoot.type != AREA or gun.mortar
    keeps = low and shoot.fire in (PREP, FIRST, FINAL) and not shoot.intensive and steady
    return (keeps or opportunity(s, shoot, low)) and not s.pinned >> user_of(s, piece(shoot)) & 1


def opportunity(s: State, shoot: Shoot, low: bool) -> bool:
    """A7.25, A9.21 Opportunity Fire keeps ROF in the AFPh."""
    user = user_of(s, piece(shoot))
    return (
        low and bool(s.waits >> user & 1) and not shoot.intensive and (shoot.type != AREA or of_shot(s, shoot).mortar)
    )


def fired(s: State, shoot: Shoot, kept: bool) -> None:
    """A7.11, C5.6, D3.5 what has fired; who served it moves no more in this Player Turn (A3.2)."""
    u = piece(shoot)
    turn_to(s, u, of_shot(s, shoot), shoot.hex)
    vehicle = bool(s.stage.roster.vehicles >> u & 1)
    if shoot.intensive:
        s.worked[u] |= shoot.weapon
    if not kept:
        if vehicle:
            s.used[u] |= shoot.weapon
        else:
            s.fired |= 1 << u
    if vehicle and shoot.fire == PREP:
        s.fired |= 1 << u
    s.served |= 1 << user_of(s, u)
    s.handled |= 1 << u
    count_shot(s, u, shoot.weapon)


def out_of_order(s: State, shoot: Shoot, target: int = -1) -> bool:
    """A9.7, C5.6 whether the Original DR is at or above the B# of this shot."""
    return shoot.first + shoot.second >= to_hit.breakdown(shot_of(s, shoot, target), grit(s))


def malfunction(s: State, shoot: Shoot) -> None:
    """A9.7, C13.3 the weapon fires no more until it is repaired, and has lost what it had acquired (C6.5); a bazooka or
    PIAT is gone."""
    u = piece(shoot)
    lose_aim(s, u)
    gun = of_shot(s, shoot)
    worn = s.edition > 3 and gun.carried and bool(to_hit.lowered(shot_of(s, shoot)))  # table malfunction: for good
    if gun.kind in LATW or (worn and shoot.first + shoot.second == 12):
        rule = "C13.3" if gun.kind in LATW else "A9.7"
        tell(s, "weapon_lost", rule, 1 << u, shoot.side, {"hex": s.at[u]}, final=True)
        s.holder[u] = -1
        put(s, u, GONE)
        return
    if s.stage.roster.vehicles >> u & 1:
        s.jam[u] |= shoot.weapon
        s.used[u] |= shoot.weapon
    else:
        s.jammed |= 1 << u
        s.fired |= 1 << u
    tell(s, "breaks_down", "A9.7", 1 << u, shoot.side, {"hex": s.at[u]}, final=True)


def turn_to(s: State, u: int, gun: Tube, h: Hex) -> None:
    """C3.2 the CA (the turret's, or the whole vehicle's) changes with the shot; bore sights are lost (C6.4)."""
    way = facing(s, u, gun)
    if way < 0 or arcs.in_arc(s.stage.field, s.at[u], way, h):
        return
    new = arcs.toward(s.stage.field, s.at[u], way, h)
    if s.stage.roster.guns >> u & 1 or gun.mount == "NT":
        if s.edition > 5:  # the whole vehicle turns, its turret with it
            s.vca[u], s.tca[u] = (s.vca[u] + new - way) % 6, (s.tca[u] + new - way) % 6
        else:
            s.vca[u] = new
    else:
        s.tca[u] = new
    if gun.mount == "NT":
        s.turned |= 1 << u
    shift(s, u)


def seen_firing(s: State, shoot: Shoot) -> None:
    """A12.14a they lose their "?" by firing within 16 hexes and LOS of a Good Order enemy."""
    u = piece(shoot)
    user, g = user_of(s, u), gun_of(s, user_of(s, u))
    units = 1 << u | 1 << user | (1 << g if g >= 0 else 0)
    if s.edition > 5:  # AMB-160 he who directs fires too
        units |= shoot.leader
        s.hip &= ~shoot.leader
    units &= s.concealed
    if not units:
        return
    foes = onlookers(s, 1 - shoot.side)
    if s.edition < 3:
        foes = good_order(s, all_men(s, 1 - shoot.side)) | all_vehicles(s, 1 - shoot.side) & ~inert(s)
    h = s.at[user]
    if any(s.stage.grid.distance(s.at[e], h) <= NEAR and sees(s, e, h, 1 << user) for e in units_of(foes)):
        s.concealed &= ~units
        for one in units_of(units):
            emit(s, "revealed", "A12.14a", {"unit": one, "hex": h, "side": shoot.side}, final=True)


def over(s: State) -> None:
    """The shot is over."""
    if s.stack and isinstance(s.stack[-1], RollAt):
        s.stack.pop()
    s.shoot = None
    prune(s)


def run_out(s: State, shoot: Shoot) -> None:
    """C8.9 it was the last shell of its kind, or there was none left."""
    u = piece(shoot)
    row = s.empty_second if shoot.weapon == SA else s.empty
    row[u] |= 1 << shoot.shell
    tell(s, "ran_out", "C8.9", 1 << u, shoot.side, {"hex": s.at[u], "shell": shoot.shell}, final=True)


def place_smoke(s: State, shoot: Shoot) -> None:
    """A24.2, A24.31 full SMOKE in the hex; WP makes everybody there take a NMC."""
    kind = FULL if shoot.shell == weapons.SMOKE else WP
    s.smoke[shoot.hex] = s.smoke.get(shoot.hex, 0) | 1 << 2 * kind + shoot.side
    emit(s, "smoke", "A24.2", {"hex": shoot.hex, "side": shoot.side})
    if kind == WP:
        inside = men(s, shoot.hex, 0) | men(s, shoot.hex, 1)
        for u in units_of(s.here.get(shoot.hex, 0) & s.stage.roster.vehicles & ~s.wreck):
            inside |= prc(s, u)
        if s.edition > 6:  # A12.14c
            reveal(s, inside | s.here.get(shoot.hex, 0) & s.stage.roster.dummies)
        push_checks(s, inside, MC, 0)


class Struck(OneDie[State, StruckAt]):
    """C3.7, A.9 one die for each; those with the highest are struck."""

    at = StruckAt

    def actor(self, s: State, f: StruckAt) -> int | None:
        return super().actor(s, f) if f.left and f.candidates & (f.candidates - 1) else None

    def run(self, s: State, f: StruckAt) -> None:
        assert s.shoot is not None
        s.stack.pop()
        s.shoot.struck = f.chosen or f.candidates

    def take(self, s: State, f: StruckAt, action: Action) -> None:
        die, u = action[1], units_of(f.left)[0]
        bit = 1 << u
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        tell(s, "drawn", "A.9", bit, s.stage.roster.side[u], {"hex": s.at[u], "die": die}, final=True)
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: StruckAt) -> Prompt:
        return Prompt("Random Selection", "", ("A.9", "C3.7"), PHASES[s.phase])


class BurstRoll(ColoredDice[State, BurstAt]):
    """C3.32 one DR on the IFT for all who are hit."""

    at = BurstAt

    def take(self, s: State, f: BurstAt, action: Action) -> None:
        shoot = s.shoot
        assert shoot is not None
        s.stack.pop()
        depth = len(s.stack)
        first, second = action[1], action[2]
        if f.collateral:
            collateral(s, shoot, first + second)
        elif not on_the_ift(shoot):
            burst(s, shoot, first, second)
        else:
            shoot.first, shoot.second = first, second
            if loose(s, shoot):
                burst(s, shoot, first, second)
        side, h = shoot.side, shoot.hex
        over(s)
        if s.edition > 3:  # A14.1
            shot_at(s, side, first + second, h, depth)

    def prompt(self, s: State, f: BurstAt) -> Prompt:
        return Prompt("The dice of the hit", "", ("C3.32",), PHASES[s.phase])


def loose(s: State, shoot: Shoot) -> bool:
    """C8.3, C2.29, A9.7 canister and rapid fire: the weapon is marked by the DR of the attack, which takes effect even
    if it malfunctions; False if there was no canister left (C8.9)."""
    u, original = piece(shoot), shoot.first + shoot.second
    if shoot.type != IFE:
        state = weapons.depletion(original, supply_of(s, u, shoot.weapon)[shoot.shell])
        if state != weapons.AVAILABLE:
            run_out(s, shoot)
        if state == weapons.DEPLETED:
            return False
    after_shot(s, shoot)
    if s.stage.roster.vehicles >> u & 1 and s.edition > 3:  # D6.2
        bail_out(s, u)
    if out_of_order(s, shoot):
        malfunction(s, shoot)
    return True


def burst(s: State, shoot: Shoot, first: int, second: int) -> None:
    """C3.32, C11.4 the result for each who is hit; Guns and vehicles apart."""
    original = first + second
    groups: dict[int, int] = {}
    plain: dict[int, int] = {}
    doomed: list[tuple[int, int]] = []
    struck: dict[int, int] = {}
    lost = 0
    vehicles = motors_struck(s, shoot)
    for u in units_of(shoot.hit & ~vehicles):
        critical = bool(shoot.struck >> u & 1)
        one = effect(s, shoot, u, critical)
        result = one.result(original)
        plain[u] = effect(s, shoot, u, critical, direct_hit=True).result(original)
        fate = gun_fate(s, shoot, u, original, critical)
        if fate != shells.NEAR_MISS:
            doomed.append((u, fate))
        else:
            groups[result] = groups.get(result, 0) | 1 << u
        if one.column >= 0 and ift().result(one.column, 2 + one.drm) > PIN_CHECK:
            s.dm |= s.broken & 1 << u  # A10.62 fire that could have broken it
        if s.stage.roster.vehicles >> u & 1:  # AMB-174
            struck[u] = soft_outcome(s, u, one.column, original + one.drm)
            lost |= sum(1 << one for one in (u, *passengers(s, u))) if struck[u] >= KILLED else 0  # AMB-84
    best = max((*groups, *plain.values()), default=NO_EFFECT)
    facts = {"hex": shoot.hex, "dice": [first, second], "result": RESULTS[best], "side": shoot.side}
    emit(s, "burst", "C3.32", facts, final=True)
    s.shot |= shoot.hit
    if s.edition > 5 and not indirect(of_shot(s, shoot)):
        encircle(s, 1 << user_of(s, piece(shoot)), shoot.hit & ~vehicles)  # A7.7
    residual(s, shoot)
    if shells.is_he(burst_of(s, shoot)) and shoot.type != IFE:
        caves_in(s, shoot.hex, of_shot(s, shoot).caliber, max(groups, default=NO_EFFECT), shoot.hit & ~vehicles)
    s.stack += [ResultAt(F_RESULT, result, units & ~lost) for result, units in sorted(groups.items())]
    for u, fallen in struck.items():
        strike_soft(s, u, fallen)
    for u in units_of(vehicles):
        double = bool(shoot.critical) if s.edition < 4 else bool(shoot.struck >> u & 1)  # C3.7 one alone
        own, column = motor_columns(s, shoot, u, double)
        turned = double and s.edition > 5  # C3.7 its TEM too
        ground = soft_tem(s, u, shells.is_he(burst_of(s, shoot)), indirect(of_shot(s, shoot)), turned)
        if not shake(s, u, own, first, second, "C3.32", ground):
            found = prc_results(s, u, column, original, ground)
            s.stack += [ResultAt(F_RESULT, result, units) for result, units in found]
    for u, fate in doomed:
        doom(s, u, fate)
    batter(s, shoot, plain, shoot.struck)


def residual(s: State, shoot: Shoot) -> None:
    """A8.2, A8.23, F3.4b a hit of First Fire leaves Residual FP."""
    if shoot.fire != FIRST or shoot.type == VEHICLE:
        return
    sight = line(s, user_of(s, piece(shoot)), shoot.hex, shoot.hit)
    between = sum(one.drm for one in sight.hindrances if one.hex != shoot.hex and not (s.edition > 2 and one.dust))
    if rapid(s, shoot) and s.edition > 6:  # A8.2 what hampers who fires
        between += sum(max(0, one.value) for one in firer_drms(s, shoot))
    if rapid(s, shoot) and s.edition > 2:  # A8.2 its final column
        fp = max((rapid_fp(s, shoot, u) for u in units_of(shoot.hit)), default=0.0)
        left = ift().residual_of(ift().column(fp), between)
    elif shoot.type == IFE:
        left = ift().residual_of(ift().column(float(of_shot(s, shoot).ife)), between)
    else:
        left = shells.residual(burst_of(s, shoot), between)
    if left > s.residual.get(shoot.hex, 0):
        s.residual[shoot.hex] = left
        emit(s, "residual", "A8.2", {"hex": shoot.hex, "fp": left})


# To Kill


class SkirtsAt(NamedTuple):
    """The dr of a vehicle with skirts that a hit in the side would immobilize."""

    frame: int
    vehicle: int


class KillAt(NamedTuple):
    """The TK DR of a hit on a vehicle."""

    frame: int


def strike_of(s: State, shoot: Shoot, first: int = 0, second: int = 0, critical: bool | None = None) -> to_kill.Strike:
    """C7.1 the hit of the shot in hand: where it strikes, by the dice To Hit."""
    first, second = first or shoot.first, second or shoot.second
    u = shoot.target.bit_length() - 1
    who = piece(shoot)
    turret = to_hit.turret(first, second)
    kind = vehicle_of(s, u)
    turns = turret and kind.turret not in ("NT", "none")
    side = arcs.aspect(s.stage.field, s.at[who], s.at[u], s.tca[u] if turns else s.vca[u])
    return to_kill.Strike(
        of_shot(s, shoot),
        shoot.shell,
        span_to(s, who, s.at[u]),
        to_kill.armour(kind),
        to_kill.TURRET if turret else to_kill.HULL,
        side,
        bool(shoot.critical) if critical is None else critical,
        deliberate=bool(shoot.deliberate),
        skirts=s.edition > 5 and not turret and side == arcs.SIDE and skirted(s, u),
        eased=s.edition < 6,
        underbelly=underbelly(s, who, u),
    )


def skirted(s: State, u: int) -> bool:
    return s.kind(u).id in s.stage.pack.tables["counter_notes"]["skirts"]


def underbelly(s: State, who: int, u: int) -> bool:
    """D4.3, F8.51a whether a vehicle shows its belly to a gun within 6 hexes in its front arc and not above it; from
    within the sangar that it Overruns too."""
    move = s.move
    if move is None or move.vehicle != u or not move.belly:
        return False
    field, span = s.stage.field, s.stage.grid.distance(s.at[who], s.at[u])
    if span > 6 or elevation(field, spot(s, who)) > elevation(field, spot(s, u)):
        return False
    return span == 0 or arcs.in_arc(field, s.at[u], s.vca[u], s.at[who])


class ToKill(ColoredDice[State, KillAt]):
    """C7.2 a weapon with several TK DR uses the best of them."""

    at = KillAt

    def take(self, s: State, f: KillAt, action: Action) -> None:
        shoot = s.shoot
        assert shoot is not None
        strike = strike_of(s, shoot)
        found = to_kill.outcome(strike, action[1], action[2])
        u = shoot.target.bit_length() - 1
        facts = {"unit": u, "hex": s.at[u], "dice": list(action[1:]), "number": to_kill.final(strike)}
        word = to_kill.OUTCOMES[found]
        emit(s, "to_kill", "C7.2", {**facts, "word": word, "part": to_kill.LOCATIONS[strike.location]}, final=True)
        shoot.best = max(shoot.best, found)
        shoot.rolls -= 1
        if shoot.rolls > 0:
            return
        s.stack.pop()
        s.shot |= 1 << u
        if shoot.best >= to_kill.DESTROYED:
            over(s)
            destroy(s, u, "C7.2", burns=shoot.best == to_kill.BURNING)
            return
        if shoot.best == to_kill.IMMOBILIZED and not strike.skirts:
            immobilize(s, u, "C7.6")
        elif shoot.best == to_kill.SHOCK:
            shock(s, u, "C7.42")
        if prc(s, u) and collateral_column(s, shoot) >= 0 and not shoot.deliberate:
            s.stack.append(BurstAt(F_BURST, 1))
        else:
            over(s)
        if shoot.best == to_kill.IMMOBILIZED and strike.skirts:
            s.stack.append(SkirtsAt(F_SKIRTS, u))

    def prompt(self, s: State, f: KillAt) -> Prompt:
        return Prompt("The dice To Kill", "", ("C7.1", "C7.2"), PHASES[s.phase])


class Skirts(OneDie[State, SkirtsAt]):
    """C7.2 the note of the Matilda II: its skirts keep the tracks whole on a dr of 4 or more."""

    at = SkirtsAt

    def take(self, s: State, f: SkirtsAt, action: Action) -> None:
        s.stack.pop()
        struck = action[1] <= int(s.stage.pack.tables["counter_notes"]["skirts_dr"])
        facts = {"unit": f.vehicle, "hex": s.at[f.vehicle], "die": action[1], "passed": not struck}
        emit(s, "skirts", "C7.2", facts, final=True)
        if struck:
            immobilize(s, f.vehicle, "C7.6")

    def prompt(self, s: State, f: SkirtsAt) -> Prompt:
        return Prompt(Text("Do the skirts of {unit} save its tracks?", unit=f.vehicle), "", ("C7.2",), PHASES[s.phase])


def collateral(s: State, shoot: Shoot, original: int) -> None:
    """D.8 the exposed PRC of a vehicle that was hit and not destroyed."""
    u, column = shoot.target.bit_length() - 1, collateral_column(s, shoot)
    found = prc_results(s, u, column, original)
    worst = max((result for result, _ in found), default=NO_EFFECT)
    emit(s, "collateral", "D.8", {"unit": u, "hex": s.at[u], "result": RESULTS[worst]}, final=True)
    s.stack += [ResultAt(F_RESULT, result, units) for result, units in found]


FRAMES: dict[int, Frame[State, Any]] = {
    F_STRUCK: Struck(verbs.FELL),
    F_BURST: BurstRoll(verbs.ROLLED),
    F_TO_KILL: ToKill(verbs.ROLLED),
    F_SKIRTS: Skirts(verbs.FELL),
}
