/** ASL in the desert: its own counters, works and clouds; the ground is drawn by the server for each scenario. */

import type { Presentation } from "../presentation";
import { counter, hangs, sizeOf, spot, strip } from "./pieces";
import { tint, work } from "./works";

/** Hundredths of a hex for one pixel of the near zoom, in which counters are drawn. */
const SCALE = 100 / 86.6;

const VERBS: Record<string, string> = {
  place: "Set up",
  transfer: "Hand over a weapon",
  deploy: "Deploy",
  recombine: "Recombine",
  move: "Move",
  also: "Moves along",
  assault: "Assault Movement",
  "double-time": "Double Time",
  join: "Fires",
  use: "Fires a weapon",
  direct: "Directs",
  rally: "Rally",
  repair: "Repair",
  recover: "Take up a weapon",
  crawl: "Low Crawl",
  lob: "Throw smoke",
  search: "Search",
  "set-charge": "Set a charge",
  throw: "Throw a charge",
  bypass: "Bypass",
  carefully: "Go with care",
  slowly: "Go slowly",
  "turn-carefully": "Turn with care",
  turret: "Turn the turret",
  fascine: "Lay the fascine",
  wait: "Wait to fire",
  dig: "Dig in",
  clear: "Clear wire or mines",
  lay: "Gun",
  "lay-second": "Second gun",
  snap: "Snap Shot",
  spot: "Let somebody spot",
  deliberate: "Aim low",
  "open-up": "Crew exposed",
  "button-up": "Button up",
  point: "Face another way",
  hide: "Set up hidden",
  decline: "Un-Emplaced",
  dismantle: "Take apart",
  "hold-until": "Nothing until…",
  "hold-odds": "Nothing until the odds are…",
  "unit-holds": "One unit holds until…",
  revoke: "Take back standing orders",
};

const presentation: Presentation = {
  boards: true,
  sights: true,
  mode: (name, value) => {
    const title = name === "" ? VERBS[value] : undefined;
    return title ? { title } : null;
  },
  size: (item) => sizeOf(item) * SCALE,
  hangs: (held) => hangs(held) * SCALE,
  spot,
  tint,
  piece: (item, { row, held, small, tone, say }) =>
    counter(item, row(item.row ?? ""), small, say) +
    (small
      ? ""
      : held
          .map((one, i) => strip(row(one.row ?? ""), one.unit ?? "", i, !!one.marks?.includes("jammed"), tone(one)))
          .join("")),
  marker: work,
  headings: { player_turn: 1, phase: 2 },
};

export default presentation;
