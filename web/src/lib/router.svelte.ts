/** Hash routes. A route is data; `App.svelte` chooses the page for it. */

export type Route =
  | { page: "home" }
  | { page: "game"; id: string; at: number | null; shared: boolean; seat: string | null }
  | { page: "rules"; game: string; rule: string | null }
  | { page: "join"; token: string }
  | { page: "other"; name: string; rest: string[]; query: URLSearchParams };

/** Reads `#/game/ID/at/N?seat=S` and the like; `at/pN` is a moment in the public count, for sharing. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?");
  const query = new URLSearchParams(search);
  const [name = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  if (!name) return { page: "home" };
  if (name === "game" && rest[0]) {
    const [, shared = "", digits = ""] = (rest[1] === "at" && /^(p?)(\d+)$/.exec(rest[2] ?? "")) || [];
    return {
      page: "game",
      id: rest[0],
      at: digits ? Number(digits) : null,
      shared: shared !== "",
      seat: query.get("seat"),
    };
  }
  if (name === "rules" && rest[0]) return { page: "rules", game: rest[0], rule: rest[1] ?? null };
  if (name === "join" && rest[0]) return { page: "join", token: rest[0] };
  return { page: "other", name, rest, query };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function gameLink(id: string, at: number | null = null, seat: string | null = null, shared = false): string {
  const moment = at === null ? "" : `/at/${shared ? "p" : ""}${at}`;
  return `#/game/${encodeURIComponent(id)}${moment}${seat ? `?seat=${encodeURIComponent(seat)}` : ""}`;
}

export function rulesLink(game: string, rule: string | null = null): string {
  return `#/rules/${encodeURIComponent(game)}${rule ? `/${encodeURIComponent(rule)}` : ""}`;
}

class Router {
  route: Route = $state(parseRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = parseRoute(location.hash)));
  }

  go(link: string): void {
    location.hash = link;
  }

  /** Changes the address without a step in the history (scrubbing a timeline). */
  replace(link: string): void {
    history.replaceState(null, "", link);
    this.route = parseRoute(link);
  }
}

export const router = new Router();
