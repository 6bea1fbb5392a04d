import { describe, expect, it } from "vitest";
import { check, commitmentOf, diceOf, fromHex, type DiceFacts } from "../src/lib/panels/dice";

/** What `sandtable.engine.dice` gives for the seed of number 7. */
const SEED = "8c200a7034a6b6bedb285822a4d78a3d79ff2069069284b73b44c4262d59a899";
const COMMITMENT = "92c231887279b5ecec3d5d482f57b780760eb77f0bb6108eb866f75d6289ad11";
const SIXES = [5, 3, 3, 6, 1, 5, 2, 4, 3, 4, 6, 6];
const MIXED: [number, number][] = [
  [42, 28],
  [41, 9],
  [10, 4],
  [100, 89],
  [3, 1],
];

function facts(change: Partial<DiceFacts> = {}): DiceFacts {
  return {
    commitment: COMMITMENT,
    seed: SEED,
    rolls: [
      { n: 3, dice: SIXES.slice(0, 5).map((value, index) => ({ index, sides: 6, value })) },
      { n: 9, dice: MIXED.map(([sides, value], i) => ({ index: 40 + i, sides, value })) },
    ],
    ...change,
  };
}

describe("the dice of the server, in the browser", () => {
  it("has the same commitment", async () => {
    expect(await commitmentOf(SEED)).toBe(COMMITMENT);
  });

  it("derives the same faces", async () => {
    const die = await diceOf(SEED);
    expect(await Promise.all(SIXES.map((_, i) => die(i, 6)))).toEqual(SIXES);
    expect(await Promise.all(MIXED.map(([sides], i) => die(40 + i, sides)))).toEqual(MIXED.map(([, value]) => value));
  });

  it("finds honest dice fair", async () => {
    expect(await check(facts())).toEqual({ committed: true, dice: 10, faults: [] });
  });

  it("finds a changed die", async () => {
    const honest = facts();
    const first = honest.rolls[0]!;
    const wrong = {
      ...first,
      dice: first.dice.map((die, i) => (i === 2 ? { ...die, value: (die.value % 6) + 1 } : die)),
    };
    const verdict = await check({ ...honest, rolls: [wrong, honest.rolls[1]!] });
    expect(verdict.faults).toEqual([{ n: 3, index: 2, shown: (SIXES[2]! % 6) + 1, derived: SIXES[2] }]);
  });

  it("finds a seed that was not committed to", async () => {
    const verdict = await check(facts({ seed: SEED.replace(/^../, "00") }));
    expect(verdict.committed).toBe(false);
    expect(verdict.faults.length).toBeGreaterThan(0);
  });

  it("leaves dice out that another seed rolled", async () => {
    expect((await check(facts({ from_entry: 3 }))).dice).toBe(5);
  });

  it("needs the seed", async () => {
    await expect(check(facts({ seed: null }))).rejects.toThrow();
    expect(() => fromHex("0g")).toThrow();
  });
});
