/** Who sits before this browser. */

import { api, Problem } from "./api/client";
import type { Me } from "./api/types";

class Session {
  me: Me | null = $state(null);
  ready = $state(false);

  /** The account of this browser; a guest is made if there is none yet. */
  async need(): Promise<Me> {
    this.me ??= await api.guest();
    return this.me;
  }
}

export const session = new Session();

export async function begin(): Promise<void> {
  try {
    session.me = await api.me();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  } finally {
    session.ready = true;
  }
}
