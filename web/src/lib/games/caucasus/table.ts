/** The Caucasus Campaign: everything lies open. */

import type { Presentation } from "../presentation";

const VERBS: Record<string, { title: string; text?: string }> = {
  move: { title: "Move" },
  assault: { title: "Ready to assault", text: "stands, may attack" },
  raid: { title: "Mobile assault", text: "in the movement phase" },
  remove: { title: "Take an HQ off the map" },
  rebuild: { title: "Use a replacement" },
  merge: { title: "Merge two units" },
  to: { title: "March" },
  charge: { title: "March and assault", text: "3 MP for the marker" },
  rail: { title: "By rail" },
  ship: { title: "By sea" },
  land: { title: "Land" },
};

const presentation: Presentation = {
  open: true,
  scored: "the Axis has {n} VP",
  together: { move: "move", apart: ["hq"] },
  mode: (name, value) => (name === "" ? (VERBS[value] ?? null) : null),
  orders: { "": ["move", "assault", "raid", "to", "charge", "rail", "ship", "land"] },
  facts: {
    "river minor": "minor river",
    "river major": "major river",
    "rail supply only": "railway for supply only",
    "rail unfinished": "unfinished railway",
    rail: "railway",
    "entry special": "entry hex closed to the enemy",
    pass: "mountain pass",
    sea: "all-sea hexside",
    lake: "lake hexside",
    alpine: "alpine hexside",
  },
};

export default presentation;
