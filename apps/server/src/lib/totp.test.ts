import { expect, test } from "vitest";
import { newTotpSecret, otpauthAddress, totpCode, totpStep } from "./totp.ts";

// RFC 6238, appendix B: the ASCII secret 12345678901234567890; the last six of its eight digits.
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [20_000_000_000, "353130"],
])("at %i s the code is %s", (seconds, code) => {
  expect(totpCode(secret, seconds * 1000)).toBe(code);
});

test("one step of clock difference is allowed, two are not", () => {
  const at = 1_234_567_890_000;
  const code = totpCode(secret, at);
  const step = Math.floor(at / 30_000);
  expect([-30_000, 0, 30_000].map((offset) => totpStep(secret, code, at + offset))).toEqual([step, step, step]);
  expect(totpStep(secret, code, at + 60_000)).toBeUndefined();
  expect(totpStep(secret, "000000", at)).toBeUndefined();
  expect(totpStep(secret, "", at)).toBeUndefined();
});

test("a new secret has 160 bits and an address that names us and the user", () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(otpauthAddress(made, "someone")).toMatch(new RegExp(`^otpauth://totp/Busbar:someone\\?issuer=Busbar&secret=${made}&`));
});
