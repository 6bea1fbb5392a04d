/** Reading the facts of an event or an action, for the words of a game: what is missing is an error, so that the English stands. */
import type { Facts, Names } from "./game-words";

export function text(facts: Facts, key: string): string {
  const value = facts[key];
  if (value === undefined || value === null) throw new Error(`no ${key}`);
  return String(value);
}

export function list(facts: Facts, key: string): string[] {
  const value = facts[key];
  if (!Array.isArray(value)) throw new Error(`no ${key}`);
  return value.map(String);
}

/** The word of a table for a fact; what the table lacks is an error. */
export function word(table: Readonly<Record<string, string>>, facts: Facts, key: string): string {
  const found = table[text(facts, key)];
  if (found === undefined) throw new Error(`no word for ${text(facts, key)}`);
  return found;
}

/** A modifier of the die with its sign, nothing for 0. */
export function modifier(facts: Facts, key = "drm"): string {
  const value = Number(facts[key] ?? 0);
  return value ? ` ${value > 0 ? "+" : "−"}${Math.abs(value)}` : "";
}

export const unit = (facts: Facts, names: Names, key = "unit"): string => names.unit(text(facts, key));
export const units = (facts: Facts, names: Names, key = "units"): string => list(facts, key).map(names.unit).join("、");

/** A hex with its number, as an action names it: マイコプ（2333）, or 1432. */
export function numbered(id: string, name: string): string {
  return name === id ? id : /^\d+$/.test(id) ? `${name}（${id}）` : name;
}
