/** What this browser remembers by itself. Private windows may forbid it: then nothing is remembered. */

export function recall<T>(key: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(`sandtable.${key}`);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`sandtable.${key}`, JSON.stringify(value));
  } catch {
    // Nothing to do: it is only a convenience.
  }
}
