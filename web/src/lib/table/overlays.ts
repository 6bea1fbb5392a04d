/** What can be laid over the map: the server's overlays and, if it has none, control from the scene. */

import type { Overlay, Scene } from "../api/types";
import type { IconName } from "../ui/icons";

export type Tone = "zoc" | "supply" | "threat" | "control" | "plain";

export interface Tool {
  id: string;
  title: string;
  key: string;
  icon: IconName;
  tone: Tone;
}

const KNOWN: readonly { match: RegExp; key: string; icon: IconName; tone: Tone }[] = [
  { match: /zoc|zone/i, key: "z", icon: "hex", tone: "zoc" },
  { match: /supply|network/i, key: "s", icon: "truck", tone: "supply" },
  { match: /threat|reach/i, key: "t", icon: "threat", tone: "threat" },
  { match: /control/i, key: "c", icon: "flag", tone: "control" },
];

/** The tools of the rail; a key is given once. */
export function tools(overlays: readonly Overlay[], scene: Scene): Tool[] {
  const taken = new Set<string>();
  const found: Tool[] = overlays.map((overlay) => {
    const known = KNOWN.find(({ match }) => match.test(overlay.id) || match.test(overlay.title));
    const key = known && !taken.has(known.key) ? known.key : "";
    if (key) taken.add(key);
    return { id: overlay.id, title: overlay.title, key, icon: known?.icon ?? "layers", tone: known?.tone ?? "plain" };
  });
  if (!taken.has("c") && scene.control && Object.keys(scene.control).length) {
    found.push({ id: "scene:control", title: "Control", key: "c", icon: "flag", tone: "control" });
  }
  return found;
}
