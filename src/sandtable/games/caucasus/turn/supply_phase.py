"""14 Supply: the Supply Phase. How lines run is in lines.py."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.lines import Berths
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply.supply_lines import connected_to, fed_by, full, limited_with, port_sources, temryuk_cut_off, traces
from ..table import verbs
from ..table.frames import AttritionAt, SideAt
from ..table.ids import AZOV, F_ATTRITION, F_PORT, F_SUPPLY, PHASES, SOVIET
from ..table.state import State, controlled, lose_step, on_map, touch

PORT_UNITS = 3  # 14.22c


def units_at(s: State, side: int, hexes: Mask) -> int:
    """The units of a side in these hexes."""
    found = 0
    for h in hexes_in(s.occ[side] & hexes):
        found |= s.here[h]
    return found & s.board.of_side[side]


# 14.1 The three states


def check_temryuk(s: State) -> None:
    """14.22d, A56 tested in the Soviet Supply Phase: with Temryuk OOS no Azov port supplies the Soviets."""
    cut = s.board.ports_of[AZOV] if temryuk_cut_off(s) else 0
    if cut != s.oos_hexes:
        s.oos_hexes = cut
        touch(s)
        emit(s, "azov_ports", "14.22d", {"hex": s.board.temryuk, "open": not cut})


def small_ports(s: State, side: int) -> Mask:
    return port_sources(s, side) & ~s.board.large_ports


def widely_supplied(s: State, side: int) -> Mask:
    """14.1d, 14.22b the hexes in at least limited supply from entry hexes and large ports, which bear any number."""
    key = ("widely", side)
    found: Mask | None = s.memo.get(key)
    if found is None:
        large = port_sources(s, side) & s.board.large_ports
        found = s.memo[key] = limited_with(s, side, s.occ[side], large)
    return found


def claimants(s: State, side: int) -> dict[int, Mask]:
    """14.22c the units that only small ports can supply, with the small ports that each can trace a line to."""
    key = ("claimants", side)
    found: dict[int, Mask] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = {}
        needy = on_map(s, side) & ~units_at(s, side, full(s, side) | widely_supplied(s, side))
        if needy:
            for port, fed in fed_by(s, side, small_ports(s, side)).items():
                for u in units_of(needy & units_at(s, side, fed)):
                    found[u] = found.get(u, 0) | 1 << port
    return found


def served(claims: dict[int, Mask], units: int) -> Berths:
    """14.22c the places of these units at the small ports, three each."""
    ports = 0
    for port in claims.values():
        ports |= port
    return Berths(claims, dict.fromkeys(hexes_in(ports), PORT_UNITS), units)


def berths(claims: dict[int, Mask], units: int) -> bool:
    """14.22c whether small ports can supply all these units at once."""
    return served(claims, units).all_served


def eligible(s: State, side: int) -> int:
    """14.22c the units that a small port still has room for beside those already chosen."""
    claims = claimants(s, side)
    chosen = served(claims, s.supplied)
    return sum(1 << u for u in claims if not s.supplied >> u & 1 and chosen.has_room(u))


def set_states(s: State, side: int) -> None:
    """14.1 every unit of the side is in full supply, limited supply or OOS until its next Supply Phase (14.1b)."""
    own = s.board.of_side[side]
    units = on_map(s, side)
    fully = units_at(s, side, full(s, side))
    some = (units_at(s, side, widely_supplied(s, side)) | s.supplied) & ~fully
    out = units & ~fully & ~some
    s.limited = s.limited & ~own | some
    s.oos = s.oos & ~own | out
    s.supplied = 0
    emit(
        s,
        "supply",
        "14.1f",
        {"side": side, "limited": names(s, some), "out": names(s, out), "full": fully.bit_count()},
    )


def names(s: State, units: int) -> list[str]:
    return [s.board.units[u] for u in units_of(units)]


class Supply(Frame[State, SideAt]):
    """A.5, B.3 A Supply Phase: states, attrition, recovery."""

    at = SideAt

    def run(self, s: State, f: SideAt) -> None:
        side, step = f.side, f.step
        s.stack[-1] = f._replace(step=step + 1)
        if step == 0:
            s.supplied = 0
            if side == SOVIET:
                check_temryuk(s)
            if claimants(s, side):
                s.stack.append(SideAt(F_PORT, side, -1))
        elif step == 1:
            set_states(s, side)
            # 14.6c at once; rolls in the order of the hexes, so the first goes on top of the stack
            for u in reversed(isolated(s, side)):
                s.stack.append(AttritionAt(F_ATTRITION, u))
        else:
            s.stack.pop()
            recover(s, side)


def recover(s: State, side: int) -> None:
    """11.5h disruption markers come off."""
    back = s.disrupted & s.board.of_side[side]
    if back:
        s.disrupted &= ~back
        emit(s, "recovered", "11.5h", {"side": side, "units": list(units_of(back))})


def _needy(s: State, side: int) -> int:
    return sum(1 << u for u in claimants(s, side))


SUPPLY: Bars[State, int] = Bars(
    Bar("14.22c", "{unit} has been chosen", lambda s, side: s.supplied),
    Need("14.1d", "{unit} does not depend on a small port, or can trace no line to one", _needy),
    Need("14.22c", "the ports within reach of {unit} supply {most} units each, and are taken", eligible),
)


def _supply(s: State, f: SideAt, u: int) -> None:
    s.supplied |= 1 << u
    emit(s, "port_supply", "14.22c", {"unit": u, "hex": s.at[u], "side": f.side})


class Port(Phase[State, SideAt, int]):
    """14.22c The owner chooses whom small ports supply, if they cannot supply all."""

    at = SideAt
    does = (Each(verbs.SUPPLY, of=eligible, bars=SUPPLY, facts=lambda s, side: {"most": PORT_UNITS}, take=_supply),)

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def actor(self, s: State, f: SideAt) -> int | None:
        more = eligible(s, f.side)
        return None if berths(claimants(s, f.side), s.supplied | more) else f.side

    def run(self, s: State, f: SideAt) -> None:
        s.supplied |= eligible(s, f.side)
        s.stack.pop()

    def prompt(self, s: State, f: SideAt) -> Prompt:
        claims = claimants(s, f.side)
        ports = 0
        for m in claims.values():
            ports |= m
        sentence = term("{hexes}: {most} units a port, and {n} depend on them")
        text = Text(sentence, hexes=hexes_in(ports), most=PORT_UNITS, n=len(claims))
        return Prompt("Which units do the small ports supply?", text, ("14.22c", "14.1d"), PHASES[s.phase])


# 14.6 Isolation


def isolated(s: State, side: int) -> list[int]:
    """14.6a, 14.6b the OOS units with no line of any length to a source, in the order of their hexes; HQs are exempt
    (14.6e)."""
    units = s.oos & s.board.of_side[side] & ~s.board.hq
    if not units:
        return []
    cut = units & units_at(s, side, ~connected_to(s, side))
    return sorted(units_of(cut), key=lambda u: (s.at[u], u))


def attrition_terms(s: State, u: int) -> list[tuple[int, str, str]]:
    """14.6f to 14.6j the modifiers of a unit's attrition roll: value, rule, words."""
    board, h = s.board, s.at[u]
    side = board.side[u]
    table = board.pack.tables["attrition_table"]
    places = controlled(s, side)
    found: list[tuple[int, str, str]] = []
    comfort = places & board.cities
    for v in units_of(on_map(s, side) & board.hq):
        comfort |= 1 << s.at[v]
    if traces(s, side, comfort) >> h & 1:
        found.append((table["drm_city_or_hq"], "14.6f", term("line of supply to a friendly city or HQ")))
    elif traces(s, side, places & board.towns) >> h & 1:
        found.append((table["drm_town"], "14.6g", term("line of supply to a friendly town")))
    if (board.german | board.guards) >> u & 1:
        found.append((table["drm_german_or_guards"], "14.6h", term("German or Guards unit")))
    if s.ground.desert >> h & 1:
        found.append((table["drm_desert"], "14.6i", term("in a desert hex")))
    return found


class Attrition(OneDie[State, AttritionAt]):
    """14.6d One die for one isolated unit."""

    at = AttritionAt

    def take(self, s: State, f: AttritionAt, action: Action) -> None:
        s.stack.pop()
        u, face = f.unit, action[1]
        drm = sum(value for value, _, _ in attrition_terms(s, u))
        lost = face + drm <= s.board.pack.tables["attrition_table"]["lose_step_at_most"]
        data = {"unit": u, "hex": s.at[u], "side": s.board.side[u], "die": face, "drm": drm, "lost": lost}
        emit(s, "attrition", "14.6d", data, final=True)
        if lost:
            lose_step(s, u, "14.6d")

    def prompt(self, s: State, f: AttritionAt) -> Prompt:
        terms = attrition_terms(s, f.unit)
        drm = sum(value for value, _, _ in terms)
        worst = s.board.pack.tables["attrition_table"]["lose_step_at_most"] - drm
        chance = Text("{chance} to lose a step", chance=str(Fraction(max(0, min(6, worst)), 6)))
        text: Text = chance
        for value, _, why in reversed(terms):
            text = Text("{drm} {why}; {rest}", drm=signed(value), why=why, rest=text)
        rules = ("14.6d", *(rule for _, rule, _ in terms))
        return Prompt(Text("Attrition of {unit}", unit=f.unit), text, rules, PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_SUPPLY: Supply(), F_PORT: Port(), F_ATTRITION: Attrition(verbs.ROLLED)}
