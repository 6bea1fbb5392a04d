import { describe, expect, it } from "vitest";
import { ids, locate, pieces, search, type Rulebook } from "../src/lib/rules/book";
import { inline, parse, plain } from "../src/lib/rules/markdown";

const BOOK: Rulebook = {
  language: "en",
  chapters: [
    {
      id: "9",
      title: "Combat",
      rules: [
        { id: "9.5a", title: "One CV per hit", text: "Each hit removes 1 CV." },
        { id: "9.5b", title: "Owner allocates", text: "The owner chooses which units take the hits (9.5a)." },
        { id: "9.52a", title: "Double defence", text: "Against a Defender in a minefield each hit counts half." },
      ],
    },
    {
      id: "14",
      title: "Minefields",
      rules: [{ id: "14.2d", title: "Disclosed", text: "A minefield stays disclosed. Schützen too." }],
    },
  ],
  appendices: [],
};

describe("a rulebook", () => {
  it("finds a rule by its number, by a shorter one, and by its chapter", () => {
    expect(locate(BOOK, "9.5b")?.rule.id).toBe("9.5b");
    expect(locate(BOOK, "9.5")?.rule.id).toBe("9.5a");
    expect(locate(BOOK, "14")?.rule.id).toBe("14.2d");
    expect(locate(BOOK, "3.1")).toBeNull();
  });

  it("does not take 9.5 for a part of 9.52", () => {
    expect(
      locate({ ...BOOK, chapters: [{ ...BOOK.chapters[0]!, rules: BOOK.chapters[0]!.rules.slice(2) }] }, "9.5"),
    ).toBeNull();
  });

  it("puts numbers before titles before texts", () => {
    expect(search(BOOK, "9.5b").map((hit) => hit.rule.id)).toEqual(["9.5b"]);
    expect(search(BOOK, "minefield")[0]?.rule.id).toBe("14.2d");
    expect(search(BOOK, "minefield").map((hit) => hit.rule.id)).toContain("9.52a");
    expect(search(BOOK, "schutzen")[0]?.rule.id).toBe("14.2d");
    expect(search(BOOK, "hit owner").map((hit) => hit.rule.id)).toEqual(["9.5b"]);
    expect(search(BOOK, "  ")).toEqual([]);
    expect(search(BOOK, "(")).toEqual(search(BOOK, "("));
  });

  it("marks the words of a query", () => {
    expect(pieces("Each hit counts", "hit")).toEqual([
      { text: "Each ", hit: false },
      { text: "hit", hit: true },
      { text: " counts", hit: false },
    ]);
    expect(pieces("Schützen", "schu").map((piece) => piece.text)).toEqual(["Schü", "tzen"]);
  });

  it("marks words of kana as they stand, and one character that is a word", () => {
    expect(pieces("雨ではオーバーランできない", "オーバーラン").filter((piece) => piece.hit)).toEqual([
      { text: "オーバーラン", hit: true },
    ]);
    expect(pieces("雨の森", "森").map((piece) => piece.text)).toEqual(["雨の", "森"]);
    expect(pieces("かがみ", "が").map((piece) => piece.text)).toEqual(["か", "が", "み"]);
  });

  it("links numbers between Japanese words", () => {
    const linked = inline("砲兵は9.5a、14.2に従う", () => true).filter((part) => part.kind === "rule");
    expect(linked.map((part) => part.id)).toEqual(["9.5a", "14.2"]);
  });

  it("links numbers that lead somewhere", () => {
    const known = ids(BOOK);
    expect(
      inline("see 9.5a, 14.2 and 99.9; 2.5 km", (id) => known.has(id)).filter((part) => part.kind === "rule"),
    ).toEqual([
      { kind: "rule", id: "9.5a" },
      { kind: "rule", id: "14.2" },
    ]);
  });
});

describe("numbers of three levels", () => {
  it("lead to the rule, and those above to the first below", () => {
    const rules = ["8.8.3a", "8.8.3c", "S1.3"].map((id) => ({ id, title: "", text: "x" }));
    const book = { language: "en", chapters: [{ id: "8", title: "Combat", rules }], appendices: [] };
    const known = ids(book);
    const found = inline("See 8.8.3c, 8.8 and S1.3, not 9.9.9.", (id) => known.has(id)).flatMap((part) =>
      part.kind === "rule" ? [part.id] : [],
    );
    expect(found).toEqual(["8.8.3c", "8.8", "S1.3"]);
    expect(locate(book, "8.8")?.rule.id).toBe("8.8.3a");
  });
});

describe("markdown", () => {
  it("knows headings, lists, tables and marks", () => {
    const blocks = parse(
      "### Terms\n\nOne *two* **three** `four`\nfive\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n1. first\n2. second\n",
    );
    expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "list", "table", "list"]);
    expect(blocks[1]?.kind === "paragraph" && plain(blocks[1].text)).toBe("One two three four five");
    expect(blocks[3]?.kind === "table" && blocks[3].rows.map((row) => row.map(plain))).toEqual([["1", "2"]]);
    expect(blocks[4]?.kind === "list" && blocks[4].ordered).toBe(true);
  });

  it("keeps markup as text", () => {
    const [block] = parse("<img src=x onerror=alert(1)> [a](javascript:alert(1))");
    expect(block?.kind === "paragraph" && block.text).toEqual([
      { kind: "text", text: "<img src=x onerror=alert(1)> [a](javascript:alert(1))" },
    ]);
  });
});
