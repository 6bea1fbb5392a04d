/** The worker at whose desk the server's application sits, run by Pyodide. */

import { Keeping } from "./keeping";
import type { FromDesk, FromHelper, ToDesk, ToHelper } from "./messages";
import { python, type Pyodide } from "./python";

const FOLDER = "/table";
const KEPT = ["sandtable.db", "cookies.json"];
const LOCK = "sandtable";
/** Where computer players think. */
const BRAIN = "sandtable.server.computers.brain";
/** Milliseconds that a page which was just left may take to give its lock back. */
const PATIENCE = 5000;

interface Page {
  open: () => Promise<void>;
  ask: (
    number: number,
    method: string,
    target: string,
    headers: string,
    body: string,
    answered: (status: number, headers: string) => void,
    took: (piece: Uint8Array) => void,
  ) => Promise<void>;
  live: (number: number, target: string, heard: (text: string) => void) => Promise<number>;
  leave: (number: number) => void;
}

const say = (message: FromDesk): void => postMessage(message);

// ------------------------------------------------------------------------------------------ helpers

interface Waiting {
  done: (answer: Uint8Array) => void;
  fail: (why: Error) => void;
  told: (piece: Uint8Array) => void;
}

/** Workers that think, one a module; each is made when it is first asked. */
class Helpers {
  private readonly workers = new Map<string, Worker>();
  private readonly waiting = new Map<number, Waiting & { module: string }>();
  private numbers = 0;

  constructor(private readonly base: string) {}

  ask = (module: string, message: Uint8Array, told: (piece: Uint8Array) => void): Promise<Uint8Array> => {
    const number = ++this.numbers;
    const asked: ToHelper = { base: this.base, module, number, message };
    this.worker(module).postMessage(asked);
    return new Promise((done, fail) => this.waiting.set(number, { module, done, fail, told }));
  };

  /** Let one be ready when it is asked. */
  prepare(module: string): void {
    const nothing: ToHelper = { base: this.base, module, number: 0, message: new Uint8Array() };
    this.worker(module).postMessage(nothing);
  }

  /** Whoever thinks in it thinks no more; the next question makes a new one. */
  stop = (module: string): void => {
    this.workers.get(module)?.terminate();
    this.workers.delete(module);
    for (const [number, waiting] of this.waiting) if (waiting.module === module) this.waiting.delete(number);
  };

  private worker(module: string): Worker {
    let found = this.workers.get(module);
    if (!found) {
      found = new Worker(new URL("./helper.worker.ts", import.meta.url), { type: "module" });
      found.onmessage = (event: MessageEvent<FromHelper>) => this.heard(event.data);
      found.onerror = (event) => {
        for (const waiting of this.waiting.values())
          if (waiting.module === module) waiting.fail(new Error(event.message));
        this.stop(module);
      };
      this.workers.set(module, found);
    }
    return found;
  }

  private heard(message: FromHelper): void {
    const waiting = this.waiting.get(message.number);
    if (!waiting) return;
    if (message.kind === "told") return waiting.told(message.piece);
    this.waiting.delete(message.number);
    if (message.kind === "answer") waiting.done(message.answer);
    else waiting.fail(new Error(message.why));
  }
}

// ------------------------------------------------------------------------------------------ keeping

/** Keeps the files whenever they have changed; while they are being written, what changes next waits for its turn. */
class Keeper {
  private dirty = false;
  private busy = false;

  constructor(
    private readonly py: Pyodide,
    private readonly keeping: Keeping,
  ) {}

  changed = (): void => {
    this.dirty = true;
    if (!this.busy) void this.write();
  };

  private async write(): Promise<void> {
    this.busy = true;
    try {
      while (this.dirty) {
        await Promise.resolve(); // the commit that told of this is through
        this.dirty = false;
        const there = KEPT.filter((name) => this.py.FS.analyzePath(`${FOLDER}/${name}`).exists);
        await this.keeping.keep(new Map(there.map((name) => [name, this.py.FS.readFile(`${FOLDER}/${name}`)])));
      }
    } catch (error) {
      say({ kind: "unkept", why: String(error) });
    } finally {
      this.busy = false;
    }
  }
}

// ------------------------------------------------------------------------------------------ the desk

/** Holds the table for this page as long as it is open; false if another page does. */
async function alone(): Promise<boolean> {
  if (!("locks" in navigator)) return true; // not a secure page: the browser does not say
  return new Promise((done) => {
    const forever = new Promise<never>(() => undefined);
    navigator.locks
      .request(LOCK, { signal: AbortSignal.timeout(PATIENCE) }, () => {
        done(true);
        return forever;
      })
      .catch(() => done(false));
  });
}

async function begin(base: string): Promise<{ page: Page; keeper: Keeper } | null> {
  if (!(await alone())) {
    say({ kind: "failed", why: "", taken: true });
    return null;
  }
  const [py, keeping] = await Promise.all([python(base), Keeping.begin()]);
  py.FS.mkdirTree(FOLDER);
  for (const [name, data] of await keeping.files()) py.FS.writeFile(`${FOLDER}/${name}`, data);
  const keeper = new Keeper(py, keeping);
  const make = py.pyimport("sandtable.offline.browser")["Page"] as (...given: unknown[]) => Page;
  const helpers = new Helpers(base);
  const page = make(FOLDER, helpers, keeper.changed);
  await page.open();
  say({ kind: "ready" });
  helpers.prepare(BRAIN);
  return { page, keeper };
}

let begun: Promise<{ page: Page; keeper: Keeper } | null> | undefined;

async function handle(message: ToDesk): Promise<void> {
  if (message.kind === "begin") {
    begun = begin(message.base);
    begun.catch((error: unknown) => say({ kind: "failed", why: String(error), taken: false }));
    return;
  }
  const desk = await begun;
  if (!desk) return;
  const { page, keeper } = desk;
  const { kind, number } = message;
  if (kind === "leave") page.leave(number);
  else if (kind === "live") {
    const code = await page.live(number, message.path, (text) => say({ kind: "heard", number, text }));
    say({ kind: "closed", number, code });
  } else {
    let why: string | null = null;
    try {
      await page.ask(
        number,
        message.method,
        message.path,
        message.headers,
        message.body,
        (status, headers) => say({ kind: "answered", number, status, headers }),
        (piece) => say({ kind: "took", number, piece }),
      );
      if (message.method !== "GET") keeper.changed(); // a cookie may be new
    } catch (error) {
      why = String(error);
    }
    say({ kind: "done", number, why });
  }
}

onmessage = (event: MessageEvent<ToDesk>) => void handle(event.data);
