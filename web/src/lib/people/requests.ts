/** The requests about people: profiles, friends, leagues and knock-outs. */

import { change, get } from "../api/client";
import type { ContestDetail, ContestRecord, Friends, LinkOwner, NewContest, Profile, Verdict } from "../api/types";

const contest = (id: string, rest = ""): string => `/api/contests/${encodeURIComponent(id)}${rest}`;

export const people = {
  profile: (name: string) => get<Profile>("/api/people", { name }),

  friends: () => get<Friends>("/api/friends"),
  /** The personal link of this account; renewed, the old one is not good any more. */
  link: async (renew = false): Promise<string> =>
    (await change<{ token: string }>("POST", "/api/friends/link", { renew })).token,
  owner: (token: string) => get<LinkOwner>(`/api/friends/link/${encodeURIComponent(token)}`),
  ask: (token: string) => change<Friends>("POST", "/api/friends", { token }),
  agree: (name: string) => change<Friends>("POST", "/api/friends/agree", { name }),
  part: (name: string) => change<Friends>("POST", "/api/friends/part", { name }),

  contests: () => get<ContestRecord[]>("/api/contests"),
  contest: (id: string, token: string | null) => get<ContestDetail>(contest(id), { token }),
  found: (wish: NewContest) => change<ContestDetail>("POST", "/api/contests", wish),
  enter: (id: string, token: string | null) => change<ContestDetail>("POST", contest(id, "/enter"), { token }),
  leave: (id: string) => change<null>("POST", contest(id, "/leave"), {}),
  start: (id: string) => change<ContestDetail>("POST", contest(id, "/start"), {}),
  dismiss: (id: string, name: string) => change<ContestDetail>("POST", contest(id, "/dismiss"), { name }),
  settle: (id: string, n: number, result: Verdict) =>
    change<ContestDetail>("POST", contest(id, "/settle"), { n, result }),
  cancel: (id: string) => change<ContestDetail>("POST", contest(id, "/cancel"), {}),
};
