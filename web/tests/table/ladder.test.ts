import { describe, expect, it } from "vitest";
import type { Ladder } from "../../src/lib/api/types";
import {
  answered,
  columnOf,
  goodChance,
  lines,
  numbered,
  window as shown,
  promised,
  uncapped,
} from "../../src/lib/table/odds/ladder";

const cell = (result: string, faces: number[], good: number) => ({
  result,
  chance: faces.length / 6,
  exact: "",
  faces,
  good,
  text: "",
});
const ladder: Ladder = {
  columns: ["1:1", "2:1", "3:1", "4:1", "5:1"].map((label) => ({
    label,
    cells: [cell("A1", [1], 0), cell("DR", [2], 0.5), cell("A1", [3], 0), cell("D1", [4, 5, 6], 1)],
  })),
  base: 1,
  shifts: [
    { value: 1, rule: "1", text: "tanks" },
    { value: 1, rule: "2", text: "guns", by: "decider" },
    { value: -1, rule: "3", text: "their guns", by: "answer", on: false },
    { value: 9, rule: "4", text: "a miracle", by: "decider", on: false },
  ],
};

describe("the column of a fight", () => {
  it("is moved by the shifts that count", () => {
    expect(columnOf(ladder)).toBe(3);
    expect(columnOf(ladder, new Set([1]))).toBe(2);
    expect(columnOf(ladder, new Set([1, 2]))).toBe(1);
  });

  it("stays on the table", () => {
    expect(columnOf(ladder, new Set([3]))).toBe(4);
    expect(columnOf({ ...ladder, shifts: [{ value: -7, rule: "", text: "" }] })).toBe(0);
  });

  it("may be answered", () => {
    expect(answered(ladder, new Set())).toBe(2);
    expect(answered(ladder, new Set([2]))).toBe(null);
    expect(answered({ ...ladder, shifts: [] }, new Set())).toBe(null);
  });
});

it("adds up what answers the question", () => {
  expect(goodChance(ladder.columns[0]!)).toBeCloseTo(0.5 / 6 + 0.5);
  expect(goodChance({ label: "", cells: [{ result: "", chance: 1, exact: "" }] })).toBe(null);
});

it("puts equal results together with all their faces", () => {
  expect(lines(ladder.columns[0]!).map(({ result, faces }) => [result, faces])).toEqual([
    ["A1", [1, 3]],
    ["DR", [2]],
    ["D1", [4, 5, 6]],
  ]);
});

it("shows the columns around the fight when there is no room for all", () => {
  expect(shown(ladder, 3, 9)).toEqual({ from: 0, to: 5 });
  expect(shown(ladder, 3, 3)).toEqual({ from: 1, to: 4 });
  expect(shown({ ...ladder, base: 4 }, 4, 3)).toEqual({ from: 2, to: 5 });
});

it("tells what a force is worth once, with the number first", () => {
  expect(numbered("9", "11 attack, counts as 9")).toEqual(["11", "attack, counts as 9"]);
  expect(numbered("6", "6 defence")).toEqual(["6", "defence"]);
  expect(numbered("6", "defence")).toEqual(["6", "defence"]);
});

it("promises the column that is read, with what the player adds himself", () => {
  const columns = ["6:1", "7:1", "8:1"].map((label) => ({
    label,
    cells: [],
    ...(label === "8:1" ? { read: "7:1" } : {}),
  }));
  const supply = {
    value: 2,
    rule: "8.5.1",
    text: "Attack supply",
    by: "decider",
    on: true,
    yes: "supply-",
    no: "no-supply",
  };
  const guns = {
    value: -1,
    rule: "9.4",
    text: "Their guns",
    by: "answer",
    on: false,
    yes: "artillery",
    no: "no-artillery",
  };
  const ladder: Ladder = { columns, base: 0, shifts: [supply, guns], forces: [] };
  expect(promised(ladder, new Set())).toEqual({ column: columns[2], added: ["Attack supply"] });
  expect(promised(ladder, new Set([0]))).toEqual({ column: columns[0], added: [] });
  expect(promised(ladder, new Set([1]))?.column.label).toBe("8:1"); // what the other side may answer is his affair
});

it("leaves numerals and initials as they are in the middle of a sentence", () => {
  expect(["Attack supply", "IV Air Corps", "X Corps", "Élan", "88mm", "航空支援", ""].map(uncapped)).toEqual([
    "attack supply",
    "IV Air Corps",
    "X Corps",
    "élan",
    "88mm",
    "航空支援",
    "",
  ]);
});
