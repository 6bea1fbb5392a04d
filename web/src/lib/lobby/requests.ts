/** The requests of the lobby, the settings and the panels: accounts, seats, lists, chat, notes, saves. */

import { change, get, getText } from "../api/client";
import type { ChatLine, Drawing, DiceRecord, GameRecord, Me, NewGame, Settings } from "../api/types";

const path = (id: string, rest = ""): string => `/api/games/${encodeURIComponent(id)}${rest}`;

export type ListName = "mine" | "turn" | "open" | "finished" | "watch";

/** Which games of a list are wanted: of one game, at most so slow, rated or friendly, about as strong as oneself. */
export interface Sieve {
  game?: string;
  pace?: number;
  rated?: boolean;
  within?: number;
}

export const requests = {
  register: (name: string, password: string) => change<Me>("POST", "/api/account/register", { name, password }),
  login: (name: string, password: string) => change<Me>("POST", "/api/account/login", { name, password }),
  logout: () => change<null>("POST", "/api/account/logout", {}),
  logoutEverywhere: () => change<null>("POST", "/api/account/logout/everywhere", {}),
  password: (old: string, fresh: string) => change<Me>("POST", "/api/account/password", { old, new: fresh }),
  settings: (settings: Settings) => change<Me>("PUT", "/api/me/settings", settings),
  pushKey: () => get<{ key: string }>("/api/push/key"),

  list: (list: ListName, sieve: Sieve = {}) => get<GameRecord[]>("/api/games", { list, ...sieve }),
  create: (wish: NewGame) => change<GameRecord>("POST", "/api/games", wish),
  join: (id: string, wish: { invite?: string; seat?: string }) => change<GameRecord>("POST", path(id, "/join"), wish),
  invited: (id: string, invite: string) => get<GameRecord>(path(id), { invite }),
  /** Says no to a seat that is kept for oneself. */
  decline: (id: string) => change<null>("POST", path(id, "/decline"), {}),
  rename: (id: string, name: string) => change<GameRecord>("POST", path(id, "/rename"), { name }),
  abandon: (id: string) => change<GameRecord>("POST", path(id, "/abandon"), {}),
  resign: (id: string, seat: string | null) => change<GameRecord>("POST", path(id, "/resign"), { seat }),
  /** Wins by the clock, when the other side has let its time pass. */
  claim: (id: string, seat: string | null) => change<GameRecord>("POST", path(id, "/claim"), { seat }),
  /** The same again; `swap`: everybody has the other side. */
  rematch: (id: string, swap = false) =>
    change<GameRecord>("POST", path(id, `/rematch${swap ? "?swap=true" : ""}`), {}),
  remove: (id: string) => change<null>("DELETE", path(id)),
  seat: (id: string, side: string, to: string) =>
    change<GameRecord>("POST", path(id, `/seats/${encodeURIComponent(side)}`), { to }),
  wishes: (id: string, wish: { watch?: "anyone" | "players"; notify?: boolean }) =>
    change<GameRecord>("PUT", path(id, "/settings"), wish),

  save: (id: string) => getText(path(id, "/export")),
  load: (save: string) => change<GameRecord>("POST", "/api/games/import", save),
  dice: (id: string) => get<DiceRecord>(path(id, "/dice")),
  chat: (id: string) => get<ChatLine[]>(path(id, "/chat")),
  /** Arrows and notes for those at the table to see; without any: no longer. */
  show: (id: string, drawing: Drawing) => change<ChatLine[]>("POST", path(id, "/drawing"), drawing),
  say: (id: string, text: string) => change<ChatLine[]>("POST", path(id, "/chat"), { text }),
  notes: (id: string) => get<{ text: string }>(path(id, "/notes")),
  keepNotes: (id: string, text: string) => change<{ text: string }>("PUT", path(id, "/notes"), { text }),
};
