import { describe, expect, it } from "vitest";
import type { GridInfo } from "../../src/lib/api/types";
import { curve, Grid, step } from "../../src/lib/table/map/geometry";

const R = 100 / Math.sqrt(3);
const hexes: GridInfo["hexes"] = [];
for (let row = 0; row < 4; row++) {
  for (let column = 0; column < 5; column++) {
    hexes.push({
      id: `${row}${column}`,
      x: 100 + column * 100 + (row % 2 ? 50 : 0),
      y: 100 + row * 100 * (Math.sqrt(3) / 2),
      terrain: "land",
    });
  }
}
const grid = new Grid({
  orientation: "pointy",
  directions: ["E", "NE", "NW", "W", "SW", "SE"],
  radius: R,
  width: 700,
  height: 600,
  hexes,
});

describe("hexes on the sheet", () => {
  it("finds the hex under a point, and none beyond the edge", () => {
    for (const hex of hexes) {
      expect(grid.at(hex.x + 30, hex.y + 20)?.id).toBe(hex.id);
      expect(grid.at(hex.x - 48, hex.y)?.id).toBe(hex.id);
    }
    expect(grid.at(20, 20)).toBeNull();
  });

  it("knows neighbours and the sides between", () => {
    expect(grid.neighbour("11", "E")?.id).toBe("12");
    expect(grid.neighbour("11", "NE")?.id).toBe("02");
    expect(grid.neighbour("11", "NW")?.id).toBe("01");
    expect(grid.neighbour("00", "W")).toBeNull();
    expect(grid.middle("11", "E")).toEqual({ x: 300, y: hexes[6]!.y });
  });

  it("draws a line around a set without the sides inside", () => {
    const sides = (ids: string[]) => grid.outline(new Set(ids)).split("M").length - 1;
    expect(sides(["11"])).toBe(6);
    expect(sides(["11", "12"])).toBe(10);
    expect(sides(["11", "12", "02"])).toBe(12);
  });

  it("walks by arrows", () => {
    expect(step(grid, "11", "ArrowRight")?.id).toBe("12");
    expect(step(grid, "11", "ArrowLeft")?.id).toBe("10");
    const up = step(grid, "21", "ArrowUp")!;
    expect(step(grid, up.id, "ArrowDown")?.id).toBe("21");
  });

  it("draws curves through all points", () => {
    expect(curve([{ x: 0, y: 0 }])).toBe("M0 0");
    expect(
      curve([
        { x: 0, y: 0 },
        { x: 10, y: 0 },
      ]),
    ).toMatch(/^M0 0C.* 10 0$/);
  });
});
