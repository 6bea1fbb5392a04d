/** Works of Kasserine: rings in the ground around the counters, with a tag each; the shield of No Retreat. */
import type { MarkerItem } from "../../api/types";
import { english } from "../../i18n/said";

/** A ring inside the sides of a flat hex, in hundredths of a hex. */
const R = 50;
const CORNERS = [0, 60, 120, 180, 240, 300].map((angle) => {
  const at = (angle * Math.PI) / 180;
  return { angle, x: (R * Math.cos(at)).toFixed(1), y: (R * Math.sin(at)).toFixed(1) };
});
const RING = `M${CORNERS.map(({ x, y }) => `${x} ${y}`).join("L")}Z`;

/** Bastions are crenellated on Allied rings and square on Axis ones, so that shape tells the side too. */
const BASTION = {
  allied: "M-6 4V-3H-3.4V-5.6H-1.2V-3H1.2V-5.6H3.4V-3H6V4Z",
  axis: "M-5.6 4.4V-4.4H5.6V4.4Z",
};

const FORT = "M-12 4.6V-2.6H-9.8V-5H-8V-2.6H-6V-5H-4.2V-2.6H-2V4.6Z";
const MINE = "M-7 -5.4V5.4M-12.4 0H-1.6M-10.8 -3.8L-3.2 3.8M-10.8 3.8L-3.2 -3.8";

const ink = (marker: MarkerItem): string => `var(--work-${marker.side === "axis" ? "axis" : "allied"})`;

function ring(marker: MarkerItem): string {
  const colour = ink(marker);
  const halo = `<path d="${RING}" fill="none" stroke="var(--halo)" stroke-width="8" opacity=".8" stroke-linejoin="round"/>`;
  if (marker.kind === "minefield")
    return `${halo}<path d="${RING}" fill="none" stroke="${colour}" stroke-width="5.8" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="0 12.5"/>`;
  const building = marker.kind === "construction";
  const bastions = CORNERS.map(
    ({ angle, x, y }) =>
      `<path transform="translate(${x} ${y}) rotate(${angle + 90})" d="${BASTION[marker.side === "axis" ? "axis" : "allied"]}" fill="${building ? "var(--land)" : colour}" stroke="${colour}" stroke-width="1.3"/>`,
  );
  return `${halo}<path d="${RING}" fill="none" stroke="${colour}" stroke-width="2.4"${building ? ' stroke-dasharray="7 5"' : ""}/>${bastions.join("")}`;
}

/**
 * What it adds to the die; nothing yet while it is built, and nobody knows it of mines that are untried. It stands at the
 * right corner, where neither names nor counts are: at the left one, which the count of a neighbour comes near, only that of
 * a strongpoint with mines around it.
 */
function tag(marker: MarkerItem, mined: boolean): string {
  const [colour, mines, building] = [ink(marker), marker.kind === "minefield", marker.kind === "construction"];
  const label = english(marker.label ?? "");
  const value = building ? "…" : !mines ? "+1" : /^\+\d$/.test(label) ? label : "?";
  const sign = mines
    ? `<circle cx="-7" r="3.4" fill="${colour}"/><path d="${MINE}" stroke="${colour}" stroke-width="1.2"/>`
    : `<path d="${FORT}" fill="${colour}"/>`;
  const round = marker.side === "axis" ? 2 : 8;
  return (
    `<g transform="translate(${mined && !mines ? -49 : 49} 0)"><rect x="-15" y="-8" width="30" height="16" rx="${round}" fill="var(--surface)" stroke="${colour}" stroke-width="1.4"${building ? ' stroke-dasharray="3 2"' : ""}/>` +
    `${sign}<text x="7" y="4.6" font-size="12.5" font-weight="700" text-anchor="middle" fill="var(--ink)">${value}</text></g>`
  );
}

const SHIELD =
  '<g transform="translate(-33 -33)"><circle r="9.4" fill="var(--surface)" stroke="var(--ink)" stroke-width="1.7"/>' +
  '<path d="M-4.8 -5H4.8V.5C4.8 3.8 2 5.5 0 6.3C-2 5.5 -4.8 3.8 -4.8 .5Z" fill="var(--ink)"/><path d="M-2.8 -.5H2.8" stroke="var(--surface)" stroke-width="2.1"/></g>';

/** A work as SVG around the centre of its hex: its ring beneath the counters, its tag above them. */
export function work(marker: MarkerItem, under: boolean, beside: readonly MarkerItem[] = []): string | null {
  switch (marker.kind) {
    case "strongpoint":
    case "construction":
    case "minefield":
      return under
        ? ring(marker)
        : tag(
            marker,
            beside.some(({ kind }) => kind === "minefield"),
          );
    case "no_retreat":
      return under ? "" : SHIELD;
    default:
      return null;
  }
}
