/**
 * Texts as the server sends them: plain words, or a template with facts. A catalogue knows both by their English.
 *
 * Facts are numbers, names, lists of them, or texts of their own. Nobody reads a rendered sentence again.
 */
import type { components } from "../api/schema";

export type Text = components["schemas"]["Text"];
export type Said = string | Text;

/** A template in another language, if it is known there. */
export type Speech = (english: string) => string | undefined;

const HOLE = /\{(\w+)\}/g;

const isText = (value: unknown): value is Text => typeof value === "object" && value !== null && "template" in value;

/** A text in words; `between` stands between the parts of a list. */
export function render(said: Said, speech: Speech = () => undefined, between = ", "): string {
  if (typeof said === "string") return speech(said) ?? said;
  const { template, facts } = said;
  return (speech(template) ?? template).replace(HOLE, (hole, name: string) =>
    name in facts ? fact(facts[name], speech, between) : hole,
  );
}

function fact(value: unknown, speech: Speech, between: string): string {
  if (isText(value) || typeof value === "string") return render(value, speech, between);
  if (Array.isArray(value)) return value.map((one) => fact(one, speech, between)).join(between);
  return typeof value === "number" ? String(value) : "";
}

/** A text in English. */
export const english = (said: Said): string => render(said);
