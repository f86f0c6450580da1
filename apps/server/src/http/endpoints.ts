import { api, type Api, type EndpointName } from "@busbar/contract/api.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { ApiVersion, CallOutput, Endpoint, HandlerInput, KeyScope } from "@busbar/contract/endpoint.ts";
import type { OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { en } from "zod/locales";
import { strictObject } from "zod/mini";
import * as z from "zod/v4/core";
import { AppError, forbidden, invalid, unauthorized } from "#lib/errors.ts";
import { networkOf } from "#lib/network-of.ts";
import { say } from "#lib/sentence.ts";
import { sendInParts } from "./body-in-parts.ts";
import { createBodyGate, tooLarge, type BodyGate, type BodyHolder } from "./body-gate.ts";
import { callerAddress } from "./caller-address.ts";
import { chooseEncoding, compress } from "./compression.ts";
import { cookiesOf, type Cookies } from "./cookies.ts";
import type { DemoRedaction } from "./demo-redaction.ts";
import { refuseOtherMethods } from "./other-methods.ts";
import { filePolicy } from "./security-headers.ts";

// What the contract has no sentence of its own for: without it a wrong type is only called invalid.
z.config(en());

/** The signed-in administrator who calls. */
export interface Caller {
  sessionId: string;
  userId: number;
  username: string;
  roles: readonly string[];
  /** The server's setting asks for a second factor that this person does not have yet. */
  mustEnrolTwoFactor?: boolean;
  /** Someone else knows the password, because they set it. */
  mustChangePassword?: boolean;
  /** Looks only, and reads no word of a customer: see `demo-redaction.ts`. */
  isDemoUser?: boolean;
}

/** A customer's program that calls with a key; it may see and do what belongs to its customer only. */
export interface ApiClient {
  keyId: number;
  keyName: string;
  userId: number;
  username: string;
  customerId: number;
  /** Its answers are redacted: see `demo-redaction.ts`. */
  isDemoUser: boolean;
}

/** How anyone calls, signed in or not. */
export interface Call {
  remoteAddress: string;
  userAgent: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookies: Cookies;
  /** Sent by a console of another origin that this server admits. */
  isAdmittedOrigin?: boolean;
  /** Present where the caller reads other names than the real ones: what a part of the answer becomes. Filters look at that. */
  asShown?: (<Part>(part: Part) => Part) | undefined;
}

interface Anyone {
  caller?: never;
  apiClient?: never;
}
export interface Person {
  caller: Caller;
  apiClient?: never;
}
export interface Program {
  caller?: never;
  apiClient: ApiClient;
}
type Identity = Anyone | Person | Program;

/** Who calls: without a session anyone, with one a person, with an `apiKeyScope` a person or a program. */
type IdentityOf<E extends Endpoint> = "public" extends E["access"]
  ? Anyone
  : E["apiKeyScope"] extends undefined
    ? Person
    : Person | Program;

/** Bytes that were made ready for many callers, or that are made while they are sent. */
export interface PreparedAnswer {
  status: 200 | 304;
  headers: Record<string, string>;
  body: Uint8Array | string | Readable;
  /** Large, and requested by who needs it once: see `body-in-parts.ts`. */
  goesInParts?: boolean;
}

export type Handler<E extends Endpoint> = (
  input: HandlerInput<E>,
  call: Call & IdentityOf<E>,
) => E extends { isPrepared: true } ? Promise<PreparedAnswer> : Promise<CallOutput<E>> | CallOutput<E>;

/** A handler as it is registered, when the types of its endpoint are checked already. */
type Handle = (input: object, call: Call & Identity) => unknown;

export type Handlers = { [Name in EndpointName]: Handler<Api[Name]> };

/** Finds the caller of a token. @throws AppError 401 when it is not valid, 503 when that cannot be known */
export type Authenticate = (token: string, options: { mayBeStale: boolean; isRefresh?: boolean }) => Promise<Caller>;

/** What a program sends: `x-api-key`, or an access key and its secret token as HTTP Basic. */
export type KeyCredentials = { kind: "api"; key: string } | { kind: "access"; key: string; secret: string };

/** Finds the program of a key. @throws AppError 401 for a key that is not valid, 403 without the scope, 429 for too many calls */
export type AuthenticateKey = (credentials: KeyCredentials, scope: KeyScope, remoteAddress: string) => Promise<ApiClient>;

export interface Authenticators {
  authenticate: Authenticate;
  authenticateKey: AuthenticateKey;
  redaction: DemoRedaction;
}

/** Registers every endpoint of the contract under each of its bases. */
export function registerEndpoints(app: FastifyInstance, handlers: Handlers, authenticators: Authenticators): void {
  const methodsByUrl = new Map<string, Set<string>>();
  const gates = new Map<number, BodyGate>();
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name];
    const handle = handlers[name] as unknown as Handle;
    for (const version of endpoint.versions) {
      registerEndpoint(app, version, endpoint, handle, authenticators, gates);
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
  handle: Handle,
  authenticators: Authenticators,
  gates = new Map<number, BodyGate>(),
): void {
  const known = new WeakMap<FastifyRequest, Known>();
  const { takesBytes } = endpoint;
  if (takesBytes === undefined) return addRoute(app, version, endpoint, handle, authenticators, known);
  // All calls and versions that take so many bytes share their places.
  const gate = gates.get(takesBytes) ?? createBodyGate({ bytes: takesBytes });
  gates.set(takesBytes, gate);
  // A scope of its own: elsewhere bodies that are not JSON stay refused.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async (request: FastifyRequest, body: Readable) => {
      const { who, reply } = known.get(request)!;
      return gate.read(body, holderOf(who, callerAddress(request)), reply);
    });
    addRoute(scope, version, endpoint, handle, authenticators, known);
  });
}

/** What is around a file would be stored as the file. Many programs say nothing of the type of bytes, or have a name of their own for it. */
const wrappedTypes = /^\s*(?:multipart\/|application\/(?:json|x-www-form-urlencoded)\b)/i;
const notAFile = () =>
  new AppError(
    415,
    errorCodes.invalid,
    say`content-type: this call takes a file's bytes as they are, such as application/octet-stream, and no form or JSON around them`,
  );

/** Who calls is known before the body is read: an unknown caller cannot make the server hold 20 MB. */
interface Known {
  who: Identity;
  reply: FastifyReply;
}

function holderOf({ caller, apiClient }: Identity, address: string): BodyHolder {
  const network = networkOf(address);
  return apiClient
    ? { key: `key ${apiClient.keyId}`, customer: String(apiClient.customerId), network }
    : { key: `user ${caller?.userId}`, customer: undefined, network };
}

function addRoute(
  app: FastifyInstance,
  version: ApiVersion,
  endpoint: Endpoint,
  handle: Handle,
  authenticators: Authenticators,
  known: WeakMap<FastifyRequest, Known>,
): void {
  const { takesBytes } = endpoint;
  const readBody =
    takesBytes === undefined
      ? {}
      : {
          onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
            // What a refused one goes on sending is not read.
            reply.header("connection", "close");
            known.set(request, { who: await identify(endpoint, request, version, authenticators), reply });
            if (wrappedTypes.test(request.headers["content-type"] ?? "")) throw notAFile();
            if (Number(request.headers["content-length"]) > takesBytes) throw tooLarge(takesBytes);
            reply.removeHeader("connection");
          },
        };
  app.route({
    ...readBody,
    method: endpoint.method,
    url: endpointUrl(version, endpoint.path),
    ...(endpoint.maxBodyBytes === undefined ? {} : { bodyLimit: endpoint.maxBodyBytes }),
    config: { maxBodyValues: endpoint.maxBodyValues },
    handler: async (request, reply) => {
      const who = known.get(request)?.who ?? (await identify(endpoint, request, version, authenticators));
      const input = {
        params: check(endpoint.params ?? nothing, request.params),
        query: check(endpoint.query ?? nothing, request.query),
        body: check(endpoint.body ?? nothing, request.body),
      };
      const { redaction } = authenticators;
      const asShown = isRedacted(endpoint, who) ? <Part>(part: Part) => redaction.answer(part, endpoint.path) as Part : undefined;
      const call: Call & Identity = {
        ...who,
        remoteAddress: callerAddress(request),
        userAgent: request.headers["user-agent"] ?? "",
        cookies: cookiesOf(request, reply),
        isAdmittedOrigin: reply.hasHeader("access-control-allow-origin"),
        headers: asShown ? withoutNegotiation(request.headers) : request.headers,
        asShown,
      };
      const made = await act(handle, input, call).catch((error: unknown) => {
        throw asShown ? redaction.error(error) : error;
      });
      if (endpoint.answerHeaders) reply.headers(endpoint.answerHeaders);
      if (endpoint.isPrepared && !asShown) return sendPrepared(reply, made as PreparedAnswer);
      const answer = endpoint.isPrepared ? dataOf(made as PreparedAnswer) : made;
      const data = asShown ? asShown(answer) : answer;
      return await sendJson(reply, endpoint.saysSuccess ? { success: true, data } : { data }, request.headers["accept-encoding"]);
    },
  });
}

const act = async (handle: Handle, input: object, call: Call & Identity): Promise<unknown> => handle(input, call);

export function endpointUrl(version: ApiVersion, path: string): string {
  return `${version === "v2" ? "/api/v2" : "/api"}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

async function identify(
  endpoint: Endpoint,
  request: FastifyRequest,
  version: ApiVersion,
  { authenticate, authenticateKey }: Authenticators,
): Promise<Identity> {
  if (endpoint.access === "public") return {};
  const credentials = endpoint.apiKeyScope && keyOf(request);
  if (endpoint.apiKeyScope && credentials) {
    return { apiClient: await authenticateKey(credentials, endpoint.apiKeyScope, callerAddress(request)) };
  }
  const caller = await authenticate(tokenOf(request, version), {
    mayBeStale: endpoint.servesStale ?? false,
    isRefresh: endpoint.isRefresh ?? false,
  });
  authorize(endpoint, caller);
  return { caller };
}

function keyOf({ headers }: FastifyRequest): KeyCredentials | undefined {
  const apiKey = headers["x-api-key"];
  if (typeof apiKey === "string") return { kind: "api", key: apiKey };
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (basic === undefined) return undefined;
  const [key = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return { kind: "access", key, secret: rest.join(":") };
}

function tokenOf(request: FastifyRequest, version: ApiVersion): string {
  const token = version === "v2" ? /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] : request.headers["token"];
  if (typeof token !== "string" || token === "") throw unauthorized();
  return token;
}

function authorize(endpoint: Endpoint, caller: Caller): void {
  if (caller.mustEnrolTwoFactor && !endpoint.allowsUnenrolled) {
    throw forbidden("Your account needs two-factor authentication. Set it up first: click your name at the top right, then Security");
  }
  if (caller.mustChangePassword && !isOwnAccount(endpoint)) {
    throw forbidden("An administrator set your password. Choose your own first: click your name at the top right, then Security");
  }
  if (caller.isDemoUser && isRefusedToDemoUsers(endpoint))
    throw forbidden("Your account is a demo user: it looks at data, and changes and downloads nothing");
  if (endpoint.access === "public" || endpoint.access === "staff") return;
  if (!caller.roles.includes(endpoint.access)) throw forbidden(`This needs the role ${endpoint.access}`);
}

const isOwnAccount = ({ path }: Endpoint): boolean => path === "/sessions" || path.startsWith("/account");

/** Who sees other names than the real ones must not save what is on the screen; and files are not redacted. */
const isRefusedToDemoUsers = (endpoint: Endpoint): boolean =>
  !isOwnAccount(endpoint) && (endpoint.method !== "GET" || endpoint.refusesDemoUsers === true);

const isRedacted = (endpoint: Endpoint, { caller, apiClient }: Identity): boolean =>
  (caller?.isDemoUser ?? apiClient?.isDemoUser ?? false) && !isOwnAccount(endpoint);

/** So that a prepared answer comes whole and readable. */
function withoutNegotiation(headers: Call["headers"]): Call["headers"] {
  const { "accept-encoding": _encoding, "if-none-match": _tag, ...others } = headers;
  return others;
}

function dataOf({ headers, body }: PreparedAnswer): unknown {
  if (!(typeof body === "string" || body instanceof Uint8Array) || !headers["content-type"]?.startsWith("application/json"))
    throw forbidden("Files are not shown to a demo user");
  return (JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString()) as { data: unknown }).data;
}

/** What a call takes nothing of may be empty. */
const nothing = strictObject({});

function check(schema: z.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const path = typeof issue?.path[0] === "number" ? ["body", ...issue.path] : (issue?.path ?? []);
  if (issue?.code === "unrecognized_keys") throw invalid([...path, issue.keys[0] ?? ""].join("."), "this call has no such field");
  throw invalid(path.join(".") || "body", issue?.message ?? "is not valid");
}

/** From so many characters on an answer is compressed: less costs more than it saves. */
const worthCompressing = 32_768;

async function sendJson(reply: FastifyReply, answer: object, accepted: string | string[] | undefined): Promise<FastifyReply> {
  const text = JSON.stringify(answer);
  reply.type("application/json; charset=utf-8");
  const encoding = text.length < worthCompressing ? "identity" : chooseEncoding(accepted);
  if (encoding === "identity") return reply.send(text);
  return reply.headers({ "content-encoding": encoding, vary: "accept-encoding, origin" }).send(await compress(Buffer.from(text), encoding));
}

function sendPrepared(reply: FastifyReply, { status, headers, body, goesInParts }: PreparedAnswer): FastifyReply | Promise<void> {
  if (!headers["content-type"]?.startsWith("application/json")) reply.header("content-security-policy", filePolicy);
  reply.code(status).headers(headers);
  // An empty text has a length, which would be said of the body that the caller has.
  if (status === 304) return reply.send();
  if (!goesInParts || !(body instanceof Uint8Array)) return reply.send(body);
  // Past the framework, whose streams cost several times what the call does.
  reply.hijack();
  reply.raw.writeHead(status, { ...reply.getHeaders(), "content-length": body.length } as OutgoingHttpHeaders);
  return sendInParts(reply.raw, body);
}
