import { expect, test } from "vitest";
import { captions, curve, FRAME, framed, losses, parts, readLines } from "../src/lib/analysis/curve";

const point = (n: number, chance: number, luck = 0) => ({
  n,
  label: `turn ${n}`,
  chance,
  low: chance - 0.1,
  high: chance + 0.1,
  luck,
  lost: [n, 2 * n],
});
const points = [point(10, 0.5), point(40, 0.25, 0.05), point(110, 0.75, 0.1)];
const turning = [{ start: 40, end: 110, before: 0.25, after: 0.75, luck: 0.05 }];

test("the curve goes from the left edge to the right, the first side above", () => {
  const { spots, line, band } = curve({ points, turning });
  expect(spots.map(({ x }) => x)).toEqual([FRAME.left, expect.any(Number), FRAME.width - FRAME.right]);
  expect(spots[2]!.y).toBeLessThan(spots[0]!.y);
  expect(spots[0]!.y).toBeLessThan(spots[1]!.y);
  expect(spots.map((one) => one.turning)).toEqual([false, true, true]);
  expect(line.match(/[ML]/g)).toHaveLength(3);
  expect(band.endsWith("Z")).toBe(true);
});

test("on a small screen the curve is as narrow as that, and its words keep their size", () => {
  const { spots } = curve({ points, turning }, framed(300));
  expect(spots.at(-1)!.x).toBe(300 - FRAME.right);
  expect(captions(spots, String, framed(300)).map(({ text }) => text)).toEqual(["turn 10"]);
  expect(framed(0)).toBe(FRAME);
});

test("a game without a moment draws nothing", () => {
  expect(curve({ points: [], turning: [] })).toEqual({ line: "", band: "", even: "", spots: [] });
});

test("captions keep apart and are not repeated", () => {
  const { spots } = curve({ points: [point(0, 0.5), point(1, 0.5), point(50, 0.5), point(100, 0.5)], turning: [] });
  expect(captions(spots, (label) => String(label)).map(({ text }) => text)).toEqual(["turn 0", "turn 50"]);
  expect(captions(spots, () => "May")).toHaveLength(1);
});

test("luck and decisions make up the change", () => {
  const { from, to, luck, rest } = parts({ points, luck: 0.1 });
  expect(from + luck + rest).toBeCloseTo(to);
});

test("losses are a line a side", () => {
  const found = losses({ points, lost: "Steps lost", sides: ["axis", "allied"] });
  expect(found?.lines.map((line) => line.at(-1)?.value)).toEqual([110, 220]);
  expect(found?.max).toBe(220);
  expect(losses({ points, lost: "", sides: ["axis", "allied"] })).toBeNull();
});

test("lines are read however the answer is cut", async () => {
  const text = new TextEncoder().encode('{"done":1,"todo":3}\n\n{"problem":{"why":"no","code":"x"}}\n');
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      for (const byte of text) control.enqueue(new Uint8Array([byte]));
      control.close();
    },
  });
  const told: unknown[] = [];
  await readLines(body, (line) => told.push(line));
  expect(told).toEqual([{ done: 1, todo: 3 }, { problem: { why: "no", code: "x" } }]);
});
