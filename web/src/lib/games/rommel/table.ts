/** Rommel in the Desert: supply cards, turn options, the edges of blocks. */

import type { Presentation, RowFace } from "../presentation";

const CAN = "M9 16q0-3 3-3h8l3-5h12q6 0 6 6v34q0 3-3 3H12q-3 0-3-3z";

const OPTIONS: Record<string, RowFace> = {
  basic: { title: "Basic", text: "1 move, 1 combat round", rule: "4.1", pips: 1, of: 3 },
  offensive: { title: "Offensive", text: "2 moves together, 1 combat round", rule: "4.2a", pips: 2, of: 3 },
  assault: { title: "Assault", text: "1 move, double dice where you say", rule: "4.3a", pips: 2, of: 3 },
  blitz: { title: "Blitz", text: "Move, fight, move and fight again", rule: "4.4a", pips: 3, of: 3 },
};
const PASS: RowFace = { title: "Pass", text: "No card; one withdrawal", rule: "4.5a", pips: 0, of: 3 };

const MODES: Record<string, { title: string; text: string }> = {
  group: { title: "Group move", text: "out of one hex" },
  regroup: { title: "Regroup", text: "into one hex" },
  redeploy: { title: "Redeploy", text: "" },
  ship: { title: "Ship", text: "" },
  refit: { title: "Refit", text: "" },
  mine: { title: "Lay mines", text: "" },
};

const presentation: Presentation = {
  cards: {
    real: { title: "Supply", note: "real", art: `${CAN}M14 20l22 25M36 20L14 45M23 8h9` },
    dummy: { title: "Dummy", note: "worth nothing", art: CAN, faint: true },
  },
  row: (verb, value) => (verb === "option" ? (OPTIONS[value] ?? null) : verb === "pass" ? PASS : null),
  mode: (name, value) => (name === "" ? (MODES[value] ?? null) : name === "rommel" ? { title: "Led by Rommel" } : null),
  counts: (verb) => (verb === "option" ? "Dummies" : ""),
  lifts: ({ verb, extras }) => {
    const [first, second] = extras;
    if (verb === "option") return { real: OPTIONS[first?.value ?? ""]?.pips ?? 0, dummy: Number(second?.value ?? 0) };
    return first?.kind === "card" ? { [first.value]: 1 } : {};
  },
  edges: (item, unit) => {
    const now = Number(item.strength);
    const values = (unit?.facts?.["cv_values"] ?? "").split("|").map(Number).filter(Boolean);
    const lower = values.filter((value) => value < now);
    const higher = values.filter((value) => value > now);
    return [lower.length ? String(Math.max(...lower)) : "", higher.length ? String(Math.min(...higher)) : ""];
  },
  headings: { month: 1, turn: 2 },
  handPhases: ["option", "initiative"],
};

export default presentation;
