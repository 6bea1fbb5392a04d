/** Two browsers play a whole game; everything that was sent to each is searched for the other side's secrets. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GameDetail, GameRecord } from "../../src/lib/api/types";
import { anybody, chance, move, publicEvents, publicMoment, record, table } from "../support/play";
import { leaks, tells, type Public, type Search } from "../support/secrets";
import { launch, Visitor, type Payload } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("shows no browser the other side's secrets in a whole game", { timeout: 400_000 }, async () => {
  const [axis, allied] = [await Visitor.enter(browser), await Visitor.enter(browser)];
  await axis.open();
  await allied.open();
  for (const visitor of [axis, allied]) await visitor.ask("POST", "/api/account/guest", {});
  const wish = { game: "rommel", scenario: "gazala", seats: { axis: "me", commonwealth: "open" } };
  const { id } = await axis.ask<GameRecord>("POST", "/api/games", wish);
  await allied.ask("POST", `/api/games/${id}/join`, { seat: "commonwealth" });
  const notes = { axis: "Feint at Bir Hacheim 7c1f", commonwealth: "Hold Knightsbridge 9e2d" };
  await axis.ask("PUT", `/api/games/${id}/notes`, { text: notes.axis });
  await allied.ask("PUT", `/api/games/${id}/notes`, { text: notes.commonwealth });

  // Both sit at their tables, and hear of everything as it happens.
  for (const visitor of [axis, allied]) {
    await visitor.page.evaluate(() => {
      localStorage.setItem("sandtable.account", "true");
      localStorage.setItem("sandtable.autoForced", "false"); // every move is the script's
    });
    await visitor.open(`#/game/${id}`);
    await visitor.page.reload();
  }
  const players = { axis, commonwealth: allied };
  const known: Public = { scenes: new Map(), events: [], until: -1 };
  const random = chance(4);
  let steps = 0;
  for (;;) {
    const { to_act, length } = await record(id);
    if (to_act !== "axis" && to_act !== "commonwealth") break;
    const fresh = Array.from({ length: length - known.until }, (_, i) => known.until + 1 + i);
    for (const { n, scene } of await Promise.all(fresh.map((n) => publicMoment(id, n)))) known.scenes.set(n, scene);
    known.events.push(...(await publicEvents(id, known.until)));
    known.until = length;
    let state = await table(players[to_act], id, to_act);
    // Decisions that follow each other belong to one side: no need to ask whose turn it is each time.
    for (let i = 0; i < 5 && state.to_act === to_act && state.actions.length; i += 1) {
      const action = state.actions[Math.floor(random() * state.actions.length)]!;
      state = await move(players[to_act], id, to_act, state, action);
      steps += 1;
    }
  }
  expect(steps).toBeGreaterThan(100);
  expect((await record(id)).status).toBe("finished");
  const { seed } = await record(id);
  expect(seed).toMatch(/^[0-9a-f]{64}$/);

  const { units } = await anybody<GameDetail>("/api/catalogue/rommel");
  const idsOf = (side: string): string[] =>
    Object.entries(units).flatMap(([unit, { side: whose }]) => (whose === side ? [unit] : []));
  // After the end everything is open: an answer that tells the last event was given then, and so was one that says so.
  const last = (await publicEvents(id, 0)).at(-1)!;
  const ended = ({ body }: Payload): boolean =>
    body.includes('"status":"finished"') || body.includes('"outcome":{"winner"') || tells(body, last);
  const running = (visitor: Visitor): Payload[] => visitor.payloads.filter((payload) => !ended(payload));
  const search = (side: "axis" | "commonwealth"): Search => {
    const enemy = side === "axis" ? "commonwealth" : "axis";
    return { side, enemy, units: idsOf(enemy), words: [seed ?? "", notes[enemy]], known };
  };
  expect(leaks(running(axis), search("axis"))).toEqual([]);
  expect(leaks(running(allied), search("commonwealth"))).toEqual([]);
  expect(running(axis).some(({ from }) => from.startsWith("WS"))).toBe(true);
  // The search itself works: in the payloads of the other browser it finds what it looks for.
  expect(leaks(running(allied), search("axis")).length).toBeGreaterThan(20);
  expect(leaks(running(axis), search("commonwealth")).length).toBeGreaterThan(20);
  axis.calm();
  allied.calm();
  await axis.leave();
  await allied.leave();
});
