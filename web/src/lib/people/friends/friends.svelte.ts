/** The friends of this account, as far as they were asked for. */

import { Problem } from "../../api/client";
import type { Friends } from "../../api/types";
import { session } from "../../session.svelte";
import { people } from "../requests";

const NOBODY: Friends = { friends: [], asking: [], asked: [] };

class FriendList {
  all: Friends = $state.raw(NOBODY);
  ready = $state(false);
  fault = $state("");

  /** Whether there can be any: guests have none. */
  get possible(): boolean {
    return session.me !== null && !session.me.guest;
  }

  async load(): Promise<void> {
    if (this.possible) await this.take(() => people.friends());
    else this.all = NOBODY;
    this.ready = true;
  }

  /** Does something that is answered with the new list; says what the server has against it. */
  async take(what: () => Promise<Friends>): Promise<void> {
    this.fault = "";
    try {
      this.all = await what();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fault = error.message;
    }
  }
}

export const friends = new FriendList();
