import { api } from "@busbar/contract/api.ts";
import type { Api, EndpointName } from "@busbar/contract/api.ts";
import type { ApiVersion, CallOutput, Endpoint, HandlerInput } from "@busbar/contract/endpoint.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import "zod"; // its English messages also serve the contract's mini schemas
import * as z from "zod/v4/core";
import { forbidden, invalid, unauthorized } from "#lib/errors.ts";
import { refuseOtherMethods } from "./other-methods.ts";

/** The signed-in administrator who calls. */
export interface Caller {
  sessionId: string;
  userId: number;
  username: string;
  roles: readonly string[];
}

export interface Call {
  /** Absent only on public endpoints. */
  caller: Caller | undefined;
  remoteAddress: string;
  userAgent: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The caller of an endpoint that is not public. */
export function callerOf({ caller }: Call): Caller {
  if (!caller) throw unauthorized();
  return caller;
}

/** Bytes that were made ready for many callers. */
export interface PreparedAnswer {
  status: 200 | 304;
  headers: Record<string, string>;
  body: Uint8Array | string;
}

export type Handler<E> = (
  input: HandlerInput<E>,
  call: Call,
) => E extends { isPrepared: true } ? Promise<PreparedAnswer> : Promise<CallOutput<E>> | CallOutput<E>;

export type Handlers = { [Name in EndpointName]: Handler<Api[Name]> };

/** Finds the caller of a token. @throws AppError 401 when it is not valid, 503 when that cannot be known */
export type Authenticate = (token: string, options: { mayBeStale: boolean }) => Promise<Caller>;

/** Registers every endpoint of the contract under each of its bases. */
export function registerEndpoints(app: FastifyInstance, handlers: Handlers, authenticate: Authenticate): void {
  const methodsByUrl = new Map<string, Set<string>>();
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name];
    const handle = handlers[name] as unknown as (input: object, call: Call) => unknown;
    for (const version of endpoint.versions) {
      registerEndpoint(app, version, endpoint, handle, authenticate);
      const url = endpointUrl(version, endpoint.path);
      methodsByUrl.set(url, (methodsByUrl.get(url) ?? new Set()).add(endpoint.method));
    }
  }
  refuseOtherMethods(app, methodsByUrl);
}

/** One endpoint under one base, in four visible steps: who calls, may they, is the input right, act. */
export function registerEndpoint(
  app: FastifyInstance,
  version: ApiVersion,
  endpoint: Endpoint,
  handle: (input: object, call: Call) => unknown,
  authenticate: Authenticate,
): void {
  app.route({
    method: endpoint.method,
    url: endpointUrl(version, endpoint.path),
    handler: async (request, reply) => {
      const caller =
        endpoint.access === "public"
          ? undefined
          : await authenticate(tokenOf(request, version), { mayBeStale: endpoint.servesStale ?? false });
      if (caller) authorize(endpoint, caller);
      const input = {
        params: check(endpoint.params, request.params),
        query: check(endpoint.query, request.query),
        body: check(endpoint.body, request.body),
      };
      const answer = await handle(input, {
        caller,
        remoteAddress: request.ip,
        userAgent: request.headers["user-agent"] ?? "",
        headers: request.headers,
      });
      if (endpoint.answerHeaders) reply.headers(endpoint.answerHeaders);
      return endpoint.isPrepared ? sendPrepared(reply, answer as PreparedAnswer) : { data: answer };
    },
  });
}

export function endpointUrl(version: ApiVersion, path: string): string {
  return `${version === "v2" ? "/api/v2" : "/api"}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

function tokenOf(request: FastifyRequest, version: ApiVersion): string {
  const token = version === "v2" ? /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] : request.headers["token"];
  if (typeof token !== "string" || token === "") throw unauthorized();
  return token;
}

function authorize(endpoint: Endpoint, caller: Caller): void {
  if (endpoint.access === "public" || endpoint.access === "staff") return;
  if (!caller.roles.includes(endpoint.access)) throw forbidden(`This needs the role ${endpoint.access}`);
}

function check(schema: z.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") || (issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : "body");
  throw invalid(field, issue?.message ?? "is not valid");
}

function sendPrepared(reply: FastifyReply, answer: PreparedAnswer): FastifyReply {
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}
