/** The rulebooks that were asked for, each fetched once. */

import { api } from "../api/client";
import type { Rulebook } from "./book";

const shelf = new Map<string, Promise<Rulebook>>();

export function bookOf(game: string): Promise<Rulebook> {
  let found = shelf.get(game);
  if (!found) {
    found = api.rulebook(game);
    shelf.set(game, found);
    found.catch(() => shelf.delete(game));
  }
  return found;
}
