import type { FastifyInstance, HTTPMethods } from "fastify";
import { AppError } from "#lib/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    isOtherMethod?: boolean;
  }
}

const methods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** An address that exists answers a method that it has not with 405 and those that it has. */
export function refuseOtherMethods(app: FastifyInstance, methodsByUrl: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, own] of methodsByUrl) {
    const allow = [...own].toSorted().join(", ");
    app.route({
      method: methods.filter((method) => !own.has(method)),
      url,
      config: { isOtherMethod: true },
      handler: (request, reply) => {
        reply.header("allow", allow);
        throw new AppError(405, "INVALID", `${request.method} is not possible here; possible: ${allow}`);
      },
    });
  }
}
