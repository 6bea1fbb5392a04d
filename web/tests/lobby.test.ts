// @vitest-environment node
import type { GameRecord, GameSummary } from "../src/lib/api/types";
import { describe, expect, it, vi } from "vitest";

// The words of the interface need a browser; here their English is enough.
vi.mock("../src/lib/i18n/index.svelte", async () => {
  const { fill } = await import("../src/lib/i18n/format");
  return { t: fill, gameText: (_: string, text: string) => text, words: { language: "en" } };
});

const { invitation, lengths, mySeat, others, outcome, span, status, timeLeft } =
  await import("../src/lib/lobby/describe");
const { firstScenario, inOrder, wishFor } = await import("../src/lib/lobby/dialogs/wish");

function record(change: Partial<GameRecord> = {}): GameRecord {
  return {
    id: "g",
    lesson: null,
    rated: false,
    contest: null,
    name: "Crusader",
    game: "toy",
    title: "Toy",
    scenario: "s",
    scenario_title: "S",
    options: {},
    status: "running",
    seats: [
      { side: "axis", title: "Axis", holder: "Jonas", account: "1", you: true },
      { side: "allied", title: "Allied", holder: "Mara", account: "2" },
    ],
    owner: true,
    length: 4,
    to_act: "allied",
    your_turn: false,
    commitment: "",
    seed: null,
    unsealed: false,
    clock: null,
    watch: "anyone",
    analysis: false,
    parent: null,
    branched_at: null,
    rematch: null,
    notify: true,
    created: "",
    updated: "",
    outcome: null,
    ...change,
  };
}

const scenario = (id: string, length: string) => ({ id, title: id, title_ja: "", length, note: "" });
const GAME: GameSummary = {
  id: "toy",
  version: 1,
  title: "Toy",
  title_ja: "",
  summary: "",
  sides: ["axis", "allied"],
  side_titles: ["Axis", "Allied"],
  scenarios: [scenario("long", "20 months"), scenario("short", "2 months")],
  options: [],
  players: ["planner", "random"],
  picture: null,
};

describe("sentences about games", () => {
  it("says spans in the two units that matter", () => {
    const hour = 3_600_000;
    expect([
      span(52 * hour),
      span(24 * hour),
      span(200 * hour),
      span(7 * hour + 9),
      span(1.5 * hour),
      span(-5),
    ]).toEqual(["2 d 4 h", "1 d", "8 d", "7 h", "1 h 30 min", "0 min"]);
  });

  it("says whose decision it is and how long it may take", () => {
    expect(status(record())).toBe("Waiting for Mara");
    expect(status(record({ your_turn: true, to_act: "axis" }))).toBe("Your decision");
    const clock = { days: 3, since: "", due: "2026-01-03T04:00:00Z", overdue: false };
    expect(timeLeft(record({ clock }), Date.parse("2026-01-01T00:00:00Z"))).toBe("2 d 4 h left");
    expect(timeLeft(record())).toBe("");
  });

  it("says how it ended", () => {
    const end = { winner: "allied", level: "marginal victory", points: 1, rule: "" };
    expect(outcome(record({ status: "finished", outcome: end }))).toBe("Allied won: marginal victory");
    expect(outcome(record({ status: "finished", outcome: { ...end, winner: null } }))).toBe("A draw");
  });

  it("knows who sits where", () => {
    expect(others(record())).toBe("Mara");
    expect(mySeat(record())).toBe("axis");
    expect(others(record({ seats: record().seats.map((seat) => ({ ...seat, you: true })) }))).toBe("hot seat");
  });

  it("reads invitations", () => {
    expect(invitation("abc.x-y_z")).toEqual({ game: "abc", token: "x-y_z" });
    expect(invitation("abc")).toBeNull();
    expect(invitation(".abc")).toBeNull();
  });

  it("joins the lengths of scenarios", () => {
    expect(lengths(GAME)).toBe("2–20 months");
    expect(lengths({ scenarios: [scenario("a", "2 months"), scenario("b", "3 days")] })).toBe("");
  });
});

describe("beginning a game", () => {
  it("seats oneself and the best computer player", () => {
    expect(wishFor(GAME, "short", "axis", "computer").seats).toEqual({ axis: "me", allied: "planner" });
    expect(wishFor(GAME, "short", "allied", "hotseat").seats).toEqual({ axis: "me", allied: "me" });
    expect(wishFor(GAME, "short", "allied", "open", 3)).toMatchObject({
      seats: { axis: "open", allied: "me" },
      pace: 3,
    });
    expect(Object.values(wishFor(GAME, "short", "", "friend").seats ?? {}).sort()).toEqual(["invite", "me"]);
    expect(wishFor(GAME, "short", "axis", "computer", 3).pace).toBeNull();
  });

  it("puts the first scenario before the others, short before long", () => {
    expect(firstScenario(GAME)).toBe("long");
    expect(inOrder(GAME).map((one) => one.id)).toEqual(["long", "short"]);
    expect(
      inOrder({
        ...GAME,
        id: "rommel",
        scenarios: [scenario("1941", "10 months"), scenario("crusader", "3 months"), scenario("gazala", "2 months")],
      }).map((one) => one.id),
    ).toEqual(["crusader", "gazala", "1941"]);
  });
});
