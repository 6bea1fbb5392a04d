"""14 Supply: the Supply Phase. How lines run is in lines.py."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.mechanics.berths import Berths
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.telling import emit

from ..supply.supply_lines import connected_to, fed_by, full, limited_with, port_sources, temryuk_cut_off, traces
from ..table import verbs
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


class Supply(Frame[State]):
    """A.5, B.3 A Supply Phase: states, attrition, recovery. Frame: side, step."""

    def run(self, s: State, f: F) -> None:
        _, side, step = f
        s.stack[-1] = (F_SUPPLY, side, step + 1)
        if step == 0:
            s.supplied = 0
            if side == SOVIET:
                check_temryuk(s)
            if claimants(s, side):
                s.stack.append((F_PORT, side, -1))
        elif step == 1:
            set_states(s, side)
            # 14.6c at once; rolls in the order of the hexes, so the first goes on top of the stack
            for u in reversed(isolated(s, side)):
                s.stack.append((F_ATTRITION, u))
        else:
            s.stack.pop()
            recover(s, side)


def recover(s: State, side: int) -> None:
    """11.5h disruption markers come off."""
    back = s.disrupted & s.board.of_side[side]
    if back:
        s.disrupted &= ~back
        emit(s, "recovered", "11.5h", {"side": side, "units": list(units_of(back))})


class Port(Frame[State]):
    """14.22c The owner chooses whom small ports supply, if they cannot supply all. Frame: side, unused."""

    def actor(self, s: State, f: F) -> int | None:
        more = eligible(s, f[1])
        return None if berths(claimants(s, f[1]), s.supplied | more) else f[1]

    def run(self, s: State, f: F) -> None:
        s.supplied |= eligible(s, f[1])
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        return [(verbs.SUPPLY, u) for u in units_of(eligible(s, f[1]))]

    def take(self, s: State, f: F, action: Action) -> None:
        u = action[1]
        s.supplied |= 1 << u
        emit(s, "port_supply", "14.22c", {"unit": u, "hex": s.at[u], "side": f[1]})

    def prompt(self, s: State, f: F) -> Prompt:
        claims = claimants(s, f[1])
        ports = 0
        for m in claims.values():
            ports |= m
        where = ", ".join(s.board.hex_name(h) for h in hexes_in(ports))
        text = f"{where}: {PORT_UNITS} units a port, and {len(claims)} depend on them"
        return Prompt("Which units do the small ports supply?", text, ("14.22c", "14.1d"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.SUPPLY:
            return None
        u = action[1]
        name = s.board.unit_names[u]
        if s.supplied >> u & 1:
            return Reason("14.22c", f"{name} has been chosen")
        if u not in claimants(s, f[1]):
            return Reason("14.1d", f"{name} does not depend on a small port, or can trace no line to one")
        return Reason("14.22c", f"the ports within reach of {name} supply {PORT_UNITS} units each, and are taken")


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
        found.append((table["drm_city_or_hq"], "14.6f", "line of supply to a friendly city or HQ"))
    elif traces(s, side, places & board.towns) >> h & 1:
        found.append((table["drm_town"], "14.6g", "line of supply to a friendly town"))
    if (board.german | board.guards) >> u & 1:
        found.append((table["drm_german_or_guards"], "14.6h", "German or Guards unit"))
    if s.ground.desert >> h & 1:
        found.append((table["drm_desert"], "14.6i", "in a desert hex"))
    return found


class Attrition(OneDie[State]):
    """14.6d One die for one isolated unit. Frame: unit."""

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        u, face = f[1], action[1]
        drm = sum(value for value, _, _ in attrition_terms(s, u))
        lost = face + drm <= s.board.pack.tables["attrition_table"]["lose_step_at_most"]
        data = {"unit": u, "hex": s.at[u], "side": s.board.side[u], "die": face, "drm": drm, "lost": lost}
        emit(s, "attrition", "14.6d", data, final=True)
        if lost:
            lose_step(s, u, "14.6d")

    def prompt(self, s: State, f: F) -> Prompt:
        u = f[1]
        terms = attrition_terms(s, u)
        drm = sum(value for value, _, _ in terms)
        worst = s.board.pack.tables["attrition_table"]["lose_step_at_most"] - drm
        chance = Fraction(max(0, min(6, worst)), 6)
        text = "; ".join([*(f"{value:+d} {why}" for value, _, why in terms), f"{chance} to lose a step"])
        rules = ("14.6d", *(rule for _, rule, _ in terms))
        return Prompt(f"Attrition of {s.board.unit_names[u]}", text, rules, PHASES[s.phase])


FRAMES: dict[int, Frame[State]] = {F_SUPPLY: Supply(), F_PORT: Port(), F_ATTRITION: Attrition(verbs.ROLLED)}
