/** What was tried out before a fight, and what becomes of it when it is asked about. */
import { describe, expect, it } from "vitest";
import type { Ladder } from "../../src/lib/api/types";
import { proposed, turned, wishesOf } from "../../src/lib/table/pieces/carry";
import type { Choice } from "../../src/lib/table/decision/choices";

const guns = { value: 1, rule: "9.4", text: "Guns", by: "decider", on: false, yes: "artillery", no: "no-artillery" };
const air = { value: 1, rule: "18.7", text: "Air", by: "decider", on: false, yes: "air air_support", no: "air none" };
const theirs = { ...guns, by: "answer", value: -1 };
const ladder = (...shifts: NonNullable<Ladder["shifts"]>): Ladder => ({ columns: [], base: 0, shifts });
const choice = (text: string): Choice => ({
  item: { action: { do: text.split(" ")[0] ?? "" }, label: text, text },
  verb: text.split(" ")[0] ?? "",
  picks: [],
  extras: [],
});
const question = ["artillery HQ", "artillery-sp HQ", "no-artillery"].map(choice);

describe("the switches of a fight", () => {
  it("that were turned are wishes; the others and those of the enemy are none", () => {
    expect(wishesOf(ladder(guns, air, theirs), new Set([0, 2]))).toEqual([
      { yes: "artillery", no: "no-artillery", on: true },
    ]);
    expect(wishesOf(ladder(guns, air), new Set())).toEqual([]);
    expect(wishesOf(ladder({ ...guns, on: true }), new Set([0]))).toEqual([
      { yes: "artillery", no: "no-artillery", on: false },
    ]);
    // What the fight was weighed with is wanted too.
    expect(wishesOf(ladder({ ...guns, on: true }, air), new Set())).toEqual([
      { yes: "artillery", no: "no-artillery", on: true },
    ]);
  });

  it("stand as they were turned when the fight is weighed again", () => {
    const wishes = wishesOf(ladder(guns, air), new Set([0, 1]));
    expect(turned(ladder(air, guns), wishes)).toEqual(new Set([0, 1]));
    // The action has it already, or decides it itself.
    expect(turned(ladder({ ...guns, on: true }, { ...air, action: "air none" }), wishes)).toEqual(new Set());
    expect(turned(ladder(theirs), wishes)).toEqual(new Set());
  });

  it("are no wish any more when they are decided or turned back", () => {
    const wishes = wishesOf(ladder(guns, air), new Set([0, 1]));
    expect(
      wishesOf(ladder({ ...guns, on: true, action: "no-artillery" }, air), new Set([1]), wishes).map(({ yes }) => yes),
    ).toEqual(["air air_support"]);
    expect(wishesOf(ladder(guns, air), new Set([1]), wishes).map(({ yes }) => yes)).toEqual(["air air_support"]);
  });
});

describe("a question", () => {
  it("is answered as was wished", () => {
    expect(proposed(question, [{ yes: "artillery", no: "no-artillery", on: true }])?.item.text).toBe("artillery HQ");
    expect(proposed(question, [{ yes: "artillery", no: "no-artillery", on: false }])?.item.text).toBe("no-artillery");
  });

  it("that nobody wished anything about is left open", () => {
    expect(proposed(question, [])).toBe(null);
    expect(proposed(question, [{ yes: "air air_support", no: "air none", on: true }])).toBe(null);
    expect(proposed([choice("no-artillery")], [{ yes: "artillery", no: "no-artillery", on: true }])).toBe(null);
  });

  it("of several things that exclude each other is answered with the one that is wanted", () => {
    const markers = ["support A", "support B", "support none"].map(choice);
    const wishes = [
      { yes: "support A", no: "support none", on: false },
      { yes: "support B", no: "support none", on: true },
    ];
    expect(proposed(markers, wishes)?.item.text).toBe("support B");
  });
});
