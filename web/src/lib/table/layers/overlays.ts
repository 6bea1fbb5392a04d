/** What can be laid over the map: the server's overlays and, if it has none, control from the scene. */

import { english, type Said } from "../../i18n/said";
import type { Overlay, Scene } from "../../api/types";
import type { IconName } from "../../ui/icons";

export type Tone = "zoc" | "supply" | "threat" | "control" | "plain";

export interface Tool {
  id: string;
  title: Said;
  key: string;
  icon: IconName;
  tone: Tone;
  /** Whose it is, if it is of one side: its name ends with the side's, or begins with "own" or "enemy". */
  whose: "own" | "enemy" | "";
  /** The shape of that side, beside the icon: the first side is square, another round. */
  shape: "square" | "round" | "";
}

interface Kind {
  match: RegExp;
  key: string;
  icon: IconName;
  tone: Tone;
  /** Whose one the key lays over the map: one's own supply, the enemy's zones. */
  first: "own" | "enemy" | "";
}

const KINDS: readonly Kind[] = [
  { match: /^(?!.*overlap).*(zoc|zone)/i, key: "z", icon: "hex", tone: "zoc", first: "enemy" },
  { match: /overlap/i, key: "", icon: "hexes", tone: "zoc", first: "" },
  { match: /roads/i, key: "", icon: "road", tone: "supply", first: "" },
  { match: /command/i, key: "", icon: "mast", tone: "plain", first: "" },
  { match: /coordination/i, key: "", icon: "link", tone: "plain", first: "" },
  { match: /artillery|guns/i, key: "", icon: "sight", tone: "plain", first: "" },
  { match: /fire.?net/i, key: "", icon: "net", tone: "plain", first: "" },
  { match: /^(?!.*(limited|port)).*(supply|network)/i, key: "s", icon: "truck", tone: "supply", first: "own" },
  { match: /limited/i, key: "", icon: "half", tone: "supply", first: "" },
  { match: /port/i, key: "", icon: "anchor", tone: "supply", first: "" },
  { match: /threat|reach/i, key: "t", icon: "threat", tone: "threat", first: "enemy" },
  { match: /control/i, key: "c", icon: "flag", tone: "control", first: "own" },
  { match: /rail/i, key: "", icon: "rail", tone: "plain", first: "" },
  { match: /^air/i, key: "", icon: "plane", tone: "plain", first: "" },
];

function whose(id: string, seat: string | null, sides: readonly string[]): Tool["whose"] {
  if (/^own/.test(id)) return "own";
  if (/^enemy/.test(id)) return "enemy";
  const side = sides.find((one) => id.endsWith(one));
  return side === undefined || seat === null ? "" : side === seat ? "own" : "enemy";
}

function shape(id: string, of: Tool["whose"], seat: string | null, sides: readonly string[]): Tool["shape"] {
  const named = sides.findIndex((one) => id.endsWith(one));
  const own = seat === null ? -1 : sides.indexOf(seat);
  const at = named >= 0 ? named : own < 0 || !of ? (of ? Number(of === "enemy") : -1) : of === "own" ? own : 1 - own;
  return at < 0 ? "" : at === 0 ? "square" : "round";
}

/** The tools of the rail, kind by kind; a key is given once. */
export function tools(
  overlays: readonly Overlay[],
  scene: Scene,
  seat: string | null = null,
  sides: readonly string[] = [],
): Tool[] {
  const found = overlays.map((overlay): Tool & { order: number } => {
    const at = KINDS.findIndex(({ match }) => match.test(overlay.id) || match.test(english(overlay.title)));
    const { icon = "layers", tone = "plain" } = KINDS[at] ?? {};
    const of = whose(overlay.id, seat, sides);
    return {
      id: overlay.id,
      title: overlay.title,
      key: "",
      icon,
      tone,
      whose: of,
      shape: shape(overlay.id, of, seat, sides),
      order: at < 0 ? KINDS.length : at,
    };
  });
  if (!found.some(({ tone }) => tone === "control") && scene.control && Object.keys(scene.control).length) {
    found.push({
      id: "scene:control",
      title: "Control",
      key: "",
      icon: "flag",
      tone: "control",
      whose: "",
      shape: "",
      order: KINDS.findIndex(({ tone }) => tone === "control"),
    });
  }
  KINDS.forEach(({ key, first }, order) => {
    const all = found.filter((tool) => tool.order === order);
    const best = all.find((tool) => tool.whose === first) ?? all[0];
    if (best && key) best.key = key;
  });
  // The one with the key stands first of its kind.
  return found
    .sort((a, b) => a.order - b.order || Number(!a.key) - Number(!b.key))
    .map(({ order: _, ...tool }) => tool);
}
