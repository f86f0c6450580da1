import { pino } from "pino";
import type { Logger } from "pino";

export type Log = Logger;

/** JSON lines on standard output. What must never be logged is removed here as well as at its source. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: [
        "password",
        "*.password",
        "token",
        "*.token",
        "secret",
        "*.secret",
        "passcode",
        "*.passcode",
        "headers.authorization",
        "headers.token",
        "headers.cookie",
      ],
      censor: "[redacted]",
    },
  });
}

export const silentLog: Log = pino({ level: "silent" });
