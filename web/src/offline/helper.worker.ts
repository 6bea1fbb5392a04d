/** A worker that thinks: what is a process of its own on a server. It is asked one question at a time. */

import type { FromHelper, ToHelper } from "./messages";
import { python, type Pyodide } from "./python";

interface Thinker {
  answer: (message: Uint8Array, told: (piece: Uint8Array) => void) => Uint8Array;
}

const say = (message: FromHelper): void => postMessage(message);

let begun: Promise<Pyodide> | undefined;
let thinker: Thinker | undefined;

async function answer({ base, module, number, message }: ToHelper): Promise<void> {
  try {
    const py = await (begun ??= python(base));
    if (!thinker) {
      const make = py.pyimport("sandtable.offline.browser")["Thinker"] as (module: string) => Thinker;
      thinker = make(module);
    }
    if (!message.length) return;
    const found = thinker.answer(message, (piece) => say({ kind: "told", number, piece }));
    say({ kind: "answer", number, answer: found });
  } catch (error) {
    say({ kind: "failed", number, why: String(error) });
  }
}

let before = Promise.resolve();
onmessage = (event: MessageEvent<ToHelper>) => {
  before = before.then(() => answer(event.data));
};
