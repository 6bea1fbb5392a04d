/** Latin words on a page in Japanese. */
import type { Page } from "playwright-core";

/**
 * What is written in Latin letters in Japanese too: the program's own name, the names of languages and of those who
 * play here, marks of keys, and units as they are printed on counters and told in the books of the games.
 */
const NAMES = [
  /^(Sandtable|English|Mara|Discord|Webhook|Glicko)$/,
  /^(Esc|Enter|Tab|Shift|Ctrl|esc)$/,
  // The phases of ASL, as its book writes them in every language.
  /^(R|PF|M|DF|AF|Rt|A|CC)Ph$/,
  // Designations on counters.
  /^(Pz|PzKpfw|Pak|PaK|FlaK|Flak|SdKfz|StuG|Kfz|Krad|leIG|sIG|Mk|SPW|Kn|Imp|Cent|Gr|Const|Gds|Army|Ldr|Lt|Cpl|Sgt)$/,
  // Results as the tables of Kasserine print them.
  /^(A\d|D\d)?DRd$/,
  /^(dr|drm|mm|cm|km|sp|vs|Pz[A-Z]?[a-z]*)$/,
];

/** The texts with Latin words in small letters that can be seen or heard on a page, each with such a word of it. */
export async function latin(page: Page, printed: ReadonlySet<string>, given: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(() => {
    const said: string[] = [];
    const seen = (node: Element): boolean =>
      node.getClientRects().length > 0 && !node.closest("svg, kbd, code, option");
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (parent && seen(parent) && !parent.closest("script, style, .book .text")) said.push(node.textContent ?? "");
    }
    for (const node of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
      if (seen(node) && !node.closest(".book .text"))
        for (const name of ["aria-label", "title", "placeholder", "alt"]) said.push(node.getAttribute(name) ?? "");
    return said;
  });
  const words = new Map<string, string>();
  // Addresses, and what others who play on this server call themselves and their games.
  const plain = (text: string): string =>
    given.reduce((left, name) => left.replaceAll(name, ""), text.replace(/https?:\/\/\S+/g, ""));
  for (const text of found.filter((one) => !printed.has(one.trim())))
    for (const [word] of plain(text).matchAll(/(?<![\w.])[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’]*/g))
      if (/[a-z]/.test(word) && word.length > 1 && !NAMES.some((name) => name.test(word))) {
        const around = text.trim().replace(/\s+/g, " ").slice(0, 120);
        words.set(around, `${word}: ${around}`);
      }
  return [...words.values()].sort();
}

/** The names in Latin letters on a picture of the map, which a page shows as a picture of its own. */
export async function lettered(page: Page, picture: string): Promise<string[]> {
  const href = (await page.locator(picture).first().getAttribute("href")) ?? "";
  const names = [...decodeURIComponent(href).matchAll(/data-place="[^"]*"[^>]*><text[^>]*>([^<]*)</g)];
  if (!/^data:image\/svg/.test(href)) return [`a picture of its own was expected: ${href.slice(0, 80)}`];
  return names.map((found) => found[1] ?? "").filter((name) => /[A-Za-z]{2}/.test(name));
}
