import type { CallInput, CallOutput, Endpoint } from "@busbar/contract/endpoint.ts";
import { ApiErrorBody } from "@busbar/contract/errors.ts";
import { createAdministratorSession } from "@busbar/contract/access/session.ts";
import type { ApiBases } from "#lib/api-bases.ts";
import { serverClock } from "#lib/server-clock.ts";
import { ApiError, networkFailureMessage, sessionOverText, unexpectedMessage } from "#lib/api-error.ts";

export interface ClientOptions {
  bases: ApiBases;
  /** The token when the session is alive (SES-05: asked before every call). */
  validToken: () => string | undefined;
  /** The session of this token is over: the sentence says why. */
  onUnauthorized: (why: string, token: string | undefined) => void;
  /** Origin of the server chosen at login (LOG-04); undefined is the bases' own. */
  chosenOrigin?: () => string | undefined;
}

export interface CallOptions<Data = unknown> {
  signal?: AbortSignal;
  /** Calls this version's base instead of the endpoint's first. */
  version?: "v1" | "v2";
  /** Sent instead of a session token by calls that need none. */
  credential?: string;
  /** An earlier answer of the same call: given back as it is when the server says that nothing changed. */
  known?: object | undefined;
  /** Reads the text of a success that is too large to be parsed whole; what it does not know, undefined, is parsed as ever. */
  read?: (text: string) => { data: Data } | undefined;
}

/** Tags of answers that may be requested again; they go with the answers. */
const etags = new WeakMap<object, string>();

type PreparedRequest = RequestInit & { headers: Record<string, string> };

interface Prepared {
  address: string;
  request: PreparedRequest;
  /** That the call is made with. */
  token: string | undefined;
}

const patienceMs = 30_000;

/** Calls endpoints of the contract, typed by it. */
export function createClient({ bases, validToken, onUnauthorized, chosenOrigin }: ClientOptions) {
  const baseOf = (version: "v1" | "v2"): string => {
    const origin = chosenOrigin?.();
    return origin ? bases[version].replace(/^https?:\/\/[^/]+/, origin) : bases[version];
  };

  const prepare = <E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions): Prepared => {
    const version = options.version ?? endpoint.versions[0];
    const headers: Record<string, string> = {};
    let token: string | undefined;
    if (endpoint.access === "public") {
      if (options.credential !== undefined) headers["authorization"] = `Bearer ${options.credential}`;
    } else {
      token = validToken();
      if (token === undefined) {
        onUnauthorized(sessionOverText, undefined);
        throw new ApiError(401, "UNAUTHORIZED", sessionOverText);
      }
      if (version === "v2") headers["authorization"] = `Bearer ${token}`;
      else headers["token"] = token;
    }
    const { params = {}, query = {}, body } = input as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
    const isFile = body instanceof Uint8Array;
    if (body !== undefined) headers["content-type"] = isFile ? "application/octet-stream" : "application/json";
    const request: PreparedRequest = { method: endpoint.method, headers, cache: "no-store" };
    if (body !== undefined) request.body = isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const address = baseOf(version) + addressOf(endpoint.path, params, query);
    // The server knows this browser again by a cookie, also on another port of its host.
    if (endpoint.path === createAdministratorSession.path && new URL(address).hostname === new URL(bases.v1).hostname)
      request.credentials = "include";
    return { address, request, token };
  };

  const failed = (endpoint: Endpoint, status: number, answer: unknown, token: string | undefined): ApiError => {
    const error = errorOf(status, answer);
    console.warn(`${endpoint.method} ${endpoint.path}: ${error.errorCode}`); // COM-04
    if (status === 401 && endpoint.access !== "public") onUnauthorized(error.message, token);
    return error;
  };

  async function call<E extends Endpoint, Data = CallOutput<E>>(
    endpoint: E,
    input: CallInput<E>,
    options: CallOptions<Data> = {},
  ): Promise<Data> {
    const { address, request, token } = prepare(endpoint, input, options);
    const knownEtag = options.known && etags.get(options.known);
    if (knownEtag !== undefined) request.headers["if-none-match"] = knownEtag;
    const patience = AbortSignal.timeout(patienceMs);
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
    const { response, answer } = await send(address, { ...request, signal }, options.read);
    if (response.status === 304 && knownEtag !== undefined) return options.known as Data;
    if (response.ok && isObject(answer) && "data" in answer) {
      const { data } = answer;
      const etag = response.headers.get("etag");
      if (etag !== null && isObject(data)) etags.set(data, etag);
      return data as Data;
    }
    throw failed(endpoint, response.status, answer, token);
  }

  /** An answer of bytes, whose length no one limits; its body is still to be read. */
  call.bytes = async <E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions = {}): Promise<Response> => {
    const { address, request, token } = prepare(endpoint, input, options);
    const response = await fetch(address, options.signal ? { ...request, signal: options.signal } : request).catch(() => {
      throw new ApiError(0, "NETWORK", networkFailureMessage);
    });
    if (response.ok) return response;
    throw failed(endpoint, response.status, parsed(await response.text()), token);
  };

  /** Where the browser itself fetches an endpoint, such as a new tab that opens a file. */
  call.addressFor = (endpoint: Endpoint, params: Record<string, string>): string =>
    baseOf(endpoint.versions[0]) + addressOf(endpoint.path, params, {});
  return call;
}
export type Client = ReturnType<typeof createClient>;

function addressOf(path: string, params: Record<string, string>, query: Record<string, string | undefined>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length > 0 ? `${filled}?${new URLSearchParams(given).toString()}` : filled;
}

async function send(
  address: string,
  request: RequestInit,
  read?: (text: string) => unknown,
): Promise<{ response: Response; answer: unknown }> {
  try {
    const requestedAtMs = Date.now();
    const response = await fetch(address, request);
    const date = response.headers.get("date"); // another origin may not show it
    if (date !== null) serverClock.note({ reportedMs: Date.parse(date), precisionMs: 1000, requestedAtMs, seenAtMs: Date.now() });
    const text = await response.text();
    return { response, answer: (response.ok && read && parsed(text, read)) || parsed(text) };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "NETWORK", networkFailureMessage);
  }
}

function parsed(text: string, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(text);
  } catch {
    return undefined; // not one of our server's answers; errorOf says so
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function errorOf(status: number, answer: unknown): ApiError {
  const body = ApiErrorBody.safeParse(answer);
  if (body.success && body.data.errorMessage.trim() !== "")
    return new ApiError(status, body.data.errorCode, body.data.errorMessage, body.data.field);
  return new ApiError(status, "UNREADABLE", unexpectedMessage);
}
