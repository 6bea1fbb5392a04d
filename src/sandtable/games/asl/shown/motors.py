"""The log of vehicles in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.texts.text import Said, Text


def whether(w: Mapping[str, Any], yes: str, no: str) -> Text:
    return Text.of(yes if w["passed"] else no, w)


MOTOR_LINES: dict[str, str | Callable[[Mapping[str, Any]], Said]] = {
    "started": lambda w: Text.of("{units} starts in reverse" if w["back"] else "{units} starts", w),
    "stopped": "{units} stops in {hex}",
    "turned": "{units} turns in {hex}",
    "turret_turned": "{units} turns its turret",
    "hazard": lambda w: whether(w, "{unit} gets through: {final}", "{unit} is caught: {final}"),
    "reliability": lambda w: whether(w, "{unit} runs: {final}", "{unit} breaks down: {final}"),
    "strained": lambda w: whether(w, "{unit} gets {mp} MP more: {final}", "{unit} strains too much: {final}"),
    "unbogged": lambda w: Text.of(
        {
            "freed": "{unit} is free again for {mp} MP",
            "mired": "{unit} sinks deeper",
            "immobilized": "{unit} is stuck for good",
        }[w["result"]],
        w,
    ),
    "dust": "{unit} leaves dust in {hex}",
    "dust_settles": "The dust of {unit} settles",
    "opened_up": "The crew of {unit} is exposed",
    "buttoned_up": "{unit} is buttoned up",
    "jammed_mount": "The {mount} of {unit} malfunctions",
    "took_rim": "{units} climbs to the rim in {hex}",
    "left_rim": "{units} goes down into the wadi in {hex}",
    "mounted": "{unit} mounts {other}",
    "dismounted": "{unit} gets off {other}",
    "hooked": "{unit} is hooked to {other}",
    "unhooked": "{unit} is unhooked from {other}",
    "left_vehicle": "{unit} is abandoned in {hex}",
    "grapple": "Close Combat in {hex}: {attackers} attack {unit}, {final} against {number}: {result}",
    "mounted_attack": "Close Combat in {hex}: {attackers} attack {units} at {odds}, {final} to {kill}: {result}",
    "overrun": "{unit} Overruns {hex} with {fp} FP",
    "mishap": lambda w: Text.of("{unit} is stuck" if w["stuck"] else "The main armament of {unit} malfunctions", w),
    "crushed": "The sangar in {hex} is crushed",
    "immobilized": "{unit} is immobilized in {hex}",
    "bogged": "{unit} is bogged in {hex}",
    "shocked": "{unit} is shocked in {hex}",
    "stunned": "The crew of {unit} is stunned",
    "recalled": "{unit} is Recalled",
    "destroyed": lambda w: Text.of(
        "{unit} is destroyed and burns in {hex}" if w["burns"] else "{unit} is destroyed in {hex}", w
    ),
    "survival": lambda w: whether(
        w, "Crew Survival: {final} against {number}: saved", "Crew Survival: {final} against {number}: lost"
    ),
    "bailed_out": "{unit} jumps off {other}",
    "shock_roll": lambda w: whether(w, "{unit} recovers from its shock", "{unit} does not recover"),
    "mended": lambda w: Text.of(
        "The {mount} of {unit} is repaired"
        if w["repaired"]
        else "The {mount} of {unit} is disabled"
        if w["lost"]
        else "The {mount} of {unit} is not repaired",
        w,
    ),
    "captured_vehicle": "{unit} is captured by {other}",
    "dispensed": lambda w: whether(w, "{unit} hides in smoke: {final}", "{unit} gets no smoke: {final}"),
    "roused": lambda w: whether(w, "{unit} gets into Motion", "{unit} does not get into Motion"),
    "at_mines": lambda w: whether(w, "The A-T mines do not go off: {final}", "A-T mines go off: {final}"),
    "wire_crushed": lambda w: whether(w, "{unit} tears the wire away", "{unit} drives through the wire"),
    "platoon": "{unit} moves in the Platoon",
    "lone": lambda w: whether(w, "{unit} goes on alone: {final}", "{unit} goes no farther than half: {final}"),
    "armored_assault": "{units} goes with {unit}",
    "crew_lost": "The crew of {unit} is lost",
    "crew_out": "The crew of {unit} gets out in {hex}",
}
