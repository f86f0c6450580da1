import type { FastifyInstance, FastifyRequest } from "fastify";

export interface ConsoleOrigins {
  /** The v2 port is another origin than the console's: the console of this server may call across. */
  isConsolePort: (port: number) => boolean;
  /** Consoles elsewhere that may sign in here and work (LOG-04): scheme, host and port, exactly. */
  others: ReadonlySet<string>;
}

export function allowConsoleOrigins(app: FastifyInstance, origins: ConsoleOrigins): void {
  app.addHook("onRequest", async (request, reply) => {
    const origin = request.headers.origin;
    if (origin === undefined || !(origins.others.has(origin) || isOwnConsole(origin, request, origins.isConsolePort))) return;
    reply
      .header("access-control-allow-origin", origin)
      // The cookie by which the server knows a browser again at sign-in.
      .header("access-control-allow-credentials", "true")
      .header("access-control-expose-headers", "content-disposition, date, etag, retry-after")
      .header("vary", "origin")
      .header("cross-origin-resource-policy", "cross-origin");
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      reply.header("access-control-allow-methods", "GET, POST, PATCH, DELETE");
      reply.header("access-control-allow-headers", "authorization, content-type, if-none-match, token");
      reply.header("access-control-max-age", "600");
      return reply.code(204).send();
    }
  });
}

function isOwnConsole(origin: string, request: FastifyRequest, isConsolePort: (port: number) => boolean): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, port, protocol } = new URL(origin);
  return (
    `${request.protocol}:` === protocol &&
    hostname === request.hostname &&
    isConsolePort(Number(port) || (protocol === "https:" ? 443 : 80))
  );
}
