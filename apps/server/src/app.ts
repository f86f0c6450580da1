import { randomUUID } from "node:crypto";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import { brokerAuthRoutes } from "#features/directory/broker-auth/broker-auth.routes.ts";
import { consoleFilesRoutes } from "#features/system/console-files/console-files.routes.ts";
import { healthRoutes, type ReadinessCheck } from "#features/system/health/health.routes.ts";
import { openapiRoutes } from "#features/system/openapi/openapi.routes.ts";
import { allowConsoleOrigins } from "#http/cross-origin.ts";
import { registerEndpoints } from "#http/endpoints.ts";
import { answerError } from "#http/errors.ts";
import { addJsonBodies } from "#http/json-body.ts";
import { letProxiesBeLeft } from "#http/leave-proxies.ts";
import { logRequests } from "#http/request-log.ts";
import { addSecurityHeaders, setSecurityHeaders } from "#http/security-headers.ts";
import { answerBrokenRequest, limitServer } from "#http/server-limits.ts";
import { createAddressList } from "#lib/address-list.ts";
import { notFound } from "#lib/errors.ts";

/** The HTTP application, without a port: tests call it directly. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = createBareApp(context);
  addJsonBodies(app);
  allowConsoleOrigins(app, context.consoleOrigins);
  registerEndpoints(app, context.handlers, context.authenticators);
  healthRoutes(app, context.health);
  brokerAuthRoutes(app, context.brokerAuth);
  openapiRoutes(app);
  await consoleFilesRoutes(app, context.consoleFiles);
  await app.ready();
  return app;
}

/** What a process without the role api answers: how it is, and nothing else. */
export async function createHealthApp(context: Context, checks: ReadinessCheck[]): Promise<FastifyInstance> {
  const app = createBareApp(context);
  healthRoutes(app, { ...context.health, checks });
  await app.ready();
  return app;
}

function createBareApp(context: Context): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = context.log;
  const isTrustedProxy = createAddressList(context.trustedProxies);
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 1_048_576,
    // No one else may say who the client is.
    trustProxy: isTrustedProxy,
    forceCloseConnections: "idle",
    // A call that still comes over an open connection is answered, and asked to close it.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 8_000 },
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(reply);
      answerError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  });
  limitServer(app.server);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request) => {
    throw notFound(`${request.method} ${request.url.replace(/[?#].*/s, "").slice(0, 100)}`);
  });
  letProxiesBeLeft(app, isTrustedProxy);
  addSecurityHeaders(app);
  logRequests(app, (request) => context.requests.count(request));
  return app;
}
