/** Tables as they are sent: actions verb by verb, and of a scene what is new. */
import { expect, it } from "vitest";

import { readActions, wholeScene } from "../../src/lib/api/brief";
import type { Scene } from "../../src/lib/api/types";

it("reads the actions of a verb column by column, in their order", () => {
  const delay = { template: "Delay marker {marker} at {hex}", facts: { marker: "1" } };
  const found = readActions([
    { do: "delay", args: { marker: "1", hex: ["2240", "0101"] }, labels: [delay] },
    {
      do: "to",
      args: { hex: ["0203", "0203", "0204"], mode: ["normal", "tactical", "normal"] },
      labels: ["plain", "tactical"],
      said: [0, 1, 0],
    },
    { do: "halt" },
  ]);
  expect(found).toEqual([
    { action: { do: "delay", marker: "1", hex: "2240" }, text: "delay 1 2240", label: delay },
    { action: { do: "delay", marker: "1", hex: "0101" }, text: "delay 1 0101", label: delay },
    { action: { do: "to", hex: "0203", mode: "normal" }, text: "to 0203 normal", label: "plain" },
    { action: { do: "to", hex: "0203", mode: "tactical" }, text: "to 0203 tactical", label: "tactical" },
    { action: { do: "to", hex: "0204", mode: "normal" }, text: "to 0204 normal", label: "plain" },
    { action: { do: "halt" }, text: "halt" },
  ]);
});

it("puts a scene together of what is new and what was there before", () => {
  const counter = (unit: string, hex: string) => ({ unit, side: "axis", hex });
  const before: Scene = {
    title: "May",
    counters: [counter("A", "0101"), counter("B", "0102"), counter("C", "0103")],
    notes: ["gone"],
  };
  const news: Scene = { counters: [counter("B", "0202"), counter("D", "0404")], active: "axis" };
  const found = wholeScene(news, { title: null, counters: [2, -1, 0, -1] }, before);
  expect(found).toEqual({
    title: "May",
    active: "axis",
    counters: [counter("C", "0103"), counter("B", "0202"), counter("A", "0101"), counter("D", "0404")],
  });
});
