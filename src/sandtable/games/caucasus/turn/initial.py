"""4 The Initial Phases: steps A.1 and B.1 of the sequence of play, and the tables rolled on in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Forced, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..movement.replacements import receive
from ..supply.hqs import arrival_hexes
from ..table import verbs
from ..table.frames import ArriveAt, BoxAt, SideAt, StepAt, TableAt, TypeAt
from ..table.ids import (
    ALPINI,
    AXIS,
    BRANDENBURG,
    CADRE,
    CORPS_BOX,
    EASTERN,
    F_ARRIVE,
    F_CORPS,
    F_DRAW,
    F_EVENT,
    F_INITIAL,
    F_TABLE,
    F_TYPE,
    LEND_LEASE,
    NAVAL_BOX,
    PHASES,
    R_SOVIET_CAVALRY,
    REMOVED,
    REPLACEMENTS,
    SOVIET,
    T_ALPINI,
    T_BRANDENBURG,
    T_EASTERN,
    T_EVENT,
    T_REPLACEMENT,
    T_WEATHER,
    TABLES,
    TRACK,
    TURKISH_FRONT,
)
from ..table.scenarios import script
from ..table.state import State, clear_marks, put
from .arrivals import BOX_RULES, HEADQUARTERS, REINFORCEMENTS, call_up, in_box

FIRST_WEATHER_TURN = 6  # 4.8a
GUARDS_CAVALRY_TURN = 7  # 15.7a


class Initial(Frame[State, SideAt]):
    """A.1, B.1 the steps of an Initial Phase, in order."""

    at = SideAt

    def run(self, s: State, f: SideAt) -> None:
        side, step = f.side, f.step
        steps = STEPS[side]
        if side == AXIS and s.turn == script(s).first_turn:
            steps = FIRST_AXIS_STEPS  # 20.3b
        if step == len(steps):
            s.stack.pop()
            return
        s.stack[-1] = f._replace(step=step + 1)
        steps[step](s)


# A.1 and B.1, what comes before the first step


def air_markers(s: State) -> None:
    """16.15, 4.3c the active side's air markers come and go with the turn, in its Initial Phase."""
    board = s.board
    for marker, turns in enumerate(board.air_turns):
        b = 1 << marker
        if board.air_side[marker] == s.active and bool(s.air & b) != (s.turn in turns):
            s.air ^= b
            s.air_used &= ~b
            here = int(s.turn in turns)
            emit(s, "air", "4.3c" if s.active == SOVIET else "16.15", {"support": marker, "available": here})


def withdraw(s: State) -> None:
    """18.3a a division leaves the game, wherever it is; reduced or eliminated, it costs the table roll (18.3b)."""
    u = script(s).withdrawals.get(s.turn)
    if u is None:
        return
    weak = s.at[u] == CADRE or s.step[u] > 0
    emit(s, "withdrawn", "18.3a", {"unit": u, "hex": max(s.at[u], -1), "side": AXIS, "penalty": int(weak)})
    clear_marks(s, u)
    put(s, u, REMOVED)
    s.due[u] = 0
    s.no_roll = int(weak)


# A.1 (1), B.1 (1) Reinforcements


def roll_alpini(s: State) -> None:
    """4.2d on turn 5, unless the scenario has no Alpini (21.1)."""
    if script(s).alpini_roll and s.turn == s.board.pack.tables["alpini_table"]["turn"]:
        s.stack.append(TableAt(F_TABLE, T_ALPINI, 0))


def form_eastern(s: State) -> None:
    """4.2g, A8 once, from turn 7 on, when the Axis controls Krasnodar and Voroshilovsk: a die for each unit (4.2h)."""
    table = s.board.pack.tables["eastern_units_table"]
    needed = s.board.mask(table["needs_control_hexes"])
    if s.eastern_formed or s.turn < table["from_turn"] or needed & ~s.control:
        return
    s.eastern_formed = 1
    emit(s, "eastern_formed", "4.2g", {"side": AXIS})
    s.stack += [TableAt(F_TABLE, T_EASTERN, u) for u in reversed(in_box(s, EASTERN))]


def roll_brandenburg(s: State) -> None:
    """15.2e, 20.3b in turn 1 for the turn of its arrival."""
    if s.at[s.board.brandenburg] == BRANDENBURG:
        s.stack.append(TableAt(F_TABLE, T_BRANDENBURG, 0))


def reinforce(s: State) -> None:
    """4.1a, 4.2, 4.3 the reinforcements of this turn and those delayed before."""
    call_up(s, s.active)
    s.stack.append(ArriveAt(F_ARRIVE, s.active, REINFORCEMENTS))


# A.1 (2) Replacements


def roll_replacement(s: State) -> None:
    """4.5a one roll a turn from turn 2 on, unless a withdrawal has cost it (18.3b)."""
    if not s.no_roll and s.turn >= s.board.pack.tables["axis_replacement_table"]["first_turn"]:
        s.stack.append(TableAt(F_TABLE, T_REPLACEMENT, 0))


def second_replacement(s: State) -> None:
    """4.6 from turn 7 on another one of any type, chosen after the roll; without a roll too (A60)."""
    table = s.board.pack.tables["axis_replacement_table"]
    if s.turn >= table["second_replacement_from_turn"]:
        s.stack.append(TypeAt(F_TYPE, _types(table["second_replacement_choice"]), 0))


def _types(names: list[str]) -> int:
    return sum(1 << REPLACEMENTS.index(name) for name in names)


# A.1 (3) Weather


def roll_weather(s: State) -> None:
    """4.8a from turn 6 on."""
    if s.turn >= FIRST_WEATHER_TURN:
        s.stack.append(TableAt(F_TABLE, T_WEATHER, 0))


# A.1 (4), B.1 (4) HQs


def return_hqs(s: State) -> None:
    """15.1f, 15.1g"""
    s.stack.append(ArriveAt(F_ARRIVE, s.active, HEADQUARTERS))


# B.1 (2), (3)


def draw_random(s: State) -> None:
    """4.4b three counters from the cup."""
    s.stack.append(StepAt(F_DRAW, 0))


def roll_event(s: State) -> None:
    """4.7a in every Soviet Initial Phase."""
    s.stack.append(TableAt(F_TABLE, T_EVENT, 0))


def place_corps(s: State) -> None:
    """4.3d, 15.7a from turn 7 on, while the marker is in its box."""
    if s.turn >= GUARDS_CAVALRY_TURN and s.corps == CORPS_BOX and cavalry_hexes(s):
        s.stack.append((F_CORPS,))


Step = Callable[[State], None]

STEPS: tuple[tuple[Step, ...], tuple[Step, ...]] = (
    (
        air_markers,
        withdraw,
        roll_alpini,
        form_eastern,
        reinforce,
        roll_replacement,
        second_replacement,
        roll_weather,
        return_hqs,
    ),
    (air_markers, reinforce, draw_random, roll_event, return_hqs, place_corps),
)
FIRST_AXIS_STEPS: tuple[Step, ...] = (roll_brandenburg,)


# 4.2d, 4.2h, 4.5, 4.7, 4.8, 15.2b One die on one of the tables


class Table(OneDie[State, TableAt]):
    """One die; for an Eastern unit it tells when it arrives."""

    at = TableAt

    def take(self, s: State, f: TableAt, action: Action) -> None:
        s.stack.pop()
        RESULTS[f.table](s, action[1], f.unit)

    def prompt(self, s: State, f: TableAt) -> Prompt:
        title, rule = _TITLES[f.table]
        text = Text("One die for {unit}", unit=f.unit) if f.table == T_EASTERN else "One die"
        return Prompt(title, text, (rule,), PHASES[s.phase])


_TITLES = {
    T_REPLACEMENT: (term("Axis replacement table"), "4.5a"),
    T_EVENT: (term("Soviet event table"), "4.7a"),
    T_WEATHER: (term("Weather table"), "4.8a"),
    T_ALPINI: (term("Alpini Corps"), "4.2d"),
    T_EASTERN: (term("Eastern troops"), "4.2h"),
    T_BRANDENBURG: (term("Brandenburg battalion"), "15.2b"),
}


def _rolled(s: State, table: int, die: int, side: int, result: str, **facts: int | list[int]) -> None:
    data = {"table": TABLES[table], "die": die, "side": side, "result": result, **facts}
    emit(s, "table", _TITLES[table][1], data, final=True)


def alpini(s: State, die: int, _: int) -> None:
    """4.2d on 1 or 2 the corps arrives this turn; on anything else it never enters."""
    come = die in s.board.pack.tables["alpini_table"]["arrives"]
    _rolled(s, T_ALPINI, die, AXIS, "arrives" if come else "never", units=list(in_box(s, ALPINI)))
    for u in in_box(s, ALPINI):
        put(s, u, TRACK if come else REMOVED)
        s.due[u] = s.turn if come else 0


def eastern(s: State, die: int, u: int) -> None:
    """4.2h the unit arrives that many turns later."""
    put(s, u, TRACK)
    s.due[u] = s.turn + die
    _rolled(s, T_EASTERN, die, AXIS, "arrives", unit=u, turn=s.due[u])


def brandenburg(s: State, die: int, _: int) -> None:
    """15.2b that many turns ahead on the turn track; past the end it is out of the game (15.2c)."""
    u = s.board.brandenburg
    turn = s.turn + die
    lost = turn > script(s).last_turn
    clear_marks(s, u)
    put(s, u, REMOVED if lost else TRACK)
    s.due[u] = 0 if lost else turn
    _rolled(s, T_BRANDENBURG, die, AXIS, "never" if lost else "arrives", unit=u, turn=turn)


def replacement(s: State, die: int, _: int) -> None:
    """4.5b to 4.5g what the table gives: a type, a choice of types, or a special unit out of the Cadre Box."""
    tables = s.board.pack.tables
    name = tables["axis_replacement_table"][str(die)]
    result = tables["axis_replacement_results"][name]
    _rolled(s, T_REPLACEMENT, die, AXIS, name)
    specials = 0
    if arrival_hexes(s, AXIS):
        for i, unit in enumerate(result.get("or_from_cadre", ())):
            specials |= (s.at[s.board.unit_index[unit]] == CADRE) << i
    s.stack.append(TypeAt(F_TYPE, _types(result["choice"]), specials))


def event(s: State, die: int, _: int) -> None:
    """4.7b to 4.7g a unit out of a box, a replacement, or a sortie of the fleet."""
    tables = s.board.pack.tables
    name = tables["soviet_event_table"][str(die)]
    result = tables["soviet_event_results"][name]
    _rolled(s, T_EVENT, die, SOVIET, name)
    if "replacement" in result:  # 4.7c, 4.7d
        kind = REPLACEMENTS.index(result["replacement"])
        receive(s, kind, "4.7d" if kind == R_SOVIET_CAVALRY else "4.7c")
    elif "box" in result:  # 4.7b, 4.7e, 4.7f
        box = {"naval_brigades": NAVAL_BOX, "lend_lease": LEND_LEASE, "turkish_front": TURKISH_FRONT}[result["box"]]
        if in_box(s, box):
            s.stack.append(BoxAt(F_EVENT, -1, box))
        elif result["if_empty"]:
            receive(s, REPLACEMENTS.index(result["if_empty"]), BOX_RULES[box])
        else:
            emit(s, "no_effect", "4.7e", {"side": SOVIET})
    elif s.fleet_away:  # 4.7g
        s.fleet_away -= 1
        s.fleet_ready += 1
        emit(s, "fleet", "4.7g", {"side": SOVIET, "ready": s.fleet_ready})
    else:
        emit(s, "no_effect", "4.7g", {"side": SOVIET})


def weather(s: State, die: int, _: int) -> None:
    """4.8b, 4.8c fair or bad for the rest of the turn, by the table of the season."""
    seasons = s.board.pack.tables["weather_table"]["season"]
    season = next(row for row in seasons if s.turn in row["turns"])
    s.bad = int(die in season["bad"])
    _rolled(s, T_WEATHER, die, AXIS, "bad" if s.bad else "fair")


RESULTS: dict[int, Callable[[State, int, int], None]] = {
    T_REPLACEMENT: replacement,
    T_EVENT: event,
    T_WEATHER: weather,
    T_ALPINI: alpini,
    T_EASTERN: eastern,
    T_BRANDENBURG: brandenburg,
}


TYPE: Bars[State, TypeAt] = Bars(
    Need("4.5e", lambda s, f, kind: _not_offered(kind), lambda s, f: f.types),
)


def _not_offered(kind: int) -> Text:
    return Text("{name} is not among the types to choose from", name=REPLACEMENTS[kind].replace("_", " "))


def _specials(s: State, f: TypeAt) -> int:
    """4.5g the special units that this result brings out of the Cadre Box."""
    names = s.board.pack.tables["axis_replacement_results"]["special"]["or_from_cadre"]
    return sum(1 << s.board.unit_index[name] for i, name in enumerate(names) if f.specials >> i & 1)


OUT_OF_CADRE: Bars[State, TypeAt] = Bars(
    Need("4.5g", "{unit} is not in the Cadre Box", lambda s, f: s.boxes.get(CADRE, 0)),
    Need("4.5g", "{unit} does not come out of the Cadre Box by this result", _specials),
)


def _type(s: State, f: TypeAt, kind: int) -> None:
    s.stack.pop()
    receive(s, kind, "17.1")


def _cadre(s: State, f: TypeAt, u: int) -> None:
    s.stack.pop()
    s.rebuilt |= 1 << u  # 17.2i units from the Cadre Box are marked
    s.stack.append(BoxAt(F_EVENT, u, CADRE))


class Type(Forced[State, TypeAt, TypeAt]):
    """4.5e, 4.5g, 4.6b the Axis chooses a replacement, or a special unit."""

    at = TypeAt
    does = (
        Each(verbs.TYPE, of=lambda s, f: f.types, bars=TYPE, take=_type),
        Each(verbs.CADRE, of=_specials, bars=OUT_OF_CADRE, take=_cadre),
    )

    def now(self, s: State, f: TypeAt) -> TypeAt:
        return f

    def chooser(self, s: State, f: TypeAt) -> int:
        return AXIS

    def prompt(self, s: State, f: TypeAt) -> Prompt:
        text = term("Which replacement do you take?")
        if f.specials:
            text = term("Which replacement do you take, or which special unit out of the Cadre Box?")
        return Prompt("Replacement", text, ("4.5g",) if f.specials else ("4.5e", "4.6b"), PHASES[s.phase])


# 15.7a


def cavalry_hexes(s: State) -> Mask:
    """The hexes with at least one Soviet cavalry division."""
    found = 0
    for u in units_of(s.board.cavalry & s.on_map[SOVIET]):
        found |= 1 << s.at[u]
    return found


CORPS: Bars[State, None] = Bars(
    Need("15.7a", "no Soviet cavalry division is in {hex}", lambda s, _: cavalry_hexes(s)),
)


def _corps(s: State, f: F, h: Hex) -> None:
    s.stack.pop()
    s.corps = h
    emit(s, "corps", "15.7a", {"hex": h, "side": SOVIET})


def _no_corps(s: State, f: F) -> None:
    s.stack.pop()


class Corps(Phase[State, F, None]):
    """15.7a the 4th Guards Cavalry Corps marker may be placed with Soviet cavalry."""

    does = (
        Each(verbs.CORPS, of=lambda s, _: cavalry_hexes(s), bars=CORPS, take=_corps),
        Once(verbs.NO_CORPS, take=_no_corps),
    )

    def now(self, s: State, f: F) -> None:
        return None

    def actor(self, s: State, f: F) -> int | None:
        return SOVIET

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("Place the 4th Guards Cavalry Corps marker with Soviet cavalry, or keep it for a later turn")
        return Prompt("4th Guards Cavalry Corps", text, ("15.7a", "4.3d"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_INITIAL: Initial(),
    F_TABLE: Table(verbs.ROLLED),
    F_TYPE: Type(),
    F_CORPS: Corps(),
}
