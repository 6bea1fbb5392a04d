"""What is decided in the Rout, Advance and Close Combat Phases."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..combat.close import powers
from ..table import verbs
from ..table.ids import LEADER
from ..table.state import men, vehicles
from ..turn.routs import RouterAt, must
from .clashes import comrades, felled, promise
from .marches import assign, standing
from .outlook import Outlook
from .worth import seen_value

WAY_OUT = -0.8
"""A Close Combat that promises less than this is left if one may."""


# A10.5 Routs


def rout(out: Outlook, legal: Sequence[Action]) -> Action:
    """Who must run runs; who may does so if he lies under fire."""
    s = out.s
    for action in legal:
        if action[0] == verbs.ROUT:
            u = action[1]
            if must(s, u) or out.risk(s.at[u], out.cover(s.at[u]), False) > 0.2:
                return action
    stays = [a for a in legal if a[0] == verbs.STAY]
    if stays:
        return stays[0]
    return (int(verbs.END_ROUTS),) if (verbs.END_ROUTS,) in legal else legal[0]


def refuge(out: Outlook, h: Hex) -> float:
    """How good a hex is for broken men: out of fire, under cover, with a leader."""
    s = out.s
    led = any(s.kind(one).kind == LEADER for one in units_of(men(s, h, out.me) & ~s.broken))
    near = min((s.stage.grid.distance(foe.hex, h) for foe in out.foes), default=9)
    return 0.15 * out.cover(h) + (0.5 if led else 0.0) - 2.0 * out.risk(h, out.cover(h), False, 6) + 0.04 * min(8, near)


def run(out: Outlook, f: RouterAt, legal: Sequence[Action]) -> Action:
    """Where a router goes next; a step that would be interdicted is crawled."""
    s, into = out.s, out.s.stage.into
    here = refuge(out, s.at[f.unit])
    ways = [(refuge(out, into[a[1]]), a) for a in legal if a[0] == verbs.TO]
    if not ways:
        return legal[0]
    best, action = max(ways)
    if (verbs.HALT,) in legal and best <= here + 0.02:
        return (int(verbs.HALT),)
    h = into[action[1]]
    crawl = (int(verbs.CRAWL), action[1])
    if crawl in legal and s.stage.field.kind(h).ffmo and out.fire(h) and out.risk(h, 0, False) < 0.3:
        return crawl
    return action


# A3.7 The Advance Phase


def advance(out: Outlook, legal: Sequence[Action]) -> Action:
    """Into Close Combat at good odds, onto a goal, or into better cover."""
    s, params, into = out.s, out.params, out.s.stage.into
    moves = [a for a in legal if a[0] == verbs.ADVANCE]
    units = sorted({a[1] for a in moves})
    goals = assign(out, units)
    stay = {u: standing(out, u, s.at[u], goals.get(u)) for u in units}
    roster = s.stage.roster
    fights: dict[Hex, tuple[float, int]] = {}
    best, chosen = params.leave, None
    for action in moves:
        u, h = action[1], into[action[2]]
        theirs = men(s, h, 1 - out.me) & ~s.hip
        theirs |= s.here.get(h, 0) & roster.of_side[1 - out.me] & roster.dummies
        if vehicles(s, h, 1 - out.me) & ~s.abandoned:
            continue
        if not theirs:
            gain = standing(out, u, h, goals.get(u)) - stay[u]
        else:
            if h not in fights:
                group = comrades(s, h, out.me, [one for one in units if (verbs.ADVANCE, one, action[2]) in legal])
                fights[h] = (promise(out, h, group), group)
            worth, group = fights[h]
            if not group >> u & 1 or worth < params.clash:
                continue
            gain = params.leave + worth + 0.1 * float(s.kind(u).fp)
        if gain > best:
            best, chosen = gain, action
    return chosen if chosen is not None else (int(verbs.END_ADVANCE),)


# A11 Close Combat


def melee(out: Outlook, legal: Sequence[Action]) -> Action:
    """Everybody attacks together whom it promises most to attack."""
    s, fight = out.s, out.s.fight
    assert fight is not None
    ways = [a for a in legal if a[0] == verbs.WITHDRAW]
    if (verbs.STAND,) in legal:
        return _withdraw(out, ways) or (int(verbs.STAND),)
    joins = [a for a in legal if a[0] == verbs.JOIN]
    if joins:
        return joins[0]
    strikes = [a[1] for a in legal if a[0] == verbs.STRIKE]
    if not strikes:
        return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]

    def worth(foes: int) -> float:
        attack, defence = powers(s, fight, foes)
        return felled(s, attack, defence) * sum(seen_value(s, u) for u in units_of(foes))

    every = fight.foes | sum(1 << u for u in strikes)
    alone = max(strikes, key=lambda u: (worth(fight.foes | 1 << u), -u))
    if len(strikes) > 1 and worth(every) > worth(fight.foes | 1 << alone):
        action = (int(verbs.AGAINST), strikes[0])
        if action in legal:
            return action
    return (int(verbs.STRIKE), alone)


def _withdraw(out: Outlook, ways: list[Action]) -> Action | None:
    """Broken men leave; others if the fight is lost."""
    s, fight = out.s, out.s.fight
    assert fight is not None
    if not ways:
        return None
    hopeless = promise(out, fight.hex, 0) < WAY_OUT and fight.hex not in out.aims.hold
    for action in sorted(ways, key=lambda a: (-refuge(out, s.stage.into[a[2]]), a)):
        if hopeless or s.broken >> action[1] & 1:
            return action
    return None


# A11.5 Infantry and vehicles in one Location, D7.2 those who are Overrun


def grapple(out: Outlook, legal: Sequence[Action]) -> Action:
    """The vehicle that is worth most is attacked by everybody."""
    attacks = [a for a in legal if a[0] == verbs.GRAPPLE]
    if not attacks:
        return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]
    joins = [a for a in legal if a[0] == verbs.JOIN]
    return joins[0] if joins else max(attacks, key=lambda a: (seen_value(out.s, a[2]), a))


def engage(out: Outlook, legal: Sequence[Action]) -> Action:
    """A vehicle attacks the one enemy that is worth most."""
    attacks = [a for a in legal if a[0] == verbs.ENGAGE]
    if attacks:
        return attacks[0]
    names = [a for a in legal if a[0] == verbs.NAME]
    if names:
        return max(names, key=lambda a: (seen_value(out.s, a[1]), a))
    return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]


def react(out: Outlook, legal: Sequence[Action]) -> Action:
    """Whoever can strikes back."""
    return next((a for a in legal if a[0] == verbs.REACT), legal[-1])
