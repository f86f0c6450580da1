import { readFile, glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const server = join(import.meta.dirname, "../apps/server/src");

test("A-16 no mail makes an address by itself: whoever writes one asks for a screen, and the address is made in one place", async () => {
  const senders: string[] = [];
  const faults: string[] = [];
  for await (const file of glob("**/*.ts", { cwd: server, exclude: (path) => path.endsWith(".test.ts") })) {
    const source = await readFile(join(server, file), "utf8");
    if (!/\.enqueue\(|NewNotification/.test(source)) continue;
    senders.push(file);
    if (
      /\/admin\/|#\/|https?:\/\/|[uU]rl\(\)/.test(source.replaceAll(/^import .*$/gm, "")) &&
      file !== "features/alarms/mail/mail.service.ts"
    )
      faults.push(file);
  }
  expect(senders.length).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});
