/** What lies in the ground, in the air and on a hex: works beneath the counters, clouds, marks. In hundredths of a hex. */
import type { HexInfo, MarkerItem } from "../../api/types";
import { english } from "../../i18n/said";

/** The same numbers for the same hex, so that a work is drawn alike every time. */
function* numbers(seed: string): Generator<number, never> {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  for (;;) {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    yield ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  }
}

function sangar(hex: string): string {
  const dice = numbers(hex);
  const random = (): number => dice.next().value;
  let stones = "";
  for (let i = 0; i < 17; i++) {
    const a = (2 * Math.PI * i) / 17 + random() * 0.1;
    const q = 38.7 + random() * 2;
    const [w, h] = [7.2 + random() * 2, 5.2 + random() * 1.4];
    stones +=
      `<g transform="translate(${(q * Math.cos(a)).toFixed(1)} ${(q * Math.sin(a)).toFixed(1)}) rotate(${((a * 180) / Math.PI + 90).toFixed(0)})">` +
      `<rect x="${-w}" y="${-h}" width="${2 * w}" height="${2 * h}" rx="2.8" fill="var(--asl-stone)" stroke="var(--asl-stone-ink)" stroke-width="1"/>` +
      `<rect x="${-w + 1.2}" y="${-h + 1}" width="${2 * w - 4}" height="${h * 0.8}" rx="1.6" fill="var(--asl-stone-lit)" opacity=".85"/></g>`;
  }
  return `<circle r="42" fill="var(--asl-shade)" opacity=".16" transform="translate(2 3)"/><circle r="36" fill="var(--asl-ground)" opacity=".55"/>${stones}`;
}

const FOXHOLES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "1": [[0, 29]],
  "2": [
    [-22, 26],
    [22, 26],
  ],
  "3": [
    [-29, 21],
    [0, 31],
    [29, 21],
  ],
};

function foxhole(label: string): string {
  const room = /\d/.exec(label)?.[0] ?? "1";
  return (FOXHOLES[room] ?? [])
    .map(
      ([x, y]) =>
        `<g transform="translate(${x} ${y})"><ellipse rx="14.4" ry="9.7" fill="var(--asl-spoil)" stroke="var(--asl-work)"/><ellipse rx="10" ry="6" cy=".6" fill="var(--asl-pit)" stroke="var(--asl-work)"/></g>`,
    )
    .join("");
}

const trench =
  '<path d="M-36 26l9-6 9 7 9-7 9 7 9-7 9 7 9-7 9 6" fill="none" stroke="var(--asl-spoil)" stroke-width="20" stroke-linejoin="round" stroke-linecap="round"/>' +
  '<path d="M-36 26l9-6 9 7 9-7 9 7 9-7 9 7 9-7 9 6" fill="none" stroke="var(--asl-work)" stroke-width="12" stroke-linejoin="round" stroke-linecap="round"/>' +
  '<path d="M-36 26l9-6 9 7 9-7 9 7 9-7 9 7 9-7 9 6" fill="none" stroke="var(--asl-pit)" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"/>';

const wire =
  `<path d="M-42 28${"q3.4-17 8.4-2.4t0 2.4".repeat(10)}" fill="none" stroke="var(--asl-wire)" stroke-width="1.4"/>` +
  '<path d="M-43 30H43" stroke="var(--asl-wire)"/><path d="M-37 37l6-17m0 17l-6-17M-3 37l6-17m0 17l-6-17M31 37l6-17m0 17l-6-17" stroke="var(--asl-wire)" stroke-width="2.1" stroke-linecap="round"/>';

function mines(label: string): string {
  const edge = [0, 1, 2, 3, 4, 5]
    .map((i) => `${(51.5 * Math.cos((i * Math.PI) / 3)).toFixed(1)} ${(51.5 * Math.sin((i * Math.PI) / 3)).toFixed(1)}`)
    .join("L");
  const one = (x: number, y: number): string =>
    `<g transform="translate(${x} ${y})"><circle r="3.9" fill="var(--asl-mine)"/><path d="M0-7V7M-7 0H7M-4.8-4.8L4.8 4.8M-4.8 4.8L4.8-4.8" stroke="var(--asl-mine)" stroke-width="1.2"/></g>`;
  const wide = 14 + label.length * 6.5;
  return (
    `<path d="M${edge}Z" fill="var(--asl-mine-fill)" stroke="var(--asl-mine)" stroke-width="2" stroke-dasharray="1 5.2" stroke-linecap="round"/>` +
    [one(-31, -7), one(-17, -28), one(17, -28), one(31, -7), one(-28, 21), one(28, 21)].join("") +
    `<g transform="translate(0 36)"><rect x="${-wide / 2}" y="-9" width="${wide}" height="16" rx="3.4" fill="var(--surface)" stroke="var(--asl-mine)" stroke-width="1.3"/><text y="3.7" font-size="12" font-weight="700" text-anchor="middle" fill="var(--asl-mine)">${label}</text></g>`
  );
}

function cloud(hex: string, colour: string, label: string, thin: boolean): string {
  const dice = numbers(hex + colour);
  const random = (low: number, high: number): number => low + (high - low) * dice.next().value;
  const puffs = Array.from({ length: 13 }, () => [random(-30, 30), random(-23, 23), random(13, 23)] as const);
  const ink = `var(--asl-${colour}-ink)`;
  const fill = `var(--asl-${colour})`;
  return (
    `<g opacity="${thin ? 0.42 : 0.66}">${puffs.map(([x, y, r]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" fill="${fill}"/>`).join("")}</g>` +
    puffs
      .slice(0, 7)
      .map(
        ([x, y, r]) =>
          `<path d="M${(x - r * 0.6).toFixed(1)} ${y.toFixed(1)}a${(r * 0.6).toFixed(1)} ${(r * 0.55).toFixed(1)} 0 0 1 ${(r * 1.1).toFixed(1)} ${(-r * 0.2).toFixed(1)}" fill="none" stroke="${ink}" opacity=".5"/>`,
      )
      .join("") +
    `<g transform="translate(0 -34)"><rect x="-17" y="-9" width="34" height="17" rx="8.5" fill="${fill}" stroke="${ink}" stroke-width="1.4"${thin ? ' stroke-dasharray="3 2.4"' : ""}/><text y="4.4" font-size="13" font-weight="700" text-anchor="middle" fill="${ink}">${label}</text></g>`
  );
}

const edge = [0, 1, 2, 3, 4, 5]
  .map((i) => `${(55 * Math.cos((i * Math.PI) / 3)).toFixed(1)} ${(55 * Math.sin((i * Math.PI) / 3)).toFixed(1)}`)
  .join("L");

/** The hex that one's own fire is aimed at. */
const target = `<path d="M${edge}Z" fill="var(--bad)" fill-opacity=".13" stroke="var(--bad)" stroke-width="3.4" stroke-linejoin="round"/>`;

const residual = (label: string): string =>
  `<g transform="translate(26 30)"><path d="M-5-12.2H5L12.2-5V5L5 12.2H-5L-12.2 5V-5Z" fill="var(--surface)" stroke="var(--asl-rfp)" stroke-width="2"/><path d="M-5-12.2v-3.4M5-12.2v-3.4M-5 12.2v3.4M5 12.2v3.4" stroke="var(--asl-rfp)" stroke-width="1.6"/><text y="5.2" font-size="15" font-weight="700" text-anchor="middle" fill="var(--asl-rfp)">${label}</text></g>`;

const SIDES: Readonly<Record<string, string>> = {
  N: "0 -50",
  NE: "43.3 -25",
  SE: "43.3 25",
  S: "0 50",
  SW: "-43.3 25",
  NW: "-43.3 -25",
};

const diamond = (r: number): string =>
  `<rect x="${-r}" y="${-r}" width="${2 * r}" height="${2 * r}" transform="rotate(45)" fill="var(--surface)" stroke="var(--asl-lane)" stroke-width="1.8"/>`;

/** A dash-dot with a diamond through the hex, beneath the counters; above them the FP, where the lane's counter lies. */
function lane(label: string, directions: readonly string[], under: boolean): string {
  if (!under)
    return label
      ? `<g transform="translate(-27 28)">${diamond(9.4)}<text y="5" font-size="14" font-weight="700" text-anchor="middle" fill="var(--asl-lane)">${label}</text></g>`
      : "";
  const ways = directions.map((one) => `M0 0L${SIDES[one] ?? "0 0"}`).join("");
  return `<path d="${ways}" fill="none" stroke="var(--asl-lane)" stroke-width="3" stroke-dasharray="9 4 2 4"/>${diamond(4.6)}`;
}

/** A bundle of brushwood across the bed of a wadi. */
const fascine =
  '<g transform="rotate(-14)"><path d="M-30-9H30M-31-3H31M-31 3H31M-30 9H30" stroke="var(--asl-spoil)" stroke-width="7" stroke-linecap="round"/>' +
  '<path d="M-30-6H30M-31 0H31M-30 6H30M-14-13V13M14-13V13" stroke="var(--asl-work)" stroke-width="1.6" stroke-linecap="round"/></g>';

const wreckFire =
  '<path d="M0-18C12-7 15 2 10 11C7 16 3 17 0 17C-9 17-15 10-11 1C-10-3-6-5-5-10C-2-8-1-5 0-2C3-6 3-12 0-18Z" fill="var(--asl-fire)" opacity=".8"/>';

/** Kinds that lie beneath the counters; clouds lie above the ground too. */
const MINES: Readonly<Record<string, string>> = {
  minefield: "?",
  dummy_minefield: "0",
  known_minefield_ap: "AP",
  known_minefield_at: "AT",
};
const BENEATH = new Set([
  ...["sangar", "foxhole", "trench", "wire", "fascine", "target", "smoke", "dispersed_smoke", "dust", "blaze"],
  ...Object.keys(MINES),
]);

/** A marker as SVG around the centre of its hex; "" where it belongs to the other layer, null if it is unknown here. */
export function work(marker: MarkerItem, under: boolean): string | null {
  const label = english(marker.label ?? "");
  if (marker.kind === "fire_lane") return lane(label, marker.directions ?? [], under);
  if (BENEATH.has(marker.kind) !== under) return KNOWN.has(marker.kind) ? "" : null;
  switch (marker.kind) {
    case "sangar":
      return sangar(marker.hex);
    case "foxhole":
      return foxhole(label);
    case "trench":
      return trench;
    case "wire":
      return wire;
    case "fascine":
      return fascine;
    case "target":
      return target;
    case "smoke":
      return cloud(marker.hex, "smoke", label, false);
    case "dispersed_smoke":
      return cloud(marker.hex, "smoke", label, true);
    case "dust":
      return cloud(marker.hex, "dust", label, false);
    case "blaze":
      return wreckFire;
    case "residual":
      return residual(label);
    default:
      return MINES[marker.kind] ? mines([MINES[marker.kind], label].filter(Boolean).join(" ")) : null;
  }
}

const KNOWN = new Set([...BENEATH, "residual"]);

/** Of the ground of a hex what is highest or deepest, as the map itself is tinted. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^level [3-9]/, "asl-l3"],
  [/^level 2/, "asl-l2"],
  [/^level 1/, "asl-l1"],
  [/^(level ½|hillock|summit)/, "asl-l05"],
  [/^(wadi|level −)/, "asl-wadi-floor"],
  [/^dune/, "asl-dune"],
  [/^deir/, "asl-deir"],
];
const GROUNDS: readonly (readonly [RegExp, string])[] = [
  [/sand/, "asl-sand"],
  [/scrub|brush|grain/, "asl-scrub"],
  [/hammada|crag|broken|tomb/, "asl-hammada"],
  [/oasis|orchard|vineyard|cactus|olive|woods/, "asl-palm"],
  [/building/, "asl-roof"],
];

/** The token of a hex on the overview. */
export function tint({ terrain, tags }: HexInfo): string | null {
  const form = FORMS.find(([pattern]) => (tags ?? []).some((tag) => pattern.test(tag)));
  return (form ?? GROUNDS.find(([pattern]) => pattern.test(terrain)))?.[1] ?? null;
}
