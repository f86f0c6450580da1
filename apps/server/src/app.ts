import fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Context } from "./context.ts";
import { consoleFilesRoutes } from "#features/console-files/console-files.routes.ts";
import { healthRoutes } from "#features/health/health.routes.ts";
import { openapiRoutes } from "#features/openapi/openapi.routes.ts";
import { allowConsoleOrigin } from "#http/cross-origin.ts";
import { registerEndpoints } from "#http/endpoints.ts";
import { answerError } from "#http/errors.ts";
import { addJsonBodies } from "#http/json-body.ts";
import { logRequests } from "#http/request-log.ts";
import { addSecurityHeaders } from "#http/security-headers.ts";
import { notFound } from "#lib/errors.ts";

/** The HTTP application, without a port: tests call it directly. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1_048_576,
    // A slow sender of headers or body holds a socket no longer than this.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 30_000,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
    frameworkErrors: answerError,
  });
  app.server.headersTimeout = 15_000;
  app.server.maxConnections = 20_000;
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request) => {
    throw notFound(`${request.method} ${new URL(request.url, "http://host").pathname.slice(0, 100)}`);
  });
  addSecurityHeaders(app);
  addJsonBodies(app);
  logRequests(app, context.countRequest);
  allowConsoleOrigin(app, context.isConsolePort);
  registerEndpoints(app, context.handlers, context.sessions.authenticate);
  healthRoutes(app, context.health);
  openapiRoutes(app);
  await consoleFilesRoutes(app, context.consoleFiles);
  await app.ready();
  return app;
}
