import { randomInt } from "node:crypto";
import { recoveryCodeCount } from "@busbar/contract/access/two-factor.ts";
import { hashToken } from "./random-tokens.ts";

// Without letters and digits that look alike; 16 of 31 are 79 bits, so that a fast hash is enough to keep them.
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const codeLength = 16;

const newCode = (): string => Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newCode);

/** Whether a typed code has a recovery code's form; an authenticator's has six digits. */
export const isRecoveryCode = (code: string): boolean => code.length === codeLength;

export const hashRecoveryCode = (code: string): Buffer => hashToken(code.toLowerCase());
