/**
 * A table of printed counters over any map: what a hex-and-counter game puts into its scene, laid over the game that
 * is being played, so that every part of the scene's contract is seen in the browser whichever games there are.
 */
import type { Route } from "playwright-core";
import type { CounterItem, GameDetail, Odds, Scene, TableState } from "../../src/lib/api/types";
import type { Visitor } from "./stage";

const KINDS = [
  "panzer",
  "infantry",
  "motorised_infantry",
  "panzergrenadier",
  "mountain",
  "naval_infantry",
  "cavalry",
  "hq",
  "anti_tank",
  "assault_gun",
  "flak",
  "security",
];
const NATIONS = [
  ["de", "de", "ss", "ro", "it", "sk"],
  ["su", "su", "sg", "nk", "sn", "su"],
] as const;
const MARKS = [
  [],
  [],
  [],
  ["out_of_supply"],
  [],
  ["disrupted"],
  ["moved"],
  [],
  ["limited_supply"],
  [],
  ["assault"],
  ["isolated", "disrupted"],
  ["rail"],
  ["besieged"],
];

function printed(item: CounterItem, i: number, sides: readonly string[]): CounterItem {
  const second = sides.indexOf(item.side) > 0;
  const symbol = KINDS[i % KINDS.length]!;
  const head = symbol === "hq";
  const nation = NATIONS[second ? 1 : 0][i % 6]!;
  const [attack, defence, movement] = [2 + ((i * 7) % 9), 3 + ((i * 5) % 7), symbol === "infantry" ? 3 : 5];
  const full = 1 + (i % 3);
  const made: CounterItem = {
    side: item.side,
    unit: item.unit ?? `X-${i}`,
    label: ["I/5", "104", "13 Pz", "3 RTR", "Wiking", "III/104"][i % 6]!,
    name: `Unit ${i}`,
    detail: `Unit ${i}, ${symbol.replaceAll("_", " ")} ${attack}-${defence}-${movement}`,
    symbol,
    size: ["II", "III", "X", "XX"][i % 4]!,
    nation,
    band: `band-${1 + (i % 10)}`,
    strength: head ? "(2)" : i % 7 === 3 ? `${attack}⁵-${defence}` : `${attack}-${defence}`,
    values: [head ? "R6" : String(movement)],
    boxed:
      i % 4 === 0 ? ["", "elite", ""] : i % 4 === 1 ? ["", "low", ""] : i % 9 === 2 ? ["elite", "", ""] : ["", "", ""],
    steps: [Math.max(1, full - (i % 2)), full],
    marks: [...MARKS[i % MARKS.length]!],
  };
  if (item.hex) made.hex = item.hex;
  if (item.box) made.box = item.box;
  if (symbol === "panzer" || symbol === "assault_gun") made.tank = String(1 + (i % 3));
  if (symbol === "anti_tank" || symbol === "flak") Object.assign(made, { tank: "1", tank_hollow: true });
  return made;
}

export function printedScene(scene: Scene, sides: readonly string[]): Scene {
  return {
    ...scene,
    title: "Turn 17",
    subtitle: "Nov II 1941 • Impulse 1 of 3",
    counters: (scene.counters ?? []).map((item, i) => printed(item, i, sides)),
    hands: [],
    boxes: [...(scene.boxes ?? []), { id: "cadre", title: "Cadre", count: 4, note: "1 a turn", rule: "17.1" }],
    tracks: [
      { id: "turn", title: "Turn", cells: Array.from({ length: 16 }, (_, i) => String(i + 1)), now: 3 },
      { id: "italy", title: "Italy", value: "2 SP" },
      { id: "resource", title: "Resource pts", pips: [2, 4] },
      { id: "malta", title: "Malta", cells: ["-2", "-1", "0", "+1", "+2", "+3", "+4"], now: 5 },
      { id: "leader", title: "Leader", value: "Ready", tone: "good" },
    ],
    notes: [],
  };
}

const CODES: Record<string, [string, number]> = {
  A1: ["The attacker loses a step", 0],
  EX: ["Both lose a step, no retreat", 0],
  DR: ["Retreat 2", 2 / 3],
  "A1/D1": ["Both lose a step, retreat 2", 0.5],
  D1: ["Loses a step, retreat 2 or 3", 2 / 3],
  "D1-B": ["Loses a step, full retreat", 1],
};
const TABLE: Record<string, readonly string[]> = {
  "1:2": ["A1", "A1", "A1", "A1", "EX", "DR"],
  "1:1": ["A1", "A1", "A1", "EX", "DR", "DR"],
  "2:1": ["A1", "A1", "EX", "DR", "DR", "A1/D1"],
  "3:1": ["A1", "EX", "DR", "DR", "A1/D1", "D1"],
  "4:1": ["EX", "DR", "DR", "A1/D1", "D1", "D1"],
  "5:1": ["EX", "DR", "A1/D1", "DR", "D1", "D1-B"],
  "6:1": ["A1/D1", "DR", "D1", "D1", "D1", "D1-B"],
  "7:1": ["A1/D1", "D1", "D1", "D1", "D1-B", "D1-B"],
};

/** Odds of 2:1 with three shifts to the right, one of which may be dropped, and an answer of the other side. */
export function ladderOdds(scene: Scene, seat: string, hex: string, from: readonly string[]): Odds {
  const at = (side: boolean, hexes: readonly string[]): string[] =>
    (scene.counters ?? []).flatMap((item) =>
      (item.side === seat) === side && item.hex && hexes.includes(item.hex) && item.unit ? [item.unit] : [],
    );
  const enemy = (scene.counters ?? []).find((item) => item.side !== seat)?.side ?? "";
  const columns = Object.entries(TABLE).map(([label, row], i) => ({
    label,
    cells: row.map((result, k) => ({
      result,
      chance: "1/6",
      text: CODES[result]?.[0] ?? "",
      faces: [k + 1],
      good: String(CODES[result]?.[1] ?? 0),
    })),
    lost: [`${8 - i}/8`, `${i}/7`],
  }));
  return {
    title: "Attack Gabr Saleh",
    terms: [],
    results: [["EX", "1"]],
    ladder: {
      columns,
      base: 2,
      shifts: [
        { value: 1, rule: "9.2", text: "Tank value 3 against 2" },
        { value: 1, rule: "9.3a", text: "Elite tanks with elite infantry" },
        {
          value: 1,
          rule: "9.4",
          text: "Artillery support, Arko 104",
          note: "Flips to depleted; 3 hexes away, range 4",
          by: "decider",
        },
        {
          value: -1,
          rule: "9.4b",
          text: "They may answer with corps artillery",
          note: "Then 4:1",
          by: "answer",
          on: false,
        },
      ],
      forces: [
        { side: seat, units: at(true, from), value: "51", text: "attack, counts as 30", rule: "8.8", hexes: [...from] },
        { side: enemy, units: at(false, [hex]), value: "15", text: "defence", rule: "8.1", hexes: [hex] },
      ],
      question: ["Gabr Saleh is yours", "They hold"],
      legend: ["retreats", "holds, with determined defence"],
      legend_rule: "11.1",
      unit: "Steps",
      hex,
    },
  };
}

/** Lays printed counters over the game that a visitor plays. */
export async function layPrinted({ context }: Visitor): Promise<void> {
  let sides: string[] = [];
  const json = async <T>(route: Route, change: (body: T) => T): Promise<void> => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    return route.fulfill({ response: answer, json: change((await answer.json()) as T) });
  };
  await context.route(/\/api\/catalogue\/[^/?]+(\?.*)?$/, (route) =>
    json<GameDetail>(route, (detail) => {
      sides = detail.sides;
      const nations = Object.fromEntries(NATIONS.flat().map((nation) => [nation, nation]));
      return { ...detail, look: detail.look ? { ...detail.look, blocks: false, nations } : null };
    }),
  );
  await context.route(/\/api\/games\/[^/]+\/table/, (route) =>
    json<TableState>(route, (table) => ({ ...table, scene: printedScene(table.scene, sides) })),
  );
}
