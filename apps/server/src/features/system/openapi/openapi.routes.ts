import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { docsPage } from "./docs-page.view.ts";
import { describeApi, type OpenApiDocument } from "./openapi.view.ts";

/** Of both ports, once someone asks. */
let document: OpenApiDocument | undefined;
const readDocument = () => (document ??= describeApi(String(consoleVersion)));

export function openapiRoutes(app: FastifyInstance): void {
  app.get("/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(JSON.stringify(readDocument())));
  app.get("/docs", (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    reply.header(
      "content-security-policy",
      `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
    return reply.type("text/html; charset=utf-8").send(docsPage(readDocument(), nonce));
  });
}
