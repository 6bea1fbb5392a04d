/** Who sits before this browser. */

import { api, Problem } from "./api/client";
import type { Me } from "./api/types";
import { recall, remember } from "./store";

/** Kept beside the session's cookie, which scripts cannot see: whether there is one to ask the server about. */
const KNOWN = "account";

/** Whether this browser has had an account or a guest; yes if it remembers nothing at all. */
function known(): boolean {
  remember("remembers", true);
  return recall(KNOWN, !recall("remembers", false));
}

class Session {
  ready = $state(false);
  private person: Me | null = $state(null);

  get me(): Me | null {
    return this.person;
  }

  set me(person: Me | null) {
    this.person = person;
    remember(KNOWN, person !== null);
  }

  /** The account of this browser; a guest is made if there is none yet. */
  async need(): Promise<Me> {
    this.me ??= await api.guest();
    return this.me;
  }
}

export const session = new Session();

export async function begin(): Promise<void> {
  try {
    if (known()) session.me = await api.me();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) session.me = null;
  } finally {
    session.ready = true;
  }
}
