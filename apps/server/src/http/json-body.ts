import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { errorCodes } from "@busbar/contract/errors.ts";
import { AppError } from "#lib/errors.ts";

const maxDepth = 32;
const maxValues = 10_000;

declare module "fastify" {
  interface FastifyContextConfig {
    maxBodyValues?: number | undefined;
  }
}

/** Bodies are JSON in UTF-8: an empty one counts as absent, a deep one or one of very many values is refused before it is parsed, `__proto__` keys are refused. */
export function addJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = body as string;
    const otherForm = formOtherThanText(request.headers);
    if (otherForm !== undefined) return done(new AppError(415, errorCodes.invalid, otherForm));
    if (text === "") return done(null, undefined);
    const { depth, values } = measure(text);
    const most = request.routeOptions.config.maxBodyValues ?? maxValues;
    if (depth > maxDepth) return done(new AppError(400, "INVALID", `The body is nested deeper than ${maxDepth} levels`));
    if (values > most) return done(new AppError(400, "INVALID", `The body has more than ${most} values`));
    void parse(request, text, (error, value) => {
      if (error)
        return done(
          new AppError(400, "INVALID", isJson(text) ? "The body has a field that no body may have" : "The body is not valid JSON"),
        );
      const half = mayHoldHalves.test(text) ? findHalf(value, "The body") : undefined;
      if (half !== undefined) done(new AppError(400, "INVALID", `${half} holds half of a character`));
      else done(null, value);
    });
  });
}

const charsetOf = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Why it cannot be read as UTF-8, which it is taken for. */
function formOtherThanText(headers: IncomingHttpHeaders): string | undefined {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (!["", "identity"].includes(encoding)) return "content-encoding: this call takes a body that is not packed";
  const charset = charsetOf.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  if (!["utf-8", "utf8"].includes(charset)) return "content-type: this call takes application/json in UTF-8";
  return undefined;
}

/** Whether it was refused for `__proto__` or `constructor`, and not for what it is. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A surrogate as an escape: UTF-8 itself has none. */
const mayHoldHalves = /\\u[dD][89a-fA-F]/;

const usualName = /^\w{1,64}$/;

/** The name of what holds half of a pair, which is no character: the database would store another one in its place. */
function findHalf(value: unknown, name: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : name;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const isNamed = !Array.isArray(value) && usualName.test(key);
    const half = key.isWellFormed() ? findHalf(each, isNamed ? key : name) : name;
    if (half !== undefined) return half;
  }
  return undefined;
}

/** How deep it is, and how many values it has at most, by its brackets and commas. */
function measure(text: string): { depth: number; values: number } {
  let [depth, deepest, values] = [0, 0, 1];
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x2c) values++;
    else if (char === 0x7b || char === 0x5b) {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return { depth: deepest, values };
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x5c) index++;
    else if (char === 0x22) return index;
  }
  return text.length;
}
