import { expect, it } from "vitest";
import { tools } from "../../src/lib/table/layers/overlays";

const overlay = (id: string) => ({ id, title: id });
const keys = (ids: string[], seat: string | null) =>
  tools(ids.map(overlay), {}, seat, ["axis", "soviet"]).map(({ id, key, whose }) => [id, key, whose]);

it("gives the keys to one's own supply and to the enemy's zones", () => {
  const ids = ["limited_axis", "supply_axis", "zoc_axis", "supply_soviet", "zoc_soviet", "rail_axis"];
  expect(keys(ids, "axis")).toEqual([
    ["zoc_soviet", "z", "enemy"],
    ["zoc_axis", "", "own"],
    ["supply_axis", "s", "own"],
    ["supply_soviet", "", "enemy"],
    ["limited_axis", "", "own"],
    ["rail_axis", "", "own"],
  ]);
  expect(keys(ids, "soviet").filter(([, key]) => key)).toEqual([
    ["zoc_axis", "z", "enemy"],
    ["supply_soviet", "s", "own"],
  ]);
});

it("gives every key once, whoever looks", () => {
  const given = keys(["supply", "enemy_supply", "threat"], null)
    .map(([, key]) => key)
    .filter(Boolean);
  expect(given).toEqual(["s", "t"]);
});

it("has no two alike, whoever looks", () => {
  const caucasus = ["supply", "limited", "zoc", "rail", "control"].flatMap((one) => [`${one}_axis`, `${one}_soviet`]);
  const na41 = ["zoc", "overlapping", "supply", "port_supply", "threat", "air"].flatMap((one) => [
    `${one}_axis`,
    `${one}_soviet`,
  ]);
  const kasserine = ["supply", "roads", "zoc", "command", "guns"].flatMap((one) => [`${one}_axis`, `${one}_soviet`]);
  kasserine.push("fire_net_soviet", "threat_axis", "control_axis");
  for (const ids of [caucasus, na41, kasserine, ["supply", "enemy_supply", "threat"]]) {
    for (const seat of ["axis", "soviet", null]) {
      const faces = tools(ids.map(overlay), {}, seat, ["axis", "soviet"]).map(({ icon, shape }) => `${icon} ${shape}`);
      expect(new Set(faces).size, faces.join()).toBe(ids.length);
    }
  }
});

it("offers control from the scene if no overlay tells it", () => {
  expect(tools([], { control: { axis: ["0101"] } }).map(({ id, key }) => [id, key])).toEqual([["scene:control", "c"]]);
});
