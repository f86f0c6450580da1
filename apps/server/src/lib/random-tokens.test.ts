import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashNodeSecret, newNodeSecret } from "./node-secrets.ts";
import { hashToken, isTokenOf, randomToken } from "./random-tokens.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest();

test("a token has as many bits as it should, and is known by its hash alone", () => {
  const token = randomToken(32);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(randomToken(32)).not.toBe(token);
  expect(hashToken("abc")).toEqual(sha256("abc"));
  expect([isTokenOf(token, hashToken(token)), isTokenOf(`${token}x`, hashToken(token)), isTokenOf(token, Buffer.alloc(31))]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a node's secret has 256 bits, none begins like a formula or an option, and its hash is stored", () => {
  const secrets = Array.from({ length: 500 }, newNodeSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z\d][\w-]{42}$/);
  expect(new Set(secrets).size).toBe(500);
  expect(hashNodeSecret("abc")).toEqual(sha256("abc"));
});
