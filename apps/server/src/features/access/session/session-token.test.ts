import { expect, test } from "vitest";
import { createTokenSigner } from "./session-token.ts";

const signer = createTokenSigner(new Uint8Array(32).fill(7));
const claims = { sessionId: "01234567-89ab-cdef-0123-456789abcdef", username: "pat", name: "Pat", issuedAt: 1_000, expiresAt: 2_000 };

test("a token is good until it expires, also one that was seen before", async () => {
  const token = await signer.sign(claims);
  expect(await signer.verify(token, 1_500)).toEqual(claims);
  expect(await signer.verify(token, 1_999)).toEqual(claims);
  expect(await signer.verify(token, 2_000)).toBeUndefined();
  expect(await signer.verify(await signer.sign({ ...claims, name: "Pat again" }), 2_000)).toBeUndefined();
});

test("A-46 another spelling of the same bytes is another token, in each of its parts", async () => {
  const token = await signer.sign(claims);
  const parts = token.split(".");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const [index, part] of parts.entries()) {
    const sameBytes = Array.from(alphabet)
      .map((last) => part.slice(0, -1) + last)
      .filter((text) => text !== part && Buffer.from(text, "base64url").equals(Buffer.from(part, "base64url")));
    const spellings = [`${part}=`, `${part}==`, ` ${part}`, `${part}\n`, part.replace(/.$/, "$&!"), ...sameBytes];
    for (const spelling of spellings) expect(await signer.verify(parts.with(index, spelling).join("."), 1_500)).toBeUndefined();
  }
  for (const text of [`${token}=`, `${token}.`, `.${token}`]) expect(await signer.verify(text, 1_500)).toBeUndefined();
  expect(await signer.verify(token, 1_500)).toEqual(claims);
});

test("only what we signed is good, whatever was seen before", async () => {
  const token = await signer.sign(claims);
  expect(await signer.verify(token, 1_500)).toEqual(claims);
  const [head, body, signature] = token.split(".");
  const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body!, "base64url").toString()), username: "sysadmin" })).toString(
    "base64url",
  );
  for (const bad of [
    `${head}.${forged}.${signature}`,
    `${head}.${body}.`,
    `${head}.${body}.${signature!.startsWith("A") ? "B" : "A"}${signature!.slice(1)}`,
    "",
  ]) {
    expect(await signer.verify(bad, 1_500)).toBeUndefined();
  }
  expect(await createTokenSigner(new Uint8Array(32).fill(8)).verify(token, 1_500)).toBeUndefined();
});
