/** Playing as a person does: with the table's own buttons. */
import type { Page, Response } from "playwright-core";
import { expect } from "vitest";
import type { Visitor } from "./stage";

/** Waits until the table is laid out. */
export async function seated(page: Page): Promise<void> {
  await page.locator("main.table").waitFor({ timeout: 30_000 });
  await page.getByRole("region", { name: "Decision" }).or(page.locator("section.decision")).first().waitFor();
}

/** Whether this browser has to decide now; not while a choice is under way, which the table may have made itself. */
export async function mine(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const decision = document.querySelector("section.decision");
    return (
      decision?.getAttribute("data-mine") === "true" &&
      decision?.getAttribute("aria-busy") === "false" &&
      document.querySelector("details.sec summary") !== null
    );
  });
}

/** The words of all actions; opens the list of them. The table may be drawn anew at any moment: one look, one answer. */
async function labels(page: Page): Promise<string[]> {
  let words: string[] = [];
  await expect
    .poll(async () => {
      words = await page.evaluate(() => {
        const list = document.querySelector<HTMLDetailsElement>("details.sec");
        if (list && !list.open) list.querySelector("summary")?.click();
        return [...document.querySelectorAll<HTMLButtonElement>("details.sec li button:enabled")].map(
          (button) => button.textContent ?? "",
        );
      });
      return words.length;
    })
    .toBeGreaterThan(0);
  return words;
}

/** Presses the action with these words, as soon as it is on the list. */
async function press(page: Page, nth: number, word: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        ([at, text]) => {
          const list = document.querySelector<HTMLDetailsElement>("details.sec");
          if (list && !list.open) list.querySelector("summary")?.click();
          const buttons = [...document.querySelectorAll<HTMLButtonElement>("details.sec li button:enabled")];
          const button =
            buttons[at]?.textContent === text ? buttons[at] : buttons.find(({ textContent }) => textContent === text);
          button?.click();
          return button !== undefined;
        },
        [nth, word] as const,
      ),
    )
    .toBe(true);
}

/** Takes one of the actions from the text list; says which. `choose` is given their words. */
export async function act(page: Page, choose: (labels: string[]) => number): Promise<string> {
  const words = await labels(page);
  const wanted = Math.max(0, Math.min(words.length - 1, choose(words)));
  let moved = false;
  const heard = (answer: Response): void => {
    if (answer.request().method() === "POST" && answer.url().endsWith("/moves")) moved = true;
  };
  page.on("response", heard);
  await press(page, wanted, words[wanted] ?? "");
  // What leads to dice is weighed first, and taken with the main button.
  for (let i = 0; i < 400 && !moved; i += 1) {
    // Looked at and pressed in one go: a moment later the same button may stand for something else.
    await page.evaluate((word) => {
      const back = [...document.querySelectorAll(".acts button")].some((button) =>
        /^Back/.test(button.textContent ?? ""),
      );
      const main = document.querySelector<HTMLButtonElement>(".acts .main:enabled");
      if (back && main?.textContent?.startsWith(word)) main.click();
    }, words[wanted] ?? "");
    await page.waitForTimeout(25);
  }
  page.off("response", heard);
  expect(moved, words[wanted]).toBe(true);
  await idle(page);
  return words[wanted] ?? "";
}

/** Waits until nothing is being sent. */
export async function idle(page: Page): Promise<void> {
  await expect
    .poll(() => page.locator("section.decision").getAttribute("aria-busy"), { interval: 30, timeout: 20_000 })
    .toBe("false");
}

/** Waits until one of them has to decide, or the game is over; gives the one. */
export async function whoActs(visitors: readonly Visitor[]): Promise<Visitor | null> {
  for (let i = 0; i < 400; i += 1) {
    for (const visitor of visitors) if (await mine(visitor.page)) return visitor;
    if ((await visitors[0]!.page.getByText("The game is over").count()) > 0) return null;
    await visitors[0]!.page.waitForTimeout(50);
  }
  throw new Error("nobody has to decide");
}

/** Words that end a part of a turn: chosen when there is one, so that a game gets on. */
const ONWARDS =
  /^(Spend no more|Do not challenge|End|Battles declared|No more|Keep the rest|Assign no more|Accept|Let them go)/;

/** Gets on with the game: ends a part of a turn with this likelihood, or does something in it. */
export function getOn(random: () => number, likely = 0.6): (labels: string[]) => number {
  return (words) => {
    const on = words.findIndex((word) => ONWARDS.test(word));
    const basic = words.findIndex((word) => /^(Basic|Offensive)$/.test(word));
    if (basic >= 0) return basic;
    return on >= 0 && (words[on] === "Spend no more" || random() < likely) ? on : Math.floor(random() * words.length);
  };
}
