"""A8.1 Standing orders for Defensive First Fire: nothing until somebody is near, or until fire is worth it.

Every condition looks at the mover and at those of the watching side whom the mover's side sees. Of what lies under a
"?" it takes what could lie there: the strongest that the order of battle leaves unaccounted for. So the owner is asked
whenever one of his concealed units may have the odds, and a pause tells the mover nothing he did not know (A12.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Odds
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import mask_of, units_of
from sandtable.mechanics.memory import Asking, asked_once, remembered
from sandtable.mechanics.orders import Order, Orders, Until

from ..fire.air import dusty
from ..fire.bursts import LIMIT
from ..fire.crews import armor_bonus
from ..fire.firepower import cower, in_location, total, weigh
from ..fire.group import JOIN, USE, held_weapons, now_of
from ..fire.ift import RESULTS, cowering, ift, spread
from ..fire.sights import in_sight, veiled
from ..los import arcs
from ..ordnance import to_hit
from ..ordnance.acquisition import acquired, bore_sighted, is_moving, user_of
from ..ordnance.aim import Aiming, aiming_at, armed, burst_of, loads, size_of, spent, tube_of
from ..ordnance.effects import on_the_ift
from ..ordnance.laying import LAY, LAY_SECOND, worst
from ..ordnance.panel import DICE, DUD, MALFUNCTION, MISSES, NONE_LEFT, in_dust, odds_of
from ..ordnance.shells import splinters
from ..ordnance.to_hit import INFANTRY as INFANTRY_TYPE
from ..ordnance.to_hit import VEHICLE as VEHICLE_TYPE
from ..ordnance.weapons import PLACED, Tube
from ..table.hardware import MA, SA
from ..table.ids import FIRST
from ..table.state import Attack, Shoot, State, all_men, all_vehicles, equivalents, men, put, weapons_of
from ..table.telling import known_to
from ..table.weather import die_drms
from ..table.works import standing

SHARES = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
"""The chances of a Morale Check or worse that an order can wait for."""


def in_plain_view(s: State, order: Order) -> int:
    """The pieces of the watching side that the mover's side sees, of those whom an order is about."""
    found = (all_men(s, order.side) | all_vehicles(s, order.side)) & ~(s.concealed | s.hip | s.broken)
    return found if order.unit < 0 else found & 1 << order.unit


def span(s: State, order: Order) -> int:
    """How far the mover is from the nearest of them."""
    move = s.move
    if move is None or s.attack is None:
        return 999
    h = s.attack.target
    return min((s.stage.grid.distance(s.at[u], h) for u in units_of(in_plain_view(s, order))), default=999)


def adjacent(s: State, order: Order) -> bool:
    return span(s, order) <= 1


def within_range(s: State, order: Order) -> bool:
    """Within the Normal Range of somebody who has FP of his own."""
    if s.attack is None:
        return False
    h, grid = s.attack.target, s.stage.grid
    return any(s.kind(u).fp and grid.distance(s.at[u], h) <= s.kind(u).range for u in units_of(in_plain_view(s, order)))


def another(s: State, order: Order) -> bool:
    """Another unit or stack moves than when the order was given."""
    return order.value != s.marches


def infantry_moves(s: State, order: Order) -> bool:
    """Men move; a mover under a "?" may be anything (A12.1)."""
    return s.move is not None and (s.move.vehicle < 0 or bool(s.move.movers & s.concealed))


def vehicle_moves(s: State, order: Order) -> bool:
    return s.move is not None and (s.move.vehicle >= 0 or bool(s.move.movers & s.concealed))


def worth_it(s: State, order: Order) -> bool:
    """Somebody in plain view has, alone, such a chance of a Morale Check or worse; or could have it under a "?"."""
    wanted = SHARES[order.value]
    if likely(s, order, wanted):
        return True
    if s.edition > 1 and likely_in_doubt(s, order, wanted):
        return True
    return s.edition > 2 and (shots(s, order, wanted) or shots_in_doubt(s, order, wanted))


def likely(s: State, order: Order, wanted: Fraction) -> bool:
    """Whether a unit or weapon in plain view has such a chance to do more than pin the mover."""
    least = 0 if s.attack is None else least_column(best_drm(s, s.attack), wanted)
    return any(chance >= wanted for chance in chances(s, order, least))


def chances(s: State, order: Order, least: int = 0) -> Iterator[Fraction]:
    """The chance of each unit or weapon in plain view to do more than pin the mover; those that cannot have this column
    are not asked about."""
    attack = s.attack
    if attack is None:
        return
    now, seen = now_of(s), in_plain_view(s, order)
    strong = [u for u in units_of(now.mine & seen) if most_column(s, u, s.at[u]) >= least]
    hands = [w for w in units_of(held_weapons(s, now)) if seen >> s.holder[w] & 1]
    hands = [w for w in hands if most_column(s, w, s.at[s.holder[w]]) >= least]
    own = JOIN.free(mask_of(strong), s, now) if strong else 0
    held = USE.free(mask_of(hands), s, now) if hands else 0
    if not own | held:
        return
    known = as_known(s, attack)
    with Asking(known):
        for u in units_of(own | held):
            yield _chance(known, by(attack, u, bool(held >> u & 1)))


def by(attack: Attack, u: int, weapon: bool) -> Attack:
    """The same attack by one unit or weapon alone."""
    aside = attack.copy()
    aside.firers, aside.weapons = (0, 1 << u) if weapon else (1 << u, 0)
    return aside


def most_column(s: State, u: int, h: Hex) -> int:
    """A7.2 the column that a unit or weapon has at the most on its own, fired from a hex at the target: what depends on
    more than its range only makes it less."""
    assert s.attack is not None
    kind, span = s.kind(u), s.stage.grid.distance(h, s.attack.target)
    near = 3 if span == 0 else 2 if span == 1 else 1 if span <= kind.range or kind.weapon == "MTR" else 0.5
    return ift().column(kind.fp * near)


def best_drm(s: State, attack: Attack) -> int:
    """A4.6, A4.62, A5.12, A22.1, D15.1 the lowest DRM that fire at the mover can have, by what it is and does: whatever
    else there is (TEM, Hindrances, dust, the state of the firers) adds to it."""
    slow = s.move is not None and s.move.assault and not s.move.hazardous and not attack.movers & s.clears
    crowd = equivalents(s, men(s, attack.target, 1 - attack.side)) - LIMIT
    carried = (w for u in units_of(attack.movers & s.stage.roster.men) for w in units_of(weapons_of(s, u)))
    flames = any(s.kind(w).weapon == "FT" for w in carried)
    return (-1 if slow else -2) - max(0, (crowd + 1) // 2) - flames


@remembered(1 << 8)
def least_column(drm: int, wanted: Fraction) -> int:
    """The first column with such a chance at this DRM; the lower ones have less, and so have higher DRM."""
    columns = range(len(ift().columns))
    return next((one for one in columns if _harm(spread(one, drm, cowering(0), (0,))) >= wanted), len(columns))


def _harm(results: list[tuple[str, Fraction]]) -> Fraction:
    """The chance of a Morale Check or worse."""
    return sum((chance for word, chance in results if word not in (RESULTS[0], "PTC")), Fraction(0))


def likely_in_doubt(s: State, order: Order, wanted: Fraction) -> bool:
    """A12.1 the same for each "?" of the watching side that the mover sees, as if the strongest lay under it of all who
    are not accounted for."""
    roster = s.stage.roster
    mine = roster.of_side[order.side] & s.concealed
    if s.attack is None or not mine:
        return False
    shot = in_location(s, s.attack)
    if not shot and not veiled(s, s.attack.target, order.side):  # D5.31 nobody could hurt it
        return False
    unseen, known, least = _unlike(s, mine), None, least_column(best_drm(s, s.attack), wanted)
    marks = {s.at[u]: u for u in units_of(mine & ~(s.hip | roster.weapons | roster.works)) if s.at[u] >= 0}
    for h, mark in sorted(marks.items()):
        span = s.stage.grid.distance(h, s.attack.target)
        able = [u for u in unseen if span <= 2 * s.kind(u).range]
        if not able:
            continue
        strongest = max(able, key=lambda u: (s.kind(u).fp * (1 if span <= s.kind(u).range else 0.5), -u))
        if most_column(s, strongest, h) < least:
            continue
        if s.attack.snap or in_sight(s, standing(s, mark), s.attack.target, shot):
            known = known or as_known(s, s.attack)
            if _likely_from(s, known, h, mark, strongest, wanted):
                return True
    return False


def _unlike(s: State, mine: int) -> list[int]:
    """The men with FP of their own and the machine guns under these "?": of those with the same FP and range one."""
    roster = s.stage.roster
    found: dict[tuple[int, int], int] = {}
    hands = [w for w in units_of(roster.machine_guns) if s.holder[w] >= 0 and mine >> s.holder[w] & 1]
    for u in (*units_of(mine & roster.men), *hands):
        kind = s.kind(u)
        if kind.fp or roster.weapons >> u & 1:
            found[kind.fp, kind.range] = min(u, found.get((kind.fp, kind.range), u))
    return list(found.values())


def _likely_from(s: State, known: State, h: Hex, mark: int, u: int, wanted: Fraction) -> bool:
    """Whether a unit or weapon that lay there as this "?" does, fresh and free to fire, has the chance. What it would
    do, as its side knows the table, is asked first: for most it is too little."""
    weapon = s.holder[u] >= 0
    trial = _fresh_at(known, h, mark, u)
    assert trial.attack is not None
    with Asking(trial):
        if _chance(trial, by(trial.attack, u, weapon)) < wanted:
            return False
    trial = _fresh_at(s, h, mark, u)
    with Asking(trial):
        return bool((USE if weapon else JOIN).free(1 << u, trial, now_of(trial)))


def _fresh_at(s: State, h: Hex, mark: int, u: int) -> State:
    """The same table with a unit, or a weapon and its user, lying fresh in a hex as a "?" there does."""
    trial = s.copy()
    user = s.holder[u] if s.holder[u] >= 0 else u
    put(trial, user, h)
    trial.place[user], trial.under[user], trial.cafp[user] = s.place[mark], s.under[mark], s.cafp[mark]
    bits = ~(1 << u | 1 << user)
    trial.hip &= bits
    trial.pinned &= bits
    trial.fired &= bits
    trial.spent_fire &= bits
    trial.served &= bits
    trial.handled &= bits
    return trial


# Guns


def shots(s: State, order: Order, wanted: Fraction) -> bool:
    """C3 whether a Gun or vehicle in plain view, or a weapon of somebody there, has such a chance with a shot at the
    mover: to stop a vehicle, or of a Morale Check or worse."""
    attack = s.attack
    if attack is None:
        return False
    now, seen = aiming_at(FIRST, attack.side, attack.movers), in_plain_view(s, order)
    told = hopeless_at(s, attack.movers, wanted)
    for weapon, bars in ((MA, LAY), (SA, LAY_SECOND)):
        able = 0
        for u in units_of(armed(s, now, weapon)):
            user = user_of(s, u)
            if user >= 0 and seen >> user & 1 and not hopeless(s, now, u, weapon, s.at[u], wanted, told):
                able |= 1 << u
        free = units_of(bars.free(able, s, now)) if able else ()
        known = as_known(s, attack) if free else s
        with Asking(known):
            if any(shot_reaches(known, now, u, weapon, wanted) for u in free):
                return True
    return False


def shots_in_doubt(s: State, order: Order, wanted: Fraction) -> bool:
    """A12.1 the same for each "?" of the watching side that the mover sees, as if the strongest Gun lay under it of all
    that are not accounted for, laid on the mover."""
    roster, attack = s.stage.roster, s.attack
    if attack is None:
        return False
    mine = roster.of_side[order.side] & s.concealed
    unseen = [g for g in units_of(mine & roster.guns) if s.at[g] >= 0 and s.holder[g] >= 0]
    if not unseen:
        return False
    strongest = max(unseen, key=lambda g: (_bite(s, g), -g))
    fresh, now = _ready(s, strongest), aiming_at(FIRST, attack.side, attack.movers, strongest)
    marks = {s.at[u]: u for u in units_of(mine & ~(s.hip | roster.weapons | roster.works)) if s.at[u] >= 0}
    shot, known, told = in_location(s, attack), None, hopeless_at(s, attack.movers, wanted)
    with Asking(fresh):
        for h, mark in sorted(marks.items()):
            if hopeless(fresh, now, strongest, MA, h, wanted, told):
                continue
            if in_sight(s, standing(s, mark), attack.target, shot):
                known = known or as_known(fresh, attack)
                if _shot_from(fresh, known, now, h, mark, wanted):
                    return True
    return False


def _bite(s: State, g: int) -> int:
    """How hard a Gun hits: the number by which calibre and barrel go."""
    gun = s.kind(g).gun
    return 0 if gun is None else gun.caliber * {"*": 1, "": 2, "L": 3, "LL": 4}[gun.length]


def _ready(s: State, g: int) -> State:
    """The same table with a Gun and its crew fresh, set up and in sight."""
    fresh, bits = s.copy(), ~(1 << g | 1 << s.holder[g])
    fresh.hip &= bits
    fresh.pinned &= bits
    fresh.fired &= bits
    fresh.spent_fire &= bits
    fresh.limbered &= bits
    fresh.turned &= bits
    return fresh


def _shot_from(fresh: State, known: State, now: Aiming, h: Hex, mark: int, wanted: Fraction) -> bool:
    """Whether the Gun that may fire, if it lay there as this "?" does and was laid on the mover, had the chance. The
    shot is asked about first, as its side knows the table: most are not likely enough."""
    trial = _laid_at(known, now.by, h, mark)
    with Asking(trial):
        if not shot_reaches(trial, now, now.by, MA, wanted):
            return False
    trial = _laid_at(fresh, now.by, h, mark)
    with Asking(trial):
        return bool(LAY.free(1 << now.by, trial, now))


def _laid_at(s: State, g: int, h: Hex, mark: int) -> State:
    """The same table with a Gun and its crew in a hex as a "?" there is, laid on the target."""
    trial, attack = s.copy(), s.attack
    assert attack is not None
    for u in (g, s.holder[g]):
        put(trial, u, h)
        trial.place[u], trial.under[u], trial.cafp[u] = s.place[mark], s.under[mark], s.cafp[mark]
    trial.vca[g] = next(v for v in range(6) if arcs.in_arc(s.stage.field, h, v, attack.target))
    return trial


HARMLESS = frozenset((MISSES, DUD, MALFUNCTION, NONE_LEFT, RESULTS[0], "PTC"))


def shot_reaches(known: State, now: Aiming, u: int, weapon: int, wanted: Fraction) -> bool:
    """Whether a shot of this weapon has the chance, with the shell that is best for it: as its panel has it."""
    shot: to_hit.Shot | None = None
    for shoot in _harmful(known, now, u, weapon, known.at[u]):
        if not on_the_ift(shoot):
            alike = shot is not None and shoot.type == VEHICLE_TYPE
            shot = shot._replace(shell=shoot.shell) if shot is not None and alike else worst(known, shoot)
            if _to_hit(shot) < wanted:
                continue  # a hit alone is not likely enough
        plain = odds_of(known, shoot)
        if _hurts(plain) < wanted:
            continue  # F11.71b nor would the die of dust better it
        if not dusty(known) or _hurts(in_dust(known, shoot, plain)) >= wanted:
            return True
    return False


def _harmful(s: State, now: Aiming, u: int, weapon: int, h: Hex) -> Iterator[Shoot]:
    """The shots of a weapon that lies in a hex at the mover, one with each shell that could hurt it."""
    moving = units_of(now.movers & s.stage.roster.vehicles)
    there = next(s.at[one] for one in units_of(now.movers) if s.at[one] >= 0)
    target, at = (VEHICLE_TYPE, 1 << moving[0]) if moving else (INFANTRY_TYPE, 0)
    worn = 1 if spent(s, u, weapon) else 0
    for shell in loads(s, u, weapon, target, s.stage.grid.distance(h, there)):
        if shell not in PLACED:
            yield Shoot(
                fire=now.fire, side=now.side, gun=1 << u, weapon=weapon, movers=now.movers, intensive=worn,
                type=target, hex=there, target=at, shell=shell,
            )  # fmt: skip


class Mark(NamedTuple):
    """What every shot at a mover has in common."""

    hex: Hex
    vehicle: int
    """-1 for Infantry."""
    size: int
    moving: bool
    concealed: bool
    ffnam: bool
    hazardous: bool


@asked_once
def mark_of(s: State, movers: int) -> Mark | None:
    """The mover as a target; None if nobody moves."""
    if s.move is None:
        return None
    motors = units_of(movers & s.stage.roster.vehicles)
    there = next(s.at[one] for one in units_of(movers) if s.at[one] >= 0)
    ffnam, hazardous = not s.move.assault, bool(s.move.hazardous)
    if not motors:
        return Mark(there, -1, min(0, *(size_of(s, one) for one in units_of(movers))), False, False, ffnam, hazardous)
    one = motors[0]
    return Mark(there, one, size_of(s, one), is_moving(s, one), bool(s.concealed >> one & 1), ffnam, hazardous)


def hopeless(
    s: State, now: Aiming, u: int, weapon: int, h: Hex, wanted: Fraction, told: dict[Any, bool] | None = None
) -> bool:
    """C5.2 whether no shot of a weapon that lies in a hex can have the chance: the mover is out of range, or a hit is
    not likely enough, by its number there, by what the mover is and does, and by all that could help the firer. Every
    other case only makes it harder: so this is asked first, and most weapons need no other question. The answer is
    kept (`told`) for as long as there is such a weapon, with these shells, so far from such a mover."""
    gun, mark = tube_of(s, u, weapon), mark_of(s, now.movers)
    if gun is None or mark is None:
        return False
    told = hopeless_at(s, now.movers, wanted) if told is None else told
    span, mine = s.stage.grid.distance(h, mark.hex), h == s.at[u]
    leads = armor_bonus(s, u) if s.mounted and s.stage.roster.vehicles >> u & 1 else 0
    bore = mine and bore_sighted(s, u, mark.hex)
    known = acquired(s, u, weapon, mark.vehicle, mark.hex) if mine else 0
    out = (s.empty_second if weapon == SA else s.empty)[u]
    key = (s.type[u], weapon, s.limbered >> u & 1, out, span, leads, bore, known)
    found = told.get(key)
    if found is None:
        best = (_best(s, gun, mark, shoot, span, leads, bore, known) for shoot in _harmful(s, now, u, weapon, h))
        found = told[key] = all(one is not None and (span > gun.most or _to_hit(one) < wanted) for one in best)
    return found


def hopeless_at(s: State, movers: int, wanted: Fraction) -> dict[Any, bool]:
    """What is known of weapons and their shots at such a mover, and this chance."""
    mark = mark_of(s, movers)
    if mark is None:
        return {}
    terrain = s.stage.field.terrain[mark.hex] if mark.vehicle < 0 else ""
    found: dict[Any, bool] = s.stage.told.setdefault(("hopeless", wanted, terrain, mark.vehicle < 0, *mark[2:]), {})
    return found


def _best(
    s: State, gun: Tube, mark: Mark, shoot: Shoot, span: int, leads: int, bore: bool, known: int
) -> to_hit.Shot | None:
    """A shot at the mover as good as it could be; None if it is fired without a To Hit roll."""
    if on_the_ift(shoot):
        return None
    stones = splinters(s.stage.field.terrain[mark.hex], burst_of(s, shoot)) if mark.vehicle < 0 else None
    return to_hit.Shot(
        gun=gun,
        target=shoot.type,
        range=span,
        shell=shoot.shell,
        leadership=leads,
        moving=mark.moving,
        concealed=mark.concealed,
        ffnam=mark.ffnam,
        ffmo=True,
        hazardous=mark.hazardous,
        bore_sighted=bore,
        acquired=known,
        size=mark.size,
        tem=(stones,) if stones is not None else (),
    )


def _hurts(odds: Odds | None) -> Fraction:
    """The chance that a shot does any harm."""
    if odds is None:
        return Fraction(0)
    return sum((chance for word, chance in odds.results if word not in HARMLESS), Fraction(0))


def _to_hit(shot: to_hit.Shot) -> Fraction:
    """The chance of a hit, at least: without the dust in the air."""
    return _at_most(max(2, to_hit.needed(shot) - to_hit.drm(shot)))


@remembered(1 << 6)
def _at_most(number: int) -> Fraction:
    """The chance that a DR is no higher."""
    return Fraction(sum(a + b <= number for a, b in DICE), len(DICE))


def as_known(s: State, attack: Attack) -> State:
    """The table as the owner of an attack knows it."""
    return known_to(s, attack.side) if s.edition > 1 else s


def _chance(known: State, attack: Attack) -> Fraction:
    """As the panel of the attack has it: what its owner knows of the mover, fire at a "?" halved (A7.23)."""
    fp = total(known, attack)
    if ift().column(fp) < 0:
        return Fraction(0)
    kept = known.attack
    known.attack = attack
    halved, found = weigh(known, attack)
    known.attack = kept
    column = ift().column(fp / (2 if halved and known.edition > 1 else 1))
    if column < 0:
        return Fraction(0)
    drm = sum(one.value for one in found)
    clouds = die_drms(known) if not attack.dusty else [0]
    return _harm(spread(column, drm, cowering(cower(known, attack, 1, 1)), clouds))


def never(s: State, order: Order) -> bool:
    """Nothing in this Movement Phase."""
    return False


UNTIL_TITLES = (
    "somebody is adjacent",
    "somebody is within Normal Range",
    "another unit moves",
    "the next Movement Phase",
    "Infantry moves",
    "a vehicle moves",
)
ADJACENT, RANGE, ANOTHER, PHASE, INFANTRY, VEHICLE, WORTH = range(7)
ORDERS: Orders[State] = Orders(
    lambda s: s.orders,
    (
        Until("adjacent", adjacent),
        Until("range", within_range),
        Until("another", another, lasts=False),
        Until("phase", never, lasts=False),
        Until("infantry", infantry_moves),
        Until("vehicle", vehicle_moves),
        Until("worth", worth_it),
    ),
)
