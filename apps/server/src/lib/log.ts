import { destination, multistream, pino, stdTimeFunctions } from "pino";
import type { Level, Logger } from "pino";
import { createLogFeed, tieFeed } from "./log-feed.ts";

export type Log = Logger;

/**
 * JSON lines on standard output from `level` on; warnings and errors always go to the log's feed too. What must never be logged is
 * removed here as well as at its source.
 */
export function createLog(level: string): Log {
  const feed = createLogFeed();
  const isTalkative = ["trace", "debug", "info", "warn"].includes(level);
  const output = destination(1);
  // A terminal that is closed takes no lines any more.
  output.on("error", () => undefined);
  const log = pino(
    {
      level: isTalkative ? level : "warn",
      timestamp: stdTimeFunctions.epochTime,
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
    },
    multistream([...(level === "silent" ? [] : [{ level: level as Level, stream: output }]), { level: "warn", stream: feed }]),
  );
  tieFeed(log, feed);
  return log;
}

export const silentLog: Log = pino({ level: "silent" });
