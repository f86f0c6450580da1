import type { FastifyReply } from "fastify";
import { tooManyRequests } from "#lib/errors.ts";

/** Of up to 20 MB each. */
const largeBodiesAtOnce = 8;
const retryAfterSeconds = 5;

/** Large bodies are held in memory while they come and while they are stored: so many at a time. @returns what a request enters by */
export function createBodyGate(): (reply: FastifyReply) => void {
  let inside = 0;
  return ({ raw }) => {
    if (inside >= largeBodiesAtOnce)
      throw tooManyRequests("Too many files are being uploaded at the moment. Please try again", retryAfterSeconds);
    inside++;
    // Also when whoever sends goes away.
    raw.once("close", () => inside--);
  };
}
