/** Chances as the server sends them: fractions written out, parts within parts. */

import { describe, expect, it } from "vitest";
import { fraction, readOdds } from "../src/lib/api/odds";
import type { Odds } from "../src/lib/api/types";

describe("chances", () => {
  it("become numbers", () => {
    expect(fraction("3/10")).toBeCloseTo(0.3);
    expect(fraction("1")).toBe(1);
  });

  it("bring their parts along, and the parts of these", () => {
    const attack: Odds = { title: "6732 at 3:2", results: [["DR", "7/10"]], parts: [{ title: "on the Mobile CRT" }] };
    const check: Odds = { title: "Avoid combat", results: [["success", "2/5"]], parts: [attack] };
    const read = readOdds(check);
    expect(read.parts.map((part) => part.title)).toEqual(["6732 at 3:2"]);
    expect(read.parts[0]?.results[0]).toEqual({ result: "DR", chance: 0.7, exact: "7/10" });
    expect(read.parts[0]?.parts[0]).toMatchObject({ title: "on the Mobile CRT", results: [], terms: [], ladder: null });
  });
});
