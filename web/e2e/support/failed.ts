/** What the browsers showed when a test failed, as pictures. */
import { join } from "node:path";
import { afterEach, inject } from "vitest";
import { visitors } from "./stage";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const [i, visitor] of [...visitors].entries()) {
    const path = join(inject("shots"), `failed-${task.name.replace(/\W+/g, "-").slice(0, 60)}-${i}.png`);
    await visitor.page.screenshot({ path, timeout: 5000 }).catch(() => undefined);
    console.error(`${visitor.page.url()} is shown in ${path}; complaints: ${visitor.complaints.join("; ") || "none"}`);
  }
});
