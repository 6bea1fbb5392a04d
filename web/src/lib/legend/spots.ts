/** Where the parts of a counter stand on its drawing, and where their numbers go beside it: in a box from −24 to 24. */

import type { CounterItem } from "../api/types";

/** From the part to the number beside the counter. */
export type Spot = [x: number, y: number, outX: number, outY: number];

const OUT = 34;

/** A flat counter: values along the foot, circle on the right, steps on the left, the band of the formation on top. */
export function counterSpot(part: string, item: CounterItem): Spot | null {
  const strength = item.strength ? item.strength.split("-") : [];
  const many = Math.min(3, strength.length + (item.values?.length ?? 0));
  const places = many === 3 ? [-13.5, 0, 13.5] : many === 2 ? [-9, 9] : [0];
  const [name, index = "0"] = part.split(".");
  const x = places[Number(index) + (name === "values" ? strength.length : 0)];
  switch (name) {
    case "strength":
    case "values":
      return x === undefined ? null : [x, 21, x, OUT];
    case "tank":
      return [21.5, 1.2, OUT, 1.2];
    case "steps":
      return [-20.4, 4.4, -OUT, 6];
    case "range":
      return [-20.4, -5, -OUT, -8];
    case "formation":
      return item.band ? [-8, -21, -8, -OUT] : null;
    default:
      return null;
  }
}

/** A block: its strength stands on the upper edge of its label. */
export function blockSpot(part: string): Spot | null {
  return part === "strength.0" ? [-5, -14, -20, -OUT] : null;
}
