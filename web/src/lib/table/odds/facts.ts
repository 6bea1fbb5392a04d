/** What the map tells of a hex, in words. */

import type { GameDetail, HexInfo } from "../../api/types";

export interface HexFacts {
  terrain: string;
  features: string[];
}

const plain = (word: string): string => word.replaceAll("_", " ");
/** Tags that are instructions to the drawing, or facts with a value. */
const SILENT = /[:=]/;

/** Terrain, tags, and the ways and hexside features that touch a hex, each named once. */
export function hexFacts(hex: HexInfo, detail: Pick<GameDetail, "ways" | "hexsides">): HexFacts {
  const features = new Set((hex.tags ?? []).filter((tag) => !SILENT.test(tag) && tag !== "named").map(plain));
  for (const way of detail.ways) if (way.hex === hex.id || way.neighbour === hex.id) features.add(plain(way.kind));
  for (const side of detail.hexsides)
    if (side.hex === hex.id || side.neighbour === hex.id) features.add(plain(side.kind));
  features.delete(plain(hex.terrain));
  return { terrain: plain(hex.terrain), features: [...features] };
}

/** Dates of a track, shortened: "November 1941", "December 1941" become "Nov 1941", "Dec". */
export function shortDates(cells: readonly string[]): string[] {
  let year = "";
  return cells.map((cell) => {
    const found = /^(\p{L}{3})\p{L}* (\d{4})$/u.exec(cell);
    if (!found) return cell;
    const [, month = "", now = ""] = found;
    const text = now === year ? month : `${month} ${now}`;
    year = now;
    return text;
  });
}
