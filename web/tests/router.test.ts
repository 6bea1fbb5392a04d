/** Links to a game and to its moments. */
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
const { gameLink, parseRoute } = await import("../src/lib/router.svelte");

it("keeps a seat's own count apart from the public one that links are shared in", () => {
  expect(gameLink("abc", 57, "axis")).toBe("#/game/abc/at/57?seat=axis");
  expect(gameLink("abc", 40, null, true)).toBe("#/game/abc/at/p40");
  expect(parseRoute(gameLink("abc", 57, "axis"))).toEqual({
    page: "game",
    id: "abc",
    at: 57,
    shared: false,
    seat: "axis",
  });
  expect(parseRoute(gameLink("abc", 40, null, true))).toEqual({
    page: "game",
    id: "abc",
    at: 40,
    shared: true,
    seat: null,
  });
  expect(parseRoute("#/game/abc/at/x7")).toEqual({ page: "game", id: "abc", at: null, shared: false, seat: null });
  expect(parseRoute(gameLink("abc"))).toEqual({ page: "game", id: "abc", at: null, shared: false, seat: null });
});
