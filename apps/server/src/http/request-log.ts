import type { FastifyInstance } from "fastify";

/** One line per API request, by route template: an address may hold a passcode or a value that nobody should read later. */
export function logRequests(app: FastifyInstance, onApiRequest: () => void): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "(no route)";
    if (route.startsWith("/api")) onApiRequest();
    request.log.debug(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
  });
}
