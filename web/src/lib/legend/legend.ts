/** How a game is read: which entry of its legend a counter, a hex or a word of a text stands under. */

import type { CounterItem, GameDetail, HexInfo, UnitInfo } from "../api/types";
import type { components } from "../api/schema";

type Schemas = components["schemas"];
export type Legend = Schemas["LegendText"];
export type Reading = Schemas["ReadingText"];
export type PartText = Schemas["PartText"];
export type SignText = Schemas["SignText"];
export type GroundText = Schemas["GroundText"];
export type TermText = Schemas["TermText"];

/** How a counter is read: the first entry of its kind, or the one for all others. */
export function readingOf(legend: Legend, item: Pick<CounterItem, "symbol">): Reading | undefined {
  return legend.counters.find(({ kinds }) => !kinds.length || kinds.includes(item.symbol ?? ""));
}

/** A strength is cut at its dashes; one that begins with a dash is a negative number. */
const cut = (strength: string): string[] => strength.split(/(?<=.)-/);

function ofItem(part: string, item: CounterItem): string {
  const [name = "", at] = part.split(".");
  if (name === "strength") return item.strength ? (cut(item.strength)[Number(at)] ?? "") : "";
  if (name === "steps") return item.steps?.[1] ? item.steps.join(" / ") : "";
  const value: unknown = { ...item }[name];
  const found: unknown = Array.isArray(value) && at !== undefined ? value[Number(at)] : value;
  return typeof found === "string" || typeof found === "number" ? String(found) : found === true ? "✓" : "";
}

/** What a part of a counter shows; nothing if it shows none of it. */
export function valueOf(part: PartText, item: CounterItem, row: UnitInfo | undefined): string {
  if (!part.part.startsWith("row.")) return ofItem(part.part, item);
  const name = part.part.slice(4);
  const value = row?.facts?.[name] ?? (name === "size" ? row?.size : undefined) ?? "";
  return value === "0" && !part.zero ? "" : value;
}

/** What a sign is for: ids of scenes may have a blank or an underscore between their words. */
export function signOf(signs: readonly SignText[], id: string): SignText | undefined {
  const plain = (word: string): string => word.replaceAll("_", " ");
  return signs.find((one) => one.id === id) ?? signs.find((one) => plain(one.id) === plain(id));
}

/** What a hex holds, without the values of tags such as `capacity:5`. */
const tagsOf = (hex: HexInfo): string[] => (hex.tags ?? []).map((tag) => tag.split(/[:=]/)[0] ?? tag);

/** The ground of a hex: its terrain, what else it holds, its hexsides and its ways, each once. */
export function groundsOf(legend: Legend, hex: HexInfo, detail: Pick<GameDetail, "ways" | "hexsides">): GroundText[] {
  const touching = (edges: GameDetail["ways"]): string[] =>
    edges.filter((edge) => edge.hex === hex.id || edge.neighbour === hex.id).map(({ kind }) => kind);
  const wanted: Record<string, Set<string>> = {
    terrain: new Set([hex.terrain]),
    tag: new Set(tagsOf(hex)),
    hexside: new Set(touching(detail.hexsides)),
    way: new Set(touching(detail.ways)),
  };
  return legend.grounds.filter(({ of, id }) => wanted[of]?.has(id));
}

export interface Sample {
  x: number;
  y: number;
  /** The hex that it shows, for terrain and what lies in a hex. */
  hex: string;
}

/** A place of the map that shows a ground best: deep inside a terrain, on the middle of a hexside. */
export class Samples {
  private readonly hexes: Map<string, HexInfo>;
  private readonly near = new Map<string, HexInfo[]>();
  private readonly busy: Map<string, number>;

  constructor(private readonly detail: Pick<GameDetail, "grid" | "ways" | "hexsides" | "places">) {
    const all = detail.grid?.hexes ?? [];
    this.hexes = new Map(all.map((hex) => [hex.id, hex]));
    this.busy = new Map<string, number>();
    for (const edge of [...detail.ways, ...detail.hexsides])
      for (const id of [edge.hex, edge.neighbour]) this.busy.set(id, (this.busy.get(id) ?? 0) + 1);
    for (const place of detail.places) this.busy.set(place.hex, (this.busy.get(place.hex) ?? 0) + 2);
  }

  private neighbours(hex: HexInfo): HexInfo[] {
    let found = this.near.get(hex.id);
    if (!found) {
      const reach = (this.detail.grid?.radius ?? 0) * 1.9;
      found = [...this.hexes.values()].filter((one) => one !== hex && Math.hypot(one.x - hex.x, one.y - hex.y) < reach);
      this.near.set(hex.id, found);
    }
    return found;
  }

  of({ of, id }: Pick<GroundText, "of" | "id">): Sample | null {
    if (of === "hexside" || of === "way") return this.edge(of, id);
    const holds = (hex: HexInfo): boolean => (of === "terrain" ? hex.terrain === id : tagsOf(hex).includes(id));
    let best: HexInfo | null = null;
    let most = -Infinity;
    for (const hex of this.hexes.values()) {
      if (!holds(hex)) continue;
      // What is told apart by its shape stands alone best; a terrain best among its own.
      const alike = of === "terrain" ? this.neighbours(hex).filter(holds).length * 3 : 0;
      const worth = alike - (this.busy.get(hex.id) ?? 0);
      if (worth > most) [best, most] = [hex, worth];
      if (of === "terrain" && worth >= 18) break;
    }
    return best ? { x: best.x, y: best.y, hex: best.id } : null;
  }

  private edge(of: "hexside" | "way", kind: string): Sample | null {
    const edges = (of === "way" ? this.detail.ways : this.detail.hexsides).filter((one) => one.kind === kind);
    const worth = ({ hex, neighbour }: { hex: string; neighbour: string }): number =>
      -(this.busy.get(hex) ?? 0) - (this.busy.get(neighbour) ?? 0);
    const best = edges.toSorted((a, b) => worth(b) - worth(a))[0];
    const a = best ? this.hexes.get(best.hex) : undefined;
    const b = best ? this.hexes.get(best.neighbour) : undefined;
    return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, hex: a.id } : null;
  }
}

export type Worded = string | { word: string; term: TermText };

/** Finds the words of a glossary in texts. */
export class Finder {
  private readonly terms = new Map<string, TermText>();
  private readonly pattern: RegExp | null;

  /** `say` gives a word in the language of the texts. */
  constructor(terms: readonly TermText[], say: (word: string) => string, language: "en" | "ja") {
    for (const term of terms)
      for (const form of [term.term, ...term.also]) {
        const said = say(form);
        if (!this.terms.has(said.toLowerCase())) this.terms.set(said.toLowerCase(), term);
      }
    const forms = terms.flatMap((term) => [term.term, ...term.also].map(say));
    const longest = [...new Set(forms)].toSorted((a, b) => b.length - a.length).map(written);
    const between = language === "en" ? `(?<![\\w-])(?:${longest.join("|")})(?![\\w-])` : longest.join("|");
    this.pattern = longest.length ? new RegExp(between, "g") : null;
  }

  /** A text with its terms, each marked where it stands first. */
  split(text: string): Worded[] {
    if (!this.pattern) return [text];
    const out: Worded[] = [];
    const seen = new Set<TermText>();
    let last = 0;
    for (const match of text.matchAll(this.pattern)) {
      const term = this.terms.get(match[0].toLowerCase());
      if (!term || seen.has(term)) continue;
      seen.add(term);
      if (match.index > last) out.push(text.slice(last, match.index));
      out.push({ word: match[0], term });
      last = match.index + match[0].length;
    }
    if (last < text.length) out.push(text.slice(last));
    return out;
  }
}

/** A form as a pattern: the first letter of a word may be large, that of an abbreviation is. */
function written(form: string): string {
  const plain = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const first = form.charAt(0);
  const word = /[a-z]/.test(form) && /[a-zA-Z]/.test(first);
  return word ? `[${first.toLowerCase()}${first.toUpperCase()}]${plain.slice(1)}` : plain;
}
