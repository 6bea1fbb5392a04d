"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action
from sandtable.engine.texts.text import Fact, Said, Text, term
from sandtable.mechanics.shown.telling import SHARED_LINES, Line

from ..movement.convoys import cost, fills
from ..table.frames import AdvanceAt
from ..table.ids import F_ADVANCE, F_BREAKTHROUGH, F_FREED, RESOURCES
from ..table.state import State
from ..table.verbs import (
    ASSET_WORDS,
    V_BUY,
    V_CONVOY,
    V_DONE,
    V_GROUPED,
    V_HALT,
    V_PUT_OFF,
    V_SHIP,
    V_SHIP_SP,
    V_SUPPLY_ASU,
    month_said,
)

if TYPE_CHECKING:
    from ..game import NorthAfrica


def label(game: NorthAfrica, s: State, action: Action) -> Said:
    """An action as a player would say it, where that depends on the table."""
    return game.words.text(_label(game, s, action), label=True)


def _label(game: NorthAfrica, s: State, action: Action) -> Said:
    verb = action[0]
    if verb == V_HALT and s.spent < 0:
        alone = not (s.group | s.loads) & ((s.group | s.loads) - 1)
        return term("Leave it here: it does not move") if alone else term("Leave them here: they do not move")
    if verb == V_PUT_OFF and s.stack[-1][0] == F_FREED:
        return term("What is left is lost")
    if verb == V_GROUPED and not s.group:
        return term("No breakthrough group")
    if verb == V_SUPPLY_ASU and s.board.trucks >> action[1] & 1:
        return Text("Attack supply: spend the supply point of {unit}", unit=action[1])
    if verb == V_DONE and s.stack[-1][0] in AdvanceAt(F_ADVANCE, F_BREAKTHROUGH):
        return term("End the advance")
    if verb == V_CONVOY:
        ports = s.board.port_names
        return Text.of("Convoy from {from} to {to}", {"from": ports[action[1]], "to": ports[action[2]]})
    if verb == V_SHIP:
        n, unit = cost(s, action[1]), action[1]
        if fills(s, action):
            one, many = (
                term("Ship {unit}: {n} shipping point, and sail"),
                term("Ship {unit}: {n} shipping points, and sail"),
            )
            return Text.many(n, one, many, unit=unit)
        return Text.many(n, "Ship {unit}: {n} shipping point", "Ship {unit}: {n} shipping points", unit=unit)
    if verb == V_SHIP_SP:
        if fills(s, action):
            return term("Ship a supply point: 1 shipping point, and sail")
        return term("Ship a supply point: 1 shipping point")
    if verb == V_BUY:
        row = next(row for row in s.board.pack.tables["resource"] if row["code"] == RESOURCES[action[1]])
        return Text.many(row["cost"], "{name}: {n} RP", "{name}: {n} RPs", name=row["name"])
    return game.verbs.label(action)


Facts = dict[str, Any]


def _plus(n: int) -> str:
    return f"{n:+d}"


def _rolled(w: Facts, key: str = "die") -> Fact:
    """What was rolled, and what the modifiers make of it: 3 - 2 = 1."""
    rolled, drm = w[key], w.get("drm", 0)
    if not drm:
        return str(rolled)
    template = "{rolled} - {drm} = {total}" if drm < 0 else "{rolled} + {drm} = {total}"
    return Text(template, rolled=rolled, drm=abs(drm), total=rolled + drm)


def _dice(yes: str, no: str, fact: str) -> Callable[[Facts], Said]:
    """One sentence or another, by a fact of the event, with the sum that was rolled."""
    return lambda w: Text.of(yes if w[fact] else no, {**w, "rolled": _rolled(w)})


def _either(fact: str, yes: str, no: str) -> Callable[[Facts], Said]:
    """One sentence if the event has such a fact, another if not."""
    return lambda w: Text.of(yes if w.get(fact) else no, w)


def _many(fact: str, one: str, many: str) -> Callable[[Facts], Said]:
    """One sentence for one of something, another for several."""
    return lambda w: Text.of(one if w[fact] == 1 else many, w)


JOINED = {
    "combat": (
        term("{side} attacks {hex} with {attackers}. {attack} against {defence}: {odds}"),
        term(
            "{side} attacks {hex} with {attackers}. {attack} against {defence}: {odds}, shifted by {shift}, "
            "read at {column}"
        ),
    ),
    "auto_ds": (
        term("{side} overwhelms {hex} with {attackers}. {attack} against {defence}: {odds}"),
        term(
            "{side} overwhelms {hex} with {attackers}. {attack} against {defence}: {odds}, shifted by {shift}, "
            "read at {column}"
        ),
    ),
    "breakthrough": (
        term("{side} breaks through against {hex} with {attackers}. {attack} against {defence}: {odds}"),
        term(
            "{side} breaks through against {hex} with {attackers}. {attack} against {defence}: {odds}, "
            "shifted by {shift}, read at {column}"
        ),
    ),
}
"""A fight is joined, without shifts and with them."""


def _fight(w: Facts) -> Said:
    return Text.of(JOINED[w["fight"]][bool(w["shift"])], {**w, "shift": _plus(w["shift"])})


def _supply(w: Facts) -> Said:
    parts: list[Fact] = [Text("{n} in full supply", n=w["full"])]
    parts += [Text("{n} by port", n=w["by_port"])] if w["by_port"] else []
    parts += [Text("out: {units}", units=w["units"])] if w["units"] else []
    parts += [Text("{n} for a second time", n=len(w["red"]))] if w["red"] else []
    return Text("{side} supply: {parts}", side=w["side"], parts=parts)


def _event(w: Facts) -> Said:
    got: list[Fact] = [Text.many(w["points"], "{n} RP", "{n} RPs")] if w["points"] else []
    got += [ASSET_WORDS[asset] for asset in w["assets"]]
    if not got:
        return Text("{side} event, rolled {dice}: nothing", side=w["side"], dice=w["dice"])
    return Text("{side} event, rolled {dice}: {got}", side=w["side"], dice=w["dice"], got=got)


def _sinking(w: Facts) -> Said:
    facts = {**w, "rolled": _rolled(w)}
    if w["sp"]:
        sunk, safe = term("A supply point: rolled {rolled}, sunk"), term("A supply point: rolled {rolled}, safe")
    else:
        sunk, safe = term("{unit}: rolled {rolled}, sunk"), term("{unit}: rolled {rolled}, safe")
    return Text.of(sunk if w["sunk"] else safe, facts)


def _convoy(w: Facts) -> Said:
    if not w["count"]:
        return Text.of("Convoy from {from} to {to}: {units}", w)
    if w["units"]:
        one = term("Convoy from {from} to {to}: {units}, 1 supply point")
        many = term("Convoy from {from} to {to}: {units}, {count} supply points")
    else:
        one = term("Convoy from {from} to {to}: 1 supply point")
        many = term("Convoy from {from} to {to}: {count} supply points")
    return Text.of(one if w["count"] == 1 else many, w)


def _rommel(w: Facts) -> Said:
    who = w.get("units") or w.get("unit")
    return Text("Rommel leads {who}", who=who) if who else term("Rommel: the die is rolled again")


def _anti_shipping(w: Facts) -> Said:
    found = term("Anti-shipping, rolled {rolled}: found, each step and supply point is sunk by {result} or less")
    return Text.of(
        found if w["result"] else "Anti-shipping, rolled {rolled}: not found", {**w, "rolled": _rolled(w, "dice")}
    )


def _attrition(w: Facts) -> Said:
    """25.1.1 which sector, and whether it costs anything."""
    facts = {**w, "sector": str(w["sector"]).replace("_", " ").title()}
    if w["sector"] == "none":
        bites = term("{side} supply attrition, rolled {dice}: no sector")
        spares = term("{side} supply attrition, rolled {dice}: no sector, no loss")
    else:
        bites = term("{side} supply attrition, rolled {dice}: {sector} sector")
        spares = term("{side} supply attrition, rolled {dice}: {sector} sector, no loss")
    return Text.of(bites if w["bites"] else spares, facts)


PHASE_WORDS = {
    "preparation": term("Preparation"),
    "initial": term("Initial"),
    "movement": term("Movement"),
    "combat": term("Combat"),
    "recovery": term("Recovery"),
    "supply": term("Supply"),
    "delay": term("Delay"),
    "supply_attrition": term("Supply attrition"),
    "victory_points": term("Victory points"),
}


def date_said(date: str) -> Said:
    """A half month of the turn track: 1941 March II."""
    year, _, half = date.partition(" ")
    return Text("{year} {month}", year=year, month=month_said(half))


LINES: dict[str, Line] = {
    **SHARED_LINES,
    "phase": lambda w: PHASE_WORDS[w["phase"]],
    "turn": lambda w: Text("Turn {turn}: {date}", turn=w["turn"], date=date_said(w["date"])),
    "player_turn": term("{side} player turn, impulse {impulse}"),
    "sp_received": _many(
        "count", term("{side} receives 1 supply point in {hex}"), term("{side} receives {count} supply points in {hex}")
    ),
    "arrived": _either("hex", term("{unit} arrives in {hex}"), term("{unit} arrives")),
    "replacement": term("{unit} arrives in {hex}"),
    "replacement_forfeited": term("{side}: no replacement of that type is left in the pool"),
    "malta_roll": term("Malta: rolled {die}, {needed} needed"),
    "malta": lambda w: Text("Malta stands at {modifier}", modifier=_plus(w["modifier"])),
    "surrender_advanced": term("{unit} is one turn nearer to its return"),
    "removed": term("{unit} leaves the game"),
    "withdrawn": term("{unit} is withdrawn"),
    "released": term("{unit} is released from reserve"),
    "upgraded": term("{unit} arrives, {other} goes"),
    "put_off": term("{unit} waits"),
    "restored": term("{unit} regains a step"),
    "steps_forfeited": _many("steps", term("1 freed step forfeited"), term("{steps} freed steps forfeited")),
    "converted": term("{units} becomes {unit}"),
    "event": _event,
    "resource_points": _many("held", term("{side} has 1 RP"), term("{side} has {held} RPs")),
    "rp_lost": term("{side} loses an RP"),
    "rp_owed": term("{side} will lose its next RP"),
    "asset": term("{side} receives {asset}"),
    "asset_forfeited": term("{side} forfeits {asset}"),
    "asset_used": term("{side} uses {asset}"),
    "bought": _many("cost", term("{side} buys {resource} for 1 RP"), term("{side} buys {resource} for {cost} RPs")),
    "returned": term("{unit} returns in {hex}"),
    "replaced": term("{unit} takes a replacement"),
    "transport_over": _either("units", term("Ready again after transport: {units}"), term("Transport is over")),
    "moved": term("{unit} moves from {from} to {to}"),
    "loaded": term("{truck} picks {unit} up"),
    "sp_loaded": _either(
        "truck", term("{truck} loads a supply point at {hex}"), term("{unit} loads a supply point at {hex}")
    ),
    "sp_unloaded": term("{truck} unloads a supply point at {hex}"),
    "rommel": _rommel,
    "railed": term("{unit} goes by rail to {to}"),
    "sp_railed": term("A supply point goes by rail to {to}"),
    "transferred": term("{unit} is transferred to {to}"),
    "flown": term("{unit} is flown to {to}"),
    "convoy": _convoy,
    "anti_shipping": _anti_shipping,
    "sinking": _sinking,
    "landed": term("The convoy lands at {hex}"),
    "demolition": _many("hits", term("Demolition at {hex}: 1 hit"), term("Demolition at {hex}: {hits} hits")),
    "bombing": _either(
        "hit", term("Bombing of {hex}: rolled {die}, a hit"), term("Bombing of {hex}: rolled {die}, no hit")
    ),
    "port_damaged": term("{hex} is down to capacity {capacity}"),
    "port_repaired": term("{hex} is up to capacity {capacity}"),
    "fortification_begun": term("{side} begins a fortification at {hex}"),
    "fortification_roll": term("Fortification at {hex}: rolled {die}"),
    "fortification_completed": term("The fortification at {hex} is complete"),
    "fortification_removed": term("The fortification at {hex} is gone"),
    "ready": term("{unit} is ready"),
    "fled": term("{unit} goes into Full Retreat"),
    "sp_destroyed": _many(
        "count", term("1 supply point destroyed at {hex}"), term("{count} supply points destroyed at {hex}")
    ),
    "sp_captured": term("{side} captures a supply point at {hex}"),
    "truck_captured": term("{unit} is captured at {hex}"),
    "crowded": term("Too many in {hex}: {unit} adds nothing to the defence"),
    "control": term("{side} takes {hex}"),
    "comando_supremo": term("Comando Supremo: Germans and Italians attack together"),
    "attack_supply": term("Attack supply from {from}"),
    "artillery": term("{unit} fires in support at {hex}"),
    "air_support": term("{asset} at {hex}"),
    "combat": _fight,
    "auto_ds": term("Auto DS on {hex} by {units}"),
    "combat_result": _either("die", term("Rolled {die} at {column}: {result}"), term("{result}")),
    "loss_ignored": term("Reconnaissance slips away: no step is lost"),
    "eliminated": term("{unit} is eliminated"),
    "surrendered": term("{unit} surrenders"),
    "determined_defence": _dice(
        term("Determined defense at {hex} led by {lead}: rolled {rolled}, it holds"),
        term("Determined defense at {hex} led by {lead}: rolled {rolled}, it fails"),
        "holds",
    ),
    "desperate_defence": term("Desperate defense at {hex} led by {lead}"),
    "carried": term("{truck} carries {unit}"),
    "tagged_along": term("{unit} goes along"),
    "full_retreat": term("{unit} is in Full Retreat"),
    "displaced": term("{unit} must give way at {hex}"),
    "breakthrough_group": term("Breakthrough group: {units}"),
    "dropped": term("{unit} stops at {hex}"),
    "disengagement": lambda w: Text.of("{units} disengage: rolled {rolled}, {answer}", {**w, "rolled": _rolled(w)}),
    "free_sp": term("A free supply point at {hex}"),
    "recovered": lambda w: Text.of(
        "{unit} recovers: it is in Good Order now"
        if w["order"] == "good_order"
        else "{unit} recovers: it is Disrupted now",
        w,
    ),
    "rally": _dice(term("{unit} rallies: rolled {rolled}"), term("{unit} does not rally: rolled {rolled}"), "rallied"),
    "replacement_markers_off": term("{side}: replacement markers come off"),
    "supply": _supply,
    "isolation": _dice(
        term("{unit} is isolated: rolled {rolled}, a step is lost"),
        term("{unit} is isolated: rolled {rolled}, no loss"),
        "lost",
    ),
    "delay_placed": term("{side} places delay marker {marker} at {hex}"),
    "delay_removed": term("Delay marker {marker} comes off {hex}"),
    "delay_roll": lambda w: Text(
        "{side} rolls {first} and {second} for its delay markers",
        side=w["side"],
        first=w["dice"][0],
        second=w["dice"][1],
    ),
    "strafing_placed": term("{side} strafes {hex}"),
    "strafing_over": term("{side} strafing ends"),
    "lrdg_placed": term("LRDG at {hex}"),
    "lrdg_over": term("The LRDG withdraws"),
    "supply_attrition": _attrition,
    "attrition_sp": term("{side} gives up a supply point at {hex}"),
    "attrition_asu": term("{unit} is depleted"),
    "starving": term("{side} has nothing to give: all are out of supply"),
    "objectives": _many(
        "count",
        term("The Axis holds 1 objective, {needed} needed"),
        term("The Axis holds {count} objectives, {needed} needed"),
    ),
    "victory_points": lambda w: Text.of(
        "1 airfield against {index}: {vp} VP"
        if w["airfields"] == 1
        else "{airfields} airfields against {index}: {vp} VP",
        {**w, "vp": _plus(w["vp"])},
    ),
    "game_over": _either("winner", term("{winner} wins: {level}"), term("Nobody wins: {level}")),
}
