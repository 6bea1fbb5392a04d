import type { ChatLine } from "../../src/lib/api/types";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Grid } from "../../src/lib/table/map/geometry";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});
const { Sketch } = await import("../../src/lib/table/layers/sketch.svelte");
const { Talk } = await import("../../src/lib/table/frame/talk.svelte");

describe("a player's own drawing", () => {
  beforeEach(() => kept.clear());

  it("measures from one hex to another, and begins anew with a third press", () => {
    const sketch = new Sketch("g", new Talk("g"));
    sketch.take("ruler");
    sketch.press("0101");
    sketch.press("0104");
    expect([sketch.from, sketch.to]).toEqual(["0101", "0104"]);
    sketch.press("0202");
    expect([sketch.from, sketch.to]).toEqual(["0202", null]);
    expect(kept.size).toBe(0); // a ruler leaves nothing behind
  });

  it("draws arrows, takes one away that is drawn again, and remembers them game by game", () => {
    const sketch = new Sketch("g", new Talk("g"));
    sketch.take("arrow");
    for (const hex of ["01", "02", "03", "03", "02", "04"]) sketch.press(hex);
    expect(sketch.arrows).toEqual([
      { from: "01", to: "02" },
      { from: "02", to: "04" },
    ]);
    expect(new Sketch("g", new Talk("g")).arrows).toHaveLength(2);
    expect(new Sketch("another", new Talk("another")).arrows).toEqual([]);
    sketch.press("01");
    sketch.press("02");
    expect(sketch.arrows).toEqual([{ from: "02", to: "04" }]);
  });

  it("writes notes, one a hex; without words there is none", () => {
    const sketch = new Sketch("g", new Talk("g"));
    sketch.take("note");
    sketch.press("01");
    sketch.write("  hold here  ");
    expect(new Sketch("g", new Talk("g")).noteAt("01")).toBe("hold here");
    sketch.press("01");
    sketch.write("x".repeat(200));
    expect(sketch.noteAt("01")).toHaveLength(80);
    sketch.press("01");
    sketch.write(" ");
    expect(sketch.notes).toEqual([]);
  });

  it("rubs out what is at a hex, or everything", () => {
    const sketch = new Sketch("g", new Talk("g"));
    sketch.take("arrow");
    for (const hex of ["01", "02", "02", "03", "04", "05"]) sketch.press(hex);
    sketch.take("note");
    sketch.press("02");
    sketch.write("note");
    sketch.take("rub");
    sketch.press("02");
    expect(sketch.arrows).toEqual([{ from: "04", to: "05" }]);
    expect(sketch.notes).toEqual([]);
    sketch.clear();
    expect(new Sketch("g", new Talk("g")).arrows).toEqual([]);
  });

  it("goes back step by step", () => {
    const sketch = new Sketch("g", new Talk("g"));
    sketch.take("arrow");
    sketch.press("01");
    expect(sketch.back()).toBe(true);
    expect(sketch.from).toBeNull();
    expect(sketch.back()).toBe(true);
    expect(sketch.pen).toBeNull();
    expect(sketch.back()).toBe(false);
  });
});

describe("distances", () => {
  /** Some hexes of a grid by column and row, with pointy or flat tops. */
  function grid(orientation: "pointy" | "flat"): Grid {
    const radius = 100 / Math.sqrt(3);
    const high = (100 * Math.sqrt(3)) / 2;
    const hexes = [0, 1, 2, 3, 4].flatMap((across) =>
      [0, 1, 2, 3, 4].map((along) => {
        const [a, b] = [along * 100 + (across % 2) * 50, across * high];
        const [x, y] = orientation === "pointy" ? [a, b] : [b, a];
        return { id: `${across}${along}`, x, y, terrain: "clear" };
      }),
    );
    return new Grid({ orientation, directions: [], radius, width: 600, height: 600, hexes });
  }

  it.each(["pointy", "flat"] as const)("are counted in hexes, with %s tops", (orientation) => {
    const on = grid(orientation);
    expect(on.distance("00", "00")).toBe(0);
    expect(on.distance("00", "03")).toBe(3);
    expect(on.distance("00", "10")).toBe(1);
    expect(on.distance("00", "20")).toBe(2);
    expect(on.distance("00", "21")).toBe(2);
    expect(on.distance("00", "22")).toBe(3);
    expect(on.distance("00", "44")).toBe(6);
    expect(on.distance("44", "00")).toBe(6);
    expect(on.distance("40", "00")).toBe(4);
    expect(on.distance("00", "99")).toBeNaN();
  });

  it("shows what the others at the table draw last, until it is wiped off", () => {
    const talk = new Talk("g");
    const sketch = new Sketch("g", talk);
    const said = { guest: false, sides: ["axis"], system: false, text: "", at: "" };
    const line = (id: number, account: string, you: boolean, arrows: { start: string; end: string }[]): ChatLine => ({
      ...said,
      id,
      account,
      by: account,
      you,
      drawing: { arrows, notes: [] },
    });
    talk.hear([
      line(1, "erwin", false, [{ start: "01", end: "02" }]),
      line(2, "me", true, [{ start: "03", end: "04" }]),
    ]);
    talk.hear([{ ...said, id: 3, account: "erwin", by: "erwin", you: false, text: "look" }]);
    expect(sketch.shown.map(({ by, arrows }) => [by, arrows])).toEqual([["erwin", [{ from: "01", to: "02" }]]]);
    expect(sketch.showing).toBe(true);
    expect([sketch.meet(), sketch.meet()]).toEqual([true, false]); // and is met once,
    expect(new Sketch("g", talk).meet()).toBe(false); // in this browser
    sketch.wipe();
    expect(sketch.shown).toEqual([]);
    expect(new Sketch("g", talk).shown).toEqual([]); // and stays so
    talk.hear([line(4, "erwin", false, [{ start: "05", end: "06" }]), line(5, "me", true, [])]);
    expect(sketch.shown.map(({ id }) => id)).toEqual([4]);
    expect(sketch.meet()).toBe(true);
    expect(sketch.showing).toBe(false); // nothing of mine any more
    talk.hear([line(6, "erwin", false, [])]);
    expect(sketch.shown).toEqual([]);
  });
});
