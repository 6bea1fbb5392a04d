/** Kasserine: everything lies open. */

import type { Presentation } from "../presentation";
import { work } from "./works";

const VERBS: Record<string, string> = {
  move: "Move one unit",
  stack: "Overrun or move a stack",
  enter: "Bring reinforcements on",
  reroute: "Send a group elsewhere",
  convert: "Convert a headquarters",
  to: "March",
  overrun: "Overrun",
  drop: "Leave a unit behind",
  exit: "Leave the map",
  build: "Build a strongpoint",
  lay: "Lay a minefield",
  raze: "Remove a strongpoint",
  pass_phase: "Pass for this phase",
  orders: "Standing orders",
  order_avoid: "Avoid combat",
  order_stand: "No Retreat",
  order_pass: "Pass until certain odds",
  order_pass_all: "Pass always",
  revoke: "Take all orders back",
};

/** The tones of the ground on the overview. */
const TINTS: Record<string, string> = { rough: "upland", hill: "hill", mountain: "mountain", marsh: "sebkha" };

const presentation: Presentation = {
  open: true,
  die: 10,
  marker: work,
  tint: ({ terrain }) => TINTS[terrain ?? ""] ?? null,
  together: { move: "move", apart: ["hq", "leader"] },
  mode: (name, value) => {
    const title = name === "" ? VERBS[value] : undefined;
    return title ? { title } : null;
  },
  orders: { "": ["move", "enter", "to", "overrun", "exit", "build", "lay", "raze"] },
  facts: {
    primary: "primary road",
    secondary: "secondary road",
    "axis exit": "Axis exit hex",
    "allied exit": "Allied exit hex",
  },
};

export default presentation;
