"""8 Combat: who attacks whom, at what odds.

Three kinds of fight pass through here (`kind`): attacks in the Combat Phase, Auto DS attacks in the Movement Phase
(8.9), and breakthrough combats (15). One fight at a time. What both sides declare before the die is in
declarations.py, what comes of it in effects.py, the Combat Phase as a whole in battles.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Fact, Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.fights.odds import column_name, rung
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import Memory, remembered
from sandtable.mechanics.phases import Each, Once, Phase

from ..supply.support import OVERWHELMING, PAID, covered, places_of, storm_hexes, supply_actions
from ..table import zones
from ..table.board import Board
from ..table.ids import AUTO_DS, BREAKTHROUGH, COMBAT, F_ATTACK, F_CRUSH, PHASES
from ..table.position import combat_units_in
from ..table.state import State
from ..table.verbs import V_COMMIT, V_JOIN
from . import results
from .effects import begin
from .nations import apart, comando, crowding, largest, stackable, together
from .panel import fight_odds
from .results import AUTO, LOWEST
from .rolls import commit
from .strengths import NO_HELP, Reckoning, chart, defence_total, fighting, reckon

# 8.1 Who may attack


@remembered()
def _unarmed(board: Board, steps: bytes) -> int:
    return board.asus | sum(
        1 << u for u, step in enumerate(steps) if not board.att[u][min(step, len(board.att[u]) - 1)]
    )


def unarmed(s: State) -> int:
    """2.3.2a the units that have no attack strength on the side of the counter that shows."""
    return _unarmed(s.board, bytes(s.step))


def units_at(s: State, hexes: Mask) -> int:
    """The units of the active side in these hexes."""
    found = 0
    for h in hexes_in(hexes & s.occ[s.active]):
        found |= s.here[h]
    return found & s.board.of_side[s.active]


def absorbing(s: State) -> Mask:
    """19.5d the hexes of units that have a replacement marker."""
    hexes = 0
    for u in units_of(s.refreshed & s.board.of_side[s.active]):
        if s.at[u] >= 0:
            hexes |= 1 << s.at[u]
    return hexes


ABLE: Bars[State, Any] = Bars(
    Bar("2.3.2a", "{unit} has no attack strength", lambda s, _: unarmed(s)),
    Bar("13.3.2a", "{unit} is in Full Retreat", lambda s, _: s.routed),
    Bar("13.2.1b", "{unit} is Disrupted", lambda s, _: s.disrupted),
    Bar("8.1c", "{unit} has attacked in this phase", lambda s, _: s.attacked),
    Bar("27.5.3b", "{unit} has rolled to disengage in this phase", lambda s, _: s.disengaged),
    Bar("8.9.1d", "{unit} has an Auto DS marker", lambda s, _: s.auto),
    Bar("5.9.1h", "{unit} is under a transport marker", lambda s, _: s.railed),
    Bar("18.7.6b", "{unit} is under a transport marker", lambda s, _: s.flown),
    Bar("21.1.4b", "{unit} is under a transport marker", lambda s, _: s.shipped),
    Bar("19.5c", "{unit} has a replacement marker", lambda s, _: s.refreshed),
    Bar("2.3.2c", "{unit} used extended movement or the road bonus", lambda s, _: s.extended),  # A14
)
"""8.1c what keeps a unit of the active side from attacking anybody."""

FROZEN: Bars[State, Any] = Bars(
    Bar(
        "9.5.6c", "a fortification is being built in {hex}: nobody attacks out of it", lambda s, _: s.building[s.active]
    ),
    Bar("19.5d", "a unit in {hex} has a replacement marker: nobody attacks out of the hex", lambda s, _: absorbing(s)),
)
"""The hexes out of which nobody attacks."""

FREE: Bars[State, Any] = Bars(
    ABLE,
    Bar(
        "9.5.6c",
        "{unit} stands where a fortification is being built",
        lambda s, _: units_at(s, s.building[s.active]) if s.building[s.active] else 0,
    ),
    Bar(
        "19.5d",
        "{unit} is stacked with a unit that has a replacement marker",
        lambda s, _: units_at(s, absorbing(s)) if s.refreshed else 0,
    ),
)
"""8.1 the same with what lies in its hex."""


def may_attack(s: State) -> int:
    """8.1c the units of the active side that are free to take part in an attack now."""
    return ABLE.free(s.board.of_side[s.active] & s.board.combat, s, None)


def attackers_near(s: State, target: Hex, free: int) -> int:
    """8.1a, 8.2b of some units, those beside the hex that could attack into it (8.1g, 9.6e, 9.6f) with strength."""
    board, of, here = s.board, chart(s.board), s.here
    found = 0
    foot, mech, vehicle = of.from_foot[target], of.from_mech[target], of.from_vehicle[target]
    for h in hexes_in(foot & s.men[s.active]):
        units = here[h] & free
        if not mech >> h & 1:
            units &= ~board.mech
        elif not vehicle >> h & 1:
            units &= ~board.vehicles
        found |= units
    att, step = board.att, s.step
    for u in units_of(found):
        if not att[u][step[u]]:
            found ^= 1 << u
    return found


def free_units(s: State) -> int:
    """8.1 the units that could attack from where they stand, if there is an enemy."""
    return FREE.free(s.board.of_side[s.active] & s.board.combat, s, None)


def free_near(s: State, target: Hex) -> int:
    """Everybody who could attack a hex now."""
    return attackers_near(s, target, free_units(s))


# 8.8.3, 8.9.1 The odds that are needed


def suffices(s: State, fight: int, target: Hex, attackers: int) -> bool:
    """8.8.3a, A10 an attack needs 1:3 before shifts; 8.9.1a, A8 an Auto DS 10:1 after tank and combined arms shifts."""
    if not attackers:
        return False
    of = reckon(s, fight, target, attackers)
    return of.column >= AUTO if fight == AUTO_DS else of.base >= LOWEST


def forces(s: State, fight: int, joined: int, pool: int) -> list[int]:
    """8.4 the largest attacks that those who have joined could become; 4.4.1b an Auto DS within the stacking limit."""
    found = largest(s, joined, pool)
    return [force for units in found for force in stackable(s, joined, units)] if fight == AUTO_DS else found


def can_reach(s: State, fight: int, target: Hex, joined: int, pool: int) -> bool:
    """Whether the fight comes to the odds it needs if everybody joins who can."""
    if fight != AUTO_DS:
        if joined and suffices(s, fight, target, joined):
            return True
        att, step = s.board.att, s.step
        need = min(defence_total(s, target, fighting(s, target, fight)), s.board.general["max_defence"])
        for u in units_of(pool):  # one that is strong enough even if it is halved
            if ((att[u][step[u]] + 1) >> 1) * 3 >= need and (not joined or together(s, joined | 1 << u)):
                return True
    return any(suffices(s, fight, target, units) for units in forces(s, fight, joined, pool))


def standing(s: State) -> tuple[object, ...]:
    """What an attack depends on besides the position: whatever changes it tells nobody (`touch`)."""
    marks = (s.attacked, s.auto, s.extended, s.refreshed, s.shipped, s.oos, s.sheltered)
    return (s.active, *marks, s.building[s.active], *s.forts, comando(s))


class Declaring(NamedTuple):
    """What declaring an attack needs to know once: which kind, the enemies near (`in_contact`), who is free, what has
    been worked out (Auto DS)."""

    kind: int
    near: Mask
    free: int
    known: dict[tuple[int, ...], int]


def declaring(s: State, kind: int) -> Declaring:
    """What is known before a hex is named; nothing if nobody is near."""
    near = in_contact(s)
    if not near:
        return NOBODY_NEAR
    return Declaring(kind, near, free_units(s), crushers_known(s) if kind == AUTO_DS else {})


NOBODY_NEAR = Declaring(AUTO_DS, 0, 0, {})


def targets(s: State, kind: int) -> dict[Hex, int]:
    """8.1 the hexes that could be attacked now at the odds that are needed, with all who could join in."""
    key = ("targets", kind, s.defended, *standing(s))
    found: dict[Hex, int] | None = s.memo.get(key)
    if found is None:
        now = declaring(s, kind)
        hexes = hexes_in(AGAINST[kind].free(now.near, s, now))
        found = s.memo[key] = {h: attackers_near(s, h, now.free) for h in hexes}
    return found


def in_contact(s: State) -> Mask:
    """8.1a the enemies that units of the active side have come up to, those in Full Retreat left out; some may have
    only such beside them that cannot attack across the hexside."""
    foe = 1 - s.active
    near = s.zocs[s.active] & zones.beside(s, foe)
    return s.board.grid.dilate(near) & s.men[foe] if near else 0


def open_to_attack(s: State, h: Hex) -> bool:
    """8.1c, 8.1e whether nobody who would defend this hex has been attacked in this phase; who fled onto friends would
    not (12.3a), but somebody must be there who has not been attacked."""
    units = combat_units_in(s, h, enemy(s.active))
    return bool(units & ~s.defended) and not units & s.defended & ~s.sheltered


def crushers_known(s: State) -> dict[tuple[int, ...], int]:
    """What has been worked out about Auto DS while nobody's strength changed.

    A Movement Phase asks after every move, and hardly ever has anything changed around a hex.
    """
    marks = (s.disrupted, s.routed, s.shipped, s.oos, s.retreated)
    key = (bytes(s.step), *marks, *s.forts, s.active, comando(s), s.edition)
    kept: Memory[object, dict[tuple[int, ...], int]] = s.board.kept.setdefault("crushers", Memory(50))
    known = kept.get(key)
    return known if known is not None else kept.keep(key, {})


def crushers(s: State, h: Hex, free: int, known: dict[tuple[int, ...], int]) -> int:
    """8.9.1a all who could join in an Auto DS against a hex, if 10:1 can be had."""
    here = s.here
    spot = [h, here[h]]
    for n in hexes_in(s.board.around[h] & s.men[s.active]):
        spot += (n, here[n] & free)
    around = tuple(spot)
    found = known.get(around)
    if found is None:
        units = attackers_near(s, h, free)
        found = known[around] = units if might_crush(s, h, units) and can_reach(s, AUTO_DS, h, 0, units) else 0
    return found


def might_crush(s: State, h: Hex, units: int) -> bool:
    """Whether 10:1 is not out of the question: printed strengths, doubled where an attack goes downhill, and at most
    the tank shifts (9.2.3b) and the elite combined arms shift (9.3a)."""
    if not units:
        return False
    step, att, general = s.step, s.board.att, s.board.general
    attack = sum([att[u][step[u]] for u in units_of(units)])
    if chart(s.board).down[h]:
        attack *= 2
    defence = defence_total(s, h, fighting(s, h, AUTO_DS))
    return rung(min(attack, general["max_attack"]), defence) + int(general["max_tank_shift"]) + 1 >= AUTO


def attacked_hexes(s: State) -> Mask:
    """8.1c the enemies' hexes that have been attacked in this phase."""
    there = {s.at[u] for u in units_of(s.defended)}
    return sum(1 << h for h in there if h >= 0 and not open_to_attack(s, h))


def unfit(s: State, u: int, target: Hex) -> Reason:
    """Why one of the active side's units beside the target takes no part in an attack on it."""
    now = Gathering(target, 0, False)
    facts: dict[str, Fact] = {"unit": u, "hex": target}
    return FREE.why(u, s, now, facts) or ACROSS.why(u, s, now, facts) or Reason("8.1g", Text(NO_ENTRY, **facts))


def nobody(s: State, now: Declaring, target: Hex) -> Reason:
    """Nobody beside the target attacks it: why the first of those does not who have any strength."""
    beside = 0
    for h in hexes_in(s.board.around[target] & s.men[s.active]):
        beside |= combat_units_in(s, h, s.active)
    armed = beside & ~unarmed(s)
    return unfit(s, units_of(armed or beside)[0], target)


def best(s: State, now: Declaring, target: Hex) -> Reckoning:
    """The best attack on a hex that can be made up."""
    near = attackers_near(s, target, now.free)
    return max([reckon(s, now.kind, target, m) for m in forces(s, now.kind, 0, near)], key=lambda of: of.column)


def too_weak(s: State, now: Declaring, target: Hex) -> Text:
    """8.8.3a the odds that the units beside the target come to."""
    text = term("the best odds against {hex} are {odds}, and 1:3 is the least allowed")
    return Text(text, hex=target, odds=column_name(best(s, now, target).base))


def no_crush(s: State, now: Declaring, target: Hex) -> Reason:
    """8.9.1a the same for an Auto DS."""
    if not attackers_near(s, target, now.free):
        return nobody(s, now, target)
    text = term("the units beside {hex} come to {odds} at best; 10:1 is needed")
    return Reason("8.9.1a", Text(text, hex=target, odds=column_name(best(s, now, target).column)))


def enemies(s: State, _: object) -> Mask:
    """8.1a, 8.7a the hexes with enemy combat units."""
    return s.men[enemy(s.active)]


ONLY_OTHERS: Bar[State, Any] = Bar(
    "8.7a", "there are only non-combat units in {hex}", lambda s, _: s.occ[enemy(s.active)] & ~s.men[enemy(s.active)]
)

AGAINST: dict[int, Bars[State, Any]] = {
    COMBAT: Bars(
        ONLY_OTHERS,
        Need("8.1a", "there is no enemy combat unit in {hex}", enemies),
        Bar("8.1c", "the units in {hex} have been attacked in this phase", lambda s, _: attacked_hexes(s)),
        Need("8.1a", "none of your combat units stands beside {hex}", lambda s, _: zones.beside(s, s.active)),
        Doubt("8.1a", nobody, lambda s, now, h: not attackers_near(s, h, now.free)),
        Doubt("8.8.3a", too_weak, lambda s, now, h: not can_reach(s, now.kind, h, 0, attackers_near(s, h, now.free))),
    ),
    AUTO_DS: Bars(
        ONLY_OTHERS,
        Need("8.9.1a", "there is no enemy combat unit in {hex}", enemies),
        Need("8.9.1a", "none of your combat units stands beside {hex}", lambda s, _: zones.beside(s, s.active)),
        Doubt("8.9.1a", no_crush, lambda s, now, h: not crushers(s, h, now.free, now.known)),
    ),
}
"""8.1, 8.7, 8.8, 8.9 the hexes that can be attacked."""


# 8.2 Who takes part


class Gathering(NamedTuple):
    """Who is gathered: against which hex, who could still come, and whether the odds are there."""

    target: Hex
    near: int
    enough: bool


NO_ENTRY = term("{unit} could not enter {hex}")

ACROSS: Bars[State, Gathering] = Bars(
    Bar(
        "9.6e",
        "{unit} may attack across an escarpment only along a road",
        lambda s, now: units_at(s, chart(s.board).escarpment[now.target]) & ~now.near,
    )
)
"""9.6e who stands across an escarpment."""


def not_enough(s: State, now: Gathering, u: int) -> Text:
    if s.fight.kind == AUTO_DS:
        return Text("{unit} is not needed for 10:1, or would keep away those who are", unit=u)
    return Text("with {unit} the attack could not come to 1:3", unit=u)


def leaving(s: State, u: int) -> dict[str, Fact]:
    return {"unit": u, "from": s.at[u]}


def spoils(s: State, now: Gathering, u: int) -> bool:
    """8.8.3a, 8.9.1d whether the odds could not be had with this unit, or are there without it."""
    if now.enough:
        return s.fight.kind == AUTO_DS
    units = s.fight.attackers | 1 << u
    return not can_reach(s, s.fight.kind, s.fight.target, units, now.near & ~units)


JOINING: Bars[State, Gathering] = Bars(
    Need("8.1a", "{unit} is not yours", lambda s, _: s.board.of_side[s.active]),
    Bar("8.2d", "{unit} takes part already", lambda s, _: s.fight.attackers),
    Need("8.1a", "{unit} is not beside {hex}", lambda s, now: units_at(s, s.board.around[now.target])),
    FREE,
    ACROSS,
    Need("8.1g", NO_ENTRY, lambda s, now: now.near),
    Doubt(
        "8.4.2b",
        lambda s, now, u: apart(s, s.fight.attackers | 1 << u),
        lambda s, now, u: not together(s, s.fight.attackers | 1 << u),
    ),
    Doubt(
        "4.4.1b",
        lambda s, now, u: Text("with {unit} more would take part than may stack in {from}", **leaving(s, u)),
        lambda s, now, u: s.fight.kind == AUTO_DS and bool(crowding(s, s.fight.attackers | 1 << u)),
    ),
    Doubt(
        "8.8.3a",
        lambda s, now, u: Reason("8.9.1d" if s.fight.kind == AUTO_DS else "8.8.3a", not_enough(s, now, u)),
        spoils,
    ),
)
"""8.2 who may join in the attack that is being made up."""


def odds_short(s: State, now: Gathering) -> Reason | None:
    """8.8.3a, 8.9.1a the odds of those who have joined, if they are not enough."""
    if now.enough:
        return None
    of = reckon(s, s.fight.kind, now.target, s.fight.attackers)
    if s.fight.kind == AUTO_DS:
        return Reason("8.9.1a", Text("{odds} so far; 10:1 is needed", odds=column_name(of.column)))
    return Reason("8.8.3a", Text("{odds} so far, and 1:3 is the least allowed", odds=column_name(of.base)))


def joins(s: State, f: F, u: int) -> None:
    s.fight.attackers |= 1 << u


def committed(s: State, f: F) -> None:
    s.stack.pop()
    commit(s)


def gather_odds(s: State, f: F, action: Action) -> Odds | None:
    attackers = s.fight.attackers | (1 << action[1] if action[0] == V_JOIN else 0)
    return fight_odds(s, s.fight.kind, s.fight.target, attackers)


class Gather(Phase[State, F, Gathering]):
    """8.2 Unit by unit, who takes part in an attack on the target, or in an Auto DS against it (8.9.1d)."""

    does = (
        Each(
            V_JOIN,
            of=lambda s, now: now.near & ~s.fight.attackers,
            bars=JOINING,
            take=joins,
            facts=lambda s, now: {"hex": now.target},
            odds=gather_odds,
        ),
        Once(V_COMMIT, take=committed, shut=odds_short, odds=gather_odds),
    )

    def now(self, s: State, f: F) -> Gathering:
        target = s.fight.target
        enough = suffices(s, s.fight.kind, target, s.fight.attackers)
        return Gathering(target, free_near(s, target) | s.fight.attackers, enough)

    def actor(self, s: State, f: F) -> int | None:
        choices = self.legal(s, f)
        s.choices = choices
        # odds are looked at before the die
        return None if len(choices) == 1 and (s.fight.kind == AUTO_DS or choices[0] != (V_COMMIT,)) else s.active

    def run(self, s: State, f: F) -> None:
        action = self.legal(s, f)[0]
        s.choices = None
        self.take(s, f, action)

    def prompt(self, s: State, f: F) -> Prompt:
        hex_ = s.fight.target
        crush = s.fight.kind == AUTO_DS
        text: Said = term("From any adjacent hexes; 10:1 is needed") if crush else term("From any adjacent hexes")
        if s.fight.attackers:
            of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers)
            so_far = term("{attack} against {defence}, {odds} with shifts so far")
            with_need = term("{attack} against {defence}, {odds} with shifts so far; 10:1 is needed")
            facts: dict[str, Fact] = {"attack": of.attack, "defence": of.defence, "odds": column_name(of.column)}
            text = Text.of(with_need if crush else so_far, facts)
        if crush:
            return Prompt(Text("Who takes part against {hex}?", hex=hex_), text, ("8.9.1a", "8.9.1d"), PHASES[s.phase])
        return Prompt(Text("Who attacks {hex}?", hex=hex_), text, ("8.2b", "8.1d", "8.8.3a"), PHASES[s.phase])


# 8.9 Auto DS


def begin_crush(s: State, target: Hex) -> None:
    """8.9.1a an Auto DS is declared."""
    begin(s, AUTO_DS, target, 0)
    s.stack.append((F_CRUSH,))


def crush_odds(s: State, target: Hex) -> Odds:
    """The calculation with the strongest force beside the hex."""
    units = strongest(s, AUTO_DS, target, targets(s, AUTO_DS)[target])
    return fight_odds(
        s, AUTO_DS, target, units, True, NO_HELP, Text("Auto DS against {hex}", hex=s.board.hex_name(target))
    )


def strongest(s: State, fight: int, target: Hex, pool: int) -> int:
    """8.4 the best attack that can be made up out of some units."""
    return max(forces(s, fight, 0, pool), key=lambda units: reckon(s, fight, target, units).column)


# 15 What breakthrough combat needs


def storm_odds(s: State, target: Hex, units: int, supplied: int) -> Odds:
    """The calculation of a breakthrough combat by a stack."""
    units = attackers_near(s, target, units)
    title = Text("Breakthrough combat against {hex}", hex=s.board.hex_name(target))
    return fight_odds(s, BREAKTHROUGH, target, units, storm_supply(s, supplied, units), NO_HELP, title)


def storm_supply(s: State, supplied: int, units: int) -> bool:
    """15.2.8b, 15.2.8c whether a breakthrough combat has attack supply, or can have it after 10:1 odds."""
    if supplied != OVERWHELMING:
        return supplied == PAID
    hexes = storm_hexes(s, units)
    return covered(s, hexes, units) or bool(supply_actions(s, hexes, units))


def begin_fight(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Start a fight whose attackers are known: who could not attack into the hex takes no part.

    A breakthrough combat has the attack supply of the fight that led to it (15.2.8b), which stands in `supplied`, and
    traces any other to `storm_hexes`.
    """
    begin(s, fight, target, attackers_near(s, target, attackers))
    commit(s)


def reopen(s: State, target: Hex, units: int) -> None:
    """8.9.2 an Auto DS fought earlier is taken up again, for the advance of these marked units."""
    begin(s, AUTO_DS, target, units)
    s.fight.result = results.shattered(s.board)
    s.fight.supplied = OVERWHELMING
    s.fought_from = places_of(s, units)


FRAMES: dict[int, Frame[State, Any]] = {F_ATTACK: Gather(), F_CRUSH: Gather()}
