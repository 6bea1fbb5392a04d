/** The page without a server: everything that it would ask of one it asks of a worker. */

import { reachBy, type Line, type Transport } from "../lib/api/transport";
import { t } from "../lib/i18n/index.svelte";
import type { FromDesk, ToDesk } from "./messages";

interface Asked {
  answered: (status: number, headers: Record<string, string>) => void;
  took: (piece: Uint8Array) => void;
  done: (why: string | null) => void;
}

/** Statuses whose answers have no body. */
const BARE = new Set([204, 304]);

class DeskLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;

  constructor(private readonly leave: () => void) {}

  close = (): void => {
    this.readyState = WebSocket.CLOSING;
    this.leave();
  };

  opened(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.onopen?.(new Event("open"));
  }

  heard(text: string): void {
    this.opened();
    this.onmessage?.(new MessageEvent("message", { data: text }));
  }

  closed(code: number): void {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.(new CloseEvent("close", { code }));
  }
}

class Desk implements Transport {
  private numbers = 0;
  private readonly asked = new Map<number, Asked>();
  private readonly lines = new Map<number, DeskLine>();
  private readonly pictures = new Map<string, Promise<string>>();

  constructor(
    private readonly worker: Worker,
    private readonly told: (message: FromDesk) => void,
  ) {
    worker.onmessage = (event: MessageEvent<FromDesk>) => this.heard(event.data);
    worker.onerror = (event) => this.told({ kind: "failed", why: event.message, taken: false });
  }

  say(message: ToDesk): void {
    this.worker.postMessage(message);
  }

  ask = (path: string, init: RequestInit): Promise<Response> => {
    const number = ++this.numbers;
    const headers = JSON.stringify(Object.fromEntries(new Headers(init.headers)));
    const body = typeof init.body === "string" ? init.body : "";
    return new Promise((done, fail) => {
      const { signal } = init;
      if (signal?.aborted) return fail(new DOMException("given up", "AbortError"));
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
      const leave = (): void => {
        this.say({ kind: "leave", number });
        const why = new DOMException("given up", "AbortError");
        stream?.error(why);
        stream = undefined;
        fail(why);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.asked.set(number, {
        answered: (status, told) => {
          const pieces = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
          done(new Response(BARE.has(status) ? null : pieces, { status, headers: told }));
        },
        took: (piece) => stream?.enqueue(piece),
        done: (why) => {
          signal?.removeEventListener("abort", leave);
          this.asked.delete(number);
          if (why === null) return stream?.close();
          stream?.error(new Error(why));
          fail(new Error(why));
        },
      });
      this.say({ kind: "ask", number, method: init.method ?? "GET", path, headers, body });
    });
  };

  connect = (path: string): Line => {
    const number = ++this.numbers;
    const line = new DeskLine(() => this.say({ kind: "leave", number }));
    this.lines.set(number, line);
    this.say({ kind: "live", number, path });
    return line;
  };

  picture = (path: string): Promise<string> => {
    let found = this.pictures.get(path);
    if (!found) {
      found = this.ask(path, {}).then(async (answer) => URL.createObjectURL(await answer.blob()));
      this.pictures.set(path, found);
    }
    return found;
  };

  private heard(message: FromDesk): void {
    if (message.kind === "ready" || message.kind === "failed" || message.kind === "unkept") return this.told(message);
    const { kind, number } = message;
    if (kind === "answered")
      this.asked.get(number)?.answered(message.status, JSON.parse(message.headers) as Record<string, string>);
    else if (kind === "took") this.asked.get(number)?.took(message.piece);
    else if (kind === "done") this.asked.get(number)?.done(message.why);
    else if (kind === "heard") this.lines.get(number)?.heard(message.text);
    else {
      this.lines.get(number)?.closed(message.code);
      this.lines.delete(number);
    }
  }
}

/** A line over the page until the table is set up, or why it is not; in the language of the page, which comes after it. */
function notice(): (text: (() => string) | null) => void {
  const shown = document.createElement("p");
  shown.id = "setting-up";
  shown.setAttribute("role", "status");
  shown.style.cssText =
    "position:fixed;inset:auto 0 0 0;margin:0;padding:10px 16px;z-index:1000;text-align:center;" +
    "background:var(--surface-2,#eee);color:var(--ink,#111);border-top:1px solid var(--line,#999)";
  let said: (() => string) | null = $state.raw(null);
  $effect.root(() => {
    $effect(() => {
      shown.textContent = said?.() ?? null;
      if (said) document.body.append(shown);
      else shown.remove();
    });
  });
  return (text) => (said = text);
}

export function start(): void {
  const show = notice();
  show(() => t("Setting up the table in your browser. The first time takes a while."));
  const worker = new Worker(new URL("./desk.worker.ts", import.meta.url), { type: "module" });
  const desk = new Desk(worker, (message) => {
    if (message.kind === "ready") show(null);
    else if (message.kind === "failed")
      show(() =>
        message.taken
          ? t("This table is open in another tab. Close it there, then load this page again.")
          : t("The table could not be set up: {why}", { why: message.why }),
      );
    else if (message.kind === "unkept")
      show(() => t("This browser does not keep what you play: {why}", { why: message.why }));
  });
  desk.say({ kind: "begin", base: new URL("python/", document.baseURI).href });
  reachBy(desk);
  void navigator.storage?.persist?.(); // games are not to be cleared away for want of room
  // What the page is made of is kept, so that it can be opened again without a network.
  if ("serviceWorker" in navigator) void navigator.serviceWorker.register("kept.js").catch(() => undefined);
}
