/**
 * Checks in the browser that the dice of a game were fair.
 *
 * Before the first roll the server publishes the SHA-256 of a secret seed, after the last the seed itself.
 * Die number i is the HMAC-SHA-256 of i (eight bytes, big end first) under the seed; its first eight bytes,
 * read as a number, give the face without bias: numbers of the incomplete last round are drawn again.
 */

export interface Die {
  index: number;
  sides: number;
  value: number;
}

export interface Roll {
  /** The number of the log entry. */
  n: number;
  dice: readonly Die[];
}

export interface DiceFacts {
  commitment: string;
  seed?: string | null;
  /** The last entry that was rolled with another seed: of the game that this one was branched from. */
  from_entry?: number;
  rolls: readonly Roll[];
}

export interface Fault {
  n: number;
  index: number;
  shown: number;
  derived: number;
}

export interface Verdict {
  /** Whether the seed belongs to the commitment of the start. */
  committed: boolean;
  dice: number;
  faults: Fault[];
}

const SPAN = 1n << 64n;

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 2 || /[^0-9a-f]/i.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function toHex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function commitmentOf(seed: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", fromHex(seed)));
}

/** Gives the faces of dice by their numbers, from a seed. */
export async function diceOf(seed: string): Promise<(index: number, sides: number) => Promise<number>> {
  const key = await crypto.subtle.importKey("raw", fromHex(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

  async function number(message: DataView<ArrayBuffer>): Promise<bigint> {
    return new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0);
  }

  return async (index, sides) => {
    const first = new DataView(new ArrayBuffer(8));
    first.setBigUint64(0, BigInt(index));
    let value = await number(first);
    const limit = SPAN - (SPAN % BigInt(sides));
    for (let again = 1; value >= limit; again += 1) {
      const next = new DataView(new ArrayBuffer(12));
      next.setBigUint64(0, BigInt(index));
      next.setUint32(8, again);
      value = await number(next);
    }
    return Number(value % BigInt(sides)) + 1;
  };
}

/** Derives every die again; needs the seed, which is published when the game has ended. */
export async function check(facts: DiceFacts): Promise<Verdict> {
  if (!facts.seed) throw new Error("the seed is not published yet");
  const die = await diceOf(facts.seed);
  const verdict: Verdict = {
    committed: (await commitmentOf(facts.seed)) === facts.commitment.toLowerCase(),
    dice: 0,
    faults: [],
  };
  for (const roll of facts.rolls) {
    if (roll.n <= (facts.from_entry ?? 0)) continue;
    for (const { index, sides, value: shown } of roll.dice) {
      const derived = await die(index, sides);
      verdict.dice += 1;
      if (derived !== shown) verdict.faults.push({ n: roll.n, index, shown, derived });
    }
  }
  return verdict;
}
