/** The rulebooks that were asked for, each fetched once in each language. */

import { api } from "../api/client";
import type { Rulebook } from "./book";

const shelf = new Map<string, Promise<Rulebook>>();

/** A rulebook in a language; in English where there is none in it. */
export function bookOf(game: string, language: string): Promise<Rulebook> {
  const key = `${game} ${language}`;
  let found = shelf.get(key);
  if (!found) {
    found = api.rulebook(game, language);
    shelf.set(key, found);
    found.catch(() => shelf.delete(key));
  }
  return found;
}
