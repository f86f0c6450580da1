import { Secret, TOTP } from "otpauth";

export const totpPeriodSeconds = 30;

function totp(secret: string, label = ""): TOTP {
  return new TOTP({ issuer: "Busbar", label, secret: Secret.fromBase32(secret), period: totpPeriodSeconds, digits: 6, algorithm: "SHA1" });
}

/** A new shared secret in base 32 (160 bits). */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** Address that an authenticator app reads, also as QR code. */
export const otpauthAddress = (secret: string, username: string): string => totp(secret, username).toString();

/** The six digits that hold at a time (RFC 6238). */
export const totpCode = (secret: string, nowMs: number): string => totp(secret).generate({ timestamp: nowMs });

/** The time step that a code belongs to, one step of clock difference allowed; undefined when it is wrong. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / totpPeriodSeconds) + delta;
}
