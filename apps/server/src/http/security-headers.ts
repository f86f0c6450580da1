import type { FastifyInstance, FastifyReply } from "fastify";

const everywhere = {
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cache-control": "no-store",
} as const;

/** Of a file: opened in a tab of its own, it is no one's page and runs nothing. */
export const filePolicy = `${everywhere["content-security-policy"]}; sandbox`;

/** A page sets its own policy and caching afterwards. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.headers(everywhere);
}

/** Every answer carries these; Fastify answers what its router cannot read without hooks. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => setSecurityHeaders(reply));
}
