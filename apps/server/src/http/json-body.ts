import type { FastifyInstance } from "fastify";
import { AppError } from "#lib/errors.ts";

const maxDepth = 32;

/** Bodies are JSON: an empty one counts as absent, a deep one is refused before it is parsed, `__proto__` keys are refused. */
export function addJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = body as string;
    if (text === "") return done(null, undefined);
    if (isDeep(text)) return done(new AppError(400, "INVALID", `The body is nested deeper than ${maxDepth} levels`));
    void parse(request, text, (error, value) => {
      if (error) done(new AppError(400, "INVALID", "The body is not valid JSON"));
      else done(null, value);
    });
  });
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x5c) index++;
    else if (char === 0x22) return index;
  }
  return text.length;
}
