import type { FastifyInstance, FastifyRequest } from "fastify";

/** The v2 port is another origin than the console's; only the console on the same host may call across. */
export function allowConsoleOrigin(app: FastifyInstance, isConsolePort: (port: number) => boolean): void {
  app.addHook("onRequest", async (request, reply) => {
    const origin = request.headers.origin;
    if (origin === undefined || !isConsoleOrigin(origin, request, isConsolePort)) return;
    reply
      .header("access-control-allow-origin", origin)
      .header("access-control-expose-headers", "etag, retry-after")
      .header("vary", "origin")
      .header("cross-origin-resource-policy", "cross-origin");
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      reply.header("access-control-allow-methods", "GET, POST, PATCH, DELETE");
      reply.header("access-control-allow-headers", "authorization, content-type, token");
      reply.header("access-control-max-age", "600");
      return reply.code(204).send();
    }
  });
}

function isConsoleOrigin(origin: string, request: FastifyRequest, isConsolePort: (port: number) => boolean): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, port, protocol } = new URL(origin);
  return (
    `${request.protocol}:` === protocol &&
    hostname === request.hostname &&
    isConsolePort(Number(port) || (protocol === "https:" ? 443 : 80))
  );
}
