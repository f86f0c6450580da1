import type * as z from "zod/v4/core";

export type ApiVersion = "v1" | "v2";
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a program may do with a key, always within its owner's customer. */
export const keyScopes = ["read", "upload"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Who may call. `public` needs no session; `staff` any signed-in administrator; a role name needs that role. */
export type Access = "public" | "staff" | "systemAdministrator" | "accountsAdministrator";

/** What a call is beside its method and its address. */
interface Definition<
  Params extends z.$ZodType,
  Query extends z.$ZodType,
  Body extends z.$ZodType,
  Data extends z.$ZodType,
  Allowed extends Access,
  Scope extends KeyScope,
> {
  /** Of a call under `/api`: it exists under `/api/v2` too. */
  alsoV2?: boolean;
  access: Allowed;
  /** Lets in a customer's program too, with a key of this scope, for its owner's customer only: see `call.apiClient`. */
  apiKeyScope?: Scope;
  /** Open also to someone who must set up a second factor before anything else. */
  allowsUnenrolled?: boolean;
  summary: string;
  /** Paths of the GET calls whose answers this call makes old: a client asks for them again. */
  changes?: readonly string[] | "everything";
  params?: Params;
  query?: Query;
  body?: Body;
  /** What is under `data` in the answer. */
  data: Data;
  /** The answer is a file, as its `content-type` says, without `data`. */
  answersBytes?: true;
  /** Set by `preparedEndpoint`: compressed once for everyone. */
  isPrepared?: boolean;
  /** While the database is away, answered from the last snapshot instead of 503. */
  servesStale?: boolean;
  /** How large a request may be, where the usual 1 MB is too little. */
  maxBodyBytes?: number;
  /** How many values it may hold, where the usual 10,000 are too few. */
  maxBodyValues?: number;
  /** The answer says `success: true` beside its data, as the texts have it for downloads. */
  saysSuccess?: boolean;
  /** A GET that changes something or hands out a file: not for a demo user, who looks only (USR-11). */
  refusesDemoUsers?: boolean;
  /** Takes a body of bytes that is not JSON, up to so many. */
  takesBytes?: number;
  /** Replaces the token that it is called with: one that was replaced long ago ends the whole sign-in. */
  isRefresh?: boolean;
  /** Headers that every success carries. */
  answerHeaders?: Readonly<Record<string, string>>;
}

/**
 * One call of the API, described once: the server registers its route from it, the console's client is typed by it and
 * the OpenAPI document is generated from it.
 */
export interface Endpoint<
  Params extends z.$ZodType = z.$ZodType,
  Query extends z.$ZodType = z.$ZodType,
  Body extends z.$ZodType = z.$ZodType,
  Data extends z.$ZodType = z.$ZodType,
  Allowed extends Access = Access,
  Scope extends KeyScope = KeyScope,
> extends Definition<Params, Query, Body, Data, Allowed, Scope> {
  /** Bases under which the call exists; the console uses the first. */
  versions: readonly [ApiVersion, ...ApiVersion[]];
  method: Method;
  /** Path under the base, parameters in braces: `/nodes/{serial}/realtime`. */
  path: string;
}

/** Method and address with parameters in braces, such as `GET /api/v2/nodes/{serial}/realtime`. */
type Route = `${Method} /api/${string}`;

export function endpoint<
  Data extends z.$ZodType,
  Params extends z.$ZodType = z.$ZodNever,
  Query extends z.$ZodType = z.$ZodNever,
  Body extends z.$ZodType = z.$ZodNever,
  Allowed extends Access = Access,
  Scope extends KeyScope = never,
>(route: Route, definition: Definition<Params, Query, Body, Data, Allowed, Scope>): Endpoint<Params, Query, Body, Data, Allowed, Scope> {
  const [method, address] = route.split(" ") as [Method, string];
  const isV2 = address.startsWith("/api/v2/");
  const versions: [ApiVersion, ...ApiVersion[]] = isV2 ? ["v2"] : definition.alsoV2 ? ["v1", "v2"] : ["v1"];
  return { ...definition, versions, method, path: address.slice(isV2 ? 7 : 4) };
}

/** An endpoint whose handler sends prepared bytes of the described shape itself. */
export function preparedEndpoint<
  Data extends z.$ZodType,
  Params extends z.$ZodType = z.$ZodNever,
  Query extends z.$ZodType = z.$ZodNever,
  Body extends z.$ZodType = z.$ZodNever,
  Allowed extends Access = Access,
  Scope extends KeyScope = never,
>(
  route: Route,
  definition: Definition<Params, Query, Body, Data, Allowed, Scope>,
): Endpoint<Params, Query, Body, Data, Allowed, Scope> & { isPrepared: true } {
  return { ...endpoint(route, definition), isPrepared: true };
}

type Part<Name extends string, Schema extends z.$ZodType, Side extends "in" | "out"> = [Schema] extends [z.$ZodNever]
  ? unknown
  : { [Key in Name]: Side extends "in" ? z.input<Schema> : z.output<Schema> };

/** What a handler receives: checked and converted. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _D>
    ? Part<"params", P, "out"> & Part<"query", Q, "out"> & Part<"body", B, "out">
    : never;

/** What a caller passes. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _D>
    ? Part<"params", P, "in"> & Part<"query", Q, "in"> & Part<"body", B, "in">
    : never;

/** What is under `data` in the answer. */
export type CallOutput<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer D> ? z.output<D> : never;
