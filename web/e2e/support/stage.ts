/** A browser, and visitors in it: each with cookies of its own, all that it was sent, and all its complaints. */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { expect, inject } from "vitest";
import { chromium as installed } from "../../scripts/browser.mjs";

export const address = inject("address");

export async function launch(): Promise<Browser> {
  return chromium.launch(await installed());
}

/** Something that the server has sent to a browser. */
export interface Payload {
  from: string;
  body: string;
  /** The order of arrival, over all visitors. */
  order: number;
}

let order = 0;

/** The number of the last thing that has arrived: what comes later has a higher one, whenever its words are read. */
export const arrivals = (): number => order;

/** Those who are here now. */
export const visitors = new Set<Visitor>();

export interface VisitorOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  palette?: "standard" | "cvd";
  language?: "en" | "ja";
  motion?: boolean;
}

export class Visitor {
  readonly payloads: Payload[] = [];
  readonly complaints: string[] = [];
  /** While the network is cut, failing requests are what is to be expected. */
  cut = false;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async enter(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
    const {
      width = 1440,
      height = 900,
      theme = "light",
      palette = "standard",
      language = "en",
      motion = false,
    } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      locale: language,
      hasTouch: width < 500,
      reducedMotion: motion ? "no-preference" : "reduce",
      acceptDownloads: true,
    });
    await context.addInitScript(
      ([light, colours]) => {
        localStorage.setItem("sandtable.theme", JSON.stringify(light));
        localStorage.setItem("sandtable.palette", JSON.stringify(colours));
      },
      [theme, palette] as const,
    );
    context.setDefaultTimeout(40_000);
    const visitor = new Visitor(context, await context.newPage());
    visitor.listen();
    visitors.add(visitor);
    return visitor;
  }

  private listen(): void {
    const { page } = this;
    page.on("console", (message) => {
      if (message.type() === "error" && !this.cut)
        this.complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.complaints.push(`page: ${error.stack ?? error.message}`));
    page.on("response", (response) => {
      const mine = ++order;
      if (response.url().startsWith("blob:") || response.url().startsWith("data:")) return;
      response.text().then(
        (body) => this.payloads.push({ from: `${response.request().method()} ${response.url()}`, body, order: mine }),
        () => undefined, // an answer without a body, or to a page that is gone
      );
    });
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        this.payloads.push({ from: `WS ${socket.url()}`, body: payload.toString(), order: ++order });
      }),
    );
  }

  async open(hash = ""): Promise<void> {
    await this.page.goto(`${address}/${hash}`);
  }

  /** The number of the game whose table is open. */
  async gameId(): Promise<string> {
    await this.page.waitForURL(/#\/game\//);
    const id = /#\/game\/([^/?]+)/.exec(this.page.url())?.[1];
    if (!id) throw new Error(`no game in ${this.page.url()}`);
    return id;
  }

  /** Asks the server from inside the page, with its cookies. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.page.evaluate(
      async ([how, where, what]) => {
        const init: RequestInit = { method: how, headers: { "x-sandtable": "1", "content-type": "application/json" } };
        if (what !== null) init.body = what;
        const answer = await fetch(where, init);
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${how} ${where}: ${answer.status} ${text}`);
        return text ? JSON.parse(text) : null;
      },
      [method, path, body === undefined ? null : JSON.stringify(body)] as const,
    ) as Promise<T>;
  }

  /** Fails if the page has complained about anything. */
  calm(): void {
    expect(this.complaints).toEqual([]);
  }

  async leave(): Promise<void> {
    visitors.delete(this);
    await this.context.close();
  }
}

const axeSource = readFileSync(join(createRequire(import.meta.url).resolve("axe-core"), "../axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string | null;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe-core finds that is serious or worse, in words. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
  )) as Violation[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
    );
}
