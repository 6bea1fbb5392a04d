/** Who asks often is made to wait by the server, and need not ask again himself. */

import { Problem } from "./client";

/** Asks, and as often as the server says "not so often" waits as long as it says and asks again. */
export async function patiently<T>(ask: () => Promise<T>, gone: () => boolean = () => false): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem) || !error.often || gone()) throw error;
      await new Promise((on) => setTimeout(on, 1000 * Math.max(1, error.wait)));
      if (gone()) throw error;
    }
  }
}
