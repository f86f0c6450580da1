import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./passwords.ts";

test("SEC-04 passwords are kept as argon2id with a salt of their own", async () => {
  // As the program does: what tests share hashes cheaply.
  const program = `const { hashPassword } = await import(${JSON.stringify(import.meta.resolve("./passwords.ts"))});
    console.log(await hashPassword("Busbar-test-1")); console.log(await hashPassword("Busbar-test-1"));`;
  const [first = "", second] = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).split("\n");
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword(first, "Busbar-test-1")).toBe(true);
  expect(await verifyPassword(first, "Busbar-test-2")).toBe(false);
});

test("without a stored hash nothing is right, not even the decoy's own password", async () => {
  expect(await verifyPassword(undefined, "no account has this hash")).toBe(false);
  expect(await verifyPassword(null, "")).toBe(false);
});

test("a flood is refused before it holds memory, and the others are served", async () => {
  const hash = await hashPassword("Busbar-test-1");
  const results = await Promise.allSettled(Array.from({ length: 230 }, () => verifyPassword(hash, "Busbar-test-1")));
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused).toHaveLength(230 - 204);
  expect(results.filter((result) => result.status === "fulfilled" && result.value)).toHaveLength(204);
});
