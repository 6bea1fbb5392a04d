/** Who is told to wait waits, and asks again by himself. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../../src/lib/api/client";
import { patiently } from "../../src/lib/api/patience";

const often = (seconds: number): Problem =>
  new Problem(429, `too many requests: wait ${seconds} seconds`, "", "", null, seconds);

describe("patience", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("waits as long as it is told, and asks again", async () => {
    const ask = vi.fn<() => Promise<string>>();
    ask.mockRejectedValueOnce(often(2)).mockRejectedValueOnce(often(1)).mockResolvedValueOnce("the end");
    const answer = patiently(ask);
    await vi.advanceTimersByTimeAsync(1900);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(ask).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await answer).toBe("the end");
  });

  it("says at once what waiting does not mend", async () => {
    const ask = vi.fn<() => Promise<string>>().mockRejectedValue(new Problem(404, "no such game"));
    await expect(patiently(ask)).rejects.toThrow("no such game");
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("does not ask for somebody who has gone", async () => {
    let gone = false;
    const ask = vi.fn<() => Promise<string>>().mockRejectedValue(often(1));
    const answer = expect(patiently(ask, () => gone)).rejects.toThrow("too many requests");
    gone = true;
    await vi.advanceTimersByTimeAsync(1000);
    await answer;
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
