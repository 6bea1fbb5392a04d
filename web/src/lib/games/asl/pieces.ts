/**
 * The counters of the desert as SVG around their middle, in pixels of the near zoom (86.6 from side to side of a hex).
 *
 * They stay upright: facing is a tooth on the frame and the turned plan view inside it. Nation by fill and headgear,
 * men by the number of heads. Everything on a counter comes from its row.
 */
import type { CounterItem } from "../../api/types";
import type { Spot } from "../../legend/spots";
import { badge, tab } from "./badges";
import { gunPlan, hull, vehicle, type Row } from "./plan";

export const NATIONS: Readonly<Record<string, string>> = {
  german: "de",
  italian: "it",
  british: "gb",
  anzac: "cw",
  indian: "cw",
  free_french: "fr",
  vichy_french: "fr",
  american: "us",
};
const AXIS = new Set(["german", "italian", "vichy_french"]);
const INK = "var(--counter-ink)";
/** The angle of each vertex: 0 lies between north and north-east. */
const FACE = [-60, 0, 60, 120, 180, 240];

const FRENCH =
  "M-4.3-.1C-3.7-.8-3.4-1-3.3-1.4C-3.2-4.9 3.2-4.9 3.3-1.4C3.4-1 3.7-.8 4.3-.1ZM-1.1-4.5C-1-6.3 1-6.3 1.1-4.5Z";
const HEADS: Readonly<Record<string, string>> = {
  german: "M-4.3 1.2L-3.5-.3C-3.9-5.2 3.9-5.2 3.5-.3L4.3 1.2L2.9 1.1L2.6-.5H-2.6L-2.9 1.1Z",
  italian: "M-3.5 .1C-3.9-5.9 3.9-5.9 3.5 .1L3.9 .5H-3.9ZM-.45-5.1h.9v-1h-.9z",
  british: "M-5.1-.5C-4.1-1.5-3-1.7-2.7-2C-2.2-4.4 2.2-4.4 2.7-2C3-1.7 4.1-1.5 5.1-.5Z",
  anzac: "M-5-.1C-3.6-1-3-1.1-2.5-1.3L-2.2-4.3C-1-5 1-5 2.2-4.3L2.5-1.4L4.5-4.4C5.2-3.4 4.6-1 2.9-.4C1-.2-3-.2-5-.1Z",
  indian:
    "M-3.5 .2C-4.6-2.2-3.2-5.4 .4-5.3C3.8-5.2 4.4-2.4 3.4 .2C2.4-1.2-1.6-1.6-3.5 .2ZM-2.6-3.2L2.8-1.4M-1-4.8L3.6-3.2",
  free_french: FRENCH,
  vichy_french: FRENCH,
  american: "M-3.7-.4C-3.9-5.4 3.9-5.4 3.7-.4L4.1 .3C2-.4-2-.4-4.1 .3Z",
};
const CAP = "M-3.9-1.2C-4.3-4.7 4.3-4.7 3.9-1.2L3-1L4.2 .3C2-.5-2-.5-4.2 .3L-3-1Z";
const GRADES: Readonly<Record<string, string>> = {
  elite: "E",
  first_line: "1",
  second_line: "2",
  green: "G",
  conscript: "C",
};
const line = (d: string, width: number, extra = ""): string =>
  `<path d="${d}" fill="none" stroke="${INK}" stroke-width="${width}" ${extra}/>`;
const full = (d: string): string => `<path d="${d}" fill="${INK}"/>`;
const WEAPONS: Readonly<Record<string, string>> = {
  LMG: line("M-14 1H9L14-1.5V3L9 3.5M2 2L-1.6 8M2 2L5.6 8M-14 1V-2.6H-4V1", 2, 'stroke-linejoin="round"'),
  MMG: `${line("M-14-1H10M10-3.6V2.4H15", 2.4)}${full("M-4-3.6H8V2H-4Z")}${line("M3 2L-5 10M3 2L10 10M3 2V10", 1.7)}`,
  HMG: `${line("M-15-2H10M10-4.6V1.6H15.5", 2.8)}${full("M-6-5.4H8V2H-6Z")}${line("M3 2L-7 10M3 2L11 10M3 2V10M-7 10H11", 1.8)}${line("M4-6v-3h5", 1.4)}`,
  ATR: `${line("M-17 0H8L14-2V3.4L8 3.6M-1 1L-4 8M-1 1L2 8", 1.8, 'stroke-linejoin="round"')}${line("M-17-1.6v3.2", 2)}`,
  MTR: `${line("M8 8L-6-9", 5, 'stroke-linecap="round"')}${line("M-2-3L-9 8M-2-3L-4 9", 1.6)}${line("M2 10h13", 2.6, 'stroke-linecap="round"')}`,
  DC: `${full("M-9-4h18v12h-18z")}<path d="M-3-4v12M3-4v12" stroke="var(--nb)" stroke-width="1.2"/>${line("M0-4C0-10 7-7 8-12", 1.5)}`,
  RADIO: `${line("M-9-4h18v13h-18z", 1.8)}<circle cx="-3.6" cy="2.6" r="2.8" fill="${INK}"/>${line("M3 0h3.6M3 4h3.6M6-4L12-13", 1.6)}`,
  FT: `${full("M4-4a3 3 0 0 1 6 0v8a3 3 0 0 1 -6 0z")}${line("M4 4L-8 3", 2)}<path d="M-8 3c-3-3-6-2-8-4c1 4 0 6 2 7c2 1 4 0 6-3z" fill="var(--elite)"/>`,
  TUBE: `${line("M-15 0H14", 5)}${full("M-15 0l4-4v8z")}${line("M2 2v7M9 2v6", 2)}`,
};
const TUBES = new Set(["PIAT", "BAZ"]);

type Anchor = "start" | "middle" | "end";
function text(x: number, y: number, words: string, size: number, anchor: Anchor = "middle", weight = 700): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${words}</text>`;
}
const box = (x: number, y: number, w: number, h: number): string =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w}" height="${h}" fill="none" stroke="${INK}" stroke-width="1.1"/>`;

function bust(nation: string, x: number, y: number, scale = 1, cap = false, rifle = true): string {
  const gun = rifle ? line("M4.3 8.6L7.3-6.6", 1, 'stroke-linecap="round"') : "";
  return (
    `<g transform="translate(${x} ${y}) scale(${scale})">${gun}` +
    `<path d="M-6 9C-6 4.4-4.3 3.4-2 2.7L2 2.7C4.3 3.4 6 4.4 6 9Z" fill="${INK}" stroke="var(--nf)" stroke-width=".7"/>` +
    `<path d="M-2.5-.9C-2.5 3.4 2.5 3.4 2.5-.9Z" fill="var(--nb)" stroke="${INK}" stroke-width=".7"/>` +
    `<path d="${cap ? CAP : (HEADS[nation] ?? CAP)}" fill="${INK}" stroke="var(--nf)" stroke-width=".35"/></g>`
  );
}

type Say = (word: string) => string;

interface Plate {
  broken?: boolean;
  dashed?: boolean;
  /** Fill and edge of a wreck. */
  wreck?: boolean;
}

function plate(nation: string, size: number, body: string, { broken, dashed, wreck }: Plate = {}): string {
  const a = size / 2;
  const n = NATIONS[nation] ?? "neutral";
  const axis = AXIS.has(nation);
  const rx = axis ? 2.2 : size * 0.13;
  const edge = wreck ? INK : `var(--${axis ? "axis" : "allied"}-edge)`;
  const fill = wreck ? "var(--asl-wreck)" : `var(--${n}${broken ? "-box" : ""})`;
  const dash = dashed ? ' stroke-dasharray="3.2 2.2"' : "";
  const shade = `<rect x="${-a + 0.6}" y="${-a + 1.2}" width="${size}" height="${size}" rx="${rx}" fill="${INK}" opacity=".28"/>`;
  const hatch = broken
    ? `<path d="M${-a + 2} ${a - 12}L${-a + 12} ${a - 2}M${-a + 2} ${a - 22}L${-a + 22} ${a - 2}M${-a + 2} ${a - 32}L${-a + 32} ${a - 2}M${-a + 2} ${-a + 4}L${a - 4} ${a - 2}M${-a + 12} ${-a + 2}L${a - 2} ${a - 12}M${-a + 22} ${-a + 2}L${a - 2} ${a - 22}M${-a + 32} ${-a + 2}L${a - 2} ${a - 32}" stroke="${INK}" stroke-width="1" opacity=".16"/>`
    : "";
  return (
    `<g style="--nf:var(--${n});--nb:var(--${n}-box)">${shade}` +
    `<rect x="${-a}" y="${-a}" width="${size}" height="${size}" rx="${rx}" fill="${fill}" stroke="${edge}" stroke-width="1.5"${dash}/>` +
    `${hatch}${body}</g>`
  );
}

const dashes = line("M-8 13.6h3M5.2 13.6h3", 1.3);

function men(row: Row, kind: string, broken: boolean, small: boolean, how: Plate, say: Say): string {
  const nation = row["nation"] ?? "";
  const { fp = "", range = "", morale = "", broken_morale = "" } = row;
  if (small) {
    const bars: Readonly<Record<string, string>> = {
      squad: line("M-9-17h18M-9-13.4h18M-9-9.8h18", 2.2),
      half_squad: line("M-9-14h18M-9-10.4h18", 2.2),
      crew: `<circle cy="-12.5" r="4.6" fill="none" stroke="${INK}" stroke-width="2.2"/>`,
    };
    const words = broken ? broken_morale : `${fp}-${range}-${morale}`;
    return plate(nation, 46, text(0, 11, words, broken ? 26 : 19.5) + (bars[kind] ?? ""), how);
  }
  let o = "";
  if (broken) {
    const at: [number, number][] =
      kind === "squad"
        ? [
            [-11, -7.5],
            [11, -7.5],
            [0, -5],
          ]
        : [
            [-6.5, -6],
            [6.5, -6],
          ];
    o += at.map(([x, y]) => bust(nation, x, y, 0.86, false, false)).join("");
    o += text(15, 19.4, broken_morale, 17) + text(-19, 18.8, say("broken"), 10.5, "start", 600);
    if (row["self_rally"] === "1") o += box(9, 6.6, 12, 14.4);
    return plate(nation, 46, o, how);
  }
  if (kind === "squad")
    o += bust(nation, -11.6, -9.2, 0.98) + bust(nation, 11.2, -9.2, 0.98) + bust(nation, -0.4, -6.2, 1.08);
  else if (kind === "half_squad") o += bust(nation, -7, -8.2, 1.05) + bust(nation, 6.4, -6.6, 1.05);
  else
    o +=
      bust(nation, -8.4, -8, 1, false, false) +
      bust(nation, 3, -6.6, 1, false, false) +
      `<g transform="translate(14.4 -4.4)"><circle r="5.4" fill="var(--nb)" stroke="${INK}" stroke-width="1.5"/>${line("M0-5.4V5.4M-5.4 0H5.4M-3.8-3.8L3.8 3.8M-3.8 3.8L3.8-3.8", 0.8)}</g>`;
  o += text(-13.5, 19.6, fp, 17.5) + text(0, 19.6, range, 17.5) + text(13.5, 19.6, morale, 17.5) + dashes;
  if (row["assault_fire"] === "1") o += line("M-17.6 21.1h8.2", 1.5);
  if (row["spraying_fire"] === "1") o += line("M-4 21.1h8.2", 1.5);
  const smoke = row["smoke_exponent"] ?? "";
  if (smoke && smoke !== "0") o += text(-7.3, 11.4, smoke, 8.4);
  if (row["self_rally"] === "1") o += box(8, 5.8, 11, 15.2);
  o += text(-20.6, -13.4, GRADES[row["class"] ?? ""] ?? "", 9, "start");
  return plate(nation, 46, o, how);
}

function leader(row: Row, hero: boolean, broken: boolean, small: boolean, how: Plate, say: Say): string {
  const nation = row["nation"] ?? "";
  const STAR = "M0-17.5l2 4.1 4.5.6-3.3 3.1.8 4.5-4-2.2-4 2.2.8-4.5-3.3-3.1 4.5-.6z";
  const morale = (broken ? row["broken_morale"] : row["morale"]) ?? "";
  if (small) return plate(nation, 46, text(0, 11, hero ? `1-4-${morale}` : (row["name"] ?? ""), 20) + full(STAR), how);
  let o = bust(nation, hero ? 0 : -7, -6.4, 1.36, !hero, hero);
  if (hero)
    return plate(
      nation,
      46,
      o +
        `<g transform="translate(-15.5 -2) scale(.86)">${full(STAR)}</g>` +
        text(-13.5, 19.6, "1", 17.5) +
        text(0, 19.6, "4", 17.5) +
        text(13.5, 19.6, morale, 17.5) +
        dashes,
      how,
    );
  const bonus = row["leadership"] || "0";
  const shown = bonus === "0" ? "0" : bonus.startsWith("-") ? `−${bonus.slice(1)}` : `+${bonus.replace("+", "")}`;
  o += text(13, -3.2, morale, 21);
  o += `<rect x="3.6" y="1.6" width="18.2" height="18" rx="${AXIS.has(nation) ? 2 : 6}" fill="${INK}"/>`;
  o += `<g style="--ti:var(--nb)" class="pale">${text(12.7, 16.2, shown, 17)}</g>`;
  o += text(-20, 19.2, broken ? say("broken") : "Ldr", 9.6, "start", 600);
  return plate(nation, 46, o, how);
}

const struck = (size: number): string =>
  `<path d="M${-size / 2 + 2} ${size / 2 - 2}L${size / 2 - 2} ${-size / 2 + 2}" stroke="var(--elite)" stroke-width="2"/>`;

function weaponValue(row: Row): string {
  const kind = row["kind"] ?? "";
  if (["LMG", "MMG", "HMG", "ATR"].includes(kind)) return `${row["fp"] ?? ""}-${row["range"] ?? ""}`;
  if (kind === "MTR") return `${row["caliber"] ?? ""} [${row["range_min"] ?? ""}-${row["range"] ?? ""}]`;
  if (TUBES.has(kind)) return `≤${row["range"] ?? ""}`;
  return row["special"] || row["fp"] || "";
}

function weapon(row: Row, jammed: boolean, how: Plate): string {
  const kind = row["kind"] ?? "";
  const value = weaponValue(row);
  const rof = row["rof"] ?? "";
  let o = `<g transform="translate(1.5 -.5) scale(.74)">${WEAPONS[TUBES.has(kind) ? "TUBE" : kind] ?? WEAPONS["LMG"]}</g>`;
  o += text(-16.4, -9.2, kind, 9.4, "start");
  if (rof && rof !== "0") o += box(8, -17, 9, 10) + text(12.5, -8.7, rof, 9.4);
  o += text(-16, 16, value, value.length < 6 ? 13 : 11, "start");
  const breakdown = row["breakdown"] ?? "";
  if (kind !== "MTR")
    o +=
      breakdown && breakdown !== "12"
        ? text(16.4, 15.6, `B${breakdown}`, 9, "end", 600)
        : row["pp"]
          ? text(16.4, 15.6, `${row["pp"]}PP`, 8.6, "end", 600)
          : "";
  return plate(row["nation"] ?? "", 38, o + (jammed ? struck(38) : ""), how);
}

/** A Support Weapon in hand: a strip under its possessor. */
export function strip(row: Row, unit: string, at: number, jammed: boolean, tone = ""): string {
  const nation = row["nation"] ?? "";
  const n = NATIONS[nation] ?? "neutral";
  const axis = AXIS.has(nation);
  const kind = row["kind"] ?? "";
  const value = kind === "MTR" ? (row["caliber"] ?? "") : weaponValue(row);
  const rof = row["rof"] ?? "";
  const has = rof !== "" && rof !== "0";
  return (
    `<g data-unit="${unit}" class="strip ${tone}" transform="translate(0 ${27 + at * STRIP})">` +
    `<rect x="-23" y="-4" width="46" height="17" rx="${axis ? 2.2 : 5}" fill="var(--${n}-box)" stroke="var(--${axis ? "axis" : "allied"}-edge)" stroke-width="1.3"/>` +
    text(-20.2, 10.2, kind, 8.6, "start") +
    text(has ? 9.6 : 20, 10.6, value, 10.8, "end") +
    (has ? box(11.6, 2, 8.4, 9.4) + text(15.8, 9.9, rof, 9) : "") +
    (jammed ? `<path d="M-21 12L21 -2" stroke="var(--elite)" stroke-width="1.8"/>` : "") +
    "</g>"
  );
}

const STRIP = 14.5;

/** How far so many strips reach below the frame of who holds them. */
export const hangs = (held: number): number => (held ? STRIP * held + 3 : 0);

/** A tooth on the frame towards a vertex: solid for hull and Gun, hollow for a turret that differs. */
function tooth(size: number, vertex: number, hollow = false): string {
  const angle = FACE[vertex] ?? 0;
  const a = (angle * Math.PI) / 180;
  const r = size / 2 / Math.max(Math.abs(Math.cos(a)), Math.abs(Math.sin(a))) + 2;
  const [fill, stroke] = hollow
    ? ["var(--asl-tooth-case)", "var(--asl-tooth)"]
    : ["var(--asl-tooth)", "var(--asl-tooth-case)"];
  return `<path d="M-2-4.6L9.4 0L-2 4.6Z" transform="translate(${(r * Math.cos(a)).toFixed(1)} ${(r * Math.sin(a)).toFixed(1)}) rotate(${angle})" fill="${fill}" stroke="${stroke}" stroke-width="1.4" stroke-linejoin="round"/>`;
}

function facing(size: number, [vca, tca]: readonly number[]): string {
  if (vca === undefined || vca < 0) return "";
  return tooth(size, vca) + (tca !== undefined && tca >= 0 && tca !== vca ? tooth(size, tca, true) : "");
}

const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/PzKpfw /, "Pz "],
  [/\s*Cruiser| Medium Tank| ME$|Autocannone | Kuebelwagen|SMV /g, ""],
  [/ Mk /, " "],
  [/ Light Tank/, " Lt"],
  [/ Halftrack/, " ht"],
  [/3-ton lorry/, "3-ton"],
  [/\(a\)/, "ᵃ"],
  [/\s*\(.*?\)/g, ""],
  [/VIE Tiger/, "VI E"],
  [/Crusader/, "Crusdr"],
  [/Marmon-Herrington/, "M-H"],
  [/Motorcycle/, "M/cycle"],
  [/2pdr Portee/, "Portee"],
  [/Opel 6700 /, "Opel "],
];
const shortName = (name: string): string =>
  SHORTER.reduce((words, [from, to]) => words.replace(from, to), name)
    .trim()
    .slice(0, 10);

function tints(nation: string, wreck: boolean): string {
  if (wreck) return "--vb:var(--asl-wreck-2);--vl:color-mix(in srgb,var(--asl-wreck-2) 50%,#fff);--vd:#3b3832";
  const n = NATIONS[nation] ?? "neutral";
  return `--vb:var(--${n}-box);--vl:color-mix(in srgb,var(--${n}-box) 55%,#fff);--vd:color-mix(in srgb,var(--${n}) 55%,#000)`;
}

function afv(row: Row, turned: readonly number[], small: boolean, wreck: boolean, how: Plate): string {
  const size = 56;
  const a = size / 2;
  const nation = row["nation"] ?? "";
  const [vca = 1, tca] = turned;
  const [L] = hull(row);
  let px = small || wreck ? Math.min(8.4, 44 / L) : Math.min(6.6, 38 / L);
  if (vca % 3 !== 1 && !small) px *= 0.88; // on the slant it keeps clear of the corners
  const angle = FACE[vca] ?? 0;
  const turret = tca !== undefined && tca >= 0 && tca !== vca ? (FACE[tca] ?? null) : null;
  let o = `<g style="${tints(nation, wreck)}">${vehicle(row, angle, turret, px)}</g>`;
  const name = shortName(row["name"] ?? "");
  if (wreck)
    return plate(
      nation,
      size,
      `${o}<g class="pale" style="--ti:#e9e4d8">${text(-a + 3, -a + 10.4, name, 9.4, "start", 600)}</g>`,
      {
        ...how,
        wreck,
      },
    );
  if (!small) {
    o +=
      text(-a + 3, -a + 10.4, name, name.length < 9 ? 10 : 8.8, "start") +
      text(a - 3, -a + 11.4, row["mp"] ?? "", 12.4, "end");
    if (row["red_mp"] === "1") o += `<path d="M${a - 14} ${-a + 13}h11" stroke="var(--elite)" stroke-width="1.6"/>`;
    const caliber = row["ma_caliber"] ?? "";
    const ma = caliber + (row["ma_length"] ?? "");
    o += text(-a + 3, a - 3.4, ma, 13.4, "start");
    const rof = row["ma_rof"] ?? "";
    if (caliber && rof && rof !== "0") {
      const x = -a + 4 + ma.length * 6.1;
      o += box(x + 0.6, a - 13, 8.4, 10) + text(x + 4.8, a - 4.8, rof, 9.2);
    }
    if (row["top"] !== "UN")
      o += text(a - 3, a - 3.4, `${row["af_hull_front"] ?? ""}·${row["af_hull_side"] ?? ""}`, 12.4, "end");
  }
  return plate(nation, size, `<g class="halo">${o}</g>`, how) + facing(size, turned);
}

function gun(row: Row, turned: readonly number[], small: boolean, jammed: boolean, how: Plate): string {
  const size = 50;
  const a = size / 2;
  const caliber = Number(row["caliber"] ?? 40);
  const px = caliber < 60 ? 6.4 : caliber < 85 ? 5.4 : 4.5;
  const ca = turned[0] ?? 1;
  let o = `<g style="${tints(row["nation"] ?? "", false)}" transform="translate(0 -1.5)">${gunPlan(row, FACE[ca] ?? 0, px)}</g>`;
  if (!small) {
    o += text(-a + 3, -a + 10.4, row["kind"] ?? "", 10, "start");
    o += text(a - 3, -a + 10.4, row["manhandling"] ? `M${row["manhandling"]}` : "", 9.6, "end", 600);
    o += text(-a + 3, a - 3.4, `${row["caliber"] ?? ""}${row["length"] ?? ""}`, 14, "start");
    const rof = row["rof"] ?? "";
    if (rof && rof !== "0") o += box(a - 12, a - 14, 9, 11) + text(a - 7.5, a - 4.9, rof, 10);
  }
  return (
    plate(row["nation"] ?? "", size, `<g class="halo">${o}${jammed ? struck(size) : ""}</g>`, how) +
    facing(size, turned)
  );
}

/** What the other side sees: one back, whatever and however many lie beneath. */
export function unknown(nation: string): string {
  const inner = `<rect x="-19" y="-19" width="38" height="38" rx="${AXIS.has(nation) ? 1.5 : 4}" fill="none" stroke="${INK}" stroke-width=".9" opacity=".45"/>`;
  return plate(nation, 46, inner + text(0, 12, "?", 36));
}

const SIZES: Readonly<Record<string, number>> = { weapon: 38, gun: 50, vehicle: 56, wreck: 56 };

/** The side of a counter in pixels of the near zoom. */
export const sizeOf = (item: CounterItem): number => SIZES[item.symbol ?? ""] ?? 46;

/** Marks that are said by a tab, by a badge, or by the face of the counter itself. */
export function counter(item: CounterItem, row: Row, small: boolean, say: Say): string {
  const marks = new Set(item.marks ?? []);
  if (item.hidden) return unknown(item.nation ?? "");
  const broken = marks.has("broken");
  const how: Plate = { broken, dashed: marks.has("concealed") || marks.has("hidden") };
  const turned = item.facing ?? [];
  const jammed = marks.has("jammed");
  const face = ((): string => {
    switch (item.symbol) {
      case "leader":
      case "hero":
        return leader(row, item.symbol === "hero", broken, small, how, say);
      case "weapon":
        return weapon(row, jammed, how);
      case "gun":
        return gun(row, turned, small, jammed, how);
      case "vehicle":
        return afv(row, turned, small, false, how);
      case "wreck":
        return afv(row, turned, small, true, how);
      case "dummy":
        return plate(item.nation ?? "", 46, text(0, 9, "?", 26) + text(0, 19, say("dummy"), 9.6, "middle", 600), how);
      default:
        return men(row, item.symbol ?? "squad", broken, small, how, say);
    }
  })();
  return face + (small ? "" : badge(marks, sizeOf(item)) + tab(marks, sizeOf(item)));
}

/** Where the parts of a counter stand on it: what is read off its row, by the name of the fact. */
export function spot(part: string, item: CounterItem): Spot | null {
  if (item.marks?.includes("broken")) return part === "row.broken_morale" ? [15, 21, 15, 34] : null;
  return SPOTS[item.symbol ?? ""]?.[part] ?? null;
}

const INFANTRY: Readonly<Record<string, Spot>> = {
  "row.fp": [-13.5, 21, -13.5, 34],
  "row.range": [0, 21, 0, 34],
  "row.morale": [13.5, 21, 13.5, 34],
  "row.class": [-19, -16, -34, -16],
};
const SPOTS: Readonly<Record<string, Readonly<Record<string, Spot>>>> = {
  squad: INFANTRY,
  half_squad: INFANTRY,
  crew: INFANTRY,
  leader: { "row.morale": [17, -9, 34, -9], "row.leadership": [17, 13, 34, 13] },
};
