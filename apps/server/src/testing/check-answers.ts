import { subscribe } from "node:diagnostics_channel";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { ApiErrorBody, errorCodes } from "@busbar/contract/errors.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/v4/core";
import { endpointUrl } from "#http/endpoints.ts";

// In a process that imports this, every answer of every call, whoever asks, is held against its contract: the call's own where it
// succeeds, that of errors where it does not. An answer holds exactly what the contract says, no field less and none more.

const broken: string[] = [];

/** The answers since the last time of asking that break their contract, a sentence each. */
export const takeBrokenAnswers = (): string[] => broken.splice(0);

subscribe("fastify.initialization", (message) => {
  (message as { fastify: FastifyInstance }).fastify.addHook("onSend", async (request, reply, payload) => {
    const check = (body: unknown) => {
      const problem = problemOf(request, reply, body);
      if (problem !== undefined) broken.push(`${request.method} ${request.url} answered ${reply.statusCode}: ${problem}`);
    };
    if (payload instanceof Readable && isJson(reply)) return Readable.from(checkAtEnd(payload, check), { objectMode: false });
    check(payload);
    return payload;
  });
});

async function* checkAtEnd(parts: AsyncIterable<Uint8Array | string>, check: (body: Buffer) => void) {
  const seen: Buffer[] = [];
  for await (const part of parts) {
    seen.push(Buffer.from(part as Uint8Array));
    yield part;
  }
  check(Buffer.concat(seen));
}

const endpoints = new Map<string, Endpoint>(
  Object.values<Endpoint>(api).flatMap((endpoint) =>
    endpoint.versions.map((version) => [`${endpoint.method} ${endpointUrl(version, endpoint.path)}`, endpoint] as const),
  ),
);

function problemOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  if (!request.url.startsWith("/api/")) return undefined;
  if (reply.statusCode >= 400) return problemOfError(reply, payload);
  const endpoint = endpoints.get(`${request.method} ${request.routeOptions.url}`);
  return endpoint && problemOfSuccess(endpoint, reply, payload);
}

function problemOfError(reply: FastifyReply, payload: unknown): string | undefined {
  const body = jsonOf(reply, payload);
  const problem = differences(ApiErrorBody, body);
  if (problem !== undefined) return problem;
  const { errorCode } = body as ApiErrorBody;
  return Object.values<string>(errorCodes).includes(errorCode) ? undefined : `${errorCode} is no error code`;
}

function problemOfSuccess(endpoint: Endpoint, reply: FastifyReply, payload: unknown): string | undefined {
  const missing = Object.entries(endpoint.answerHeaders ?? {}).find(([name, value]) => reply.getHeader(name) !== value);
  if (missing) return `the header ${missing.join(": ")} is missing`;
  if (endpoint.isPrepared && reply.statusCode === 304) return payload ? "304 has a body" : undefined;
  if (reply.statusCode !== 200) return "the contract has no such success";
  if (endpoint.answersBytes) return isJson(reply) ? "the contract says that it answers bytes" : undefined;
  const body = jsonOf(reply, payload);
  if (typeof body !== "object" || body === null || !("data" in body)) return "there is no data";
  const { data, ...rest } = body;
  if (!isDeepStrictEqual(rest, endpoint.saysSuccess ? { success: true } : {})) return `beside data there is ${JSON.stringify(rest)}`;
  return differences(endpoint.data, data);
}

const isJson = (reply: FastifyReply): boolean => String(reply.getHeader("content-type")).startsWith("application/json");

const decompress: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  undefined: (bytes) => bytes,
};

function jsonOf(reply: FastifyReply, payload: unknown): unknown {
  if (!isJson(reply) || !(typeof payload === "string" || payload instanceof Uint8Array)) return undefined;
  return JSON.parse(decompress[String(reply.getHeader("content-encoding"))]!(Buffer.from(payload as Uint8Array)).toString());
}

/** What the schema does not allow, or does not know and so left out when it read the value. */
function differences(schema: z.$ZodType, value: unknown): string | undefined {
  const read = z.safeParse(schema, value);
  if (!read.success)
    return read.error.issues
      .slice(0, 3)
      .map(({ path, message }) => `${path.join(".")}: ${message}`)
      .join("; ");
  return isDeepStrictEqual(read.data, value) ? undefined : `the contract does not know ${placeOfDifference(read.data, value)}`;
}

function placeOfDifference(known: unknown, given: unknown, path = ""): string {
  if (isObject(known) && isObject(given)) {
    const name = Object.keys(given).find((key) => !isDeepStrictEqual(known[key], given[key]));
    if (name !== undefined) return placeOfDifference(known[name], given[name], path === "" ? name : `${path}.${name}`);
  }
  return path;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
