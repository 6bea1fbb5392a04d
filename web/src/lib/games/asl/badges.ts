/** Small signs on the frame of a counter: what it fired at the top left, what it suffers at the top right. */

const INK = "var(--asl-badge-ink)";
const PAPER = "var(--asl-badge-paper)";
const RED = "var(--elite)";
const AMBER = "var(--asl-badge-amber)";

const disc = (fill: string, inside: string, edge = PAPER): string =>
  `<circle r="8.4" fill="${fill}" stroke="${edge}" stroke-width="1.5"/>${inside}`;
const word = (text: string, size: number, fill: string, y = 3.3): string =>
  `<g class="pale" style="--ti:${fill}"><text y="${y}" font-size="${size}" font-weight="700" text-anchor="middle">${text}</text></g>`;
const line = (d: string, colour = PAPER, width = 1.7, fill = "none"): string =>
  `<path d="${d}" fill="${fill}" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const pill = (text: string): string =>
  `<rect x="-10" y="-6.6" width="20" height="13.2" rx="3.4" fill="${PAPER}" stroke="${INK}" stroke-width="1.2"/>${word(text, 10, INK, 3.5)}`;
const BOLT = "M1.4-5.6L-3 .8H.6L-1.4 5.6L3.2-1.2H-.4Z";
const FLAME =
  "M0-5.6C3.8-2.2 4.6 .6 3 3.4C2.2 5 .8 5.4 0 5.4C-2.8 5.4-4.6 3-3.4 .2C-3-.8-1.8-1.6-1.6-3C-.6-2.4-.2-1.6 0-.6C.8-2 .8-3.8 0-5.6Z";

/** The gravest first: two of them are shown, the outermost the graver. */
const SIGNS: readonly (readonly [mark: string, sign: string])[] = [
  ["shocked", disc(RED, line(BOLT, PAPER, 0.6, PAPER))],
  ["burning", disc("var(--asl-fire)", line(FLAME, PAPER, 0.4, PAPER))],
  [
    "dm",
    `<path d="M0-10L10 0L0 10L-10 0Z" fill="${RED}" stroke="${PAPER}" stroke-width="1.4"/>${word("DM", 8.6, PAPER)}`,
  ],
  [
    "disrupted",
    `<path d="M0-10L10 0L0 10L-10 0Z" fill="${RED}" stroke="${PAPER}" stroke-width="1.4"/>${word("D", 9.6, PAPER)}`,
  ],
  [
    "immobile",
    disc(RED, line("M-5-2.6H-.8M1.8-2.6H5M-5 2.6H-1.8M.8 2.6H5M-5-2.6V2.6M5-2.6V2.6M1.6-5L-1.6 5", PAPER, 1.4)),
  ],
  ["jammed", disc(RED, line("M-4-4L4 4M4-4L-4 4", PAPER, 2))],
  ["melee", disc(RED, line("M-4-4L4 4M4-4L-4 4M-4.8 2L-2 4.8M4.8 2L2 4.8", PAPER, 1.5))],
  ["captive", disc(PAPER, line("M-4.6-3V3M-1.6-4V4M1.6-4V4M4.6-3V3", INK, 1.5), INK)],
  ["wounded", disc(PAPER, line("M0-4.6V4.6M-4.6 0H4.6", RED, 2.6), INK)],
  ["stunned", disc(AMBER, line(BOLT, PAPER, 0.6, PAPER))],
  [
    "bogged",
    disc(
      AMBER,
      `${line("M-5.2 2.2q1.3-1.6 2.6 0t2.6 0t2.6 0t2.6 0M-5.2 5q1.3-1.6 2.6 0t2.6 0t2.6 0", PAPER, 1.2)}<circle cy="-2" r="3.1" fill="none" stroke="${PAPER}" stroke-width="1.5"/>`,
    ),
  ],
  ["pinned", disc(INK, line("M0 5.5V.5M-3.4 .5H3.4L2-1.6V-5H-2V-1.6Z", PAPER, 1.3, PAPER))],
  ["cx", pill("CX")],
  ["ti", pill("TI")],
  ["abandoned", disc(PAPER, line("M-4.4-4.4H1.4V4.4H-4.4ZM-1 0H5.4M3-2.4L5.4 0L3 2.4", INK, 1.4), INK)],
  ["motion", disc(INK, line("M-4.4-3.6L-.8 0L-4.4 3.6M.6-3.6L4.2 0L.6 3.6"))],
  ["reversing", disc(INK, line("M4.4-3.6L.8 0L4.4 3.6M-.6-3.6L-4.2 0L-.6 3.6"))],
  ["hull_down", disc(PAPER, line("M-5.4 2.4H5.4M-3 .2H3V-2.4H-3ZM3-1.4H6", INK, 1.3), INK)],
  [
    "hidden",
    disc(
      PAPER,
      `${line("M-5.4 0C-3-3.6 3-3.6 5.4 0C3 3.6-3 3.6-5.4 0ZM-5-5L5 5", INK, 1.3)}<circle r="1.6" fill="${INK}"/>`,
      INK,
    ),
  ],
  ["concealed", disc(PAPER, word("?", 13, INK, 4.5), INK)],
  ["ce", disc(PAPER, word("CE", 8.6, INK), INK)],
  ["bu", disc(INK, word("BU", 8.6, PAPER))],
];

export function badge(marks: ReadonlySet<string>, size: number): string {
  const shown = SIGNS.filter(([mark]) => marks.has(mark)).slice(0, 2);
  return shown.map(([, sign], i) => `<g transform="translate(${size / 2 - i * 16} ${-size / 2})">${sign}</g>`).join("");
}

/** What was fired, as a tab on the left of the upper edge. */
const TABS: readonly (readonly [mark: string, text: string, dark: boolean])[] = [
  ["intensive", "INT", true],
  ["final_fired", "FINAL", true],
  ["spent_fire", "FINAL", true],
  ["bounded", "BOUND", false],
  ["opportunity", "OPP", false],
  ["prep_fired", "PREP", true],
  ["first_fired", "FIRST", false],
  ["fired", "FIRED", false],
];

export function tab(marks: ReadonlySet<string>, size: number): string {
  const found = TABS.find(([mark]) => marks.has(mark));
  if (!found) return "";
  const [, text, dark] = found;
  const wide = text.length * 4.7 + 7;
  const [fill, ink] = dark ? [INK, PAPER] : [PAPER, INK];
  return (
    `<g transform="translate(${-size / 2 - 2} ${-size / 2 - 5})"><rect width="${wide}" height="11.6" rx="2.4" fill="${fill}" stroke="${ink}" stroke-width="1.1"/>` +
    `<g class="pale" style="--ti:${ink}"><text x="${wide / 2}" y="9.1" font-size="9.4" font-weight="700" text-anchor="middle">${text}</text></g></g>`
  );
}
