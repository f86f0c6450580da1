import type { NewConsoleError } from "@busbar/contract/system/system-messages.ts";

const mostTraced = 6;
const isOldProgramPart = /dynamically imported module|importing a module script failed|preload css/i;

/** A part of the program that the server has no more after an update, or that a lost connection kept away. */
export const isMissingPart = (error: unknown): boolean => isOldProgramPart.test(messageOf(error));

function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === "string" && error !== "" ? error : Object.prototype.toString.call(error);
}

/** The same failure keeps its id while the page lives, however often it comes. */
const ids = new Map<string, string>();

/** What is reported of a failure: the screen's path without its texts, the message, and where in the program it was. */
export function errorReport(error: unknown, hash: string): NewConsoleError {
  const screen = hash.replace(/^#/, "").replace(/\?.*$/s, "").slice(0, 200);
  const message = messageOf(error).slice(0, 500);
  const trace = traceOf(error);
  const key = `${screen} ${message} ${trace}`;
  const id = ids.get(key) ?? newId();
  ids.set(key, id);
  return { id, message, screen, trace };
}

const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();

function traceOf(error: unknown): string {
  const stack = (error instanceof Error && error.stack) || "";
  const places = stack.split("\n").filter((line) => /:\d+:\d/.test(line));
  return places
    .slice(0, mostTraced)
    .map((line) =>
      line
        .trim()
        .replaceAll(/https?:\/\/[^/\s]+\//g, "")
        .replaceAll(/\?[^:\s)]*/g, ""),
    )
    .join(" ")
    .slice(0, 1_500);
}
