import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { expect, test, vi } from "vitest";
import { AppError, conflict, unavailable } from "#lib/errors.ts";
import { StorageFailure } from "#lib/storage-failure.ts";
import { answerError, isDatabaseAway } from "./errors.ts";

function answer(error: object, bodyLimit?: number) {
  const error500 = vi.fn<(details: object, message: string) => void>();
  const warn = vi.fn<(details: object, message: string) => void>();
  const request = { id: "r1", log: { error: error500, warn }, routeOptions: { bodyLimit } } as unknown as FastifyRequest;
  const headers: Record<string, string> = {};
  let status = 0;
  let body: unknown;
  const reply = {
    header: (name: string, value: string) => ((headers[name] = value), reply),
    code: (code: number) => ((status = code), reply),
    type: (type: string) => ((headers["content-type"] = type), reply),
    send: (text: string) => ((body = JSON.parse(text)), reply),
  };
  answerError(error as FastifyError, request, reply as unknown as FastifyReply);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  return { status, body, retryAfter: headers["retry-after"], isLogged: error500.mock.calls.length + warn.mock.calls.length > 0 };
}
const coded = (code: string, message = "it failed") => Object.assign(new Error(message), { code });
const status = (statusCode: number) => Object.assign(new Error("as said"), { statusCode });
const internal = { errorCode: "INTERNAL", errorMessage: "Something went wrong on the server. The log has it under request r1" };
const full = { errorCode: "OUT_OF_SPACE", errorMessage: "The server's disk is full. Nothing was stored; please try again later" };

test.each<[object, number, object, string | undefined, boolean]>([
  [conflict("It is there", "code"), 409, { errorCode: "CONFLICT", errorMessage: "It is there", field: "code" }, undefined, false],
  [unavailable("Away", 7), 503, { errorCode: "UNAVAILABLE", errorMessage: "Away" }, "7", false],
  [new AppError(502, "NODE_REFUSED", "It refused"), 502, { errorCode: "NODE_REFUSED", errorMessage: "It refused" }, undefined, false],
  [
    coded("57P01"),
    503,
    { errorCode: "UNAVAILABLE", errorMessage: "The database cannot be reached at the moment. Please try again" },
    "2",
    false,
  ],
  [
    new StorageFailure("secret place"),
    503,
    { errorCode: "UNAVAILABLE", errorMessage: "The storage of files cannot be used at the moment. Please try again" },
    "10",
    false,
  ],
  [coded("ENOSPC"), 507, full, "60", true],
  [coded("EDQUOT"), 507, full, "60", true],
  [coded("53100"), 507, full, "60", true],
  [coded("22021"), 400, { errorCode: "INVALID", errorMessage: "The text holds a NUL character" }, undefined, false],
  [
    coded("40P01"),
    409,
    { errorCode: "CONFLICT", errorMessage: "Someone else is changing the same record right now. Please try again" },
    undefined,
    false,
  ],
  [coded("BB409", "It is used"), 409, { errorCode: "CONFLICT", errorMessage: "It is used" }, undefined, false],
  [status(415), 415, { errorCode: "INVALID", errorMessage: "content-type: this call takes application/json" }, undefined, false],
  [status(414), 414, { errorCode: "TOO_LARGE", errorMessage: "The address is too long" }, undefined, false],
  [status(400), 400, { errorCode: "INVALID", errorMessage: "as said" }, undefined, false],
  [status(499), 499, { errorCode: "INVALID", errorMessage: "as said" }, undefined, false],
  [status(500), 500, internal, undefined, true],
  [new TypeError("x is not a function"), 500, internal, undefined, true],
  [coded("23505"), 500, internal, undefined, true],
  [
    coded("23503"),
    409,
    { errorCode: "CONFLICT", errorMessage: "What this belongs to was deleted meanwhile. Please load it again" },
    undefined,
    true,
  ],
])("%s", (error, expected, body, retryAfter, isLogged) => {
  expect(answer(error)).toEqual({ status: expected, body, retryAfter, isLogged });
});

test("a request that is too large hears how large one may be", () => {
  const message = (bodyLimit?: number) => (answer(status(413), bodyLimit).body as { errorMessage: string }).errorMessage;
  expect([message(), message(20 * 1_048_576)]).toEqual(["The request is larger than 1 MB", "The request is larger than 20 MB"]);
});

test("SEC-03 a message that quotes an address shows no passcode", () => {
  expect(answer(Object.assign(new Error("Route '/nodes/1/2fa/123456/previous/2fa/7' odd"), { statusCode: 404 })).body).toMatchObject({
    errorMessage: "Route '/nodes/1/2fa/…/previous/2fa/…' odd",
  });
});

test("what says that the database is away, and what does not", () => {
  const codes = [
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOENT",
    "EPIPE",
    "ETIMEDOUT",
    "57P01",
    "57P02",
    "57P03",
    "53300",
    "08006",
    "57014",
    "25006",
  ];
  expect(codes.filter((code) => !isDatabaseAway(coded(code)))).toEqual([]);
  expect(["57P04", "57P00", "53100", "23505", "25001", "EACCES", "x57014"].filter((code) => isDatabaseAway(coded(code)))).toEqual([]);
  for (const message of [
    "Connection terminated unexpectedly",
    "connection timeout",
    "timeout exceeded when trying to connect",
    "Query read timeout",
    "Client has encountered a connection error and is not queryable",
  ])
    expect(isDatabaseAway({ message })).toBe(true);
  expect(isDatabaseAway({ code: 7, message: "odd" })).toBe(false);
});
