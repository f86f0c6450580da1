import type { Server } from "node:http";
import { setImmediate as turnOfLoop, setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

const quietMs = 300;
const longestMs = 4_000;
const stepMs = 20;

declare module "fastify" {
  interface FastifyInstance {
    /** Before it stops listening. */
    leaveProxies(): Promise<void>;
  }
}

/**
 * A proxy that says `x-asks-elsewhere: reads` asks another process at once when a read is cut, and leaves alone for two seconds whoever cut it
 * (deploy/nginx.conf, decision 0056). A process that ends therefore cuts one read of each such proxy, and listens until no one has come for a
 * while: a change that comes in its last moment is lost, as a proxy may not send it again.
 */
export function letProxiesBeLeft(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean): void {
  let hasProxies = false;
  let left: Set<string | undefined> | undefined;

  app.addHook("onRequest", async ({ raw: { method, headers, socket } }, reply) => {
    const { remoteAddress } = socket;
    if (headers["x-asks-elsewhere"] !== "reads" || !isTrustedProxy(remoteAddress)) return;
    hasProxies = true;
    if (left === undefined || left.has(remoteAddress) || (method !== "GET" && method !== "HEAD")) return;
    left.add(remoteAddress);
    reply.hijack();
    socket.destroy();
  });

  app.decorate("leaveProxies", async () => {
    if (!hasProxies) return;
    left = new Set();
    const isQuiet = await becomesQuiet(app.server);
    app.log.info({ proxies: left.size, isQuiet }, "left the proxies");
  });
}

/** Waits until no one has come for a while. @returns whether it was so in time */
async function becomesQuiet(server: Server): Promise<boolean> {
  const beganAt = performance.now();
  let cameAt = beganAt;
  server.on("connection", () => (cameAt = performance.now()));
  while (performance.now() - cameAt < quietMs) {
    if (performance.now() - beganAt >= longestMs) return false;
    await pause(stepMs);
    // Whoever came while the process got no processor is seen first.
    await turnOfLoop();
  }
  return true;
}
