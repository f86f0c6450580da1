import type { FastifyInstance } from "fastify";
import type { FinishedRequest } from "./request-counter.ts";

/** One line per request, by route template: an address may hold a passcode or a value that no one should read later. */
export function logRequests(app: FastifyInstance, onApiRequest: (request: FinishedRequest) => void): void {
  app.addHook("onResponse", async ({ method, id, log, routeOptions }, reply) => {
    const route = routeOptions.url ?? "(no route)";
    const status = reply.statusCode;
    if (route.startsWith("/api")) {
      const served = routeOptions.config.isOtherMethod ? { method: "other", route: "other" } : { method, route };
      onApiRequest({ ...served, status, seconds: reply.elapsedTime / 1000 });
    }
    log.debug({ requestId: id, method, route, status, ms: Math.round(reply.elapsedTime) }, "request");
  });
}
