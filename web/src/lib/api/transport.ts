/** How the page reaches who answers: a server by the network, or the same application in a worker of its own (`src/offline`). */

/** A live connection, as far as it is used here; a WebSocket is one. */
export interface Line {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  close: () => void;
}

export interface Transport {
  ask: (path: string, init: RequestInit) => Promise<Response>;
  connect: (path: string) => Line;
  /** The address of a picture, for an element that loads it. */
  picture: (path: string) => string | Promise<string>;
}

const network: Transport = {
  ask: (path, init) => fetch(path, init),
  connect: (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`),
  picture: (path) => path,
};

let current = network;

export const transport = (): Transport => current;

export function reachBy(other: Transport): void {
  current = other;
}

/** Whether this page is its own server: there is nobody else to invite, and no account to sign in to. */
export const ALONE = import.meta.env.MODE === "offline";
