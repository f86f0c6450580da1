import { writeSync } from "node:fs";
import { destination, multistream, pino, stdTimeFunctions, type Level, type Logger } from "pino";
import { createLogFeed, tieFeed, type LogFeed } from "./log-feed.ts";

export type Log = Logger;

/**
 * JSON lines on standard output from `level` on; warnings and errors always go to the log's feed too. What must never be logged is
 * removed here as well as at its source. A thread hands them to the program's feed.
 */
export function createLog(level: string, threadsFeed?: Pick<LogFeed, "write">): Log {
  const ownFeed = createLogFeed();
  const isTalkative = ["trace", "debug", "info", "warn"].includes(level);
  const output = standardOutput();
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
    multistream([
      ...(level === "silent" ? [] : [{ level: level as Level, stream: output }]),
      { level: "warn", stream: threadsFeed ?? ownFeed },
    ]),
  );
  if (!threadsFeed) tieFeed(log, ownFeed);
  return log;
}

/** Lines go out without waiting, the last of them when the process ends: unless they cannot be taken, as when the terminal was closed. */
function standardOutput() {
  const output = destination(1);
  let isBroken = false;
  output.on("error", () => (isBroken = true));
  output.on("write", () => (isBroken = false));
  // pino flushes at the end of the process, and the flush of sonic-boom 4.2 tries again for ever, whatever the error is.
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!isBroken && takesLines(1)) flush();
  };
  return output;
}

/** Whether a write can succeed: one of no bytes is refused too by a terminal that is gone. */
function takesLines(fd: number): boolean {
  try {
    writeSync(fd, "");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN";
  }
}

export const silentLog: Log = pino({ level: "silent" });
