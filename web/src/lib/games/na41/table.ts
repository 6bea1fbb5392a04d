/** North Africa '41: what the ways of doing things are called, and what waits behind a button until it is asked for. */

import type { Presentation } from "../presentation";

const VERBS: Record<string, string> = {
  move: "Move",
  join: "Add to the stack",
  load: "Load on the truck",
  leave: "Leave behind",
  crush: "Automatic shattering (Auto DS)",
  convoy: "Convoys",
  rail: "By rail",
  "rail-sp": "Supply by rail",
  transfer: "Transfer an empty truck",
  fly: "Air transport",
  ready: "Refit artillery with a supply point",
  fortify: "Fortify",
  unfortify: "Give up a fortification",
  buy: "Spend resource points",
  flee: "Go into full retreat",
  surrender: "Surrender",
  "destroy-sp": "Destroy own supply",
  disengage: "Disengage",
  demolish: "Demolish a port",
  repair: "Repair a port",
  replace: "Take a replacement",
  return: "Bring back",
  delay: "Delay marker",
  strafe: "Strafing",
  lrdg: "Long Range Desert Group",
  "take-back": "Take a delay marker back",
  lead: "Determined defense",
  desperate: "Desperate defense",
  artillery: "Artillery support",
  "artillery-sp": "Artillery, paid by a supply point",
  "supply-sp": "Supply point",
  "supply-asu": "Deplete artillery",
};

const WAYS: Record<string, { title: string; text: string }> = {
  normal: { title: "Normal", text: "may attack" },
  extended: { title: "Extended", text: "+3 MP, no enemy ZOC" },
  tactical: { title: "Tactical", text: "1 or 2 hexes" },
  road: { title: "Road bonus", text: "on foot, by road only" },
};

const presentation: Presentation = {
  open: true,
  scored: "the Axis has {n} points",
  together: { move: "move", add: "join", apart: ["truck", "asu_hq", "hq"] },
  mode: (name, value) =>
    name === "mode"
      ? (WAYS[value] ?? null)
      : name === "marker"
        ? { title: value }
        : VERBS[value]
          ? { title: VERBS[value] }
          : null,
  orders: { "": ["move", "load", "join", "delay"], mode: ["normal", "extended", "road", "tactical"] },
  counts: (verb) => (verb === "demolish" ? "Dice" : ""),
};

export default presentation;
