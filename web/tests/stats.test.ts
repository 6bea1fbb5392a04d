import { describe, expect, it } from "vitest";
import { momentsOf } from "../src/lib/stats/history";
import { moments, path, scale, series, shortened, ticks } from "../src/lib/stats/plot";

const FRAME = { width: 110, height: 60, left: 5, right: 5, top: 5, bottom: 5 };

describe("plots", () => {
  it("shortens labels between words", () => {
    expect(
      ["August 1941", "Turn 1 of 6", "Turn 12", "September 1941", "1941年8月"].map((label) => shortened(label)),
    ).toEqual(["August", "Turn 1", "Turn 12", "September", "1941年8月"]);
    expect(shortened("Gibraltar", 5)).toBe("Gibra");
  });

  it("turns samples into lines, with gaps where nothing is known", () => {
    const [strength] = series(
      [
        { n: 0, label: "", stats: [{ id: "s", title: "Strength", values: [10, null] }] },
        { n: 5, label: "", stats: [{ id: "s", title: "Strength", values: [8, 7] }] },
      ],
      2,
    );
    expect(strength).toEqual({
      id: "s",
      title: "Strength",
      max: 10,
      lines: [
        [
          { n: 0, value: 10 },
          { n: 5, value: 8 },
        ],
        [
          { n: 0, value: null },
          { n: 5, value: 7 },
        ],
      ],
    });
  });

  it("draws steps, and lifts the pen over gaps", () => {
    const to = scale(FRAME, 0, 10, 10);
    expect(
      path(
        [
          { n: 0, value: 10 },
          { n: 5, value: 10 },
          { n: 10, value: 0 },
        ],
        to,
      ),
    ).toBe("M5.0 5.0H55.0H105.0V55.0");
    expect(
      path(
        [
          { n: 0, value: 0 },
          { n: 5, value: null },
          { n: 10, value: 10 },
        ],
        to,
      ),
    ).toBe("M5.0 55.0M105.0 5.0");
  });

  it("has round marks that reach the highest value", () => {
    expect(ticks(0)).toEqual([0, 1]);
    expect(ticks(37, 3)).toEqual([0, 20, 40]);
    expect(ticks(3, 3)).toEqual([0, 1, 2, 3]);
    for (const max of [1, 7, 19, 100, 256]) expect(ticks(max).at(-1)).toBeGreaterThanOrEqual(max);
  });

  it("spreads moments over a game, both ends among them", () => {
    expect(moments(0)).toEqual([0]);
    expect(moments(3)).toEqual([0, 1, 2, 3]);
    const many = moments(1000, 20);
    expect(many.length).toBe(20);
    expect([many[0], many.at(-1)]).toEqual([0, 1000]);
  });

  it("prefers the beginnings of parts", () => {
    const events = Array.from({ length: 200 }, (_, n) => ({
      n,
      event: n % 20 === 0 ? "turn" : "moved",
      rule: "",
      text: "",
    }));
    expect(momentsOf(events, new Set(["turn"]), 199)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 199]);
    expect(momentsOf(events, new Set(["turn"]), 199, 5)).toHaveLength(5);
    expect(momentsOf(events.slice(0, 3), new Set(["turn"]), 2)).toEqual([0, 1, 2]);
  });
});
