import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { forbidden } from "#lib/errors.ts";

/** Something that must work before this process may be called; `problem` says what is missing. */
export interface ReadinessCheck {
  name: string;
  problem(): string | undefined | Promise<string | undefined>;
}

export interface HealthDependencies {
  checks: ReadinessCheck[];
  registry: Registry;
  /** Of the threads beside this one, in Prometheus' text format. */
  threadMetrics?: () => Promise<string[]>;
  metricsToken: string | undefined;
}

export function healthRoutes(app: FastifyInstance, { checks, registry, threadMetrics, metricsToken }: HealthDependencies): void {
  // Monitors often ask with HEAD.
  app.get("/healthz", { exposeHeadRoute: true }, () => ({ status: "ok" }));

  app.get("/readyz", { exposeHeadRoute: true }, async (_request, reply) => {
    const problems: Record<string, string> = {};
    for (const check of checks) {
      const problem = await check.problem();
      if (problem !== undefined) problems[check.name] = problem;
    }
    const isReady = Object.keys(problems).length === 0;
    if (!isReady) reply.header("retry-after", "2");
    return reply.code(isReady ? 200 : 503).send(isReady ? { status: "ready" } : { status: "not ready", problems });
  });

  app.get("/metrics", async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (!isLoopback(request.ip) && !isSame(token, metricsToken))
      throw forbidden("Metrics are for this machine, or need METRICS_TOKEN as bearer");
    const [own, others = []] = await Promise.all([registry.metrics(), threadMetrics?.()]);
    return reply.type(registry.contentType).send([own, ...others].filter(Boolean).join("\n"));
  });
}

const isLoopback = (address: string) => /^(::1|(::ffff:)?127\.)/.test(address);

function isSame(given: string | undefined, expected: string | undefined): boolean {
  if (given === undefined || expected === undefined || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
