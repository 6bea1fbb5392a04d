"""Fire on the IFT: who fires together at which hex, and whether it is worth it.

The Fire Groups are put together from those whom the game's own list of bars lets fire, and reckoned with the game's own
FP and DRM. A few are looked at for each target: every Location that can fire by itself, all that hang together, every
machine gun that may keep its rate of fire; whoever adds nothing to the column is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..fire.firepower import bonus, cohorts, common_drms, share, total
from ..fire.group import JOIN, LEAD, USE, Now, fire_of, held_weapons, now_of
from ..fire.ift import ift
from ..fire.mounts import MOUNTS, TABLES
from ..table.ids import DUMMY, LEADER, PROTECTIVE, SQUAD, SUBSEQUENT
from ..table.state import Attack, State, all_vehicles, gun_of
from ..table.weather import die_drms
from .outlook import Outlook
from .worth import VEILED, seen_value, share_lost, value

VEILED_MORALE = 7
THREAT = 2.0
"""How much more the crew of a Gun counts for who has tanks."""
ROF_WORTH = 0.12
"""What each point of ROF adds to the worth of a machine gun's fire: it may fire again."""


class Volley(NamedTuple):
    """An attack that could be made: what it promises, and who makes it."""

    gain: float
    attack: Attack

    @property
    def hands(self) -> int:
        """All pieces that fire in it."""
        return self.attack.firers | self.attack.weapons | (1 << self.attack.vehicle if self.attack.vehicle >= 0 else 0)


def harm(s: State, attack: Attack, out: Outlook) -> float:
    """What an attack is expected to cost its targets, in victory points."""
    fp = total(s, attack)
    column, half = ift().column(fp), ift().column(fp / 2)
    if column < 0:
        return 0.0
    common = sum(one.value for one in common_drms(s, attack))
    clouds = die_drms(s)
    common += round(sum(clouds) / len(clouds)) if clouds else 0
    found = 0.0
    groups = [group for group in cohorts(s, attack) if not group.hidden]
    count = max(1, sum(group.units.bit_count() for group in groups))
    for group in groups:
        drm = common + sum(one.value for one in group.drms)
        for u in units_of(group.units):
            if group.concealed:
                found += VEILED * share_lost(half, drm, VEILED_MORALE, count)
                continue
            broken = bool(s.broken >> u & 1)
            kind = s.kind(u)
            if kind.kind == DUMMY:
                continue
            morale = kind.broken_morale if broken else kind.morale or VEILED_MORALE
            worth = seen_value(s, u) * menace(out, u)
            found += worth * share_lost(column, drm, morale, count, broken)
    return found


def menace(out: Outlook, u: int) -> float:
    """By how much more an enemy counts: the crew of a Gun for who has tanks, and whom the scenario asks for."""
    s, roster = out.s, out.s.stage.roster
    if s.concealed >> u & 1:
        return 1.0
    found = 1.5 if out.aims.prey >> u & 1 else 1.0
    if roster.of_side[out.me] & roster.vehicles and (gun := gun_of(s, u)) >= 0:
        found = THREAT * (1.5 if out.aims.prey >> gun & 1 else 1.0)
    return found


# Who could fire


class Hand(NamedTuple):
    """What one unit would fire with."""

    unit: int
    own: int
    weapons: int
    fp: float
    fire: int


def hands(s: State, now: Now) -> list[Hand]:
    """A7.35 each unit with what serves it best: a squad fires itself and one weapon, others one of the two."""
    attack = now.attack
    own = JOIN.free(now.mine, s, now)
    arms = USE.free(held_weapons(s, now), s, now)
    by_user: dict[int, list[tuple[float, int]]] = {}
    for w in units_of(arms):
        by_user.setdefault(s.holder[w], []).append((share(s, attack, w, True).fp, w))
    found = []
    for u in sorted({*units_of(own), *by_user}):
        kind = s.kind(u).kind
        best = max(by_user.get(u, ()), default=(0.0, -1))
        mine = share(s, attack, u, False).fp if own >> u & 1 else 0.0
        if kind == LEADER:
            continue  # he directs
        if kind == SQUAD and mine and best[1] >= 0 and fire_of(s, attack, u) == fire_of(s, attack, best[1]):
            found.append(Hand(u, 1 << u, 1 << best[1], mine + best[0], fire_of(s, attack, u)))
        elif mine >= best[0] and mine:
            found.append(Hand(u, 1 << u, 0, mine, fire_of(s, attack, u)))
        elif best[1] >= 0:
            found.append(Hand(u, 0, 1 << best[1], best[0], fire_of(s, attack, best[1])))
    return found


def chains(s: State, group: list[Hand]) -> Iterator[list[Hand]]:
    """A7.5 every Location alone, and those that hang together."""
    by_hex: dict[Hex, list[Hand]] = {}
    for one in group:
        by_hex.setdefault(s.at[one.unit], []).append(one)
    yield from by_hex.values()
    left = set(by_hex)
    while left:
        chain, edge = set(), {min(left)}
        while edge:
            chain |= edge
            left -= edge
            edge = {h for h in left if any(s.stage.grid.distance(h, c) <= 1 for c in edge)}
        if len(chain) > 1:
            yield [one for h in sorted(chain) for one in by_hex[h]]


def drawn_up(s: State, now: Now, group: list[Hand]) -> Attack:
    """The attack of a group, with the best leader of each of its Locations."""
    attack = now.attack.copy()
    attack.fire = group[0].fire
    attack.firers = attack.weapons = attack.leaders = 0
    for one in group:
        attack.firers |= one.own
        attack.weapons |= one.weapons
    led = _led(s, now, attack)
    attack.leaders = led
    return attack


def _led(s: State, now: Now, attack: Attack) -> int:
    aside = now._replace(attack=attack)
    able = units_of(LEAD.free(now.mine, s, aside))
    best: dict[Hex, int] = {}
    for u in able:
        if bonus(s, u) <= 0 and (s.at[u] not in best or bonus(s, u) < bonus(s, best[s.at[u]])):
            best[s.at[u]] = u
    return sum(1 << u for u in best.values())


def trimmed(s: State, attack: Attack, group: list[Hand]) -> list[Hand]:
    """Without those whom the column does not need, the weakest first."""
    left = sorted(group, key=lambda one: (one.fp, one.unit))
    veiled = bool(s.here.get(attack.target, 0) & s.concealed)
    whole = sum(one.fp for one in left)

    def column(fp: float) -> tuple[int, int]:
        return ift().column(fp), ift().column(fp / 2) if veiled else 0

    for one in list(left):
        if len(left) > 1 and column(whole - one.fp) == column(whole):
            whole -= one.fp
            left.remove(one)
    return left


# What comes of it


def volleys(out: Outlook, base: Attack) -> Iterator[Volley]:
    """The attacks that could be made on a target."""
    s = out.s
    kept, s.attack = s.attack, base
    try:
        now = now_of(s)
        found = hands(s, now)
        for fire in sorted({one.fire for one in found}):
            alike = [one for one in found if one.fire == fire]
            for group in chains(s, alike):
                attack = drawn_up(s, now, group)
                less = trimmed(s, attack, group)
                if len(less) < len(group):
                    attack = drawn_up(s, now, less)
                yield Volley(harm(s, attack, out), attack)
            for one in alike:
                rof = max((s.kind(w).rof for w in units_of(one.weapons)), default=0)
                if rof >= 2 and len(alike) > 1:
                    attack = drawn_up(s, now, [one._replace(own=0)])
                    yield Volley(harm(s, attack, out) * (1 + ROF_WORTH * rof), attack)
        yield from _mounted(out, now)
    finally:
        s.attack = kept


def _mounted(out: Outlook, now: Now) -> Iterator[Volley]:
    """D3.5 the machine guns of one vehicle."""
    s = out.s
    able = all_vehicles(s, now.attack.side)
    if not able:
        return
    free = {mg: TABLES[mg].free(able, s, now) for mg in MOUNTS}
    for u in units_of(able):
        mgs = sum(mg for mg in MOUNTS if free[mg] >> u & 1)
        if mgs:
            attack = now.attack.copy()
            attack.firers = attack.weapons = attack.leaders = 0
            attack.vehicle, attack.mgs = u, mgs
            yield Volley(harm(s, attack, out), attack)


def price(out: Outlook, volley: Volley) -> float:
    """What it costs to fire: the "?" of those who are seen then, and a Morale Check in Final Protective Fire."""
    s, params, attack = out.s, out.params, volley.attack
    users = attack.firers
    for w in units_of(attack.weapons):
        users |= 1 << s.holder[w]
    found = 0.02 * users.bit_count()
    found += params.reveal * (users & s.concealed).bit_count()
    found += params.ambush * (users & s.hip).bit_count()
    if attack.fire == PROTECTIVE:
        found += params.protective * 0.1 * sum(value(s, u) for u in units_of(users))
    return found


def needs(out: Outlook, volley: Volley) -> float:
    """What Defensive First Fire has to promise: more if it is fired again."""
    more = {SUBSEQUENT: out.params.again, PROTECTIVE: out.params.protective}.get(volley.attack.fire, 1.0)
    return out.params.first * more


def best_volley(out: Outlook, base: Attack) -> Volley | None:
    """The attack on a target that promises most, with what it costs taken off."""
    found = [one._replace(gain=one.gain - price(out, one)) for one in volleys(out, base)]
    return max(found, key=lambda one: one.gain, default=None)
