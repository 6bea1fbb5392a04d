"""How the computer plays ASL.

It reads its own view: the table is one imagined from it, on which what lies under the enemy's "?" is reckoned as
something or nothing and what is hidden not at all. Fire is put together in fires.py and gunnery.py, Infantry marches by
marches.py, vehicles drive by drives.py; goals.py knows what the scenario asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from sandtable.engine.contract import Action, Game
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.planning import Thinker, aims

from ..fire.crews import vehicle_of
from ..fire.mounts import MOUNTS
from ..movement.infantry import price_to
from ..movement.walking import walk_of
from ..ordnance.aim import Aiming
from ..table import verbs
from ..table.hardware import AAMG, BMG, CMG, MA, SA
from ..table.ids import (
    CREW,
    F_ADVANCE,
    F_BORE,
    F_DRIVER,
    F_FIRE,
    F_GRAPPLE,
    F_GROUP,
    F_MELEE,
    F_MOUNTED_ATTACK,
    F_MOVER,
    F_MOVES,
    F_OBA,
    F_PARKED,
    F_RALLY,
    F_REACTION,
    F_ROUTER,
    F_ROUTS,
    F_SETUP,
    F_SHOT,
    F_WATCH,
    FIRST,
    HALF_SQUAD,
    LEADER,
    MMC,
    PREP,
    SIDES,
)
from ..table.state import Attack, State, men, passengers
from ..turn.flight import RouterAt
from ..turn.labour import FireAt
from ..vehicles.points import towed_gun
from . import melees, support
from .drives import approach, best_drive, carries, drivable, end_of_drive, lands, leaving, near_goal
from .fires import Volley, best_volley, needs
from .goals import aims_of, nearness
from .gunnery import Lay, best_lay
from .marches import Draw, assign, best_march, haste, mans, movable, saves, slack
from .outlook import Outlook
from .params import ATTACKS, DEFENDS, LIGHT, NORMAL, Params
from .worth import seen_value, value

WON = 100.0
"""What victory counts beside everything else."""
PRIZE = 25.0
"""What the victory conditions count beside what is left of both sides, when the game is nearly over."""
VEHICLE_WORK, MOST_WORK = 8, 40
"""How many men a vehicle counts for in the work of a playout, and how many of them strong play can afford."""
SAFE = 0.05
"""A way on which so little is to be feared that a whole stack may take it together."""
LED = 0.3
"""A way on which more is to be feared is none for a leader."""
RUNS = 1
"""Turns to spare with which nobody takes his time."""
HATCH = 4.0
"""The FP from which a hatch is shut."""
MOUNT_VERBS = {BMG: verbs.BOW, CMG: verbs.COAX, AAMG: verbs.ANTI_AIR}
ONWARD = (
    *(verbs.END_RALLY, verbs.END_FIRE, verbs.HOLD, verbs.END_MOVES, verbs.HALT, verbs.END_ROUTS, verbs.END_ADVANCE),
    *(verbs.END_COMBAT, verbs.STAND, verbs.NO_CALL, verbs.END_BORES, verbs.COMMIT, verbs.SHOOT),
)
"""What ends a step where there is nothing to think about."""

Moment = tuple[int, int, int]


class Planner(Thinker[State, Params]):
    """A computer player for either side of every scenario."""

    playouts = 24
    scale = 6.0

    def __init__(self, game: Game[State], rng: Random, params: Params = NORMAL) -> None:
        super().__init__(game, rng)
        self.params = params
        self._moment: Moment = (0, 0, 0)
        self._stays: set[int] = set()
        self._path: tuple[Hex, ...] = ()
        self._along: int = 0
        self._mover: int = -1
        self._goals: dict[int, Draw] = {}
        self._deeds: list[Action] = []
        self._driver: int = -1
        self._trampled = False
        self._shown: frozenset[Hex] = frozenset()
        self._unloads: int = -1
        self._forgone: dict[int, float] = {}
        self._volley: Attack | None = None
        self._lay: Lay | None = None
        self.handlers = {
            F_SETUP: lambda s, me, legal: support.set_up(s, me, legal, self.rng),
            F_RALLY: self._rally,
            F_FIRE: self._fire,
            F_GROUP: self._group,
            F_WATCH: self._watch,
            F_SHOT: self._shot,
            F_MOVES: self._moves,
            F_MOVER: self._walk,
            F_DRIVER: self._drive,
            F_PARKED: self._parked,
            F_ROUTS: lambda s, me, legal: melees.rout(self.look(s, me), legal),
            F_ROUTER: lambda s, me, legal: melees.run(self.look(s, me), RouterAt(*s.stack[-1]), legal),
            F_ADVANCE: lambda s, me, legal: melees.advance(self.look(s, me), legal),
            F_MELEE: lambda s, me, legal: melees.melee(self.look(s, me), legal),
            F_GRAPPLE: lambda s, me, legal: melees.grapple(self.look(s, me), legal),
            F_MOUNTED_ATTACK: lambda s, me, legal: melees.engage(self.look(s, me), legal),
            F_REACTION: lambda s, me, legal: melees.react(self.look(s, me), legal),
            F_BORE: support.bore,
            F_OBA: lambda s, me, legal: support.call(self.look(s, me), legal),
        }

    def look(self, s: State, me: int) -> Outlook:
        return Outlook(s, me, self.params)

    def otherwise(self, legal: Sequence[Action]) -> Action:
        """Go on, where nothing is to be thought about."""
        return next((a for a in legal if a[0] in ONWARD), legal[0])

    # The front: what search and analysis ask (mechanics/planning.py)

    def opens(self, s: State, side: int) -> bool:
        """The beginning of the own Prep Fire and Movement Phases."""
        frame = s.stack[-1]
        early = (frame[0] == F_MOVES and not s.moved) or (frame[0] == F_FIRE and FireAt(*frame).fire == PREP)
        return early and s.phasing == side and moment_of(s) != self._moment

    def plans(self, s: State, side: int, k: int) -> list[Params]:
        """Ways of playing this phase and what follows up to the next own Player Turn. Where so many pieces are that few
        playouts are affordable, these would prove nothing: the phase is played as usual."""
        roster, work = s.stage.roster, 0
        for pieces in s.here.values():
            work += (pieces & roster.men).bit_count() + VEHICLE_WORK * (pieces & roster.vehicles & ~s.wreck).bit_count()
        ways = ATTACKS if aims_of(s, side).attacks else DEFENDS
        ways = ways if work <= MOST_WORK else ways[:1]
        return [way.with_work_of(self.params) for way in ways[:k]]

    def begin(self, plan: Params, s: State, side: int) -> Action:
        self.params = plan.with_work_of(self.params)
        legal = self.game.legal(s)
        return legal[0] if len(legal) == 1 else self._answer(s, side, legal)

    def aims(self, plan: Params, s: State, side: int) -> list[Text]:
        """What the scenario asks for: hexes to take first by how much they are wanted, and what is held."""
        found = self.look(s, side).aims
        return aims(
            (), sorted(found.take, key=lambda h: -found.take[h]), sorted(found.hold, key=lambda h: -found.hold[h])
        )

    def finished(self, s: State) -> bool:
        return moment_of(s) != self._moment

    def evaluate(self, s: State, side: int) -> float:
        """What is left of both sides, and what the scenario asks for as it is held."""
        if s.ended is not None:
            return WON if s.ended.winner == side else -WON
        roster, found = s.stage.roster, 0.0
        for pieces in s.here.values():
            for u in units_of(pieces & (roster.men | roster.vehicles) & ~(s.wreck | s.captive)):
                found += value(s, u) if roster.side[u] == side else -value(s, u)
        late = 0.3 + 0.7 * s.turn / s.stage.turns
        prize = PRIZE * late * nearness(s)
        found += prize if SIDES.index(s.stage.script["victory"]["winner"]) == side else -prize
        attacker = next((one for one in (side, 1 - side) if aims_of(s, one).attacks), side)
        gone = approach(Outlook(s, attacker, NORMAL))  # whatever way of playing is tried: tables are compared
        return found + (gone if attacker == side else -gone)

    def horizon(self, s: State, side: int) -> Callable[[State], bool]:
        """The next own Player Turn."""
        turn, phasing = s.turn, s.phasing
        return lambda t: t.phasing == phasing and t.turn != turn

    def light(self, rng: Random) -> Planner:
        return Planner(self.game, rng, LIGHT)

    # A3.1 The Rally Phase

    def _rally(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        aims = aims_of(s, me)
        goes = aims.attacks and (aims.edge >= 0 or bool(aims.ground))
        for verb in (verbs.RALLY, verbs.MEND, verbs.MEND_MOUNT, verbs.RECOVER, verbs.REPAIR):
            if verb in (verbs.MEND, verbs.MEND_MOUNT) and goes:
                continue  # D3.7 a gun that is disabled sends its vehicle home: who has to arrive does not try
            tries = [a for a in legal if a[0] == verb]
            if verb == verbs.RECOVER:
                tries = [a for a in tries if s.stage.roster.weapons >> a[2] & 1 or takes_gun(s, me, *a[1:])]
            if tries:
                return max(tries, key=lambda a: (s.kind(a[1]).broken_morale, value(s, a[1]), a))
        return (int(verbs.END_RALLY),)

    # A3.2, A3.4, A3.5 The fire phases

    def _fire(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        self._renew(s)
        out, f = self.look(s, me), FireAt(*s.stack[-1])
        stay = self._moving_on(out) if f.fire == PREP else {}
        ways: list[tuple[float, Action, list[int], Attack | Lay]] = []
        for g in self._shortlist(out, [a[1] for a in legal if a[0] == verbs.FIRE]):
            found = best_volley(out, Attack(fire=f.fire, side=me, target=s.stage.into[g]))
            if found is not None:
                ways.append((found.gain, (int(verbs.FIRE), g), users(s, found), found.attack))
        for action in legal:
            if action[0] in (verbs.LAY, verbs.LAY_SECOND):
                weapon = SA if action[0] == verbs.LAY_SECOND else MA
                lay = best_lay(out, Aiming(f.fire, me), action[1], weapon, self.params.least)
                if lay is not None:  # a vehicle's own gun is what it came for
                    ways.append((lay.gain, action, [s.holder[action[1]]], lay))
        best = self.params.least
        chosen: Action = (int(verbs.END_FIRE),)
        for promised, action, who, plan in sorted(ways, key=lambda way: -way[0]):
            if promised <= best:
                break  # what would be forgone is asked last: it takes longest
            gain = promised - sum(self._forgoes(out, u, stay) for u in who) if f.fire == PREP else promised
            if gain > best:
                best, chosen = gain, action
                if isinstance(plan, Lay):
                    self._lay = plan
                else:
                    self._volley = plan
        return chosen

    def _moving_on(self, out: Outlook) -> dict[int, float]:
        """What each unit would forgo by firing in the Prep Fire Phase: its move."""
        s = out.s
        units = movable(s, out.me)
        goals = assign(out, units)
        found = {}
        for u in units:
            draw = goals.get(u)
            if draw is not None and out.aims.attacks and draw.far[s.at[u]] > 0:
                found[u] = self.params.prep * haste(out, draw.far[s.at[u]]) * draw.weight
        return found

    def _forgoes(self, out: Outlook, u: int, stay: dict[int, float]) -> float:
        """The same of a unit, or of a vehicle, for which it is worked out once in a phase."""
        if not out.aims.attacks or u < 0 or not out.s.stage.roster.vehicles >> u & 1:
            return stay.get(u, 0.0)
        if u not in self._forgone:
            able = u in drivable(out.s, out.me)
            self._forgone[u] = self.params.armour_prep * best_drive(out, u).gain if able else 0.0
        return self._forgone[u]

    def _shortlist(self, out: Outlook, targets: list[int]) -> list[int]:
        """The hexes that promise most at a glance."""
        s, roster = out.s, out.s.stage.roster
        mine = [s.at[u] for u in units_of(roster.of_side[out.me] & (roster.men | roster.vehicles)) if s.at[u] >= 0]

        def glance(g: int) -> float:
            h = s.stage.into[g]
            there = s.here.get(h, 0) & roster.of_side[1 - out.me] & ~s.hip
            worth = sum(seen_value(s, u) for u in units_of(there & (roster.men | roster.vehicles | roster.dummies)))
            near = min((s.stage.grid.distance(h, one) for one in mine), default=9)
            return worth / (3 + near) / (1 + out.cover(h))

        return sorted(targets, key=lambda g: (-glance(g), g))[: self.params.targets]

    def _group(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        attack = s.attack
        assert attack is not None
        plan = self._volley
        if plan is None or plan.target != attack.target or plan.side != me or not self._fits(plan, attack):
            bare = attack.copy()
            bare.firers = bare.weapons = bare.leaders = bare.mgs = 0
            bare.vehicle = -1
            found = best_volley(self.look(s, me), bare)
            plan = self._volley = None if found is None else found.attack
        if plan is not None:
            for verb, wanted, there in (
                (verbs.JOIN, plan.firers, attack.firers),
                (verbs.USE, plan.weapons, attack.weapons),
                (verbs.DIRECT, plan.leaders, attack.leaders),
            ):
                for u in units_of(wanted & ~there):
                    if (verb, u) in legal:
                        return (int(verb), u)
            for mg in MOUNTS:
                action = (int(MOUNT_VERBS[mg]), plan.vehicle)
                if plan.mgs & mg & ~attack.mgs and action in legal:
                    return action
        return (int(verbs.COMMIT),) if (verbs.COMMIT,) in legal else legal[0]

    def _fits(self, plan: Attack, attack: Attack) -> bool:
        """Whether the attack in hand is the one that was planned, as far as it is put together."""
        same = not attack.firers & ~plan.firers and not attack.weapons & ~plan.weapons
        return same and (attack.vehicle < 0 or attack.vehicle == plan.vehicle)

    # A8.1 Defensive First Fire

    def _watch(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        attack = s.attack
        fires = [a for a in legal if a[0] in FIRES]
        if not fires or attack is None:
            return (int(verbs.HOLD),)
        out = self.look(s, me)
        best = 0.0
        chosen: Action = (int(verbs.HOLD),)
        if any(a[0] in (verbs.JOIN, verbs.USE, *MOUNT_VERBS.values()) for a in fires):
            found = best_volley(out, attack.copy())
            if found is not None and found.gain > needs(out, found):
                action = self._first_of(found, legal)
                if action is not None:
                    best, chosen, self._volley = found.gain, action, found.attack
        for action in fires:
            if action[0] in (verbs.LAY, verbs.LAY_SECOND):
                weapon = SA if action[0] == verbs.LAY_SECOND else MA
                lay = best_lay(out, Aiming(FIRST, me, attack.movers), action[1], weapon, self.params.first)
                if lay is not None and lay.gain > max(best, self.params.first):
                    best, chosen, self._lay = lay.gain, action, lay
        return chosen

    def _first_of(self, volley: Volley, legal: Sequence[Action]) -> Action | None:
        attack = volley.attack
        wanted = [(int(verbs.JOIN), u) for u in units_of(attack.firers)]
        wanted += [(int(verbs.USE), w) for w in units_of(attack.weapons)]
        wanted += [(int(MOUNT_VERBS[mg]), attack.vehicle) for mg in MOUNTS if attack.mgs & mg]
        return next((a for a in wanted if a in legal), None)

    # C3 A shot

    def _shot(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        shoot = s.shoot
        assert shoot is not None
        plan = self._lay
        if plan is None or plan.shoot.gun != shoot.gun or plan.shoot.weapon != shoot.weapon:
            aiming = Aiming(shoot.fire, me, shoot.movers)
            plan = self._lay = best_lay(self.look(s, me), aiming, shoot.gun.bit_length() - 1, shoot.weapon)
        if plan is not None:
            directs = [a for a in legal if a[0] == verbs.DIRECT and s.kind(a[1]).leadership < 0]
            if shoot.type >= 0 and directs:
                return min(directs, key=lambda a: (s.kind(a[1]).leadership, a))
            for action in ((int(plan.verb), plan.at), (int(verbs.LOAD), plan.shoot.shell)):
                if action in legal:
                    return action
        if (verbs.SHOOT,) in legal:
            self._lay = None
            return (int(verbs.SHOOT),)
        ats = [a for a in legal if a[0] in (verbs.AT_VEHICLE, verbs.AT_INFANTRY, verbs.AT_IFE)]
        return ats[0] if ats else legal[0]

    # A3.3 The Movement Phase

    def _renew(self, s: State) -> None:
        if moment_of(s) != self._moment:
            self._moment = moment_of(s)
            self._stays = set()
            self._path, self._along, self._mover = (), 0, -1
            self._deeds, self._driver, self._unloads = [], -1, -1
            self._forgone = {}

    def _moves(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        self._renew(s)
        out = self.look(s, me)
        self._shown = frozenset(foe.hex for foe in out.foes if foe.guns)
        action = (
            support.enter(out, legal) or self._hatch(out, legal) or self._drives(out, legal) or self._alights(s, legal)
        )
        if action is not None:
            return action
        units = [a[1] for a in legal if a[0] == verbs.MOVE and not mans(s, a[1])]
        self._goals = assign(out, units)
        for u in sorted(units, key=lambda one: (s.kind(one).kind == LEADER, self._far(s, one), one)):
            if u in self._stays:
                continue
            if self._sets_out(out, u, units):
                return (int(verbs.MOVE), u)
            self._stays.add(u)
        return (int(verbs.END_MOVES),) if (verbs.END_MOVES,) in legal else legal[0]

    # Vehicles

    def _hatch(self, out: Outlook, legal: Sequence[Action]) -> Action | None:
        """D5.3 a crew looks out while no small arms are near, and shuts its hatch when they are; D1.3 the one man of a
        turret who looks out cannot fire."""
        s = out.s
        for action in legal:
            lone = action[0] in (verbs.OPEN_UP, verbs.BUTTON_UP) and alone_in_turret(s, action[1])
            if action[0] == verbs.OPEN_UP and not lone and not out.fire(s.at[action[1]]):
                return action
            if action[0] == verbs.BUTTON_UP and lone:
                return action
            if action[0] == verbs.BUTTON_UP and sum(fp for fp, _ in out.fire(s.at[action[1]])) >= HATCH:
                return action
        return None

    def _drives(self, out: Outlook, legal: Sequence[Action]) -> Action | None:
        """The next vehicle that has somewhere to go: fighting ones first, and of those the cheapest, which shows the
        others where the Guns are."""
        s = out.s
        able = [a[1] for a in legal if a[0] == verbs.DRIVE and a[1] not in self._stays]
        for u in sorted(able, key=lambda one: (carries(s, one), value(s, one), one)):
            if carries(s, u) and lands(out, u) and not s.motion >> u & 1 and towed_gun(s, u) >= 0:
                self._deeds, self._driver = [], u
                self._stays.add(u)
                return (int(verbs.DRIVE), u)
            deeds = leaving(out, u)
            if deeds is not None:
                self._deeds, self._driver = list(deeds), u
                return (int(verbs.DRIVE), u)
            drive = best_drive(out, u)
            if drive.deeds and drive.gain > self.params.leave:
                self._deeds, self._driver = list(drive.deeds), u
                return (int(verbs.DRIVE), u)
            self._stays.add(u)
            if carries(s, u) and near_goal(out, u):  # where it does not dare to go on, they walk
                self._deeds, self._driver, self._unloads = [], u, u
                return (int(verbs.DRIVE), u)
        return None

    def _alights(self, s: State, legal: Sequence[Action]) -> Action | None:
        """D5.4 whoever sits in a vehicle that will not go any farther walks."""
        for action in legal:
            if action[0] == verbs.ALIGHT and action[1] not in self._stays:
                self._stays.add(action[1])
                if any(s.stage.roster.men >> one & 1 for one in passengers(s, action[1])):
                    self._deeds, self._driver, self._unloads = [], action[1], action[1]
                    return action
        return None

    def _parked(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        move = s.move
        assert move is not None
        return end_of_drive(self.look(s, me), move.vehicle, legal, True)

    def _drive(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """What was planned, deed by deed; what has become impossible is planned anew, and so is the way of a vehicle
        at which a Gun opens fire that nobody knew of."""
        self._renew(s)
        move = s.move
        assert move is not None
        out, u = self.look(s, me), move.vehicle
        shown = frozenset(foe.hex for foe in out.foes if foe.guns)
        alarmed = bool(shown - self._shown) and bool(self._deeds)
        self._shown = shown
        if self._driver != u or alarmed or (self._deeds and self._deeds[0] not in legal):
            again = self._driver != u or alarmed
            self._driver = u
            self._deeds = list(best_drive(out, u, move.allowed - move.spent).deeds) if again else []
        while self._deeds:
            action = self._deeds.pop(0)
            if action in legal:
                self._trampled = action[0] == verbs.OVERRUN
                return action
            self._deeds = []
        if self._trampled:  # D7.1 it drives on, if it still can
            self._trampled = False
            self._deeds = list(best_drive(out, u, move.allowed - move.spent).deeds)
            if self._deeds and self._deeds[0] in legal:
                return self._deeds.pop(0)
        return end_of_drive(out, u, legal, self._unloads == u)

    def _far(self, s: State, u: int) -> int:
        draw = self._goals.get(u)
        return draw.far[s.at[u]] if draw is not None else 0

    def _sets_out(self, out: Outlook, u: int, units: list[int]) -> bool:
        """Whether a unit has somewhere to go; if so, the way and its company are noted."""
        s, draw = out.s, self._goals.get(u)
        march = best_march(out, u, draw)
        along = 0
        near = [one for one in units if one != u and one not in self._stays and together(s, one, u)]
        leaders = [one for one in near if s.kind(one).kind == LEADER]
        if leaders and not men(s, s.at[u], out.me) & s.broken:
            led = best_march(out, u, draw, led=True)
            if led.gain > march.gain + 0.05 and led.risk < LED:
                march, along = led, 1 << leaders[0]
        if march.gain <= self.params.leave or not march.path:
            return False
        if march.risk < SAFE:
            along |= sum(1 << one for one in near if self._goals.get(one) == draw)
        self._path, self._along, self._mover = march.path, along, u
        return True

    def _walk(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        self._renew(s)
        move, stage = s.move, s.stage
        assert move is not None
        if self._mover < 0 or not move.movers >> self._mover & 1:
            self._mover = units_of(move.movers)[0]
            out = self.look(s, me)
            draw = assign(out, [self._mover]).get(self._mover)
            self._path = best_march(out, self._mover, draw, bool(move.led), move.spent - move.double).path
            self._along = 0
        here = s.at[self._mover]
        if here in self._path:
            self._path = self._path[self._path.index(here) + 1 :]
        for u in units_of(self._along & ~move.movers):
            if (verbs.ALSO, u) in legal:
                return (int(verbs.ALSO), u)
        if self._path and (verbs.DOUBLE,) in legal and not move.spent and self._late(self.look(s, me)):
            self._mover = -1
            return (int(verbs.DOUBLE),)
        if self._path and any(a[0] == verbs.LOB for a in legal):
            lob = self._lob(self.look(s, me), legal)
            if lob is not None:
                return lob
        if self._path and self._path[0] in stage.out:
            g = stage.out[self._path[0]]
            if len(self._path) == 1:
                if (verbs.ASSAULT,) in legal and self._assault(s, g):
                    return (int(verbs.ASSAULT),)
                if (verbs.DIVE, g) in legal:
                    return (int(verbs.DIVE), g)
            for action in ((int(verbs.TO), g), (int(verbs.OUT),)):
                if action in legal:
                    return action
        self._path = ()
        guns = [a for a in legal if a[0] == verbs.TAKE and wants_gun(s, me, a[1])]
        if guns:
            return guns[0]
        for verb in (verbs.UNDER, verbs.HALT):
            if (verb,) in legal:
                return (int(verb),)
        return legal[0]

    def _late(self, out: Outlook) -> bool:
        """A4.5 whether those who move run: they are late, and nobody will fire at them."""
        draw = self._goals.get(self._mover)
        if draw is None or not out.aims.attacks or slack(out, draw.far[out.s.at[self._mover]]) > RUNS:
            return False
        return not any(out.fire(h) for h in (out.s.at[self._mover], *self._path))

    def _lob(self, out: Outlook, legal: Sequence[Action]) -> Action | None:
        """A24.1 a SMOKE grenade into the next hex, if it saves more than its MF are worth; then the way is anew."""
        s, move, h = out.s, out.s.move, self._path[0]
        assert move is not None
        action = (int(verbs.LOB), s.stage.out.get(h, -1))
        thrower = max(units_of(move.movers), key=lambda u: s.kind(u).smoke)
        if action not in legal or out.clouds.get(h, 0) or not saves(out, thrower, h, self._goals.get(self._mover)):
            return None
        self._mover = -1
        return action

    def _assault(self, s: State, g: int) -> bool:
        """A4.61 one hex, with some MF left: no FFNAM then, and a "?" is kept."""
        now = walk_of(s)
        return price_to(s, now, g) < now.left


def users(s: State, volley: Volley) -> list[int]:
    """The units that fire in an attack, or the vehicle."""
    attack = volley.attack
    found = {*units_of(attack.firers), *(s.holder[w] for w in units_of(attack.weapons)), attack.vehicle}
    return sorted(found - {-1})


def wants_gun(s: State, me: int, w: int) -> bool:
    """C2.1 a Gun that is one's own, that the scenario asks for, or that counts double once it is taken (AMB-57)."""
    if not s.stage.roster.guns >> w & 1:
        return False
    aims = aims_of(s, me)
    return bool(s.stage.roster.of_side[me] >> w & 1) or bool(aims.prey >> w & 1) or aims.blood > 1


def takes_gun(s: State, me: int, u: int, w: int) -> bool:
    """Whether a unit takes a Gun over: its own crews do, others the enemy's."""
    own = bool(s.stage.roster.of_side[me] >> w & 1)
    return wants_gun(s, me, w) and s.kind(u).kind in ((CREW, HALF_SQUAD) if own else MMC)


def alone_in_turret(s: State, u: int) -> bool:
    """D1.3 a closed turret with one man."""
    kind = vehicle_of(s, u)
    return kind.turret == "1MT" and kind.top == "CT"


def together(s: State, a: int, b: int) -> bool:
    """Whether two units could move as one stack."""
    return (s.at[a], s.under[a], s.place[a], s.cafp[a]) == (s.at[b], s.under[b], s.place[b], s.cafp[b])


def moment_of(s: State) -> Moment:
    return s.turn, s.phasing, s.phase


FIRES = (verbs.JOIN, verbs.USE, verbs.BOW, verbs.COAX, verbs.ANTI_AIR, verbs.LAY, verbs.LAY_SECOND)
