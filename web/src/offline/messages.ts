/** What the page and its workers say to each other. */

/** From the page to the worker at whose desk the application sits. */
export type ToDesk =
  | { kind: "begin"; base: string }
  | { kind: "ask"; number: number; method: string; path: string; headers: string; body: string }
  | { kind: "live"; number: number; path: string }
  /** Nobody waits for this request or connection any more. */
  | { kind: "leave"; number: number };

export type FromDesk =
  | { kind: "ready" }
  | { kind: "failed"; why: string; taken: boolean }
  /** The browser does not keep what was played. */
  | { kind: "unkept"; why: string }
  | { kind: "answered"; number: number; status: number; headers: string }
  | { kind: "took"; number: number; piece: Uint8Array }
  | { kind: "done"; number: number; why: string | null }
  | { kind: "heard"; number: number; text: string }
  | { kind: "closed"; number: number; code: number };

/** From there to a worker that thinks, as a process of the server would. */
export interface ToHelper {
  base: string;
  module: string;
  number: number;
  /** Empty: no question yet, but there will be one. */
  message: Uint8Array;
}

export type FromHelper =
  | { kind: "told"; number: number; piece: Uint8Array }
  | { kind: "answer"; number: number; answer: Uint8Array }
  | { kind: "failed"; number: number; why: string };
