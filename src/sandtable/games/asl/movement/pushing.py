"""C10.3 A Gun is pushed: at double the cost, with a Manhandling DR, by its crew and whoever helps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import ColoredDice
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.costs import ROAD
from ..boards.locations import Place, Spot, may_centre
from ..fire.attack import reveal
from ..table import verbs
from ..table.ids import ABOVE, BENEATH, F_MINES, F_PUSH, GUN, MMC, ON_WIRE, PHASES, SQUAD, UNDER_SANGAR
from ..table.state import State, men, put, settle
from ..table.telling import emit, tell
from ..table.works import has_sangar
from ..works.mines import MinesAt, mined
from .arrival import arrive
from .cover import leaves_crest_wrongly
from .points import HALF, landing, price, way_of
from .walking import MoverAt, Walk, lose_cover, spend, walk_of

ROAD_DRM = -2


class PushAt(NamedTuple):
    """The Manhandling DR of a Gun on its way to a hex."""

    frame: int
    gun: int
    hex: Hex
    halves: int
    under: int = 0
    """F8.52a 1: into the sangar of its hex; -1: out of it."""
    front: int = -1
    """F5.43e the hexside that its Crest front is centred on, if it is pushed to the Crest."""
    made: int = 0
    """B28.41 it moves, and the mines of the hex that it leaves have had their say."""


def push_price(s: State, now: Walk, h: Hex, front: int = -1) -> int:
    """C10.3 double the cost of the hex, in halves; -1 if a Gun cannot be pushed there. F5.43e from the Crest down into
    its own wadi hex it is double the 1 MF of AMB-90."""
    if h == now.here:
        return 2 * HALF
    end = landing(s, h) if front < 0 else Spot(h, Place.CREST)
    found = price(s, now.start, end, s.phasing, pushing=True)
    return -1 if found is None else found.halves


def pushed_to(s: State, now: Walk) -> Mask:
    """The hexes that a Gun may be pushed into; F5.43e from the Crest its own wadi bed among them."""
    near = s.stage.field.accessible(now.here)
    return near | 1 << now.here if now.start.place == Place.CREST else near


def pushable(s: State, now: Walk) -> list[int]:
    """The Guns that one of the movers mans, and that are not on their way behind a vehicle."""
    here = s.here.get(now.here, 0) & s.stage.roster.guns & ~s.mounted
    return [g for g in units_of(here) if s.holder[g] >= 0 and now.move.movers >> s.holder[g] & 1]


def pushes(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    if not pushable(s, now):
        return []
    out = s.stage.out
    near = [h for h in hexes_in(pushed_to(s, now)) if h in out]
    found = [(g, out[h]) for g in pushable(s, now) for h in near]
    return sorted(pair for pair in found if why_not(s, f, now, pair) is None)


def why_not(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    return no_push(s, now, args[0], s.stage.into[args[1]])


def no_push(s: State, now: Walk, g: int, h: Hex, front: int = -1) -> Reason | None:
    if g not in pushable(s, now):
        return Reason("C10.3", "none of them mans that Gun here")
    if s.edition > 5 and s.kind(g).id in s.stage.pack.tables["counter_notes"]["not_manhandled"]:
        return Reason("C10.3", "this Gun cannot be pushed")
    if h < 0 or not pushed_to(s, now) >> h & 1:
        return Reason("C10.3", "a Gun is pushed into an Accessible hex")
    if h != now.here and leaves_crest_wrongly(s, now, h):
        return Reason("B20.9", "from the Crest they leave across its front, or go down first")
    if men(s, h, 1 - s.phasing) & ~s.concealed:
        return Reason("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase")
    if now.move.assault or now.move.ended:
        return Reason("A4.62", "pushing is Hazardous Movement, and no Assault Movement")
    if s.under[g]:
        return Reason("F8.52b", "the Gun must be pushed out of the sangar first")
    standing = s.here.get(h, 0) & s.stage.roster.guns & s.stage.roster.of_side[s.phasing] & ~s.mounted
    if s.edition > 1 and h != now.here and standing.bit_count() >= 2:
        return Reason("A5.1", "at most 2 Guns may stay in a Location")
    if now.under == ON_WIRE and s.edition > 6:
        return Reason("B26.4", "they are on wire and must get beneath it first")
    if now.under in BENEATH:  # F8.52b, F8.6f
        return Reason("F8.6f", "who pushes a Gun comes out of the entrenchment first")
    halves = push_price(s, now, h, front)
    if halves < 0 or halves > now.left:
        return Reason("C10.3", "it costs double, and so many MF are not left")
    return None


def manhandling(s: State, now: Walk, h: Hex, halves: int) -> list[Term]:
    """C10.3 the DRM: MF spent, TEM of the hex, helpers, a road."""
    found = [Term(signed((halves + 1) // HALF), "C10.3", "MF spent")]
    tem = s.stage.field.kind(h).tem_direct
    if tem > 0:
        found.append(Term(signed(tem), "C10.3", "TEM of the hex"))
    helpers = sum(1 for u in units_of(now.move.movers) if s.kind(u).kind in MMC) - 1
    if helpers > 0:
        found.append(Term(signed(-helpers), "C10.3", "helpers"))
    if way_of(s, now.here, h) == ROAD:
        found.append(Term(signed(ROAD_DRM), "C10.3", "along a road"))
    return found


def drm_of(s: State, now: Walk, h: Hex, halves: int, under: int = 0) -> int:
    """F8.52a with the +1 of a sangar that it is pushed into or out of."""
    return sum(int(str(one.value)) for one in manhandling(s, now, h, halves)) + (1 if under else 0)


# F5.43e to the Crest of a wadi


def crest_pushes(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    out, field = s.stage.out, s.stage.field
    found = [(g, h) for g in pushable(s, now) for h in hexes_in(field.accessible(now.here)) if h in out]
    every = [(g, out[h], d) for g, h in found if field.has("wadi", h) for d in range(6)]
    return sorted(one for one in every if no_crest_push(s, f, now, one) is None)


def no_crest_push(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    """F5.43e directly to the Crest, by the rules of Infantry Crest (B20.9) and of Manhandling."""
    g, h, d = args[0], s.stage.into[args[1]], args[2]
    if h < 0 or h == now.here or not s.stage.field.has("wadi", h):
        return Reason("F5.43e", "there is no wadi whose Crest it could be pushed to")
    field = s.stage.field
    back = field.grid.direction(h, now.here)
    if now.start.place != Place.GROUND or back < 0 or field.side("wadi", h, back):
        return Reason("B20.9", "from outside the Crest is taken across a hexside that is not the wadi's own")
    if not may_centre(field, h, d):
        return Reason("F5.4b", "no Crest front may be centred on that hexside")
    if back != d:
        return Reason("B20.9", "the front is the hexside that is crossed")
    return no_push(s, now, g, h, d)


def push_crest(s: State, f: MoverAt, g: int, to: int, d: int) -> None:
    assert s.move is not None
    s.move.hazardous = 1
    h = s.stage.into[to]
    s.stack.append(PushAt(F_PUSH, g, h, push_price(s, walk_of(s), h, d), 0, d))


# F8.52 Into a sangar and out of it

IN_OR_OUT = 2 * HALF  # 1 MF doubled


def sangared(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    return sorted((g,) for g in pushable(s, now) if no_sangar(s, f, now, (g,)) is None)


def no_sangar(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    """F8.52a, F8.3a, F8.3b one Gun, and no squad with it."""
    g = args[0]
    if g not in pushable(s, now):
        return Reason("C10.3", "none of them mans that Gun here")
    if now.move.assault or now.move.ended:
        return Reason("A4.62", "pushing is Hazardous Movement, and no Assault Movement")
    if now.left < IN_OR_OUT:
        return Reason("F8.52a", "it costs 2 MF, and so many are not left")
    if s.under[g]:
        return None
    if not has_sangar(s, now.here):
        return Reason("F8.52a", "there is no sangar here")
    beneath = [u for u in units_of(s.here.get(now.here, 0)) if s.under[u] == UNDER_SANGAR and u != s.holder[g]]
    if any(s.kind(u).kind in (GUN, *MMC) for u in beneath):
        return Reason("F8.3b", "a sangar with a Gun holds one crew or half-squad, and nothing else of that size")
    if s.kind(s.holder[g]).kind == SQUAD:
        return Reason("F8.3b", "a sangar with a Gun holds no squad")
    return None


def push_in(s: State, f: MoverAt, g: int) -> None:
    assert s.move is not None
    s.move.hazardous = 1
    s.stack.append(PushAt(F_PUSH, g, s.at[g], IN_OR_OUT, -1 if s.under[g] else 1))


def number_of(s: State, g: int) -> int:
    """The M# of a Gun."""
    made = s.kind(g).gun
    return made.manhandling if made is not None else 0


def push(s: State, f: MoverAt, g: int, to: int) -> None:
    """A4.62 Hazardous Movement from now on."""
    assert s.move is not None
    s.move.hazardous = 1
    h = s.stage.into[to]
    s.stack.append(PushAt(F_PUSH, g, h, push_price(s, walk_of(s), h)))


def push_odds(s: State, f: MoverAt, action: Action) -> Odds:
    now, h = walk_of(s), s.stage.into[action[2]]
    halves = push_price(s, now, h)
    number, drm = number_of(s, action[1]), drm_of(s, now, h, halves)
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b + drm <= number)
    terms = (Term(str(number), "C10.3", "M#"), *manhandling(s, now, h, halves))
    return Odds(
        "Manhandling", terms, ((term("it moves"), Fraction(ways, 36)), (term("it stays"), Fraction(36 - ways, 36)))
    )


def shove(s: State, f: PushAt) -> None:
    """C10.3 the Gun and those who push it are in the hex."""
    move = s.move
    assert move is not None
    s.emplaced &= ~(1 << f.gun)  # C11.2
    if f.under:
        s.under[f.gun] = s.under[s.holder[f.gun]] = UNDER_SANGAR if f.under > 0 else ABOVE
        s.moved |= 1 << f.gun
        settle(s, f.gun)
        spend(s, f.halves, False, True)
        return
    here = walk_of(s).here
    put(s, f.gun, f.hex)
    place = landing(s, f.hex).place if f.front < 0 else Place.CREST
    for u in (f.gun, *units_of(move.movers)):
        put(s, u, f.hex)
        s.under[u], s.place[u], s.cafp[u] = 0, place, max(0, f.front)
    s.moved |= 1 << f.gun
    settle(s, f.gun)
    if s.edition > 5:  # A7.7, B9.32
        s.encircled &= ~move.movers
        s.walled &= ~move.movers
    move.came, move.hex, move.entered = here, f.hex, move.entered + 1
    spend(s, f.halves, True, True)
    if s.edition > 3:  # B28.41, B26.4, A12.33, A12.11 what meets whoever comes
        reveal(s, s.here.get(f.hex, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - s.phasing])
        arrive(s, f.hex, move.movers)
    if s.edition > 6 and any(s.under[u] == ON_WIRE for u in units_of(move.movers)):  # B26.4
        move.ended = 1
    tell(s, "moved", "C10.3", move.movers, s.phasing, {"from": here, "to": f.hex, "path": [f.hex]})
    lose_cover(s)


class Push(ColoredDice[State, PushAt]):
    """C10.3 it moves if DR and DRM are not above its M#; the MF are spent in any case."""

    at = PushAt

    def actor(self, s: State, f: PushAt) -> int | None:
        return None if f.made else super().actor(s, f)

    def run(self, s: State, f: PushAt) -> None:
        """The crew goes on with the Gun if it has stood the mines; those who have not stay."""
        s.stack.pop()
        move = s.move
        assert move is not None
        able = sum(1 << u for u in units_of(move.movers) if s.at[u] >= 0) & ~(s.broken | s.pinned)
        crew = s.holder[f.gun]
        if crew >= 0 and able >> crew & 1:
            s.moved |= move.movers & ~able
            move.movers = able
            shove(s, f)
        elif able:
            spend(s, f.halves, False, True)

    def take(self, s: State, f: PushAt, action: Action) -> None:
        s.stack.pop()
        move, now = s.move, walk_of(s)
        assert move is not None
        final = action[1] + action[2] + drm_of(s, now, f.hex, f.halves, f.under)
        made = final <= number_of(s, f.gun)
        facts = {"unit": f.gun, "hex": f.hex, "dice": list(action[1:]), "final": final}
        emit(s, "pushed", "C10.3", {**facts, "number": number_of(s, f.gun), "passed": made}, final=True)
        if not made:
            spend(s, f.halves, False, True)
            return
        foes = 0 if f.under else men(s, f.hex, 1 - s.phasing)
        if foes:  # A12.15 they are found, and everybody stays where he was
            s.hip &= ~foes
            emit(
                s,
                "detected",
                "A12.15",
                {"hex": f.hex, "units": list(units_of(move.movers)), "side": s.phasing},
                final=True,
            )
            spend(s, f.halves, False, True)
            move.ended = 1
            return
        if not f.under and s.edition > 6 and f.hex != now.here and mined(s, now.here):
            s.stack += [f._replace(made=1), MinesAt(F_MINES, now.here, move.movers)]
        else:
            shove(s, f)

    def prompt(self, s: State, f: PushAt) -> Prompt:
        return Prompt(Text("{unit} is pushed", unit=f.gun), "", ("C10.3",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_PUSH: Push(verbs.ROLLED)}
