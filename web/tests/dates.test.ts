import { expect, it } from "vitest";
import { japaneseDates, japaneseLength, japaneseNear } from "../src/lib/i18n/dates";
import { japaneseMap } from "../src/lib/i18n/waters";
import ja from "../text/ja.po";

it("writes dates as a Japanese reader does, wherever they stand", () => {
  expect(japaneseDates("25-31 July 1942")).toBe("1942年7月25〜31日");
  expect(japaneseDates("第1ターン：25-31 July 1942")).toBe("第1ターン：1942年7月25〜31日");
  expect(japaneseDates("November 1941")).toBe("1941年11月");
  expect(japaneseDates("1941 April I")).toBe("1941年4月 I");
  expect(japaneseDates("14 February 1943")).toBe("1943年2月14日");
  expect(japaneseDates("May 8th March")).toBe("May 8th March");
});

it("counts lengths in Japanese", () => {
  expect(japaneseLength("3 months")).toBe("3か月");
  expect(japaneseLength("2–20 months")).toBe("2〜20か月");
  expect(japaneseLength("1 game turn")).toBe("1ターン");
  expect(japaneseLength("until dawn")).toBe("until dawn");
});

it("calls a hex by a place nearby", () => {
  const called = (name: string): string | undefined => (name === "Mechili" ? "メキリ" : undefined);
  expect(japaneseNear("Mechili SE1", called)).toBe("メキリ南東1");
  expect(japaneseNear("Nowhere SE1", called)).toBeUndefined();
  expect(japaneseNear("Mechili", called)).toBeUndefined();
});

it("letters seas and regions anew, upright", () => {
  const map = '<g class="lettering"><g fill="x" data-place="Black Sea"><text x="1" y="2">Black Sea</text></g></g>';
  expect(japaneseMap(map, (name) => ja[name])).toBe(
    '<g class="lettering"><g font-style="normal" fill="x" data-place="Black Sea"><text x="1" y="2">黒海</text></g></g>',
  );
  expect(japaneseMap(map.replaceAll("Black Sea", "Elsewhere"), () => undefined)).toContain(">Elsewhere<");
});
