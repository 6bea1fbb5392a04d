import { describe, expect, it } from "vitest";
import { fill, holes } from "../src/lib/i18n/format";
import { render } from "../src/lib/i18n/said";
import { readPo } from "../plugins/po";
import caucasus from "../src/lib/games/caucasus/table";
import na41 from "../src/lib/games/na41/table";
import ja from "../text/ja.po";
import { messages } from "./messages";

describe("messages", () => {
  it("fills holes and chooses words by number", () => {
    expect(fill("{n} {n|game|games} with {who}", { n: 1, who: "Mara" })).toBe("1 game with Mara");
    expect(fill("{n} {n|game|games}", { n: 3 })).toBe("3 games");
    expect(fill("{missing}")).toBe("{missing}");
  });

  it("has every text of the interface in Japanese, with the same holes", () => {
    const missing: string[] = [];
    for (const [text, file] of messages(new URL("../src", import.meta.url).pathname)) {
      if (file.endsWith("i18n/index.svelte.ts")) continue; // its examples
      const said = ja[text];
      if (said === undefined) missing.push(`${text} (${file})`);
      else expect(holes(said), text).toEqual(holes(text));
    }
    expect(missing).toEqual([]);
  });
});

describe("texts of a game", () => {
  const speech = (text: string): string | undefined =>
    ({ "{unit} moves to {hex}": "{unit}は{hex}へ", Tobruk: "トブルク" })[text];

  it("are templates with facts, known by their template", () => {
    const said = { template: "{unit} moves to {hex}", facts: { unit: ["A", "B"], hex: "Tobruk" } };
    expect(render(said)).toBe("A, B moves to Tobruk");
    expect(render(said, speech, "、")).toBe("A、Bはトブルクへ");
    expect(render({ template: "not now: {title}", facts: { title: said } }, speech)).toBe("not now: A, Bはトブルクへ");
    expect(render("Tobruk", speech)).toBe("トブルク");
    expect(render({ template: "{missing} {n}", facts: { n: 3 } })).toBe("{missing} 3");
  });

  it("come from catalogues as translators write them", () => {
    const source = '# note\nmsgid ""\nmsgstr "x"\n\nmsgid "a"\nmsgstr "b"\n"c"\n\nmsgid "none"\nmsgstr ""\n';
    expect(readPo(source)).toEqual({ a: "bc" });
    expect(() => readPo("nonsense")).toThrow("not a line of a .po file: nonsense");
  });
});

describe("the end of a game", () => {
  it.each([caucasus, na41])("tells whose points they are where one side alone has any", ({ scored = "" }) => {
    expect(scored).toMatch(/^the Axis has \{n\} /);
    expect(holes(ja[scored] ?? "")).toEqual(["n"]);
  });
});
