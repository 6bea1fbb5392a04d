/** The live connection: events as they happen, resumed by number after it was lost. */

import { withQuery } from "./client";
import { transport, type Line } from "./transport";
import type { Lived } from "./types";

export type Connection = "connecting" | "live" | "lost";

export interface LiveOptions {
  game: string;
  seat: string | null;
  /** What the connection is called: moves sent with this name are not told here again. */
  name: string;
  /** The number of the last event that is known here. */
  since: () => number;
  heard: (message: Lived) => void;
  changed: (state: Connection) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/** Opens the connection and keeps it open until the returned function is called. */
export function live({ game, seat, name, since, heard, changed }: LiveOptions): () => void {
  let socket: Line | null = null;
  let timer = 0;
  let wait = FIRST_WAIT;
  let over = false;

  function open(): void {
    if (over) return;
    changed("connecting");
    const path = withQuery(`/api/games/${encodeURIComponent(game)}/live`, { seat, since: since(), name });
    socket = transport().connect(path);
    socket.onopen = () => changed("live");
    socket.onmessage = (message: MessageEvent<unknown>) => {
      wait = FIRST_WAIT; // not before: one that is opened and shut again has nothing to say
      if (typeof message.data !== "string" || !message.data.startsWith("{")) return;
      heard(JSON.parse(message.data) as Lived);
    };
    socket.onclose = () => {
      if (over) return;
      changed("lost");
      timer = window.setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  }

  /** The machine woke up or the network is back: no reason to wait any longer. */
  function hurry(): void {
    if (over || socket?.readyState === WebSocket.OPEN || socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(timer);
    wait = FIRST_WAIT;
    open();
  }

  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  open();
  return () => {
    over = true;
    clearTimeout(timer);
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    socket?.close();
  };
}
