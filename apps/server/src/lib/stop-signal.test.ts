import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const program = (rest: string) => `
  import { createLog } from ${JSON.stringify(new URL("./log.ts", import.meta.url).href)};
  import { endLate } from ${JSON.stringify(new URL("./stop-signal.ts", import.meta.url).href)};
  endLate(createLog("info"), 200);
  ${rest}`;

async function run(rest: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(rest)], { stdio: ["ignore", "pipe", "inherit"] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  return { said, code };
}

test("a program that something keeps alive after its stop is ended, and says what it was", async () => {
  const { said, code } = await run("setInterval(() => undefined, 1_000);");
  expect(code).toBe(1);
  expect(JSON.parse(said)).toMatchObject({
    msg: "not everything stopped in time: ended without it",
    keptAliveBy: expect.arrayContaining(["Timeout"]) as unknown,
  });
});

test("one that has stopped is not waited for", async () => {
  expect(await run("")).toEqual({ said: "", code: 0 });
});
