/** Messages with holes: `{name}` is filled in, `{n|game|games}` picks the word for a number. */

export type Params = Readonly<Record<string, string | number>>;

const HOLE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

export function fill(template: string, params: Params = {}): string {
  return template.replace(HOLE, (whole, name: string, one?: string, many?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return String(value);
    return Number(value) === 1 ? one : many;
  });
}

/** The names of the holes in a message, sorted: both languages of a message should have the same. */
export function holes(template: string): string[] {
  return [...new Set([...template.matchAll(HOLE)].map((match) => match[1] ?? ""))].sort();
}
