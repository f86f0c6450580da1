import { pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { mosquittoHash } from "./mosquitto-hash.ts";

test("A-63 the line of a password is what Mosquitto works out from its own salt", () => {
  const [, kind, iterations, salt, key] = mosquittoHash("10235", "secret").split("$");
  const bytes = Buffer.from(salt!, "base64");
  expect([kind, bytes.length]).toEqual(["7", 12]);
  expect(key).toBe(pbkdf2Sync("secret", bytes, Number(iterations), 64, "sha512").toString("base64"));
});

test("A-63 the line of an unchanged password stays, and no two names or passwords have one salt", () => {
  const lines = [mosquittoHash("10235", "secret"), mosquittoHash("10236", "secret"), mosquittoHash("10235", "other")];
  expect(mosquittoHash("10235", "secret")).toBe(lines[0]);
  expect(new Set(lines.map((line) => line.split("$")[3])).size).toBe(3);
});
