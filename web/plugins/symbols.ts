/**
 * NATO symbols, drawn by milsymbol when the client is built: the browser gets a few hundred bytes a symbol and
 * not the library. `virtual:symbols` gives the inside of an SVG with the view box `SYMBOL_BOX`, by kind.
 */

import ms from "milsymbol";
import type { Plugin } from "vite";

const ID = "virtual:symbols";

/** Kind of troops -> entity and modifiers of a land unit in MIL-STD-2525D. */
const UNITS: Record<string, readonly [entity: string, first?: string, second?: string]> = {
  infantry: ["121100"],
  motorised_infantry: ["121104"],
  mechanised_infantry: ["121102"],
  mountain_infantry: ["121100", "00", "27"],
  naval_infantry: ["121103"],
  paratroops: ["121100", "00", "01"],
  motorised_paratroops: ["121104", "00", "01"],
  bicycle_infantry: ["121100", "00", "04"],
  machine_gun: ["121100", "00", "26"],
  armour: ["120500"],
  armoured_cars: ["121300", "00", "51"],
  recon: ["121300"],
  cavalry: ["121300"],
  armoured_recon: ["121302"],
  antitank: ["120400"],
  motorised_antitank: ["120402"],
  mobile_antitank: ["120401"],
  artillery: ["130300"],
  self_propelled_artillery: ["130301"],
  mortar: ["130800"],
  flak: ["130100"],
  engineer: ["140700"],
  signals: ["111000"],
  supply: ["163400"],
  transport: ["163600"],
  naval: ["170100"],
};

function draw(entity: string, first = "00", second = "00"): string {
  const symbol = new ms.Symbol(`1003100000${entity}${first}${second}`, {
    size: 100,
    fillColor: "var(--box)",
    strokeWidth: 6,
    outlineWidth: 0,
  });
  return symbol
    .asSVG()
    .replace(/^<svg[^>]*>|<\/svg>$/g, "")
    .replaceAll("black", "currentColor")
    .replaceAll(' fill-opacity="1"', "")
    .replaceAll('stroke-width="3"', 'stroke-width="5.5"')
    .replaceAll(" ></", "></");
}

export function symbols(): Plugin {
  return {
    name: "sandtable-symbols",
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load: (id) => {
      if (id !== `\0${ID}`) return null;
      const drawn = Object.fromEntries(Object.entries(UNITS).map(([kind, parts]) => [kind, draw(...parts)]));
      return `export const SYMBOLS = ${JSON.stringify(drawn)};`;
    },
  };
}
