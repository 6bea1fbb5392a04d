import { expect, it } from "vitest";
import type { MarkerItem } from "../src/lib/api/types";
import { work } from "../src/lib/games/kasserine/works";

const marker = (kind: string): MarkerItem => ({ hex: "5421", kind, label: "+1", side: "allied", rule: "11.13a" });
const [fort, mines] = [marker("strongpoint"), marker("minefield")];
const side = (svg: string | null): string => /translate\((-?\d+) 0\)/.exec(svg ?? "")?.[1] ?? "";

it("puts the tag of a strongpoint where no neighbour's count is, and beside that of mines", () => {
  expect(side(work(fort, false, [fort]))).toBe("49");
  expect(side(work(mines, false, [mines]))).toBe("49");
  expect([fort, mines].map((one) => side(work(one, false, [fort, mines])))).toEqual(["-49", "49"]);
});
