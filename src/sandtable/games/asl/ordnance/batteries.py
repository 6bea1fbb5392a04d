"""C1 Offboard Artillery: contact, chits, Spotting Rounds, accuracy, and the orders to fire for effect.

At the start of his own PFPh, and of the enemy's DFPh, an observer may call his battery. What it fires stands in ffe.py.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import CHANCE, Action, Die, Odds, Prompt, Reason, Roll, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import ALL, Bars, Need
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Once, Phase

from ..boards.locations import Place, Spot
from ..fire.air import AIR_WORDS, dusty
from ..fire.sights import look, veils
from ..los.visibility import low_visibility
from ..table import verbs
from ..table.ids import F_ACCURACY, F_CHIT, F_CONTACT, F_ERROR, F_OBA, F_SHELLS, LEADER, PHASES
from ..table.state import (
    ACCESS,
    BATTERY,
    BLACK,
    BLAST,
    CALIBER,
    CONTACT,
    DRAWN,
    FFE_1,
    FFE_2,
    FFE_C,
    NO_ROUND,
    RED,
    SHELLED,
    SPOTTING,
    STAGE,
    State,
    good_order,
)
from ..table.telling import emit
from ..table.weather import air
from ..table.works import spot
from .ffe import shell_all

CONCENTRATION, HARASSING = range(2)


class ObaAt(NamedTuple):
    """C1.2 an observer may call his battery; `open` when he has Battery Access now."""

    frame: int
    side: int
    open: int


class ContactAt(NamedTuple):
    frame: int
    side: int


class ChitAt(NamedTuple):
    frame: int
    side: int


class AccuracyAt(NamedTuple):
    """C1.3 where a round falls that is aimed at this hex; `most` hexes of error, `blast` -1 for a Spotting Round."""

    frame: int
    side: int
    hex: Hex
    most: int
    blast: int
    face: int = 0
    """F11.791 the die of dust, 0 before it has fallen."""


class ErrorAt(NamedTuple):
    frame: int
    side: int
    hex: Hex
    most: int
    blast: int


# The battery and its observer


def told(s: State, side: int, what: int) -> int:
    return s.oba[side * BATTERY + what]


def note(s: State, side: int, what: int, value: int) -> None:
    s.oba[side * BATTERY + what] = value


def module_of(s: State, side: int) -> Any:
    """The group of the scenario that has a battery, and the row of table oba."""
    group = next(one for one in s.stage.sides[side]["group"] if "oba" in one)
    modules = s.stage.pack.tables["oba"]["module"]
    return group, next(one for one in modules if one["nation"] == group["oba"]["module"])


def silent(s: State, side: int) -> bool:
    """C1.2 no battery, or it is lost: the second red chit ends it, as does the last chit."""
    if not told(s, side, CALIBER) or told(s, side, DRAWN) >= int(
        s.stage.pack.tables["oba"]["procedure"]["reds_to_end"]
    ):
        return True
    return not told(s, side, ACCESS) and not told(s, side, BLACK) + told(s, side, RED)


def offboard(s: State, side: int) -> bool:
    """C1.63 an observer off the map."""
    return bool(module_of(s, side)[0].get("observer", {}).get("mode") == "offboard")


def observer(s: State, side: int) -> Spot | None:
    """C1.2, C1.63 where the observer looks from: above an edge hex, or a Good Order leader with a radio or phone."""
    if offboard(s, side):
        return Spot(s.stage.field.hex(module_of(s, side)[0]["observer"]["hex"]), Place.ABOVE)
    who = operator(s, side)
    return spot(s, who) if who >= 0 else None


def operator(s: State, side: int) -> int:
    """C1.2 the Good Order leader of a side who has a radio or phone, -1 if there is none."""
    for w in units_of(s.stage.roster.weapons & s.stage.roster.of_side[side]):
        u = s.holder[w]
        if s.kind(w).contact and u >= 0 and s.at[u] >= 0 and good_order(s, 1 << u) and s.kind(u).kind == LEADER:
            return u
    return -1


def contact_number(s: State, side: int) -> int:
    """C1.2 the contact number of the radio or phone."""
    group, module = module_of(s, side)
    types, roster = s.stage.roster.types, s.stage.roster
    printed = [types[roster.type_of[unit["id"]]].contact for unit in group["units"]]
    return max(printed, default=0) or int(module["contact_radio"])


def seen_by(s: State, side: int) -> Mask:
    """The hexes that the observer sees."""
    eye = observer(s, side)
    return 0 if eye is None else veils(s).seen(eye)


# C1.2 Contact


def maintain(s: State, side: int) -> int:
    """The drm of a contact that is kept."""
    return int(s.stage.pack.tables["oba"]["procedure"]["maintain_contact_drm"]) if told(s, side, CONTACT) else 0


def lapse(s: State, side: int) -> None:
    """C1.5 the mission is over: round, FFE and Battery Access are gone."""
    note(s, side, ACCESS, 0)
    note(s, side, STAGE, NO_ROUND)
    note(s, side, SHELLED, -1)


class Contact(ColoredDice[State, ContactAt]):
    """C1.2 the Contact DR."""

    at = ContactAt

    def take(self, s: State, f: ContactAt, action: Action) -> None:
        s.stack.pop()
        final, number = action[1] + action[2] + maintain(s, f.side), contact_number(s, f.side)
        made = final <= number
        facts = {"dice": list(action[1:]), "final": final, "number": number, "passed": made, "side": f.side}
        emit(s, "contact", "C1.2", facts, final=True)
        note(s, f.side, CONTACT, 1 if made else 0)
        if not made:
            lapse(s, f.side)
        elif told(s, f.side, ACCESS):
            s.stack.append(ObaAt(F_OBA, f.side, 1))
        else:
            s.stack.append(ChitAt(F_CHIT, f.side))

    def prompt(self, s: State, f: ContactAt) -> Prompt:
        return Prompt("The Contact DR", "", ("C1.2",), PHASES[s.phase])


class Chit(Frame[State, ChitAt]):
    """C1.2 a chit is drawn: black gives Battery Access, red loses contact, and the second red the battery."""

    at = ChitAt

    def actor(self, s: State, f: ChitAt) -> int | None:
        return CHANCE

    def chances(self, s: State, f: ChitAt) -> list[tuple[Action, Fraction]]:
        black, red = told(s, f.side, BLACK), told(s, f.side, RED)
        verb = int(verbs.DREW)
        found = [((verb, 0), Fraction(black, black + red)), ((verb, 1), Fraction(red, black + red))]
        return [one for one in found if one[1]]

    def legal(self, s: State, f: ChitAt) -> list[Action]:
        return [action for action, _ in self.chances(s, f)]

    def roll(self, s: State, f: ChitAt, die: Die) -> Roll:
        black, red = told(s, f.side, BLACK), told(s, f.side, RED)
        face = die(black + red)
        return Roll((int(verbs.DREW), 0 if face <= black else 1), (face,))

    def take(self, s: State, f: ChitAt, action: Action) -> None:
        s.stack.pop()
        red = action[1] == 1
        note(s, f.side, RED if red else BLACK, told(s, f.side, RED if red else BLACK) - 1)
        if red:
            note(s, f.side, DRAWN, told(s, f.side, DRAWN) + 1)
            note(s, f.side, CONTACT, 0)
        else:
            note(s, f.side, ACCESS, 1)
            s.stack.append(ObaAt(F_OBA, f.side, 1))
        emit(s, "chit", "C1.2", {"red": red, "over": silent(s, f.side), "side": f.side}, final=True)

    def prompt(self, s: State, f: ChitAt) -> Prompt:
        return Prompt("A chit is drawn", "", ("C1.2",), PHASES[s.phase])


# C1.3 Accuracy


def accuracy_terms(s: State, side: int, h: Hex, face: int = 0) -> list[Term]:
    """C1.3, C1.62, C1.63, F11.624, F11.791 the accuracy number and every drm; `face` is the die of dust."""
    chart = s.stage.pack.tables["oba"]
    eye = observer(s, side)
    assert eye is not None
    if offboard(s, side):
        found = [Term(str(chart["procedure"]["offboard_observer"]["accuracy_dr"]), "C1.63", "observer off the map")]
    else:
        found = [Term(str(module_of(s, side)[1]["accuracy_dr"]), "C1.3", "accuracy of the battery")]
    name = s.stage.field.name
    for one in look(s, eye, Spot(h)).hindrances:
        found.append(Term(signed(one.drm), "C1.62", one.said(name(one.hex))))
    now = air(s)
    if offboard(s, side) and now.haze != "none":
        found.append(Term(signed(int(chart["procedure"]["offboard_observer"]["haze_drm"])), "F11.624", "heat haze"))
        now = replace(now, haze="none")
    vehicle = bool(s.here.get(h, 0) & s.stage.roster.vehicles & ~s.wreck)  # F11.623a
    for dlv in low_visibility(now, s.stage.field, eye, Spot(h), vehicle, face or None):
        found.append(Term(signed(dlv.drm), "F11.791", AIR_WORDS[dlv.kind]))
    return found


def accuracy(s: State, side: int, h: Hex, face: int = 0) -> tuple[int, int]:
    """The accuracy number, and the sum of the drm."""
    first, *rest = (int(str(one.value)) for one in accuracy_terms(s, side, h, face))
    return first, sum(rest)


class Accuracy(OneDie[State, AccuracyAt]):
    """C1.3 it falls where it was meant to, or errs."""

    at = AccuracyAt

    def take(self, s: State, f: AccuracyAt, action: Action) -> None:
        if dusty(s) and not f.face:
            s.stack[-1] = f._replace(face=action[1])
            emit(s, "dust_die", "F11.791", {"die": action[1]}, final=True)
            return
        s.stack.pop()
        number, drm = accuracy(s, f.side, f.hex, f.face)
        made = action[1] + drm <= number
        facts = {"hex": f.hex, "die": action[1], "drm": drm, "number": number, "passed": made, "side": f.side}
        emit(s, "accuracy", "C1.3", facts, final=True)
        if made:
            falls(s, f.side, f.hex, f.blast)
        else:
            s.stack.append(ErrorAt(F_ERROR, f.side, f.hex, f.most, f.blast))

    def prompt(self, s: State, f: AccuracyAt) -> Prompt:
        return Prompt("The Accuracy dr", "", ("C1.3", "C1.62"), PHASES[s.phase])


class Error(ColoredDice[State, ErrorAt]):
    """C1.3, B.8 the coloured die is the direction, the white one the hexes; a correction errs by less."""

    at = ErrorAt

    def take(self, s: State, f: ErrorAt, action: Action) -> None:
        s.stack.pop()
        h = f.hex
        for _ in range(min(action[2], f.most)):
            h = s.stage.grid.neighbour(h, action[1] - 1) if h >= 0 else -1
        emit(s, "erred", "C1.3", {"dice": list(action[1:]), "side": f.side, "hex": h}, final=True)
        falls(s, f.side, h, f.blast)

    def prompt(self, s: State, f: ErrorAt) -> Prompt:
        return Prompt("Where does it fall?", "", ("C1.3", "B.8"), PHASES[s.phase])


def falls(s: State, side: int, h: Hex, blast: int) -> None:
    """C1.3, C1.5 a round is there, or an FFE; AMB-70 one that falls off the map is lost, and the mission with it."""
    if h < 0:
        lapse(s, side)
        return
    note(s, side, SHELLED, h)
    note(s, side, STAGE, SPOTTING if blast < 0 else FFE_1)
    if blast >= 0:
        note(s, side, BLAST, blast)
    emit(s, "round", "C1.3" if blast < 0 else "C1.5", {"hex": h, "side": side, "effect": blast >= 0})


# What the observer orders


class Call(NamedTuple):
    """What the orders go by."""

    side: int
    open: int
    stage: int
    where: Hex
    seen: Mask


def call_of(s: State, f: ObaAt) -> Call:
    seen = seen_by(s, f.side) if f.open else 0
    return Call(f.side, f.open, told(s, f.side, STAGE), told(s, f.side, SHELLED), seen)


def access(s: State, now: Call) -> int:
    return ALL if now.open else 0


def corrected(s: State, now: Call) -> int:
    """C1.5 the hexes to which a Spotting Round can be corrected: three hexes, in sight; its own at any rate."""
    if now.stage != SPOTTING:
        return 0
    reach = int(s.stage.pack.tables["oba"]["procedure"]["correction_max_hexes"])
    return s.stage.numbers(s.stage.grid.within(now.where, reach) & now.seen | 1 << now.where)


SPOT_ROUND: Bars[State, Call] = Bars(
    Need("C1.2", "there is no Battery Access", access),
    Need("C1.3", "a round has fallen already", lambda s, now: ALL if now.stage == NO_ROUND else 0),
    Need("C1.3", "the observer does not see {hex}", lambda s, now: s.stage.numbers(now.seen)),
)
EFFECT: Bars[State, Call] = Bars(
    Need("C1.2", "there is no Battery Access", access),
    Need("C1.5", "there is no Spotting Round to go by", lambda s, now: ALL if now.stage == SPOTTING else 0),
    Need("C1.5", "{hex} is not within 3 hexes of the Spotting Round and in sight", corrected),
)


def round_at(s: State, f: ObaAt, g: int) -> None:
    s.stack[-1] = AccuracyAt(F_ACCURACY, f.side, s.stage.into[g], 6, -1)


def _effect(s: State, f: ObaAt, h: Hex, blast: int) -> None:
    """C1.5 a correction has an Accuracy dr of its own, and errs by a hex for each three hexes (up); none is exact."""
    s.stack.pop()
    span = s.stage.grid.distance(told(s, f.side, SHELLED), h)
    if not span:
        falls(s, f.side, h, blast)
        return
    per = int(s.stage.pack.tables["oba"]["procedure"]["error_max_hexes_per_correction_hexes"])
    s.stack.append(AccuracyAt(F_ACCURACY, f.side, h, -(-span // per), blast))


def effect_at(s: State, f: ObaAt, g: int) -> None:
    _effect(s, f, s.stage.into[g], CONCENTRATION)


def harass_at(s: State, f: ObaAt, g: int) -> None:
    _effect(s, f, s.stage.into[g], HARASSING)


def call(s: State, f: ObaAt) -> None:
    s.stack[-1] = ContactAt(F_CONTACT, f.side)


def called(s: State, now: Call) -> Reason | None:
    return Reason("C1.2", "he has Battery Access") if now.open else None


def go_on(s: State, f: ObaAt) -> None:
    """C1.5 FFE:1 becomes FFE:2, and that FFE:C."""
    s.stack.pop()
    note(s, f.side, STAGE, told(s, f.side, STAGE) + 1)


def not_firing(s: State, now: Call) -> Reason | None:
    if not now.open:
        return Reason("C1.2", "there is no Battery Access")
    return None if now.stage in (FFE_1, FFE_2) else Reason("C1.5", "no FFE is falling")


def cease(s: State, f: ObaAt) -> None:
    s.stack.pop()
    lapse(s, f.side)
    emit(s, "ceased", "C1.5", {"side": f.side})


def nothing_to_cease(s: State, now: Call) -> Reason | None:
    return None if now.stage != NO_ROUND else Reason("C1.5", "nothing is being fired")


def no_call(s: State, f: ObaAt) -> None:
    """Not now: without a round on the map nothing is lost; C1.5 with one and access it stays as it is."""
    s.stack.pop()


def must_call(s: State, now: Call) -> Reason | None:
    if now.stage >= FFE_1 and now.open:
        return Reason("C1.5", "an FFE goes on or ceases")
    if now.stage != NO_ROUND and not now.open:
        return Reason("C1.5", "without contact it lapses: call, or cease")
    return None


def contact_odds(s: State, f: ObaAt, action: Action) -> Odds:
    """The chance of contact, and of a black chit."""
    number, drm = contact_number(s, f.side), maintain(s, f.side)
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b + drm <= number)
    made = Fraction(ways, 36)
    terms = [Term(str(number), "C1.2", "contact number")]
    if drm:
        terms.append(Term(signed(drm), "C1.2", "contact is kept"))
    black, red = told(s, f.side, BLACK), told(s, f.side, RED)
    gets = made if told(s, f.side, ACCESS) else made * Fraction(black, max(1, black + red))
    if not told(s, f.side, ACCESS):
        terms += [Term(str(black), "C1.2", "black chits"), Term(str(red), "C1.2", "red chits")]
    return Odds(
        "Contact with the battery", tuple(terms), ((term("Battery Access"), gets), (term("no access"), 1 - gets))
    )


def accuracy_odds(s: State, f: ObaAt, action: Action) -> Odds | None:
    """The chance that a round falls where it is meant to."""
    h = s.stage.into[action[1]]
    if told(s, f.side, STAGE) == SPOTTING and h == told(s, f.side, SHELLED):
        return Odds("Fire for Effect", (), ((term("on the spot"), Fraction(1)),))
    hits, faces = Fraction(0), range(1, 7) if dusty(s) else (0,)
    for face in faces:
        number, drm = accuracy(s, f.side, h, face)
        hits += Fraction(max(0, min(6, number - drm)), 6) / len(faces)
    title = Text("Accuracy of a round at {hex}", hex=s.stage.field.name(h))
    return Odds(title, tuple(accuracy_terms(s, f.side, h)), ((term("on the spot"), hits), (term("errs"), 1 - hits)))


def fallen(s: State, side: int) -> Said:
    """C1.5 where the shells of the battery fall at present."""
    stage, h = told(s, side, STAGE), told(s, side, SHELLED)
    if stage == NO_ROUND or h < 0:
        return ""
    where = s.stage.field.name(h)
    return Text("The Spotting Round fell in {hex}" if stage == SPOTTING else "Its fire lies on {hex}", hex=where)


class Oba(Phase[State, ObaAt, Call]):
    """C1.2 to C1.5"""

    at = ObaAt
    does = (
        Once(verbs.CONTACT, take=call, shut=called, odds=contact_odds),
        Each(verbs.SPOT_ROUND, bars=SPOT_ROUND, take=round_at, odds=accuracy_odds),
        Each(verbs.EFFECT, bars=EFFECT, take=effect_at, odds=accuracy_odds),
        Each(verbs.HARASS, bars=EFFECT, take=harass_at, odds=accuracy_odds),
        Once(verbs.GO_ON, take=go_on, shut=not_firing),
        Once(verbs.CEASE, take=cease, shut=nothing_to_cease),
        Once(verbs.NO_CALL, take=no_call, shut=must_call),
    )

    def now(self, s: State, f: ObaAt) -> Call:
        return call_of(s, f)

    def actor(self, s: State, f: ObaAt) -> int | None:
        if silent(s, f.side) or (told(s, f.side, STAGE) == FFE_C and not f.open):
            return None
        return f.side if observer(s, f.side) is not None else None

    def run(self, s: State, f: ObaAt) -> None:
        """No observer, no battery, or FFE:C is over: the mission lapses (C1.5), and another may begin."""
        s.stack.pop()
        ended = told(s, f.side, STAGE) == FFE_C
        lapse(s, f.side)
        if ended and not silent(s, f.side) and observer(s, f.side) is not None:
            s.stack.append(ObaAt(F_OBA, f.side, 0))

    def prompt(self, s: State, f: ObaAt) -> Prompt:
        rules = ("C1.2", "C1.3", "C1.5")
        lies = fallen(s, f.side)
        return Prompt("Orders for the battery" if f.open else "Call the battery?", lies, rules, PHASES[s.phase])


def push_shelling(s: State, side: int) -> None:
    """C1.2, C1.51 at the start of a phase of fire its side calls its battery; then every FFE on the map attacks."""
    s.stack.append(AttacksAt(F_SHELLS))
    if told(s, side, CALIBER):
        s.stack.append(ObaAt(F_OBA, side, 0))


class AttacksAt(NamedTuple):
    """C1.51 the moment at which the FFE of both sides attack."""

    frame: int


class Attacks(Frame[State, AttacksAt]):
    at = AttacksAt

    def run(self, s: State, f: AttacksAt) -> None:
        s.stack.pop()
        shell_all(s)


FRAMES: dict[int, Frame[State, Any]] = {
    F_OBA: Oba(),
    F_CONTACT: Contact(verbs.ROLLED),
    F_CHIT: Chit(),
    F_ACCURACY: Accuracy(verbs.FELL),
    F_ERROR: Error(verbs.ROLLED),
    F_SHELLS: Attacks(),
}
