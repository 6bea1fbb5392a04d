/** What stands in the panel: rows, and the main button that Enter presses. */
import { expect, it } from "vitest";
import { matching, readChoices, targets, verbsByWord, type Pick } from "../../src/lib/table/decision/choices";
import { offerOf } from "../../src/lib/table/decision/offer";

const verbs = verbsByWord([
  ...["stand", "avoid"].map((word) => ({ word, args: [{ name: "hex", kind: "hex" }] })),
  ...["lead", "move"].map((word) => ({ word, args: [{ name: "unit", kind: "unit" }] })),
  ...["yield", "end", "event"].map((word) => ({ word, args: [] })),
]);

function offer(
  title: string,
  texts: string[],
  look: { listed?: string[]; onward?: string[] } = {},
  draft: Pick[] = [],
) {
  const items = texts.map((text) => {
    const [verb = "", value] = text.split(" ");
    const name = verbs.get(verb)?.args?.[0]?.name;
    return { action: name && value ? { do: verb, [name]: value } : { do: verb }, label: text, text };
  });
  const all = readChoices(items, verbs);
  const { rows, main } = offerOf({
    all,
    left: matching(all, draft),
    ready: targets(all, draft).ready,
    draft,
    title,
    ...look,
  });
  return { rows: rows.map(({ item }) => item.text), main: main?.item.text ?? null };
}

it("answers a question of two ways with two rows, wherever they are pointed at, and no main button", () => {
  expect(offer("Stand and fight, or avoid battle?", ["stand 0515", "avoid 0515"])).toEqual({
    rows: ["stand 0515", "avoid 0515"],
    main: null,
  });
  expect(offer("Stand or retreat?", ["lead A", "yield"])).toEqual({ rows: ["lead A", "yield"], main: null });
});

it("leaves the end of a part of the turn on the main button while one thing is left to do", () => {
  expect(offer("First movement phase", ["move A", "end"])).toEqual({ rows: ["move A"], main: "end" });
  expect(offer("First movement phase", ["move A", "move B", "end"])).toEqual({ rows: [], main: "end" });
});

it("has rows for what needs no pointing, beside what goes on", () => {
  expect(offer("Ports", ["event", "yield", "end"], { onward: ["end"] })).toEqual({
    rows: ["event", "yield"],
    main: "end",
  });
  expect(offer("Losses", ["lead A", "lead B", "lead C", "end"], { listed: ["lead"] })).toEqual({
    rows: ["lead A", "lead B", "lead C", "end"],
    main: null,
  });
});
