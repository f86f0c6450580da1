import { recoveryCodeCount } from "@busbar/contract/access/two-factor.ts";
import { expect, test } from "vitest";
import { hashToken } from "./random-tokens.ts";
import { hashRecoveryCode, isRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";

test("SEC-03 recovery codes are many, of 16 letters and digits that do not look alike, and typed in any case", () => {
  const codes = Array.from({ length: 50 }, newRecoveryCodes).flat();
  expect(newRecoveryCodes()).toHaveLength(recoveryCodeCount);
  expect(new Set(codes).size).toBe(50 * recoveryCodeCount);
  for (const code of codes) expect(code).toMatch(/^[abcdefghjkmnpqrstuvwxyz2-9]{16}$/);
  expect(new Set(codes.join("")).size).toBe(31);
  expect(["123456", "a".repeat(15), "a".repeat(16), "a".repeat(17)].map(isRecoveryCode)).toEqual([false, false, true, false]);
  expect(hashRecoveryCode("ABCDefgh23456789")).toEqual(hashToken("abcdefgh23456789"));
});
