import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { createAdministratorSession, refreshSession } from "@busbar/contract/access/session.ts";
import { planPlaceImport } from "@busbar/contract/directory/place-import.ts";
import { getNodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { getScalarHistory } from "@busbar/contract/telemetry/scalar-history.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import { serverClock } from "#lib/server-clock.ts";
import { createClient } from "./client.ts";

const bases = { v1: "http://localhost:8080/api", v2: "http://localhost:5000/api/v2" };
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  fetched.mockReset();
});

function setUp(token: string | undefined = "t0ken", chosenOrigin?: string) {
  const onUnauthorized = vi.fn<(why: string, token?: string) => void>();
  const validToken = vi.fn<() => string | undefined>(() => token);
  return { onUnauthorized, validToken, call: createClient({ bases, validToken, onUnauthorized, chosenOrigin: () => chosenOrigin }) };
}
const answers = (status: number, body: unknown) =>
  fetched.mockResolvedValue(new Response(typeof body === "string" ? body : JSON.stringify(body), { status }));
const request = () => {
  const [address, init] = fetched.mock.calls[0] as [string, RequestInit];
  return { address, headers: init.headers as Record<string, string>, method: init.method, body: init.body };
};

test("SES-05 v1 carries the token in a token header, v2 as bearer, both checked before the call", async () => {
  const { call, validToken } = setUp();
  answers(200, { data: [] });
  await call(getScalarHistory, { params: { serial: "10001" }, query: {} });
  expect(request()).toMatchObject({
    address: "http://localhost:8080/api/nodes/10001/realtime",
    method: "GET",
    headers: { token: "t0ken" },
  });
  fetched.mockReset();
  answers(200, { data: { token: "x", roles: [] } });
  await call(refreshSession, { body: { duration: 86_400 } }, { version: "v2" });
  expect(request()).toMatchObject({
    address: "http://localhost:5000/api/v2/sessions",
    headers: { authorization: "Bearer t0ken" },
    body: '{"duration":86400}',
  });
  expect(validToken).toHaveBeenCalledTimes(2);
});

test("SES-05 without a valid token nothing is sent and the session ends; an answer 401 ends it too", async () => {
  const { call, onUnauthorized } = createClientWithoutToken();
  await expect(call(getNodeDashboard, { query: {} })).rejects.toMatchObject({ status: 401 });
  expect([fetched.mock.calls.length, onUnauthorized.mock.calls.length]).toEqual([0, 1]);
  const second = setUp();
  answers(401, { errorCode: "UNAUTHORIZED", errorMessage: "Sign in" });
  await expect(second.call(getNodeDashboard, { query: {} })).rejects.toMatchObject({
    status: 401,
    errorCode: "UNAUTHORIZED",
    message: "Sign in",
  });
  expect(second.onUnauthorized).toHaveBeenCalledExactlyOnceWith("Sign in", "t0ken");
});

function createClientWithoutToken() {
  const onUnauthorized = vi.fn<(why: string, token?: string) => void>();
  return { onUnauthorized, call: createClient({ bases, validToken: () => undefined, onUnauthorized }) };
}

test("LOG-07 signing in carries the initial credential as bearer and no token; a refusal there ends no session", async () => {
  const { call, onUnauthorized, validToken } = setUp();
  answers(401, { errorCode: "LOGIN_FAILED", errorMessage: "Unknown user or wrong password" });
  const body = { username: "pat", password: "x" };
  await expect(call(createAdministratorSession, { body }, { credential: "busbar-console" })).rejects.toBeInstanceOf(ApiError);
  expect(request().headers).toEqual({ authorization: "Bearer busbar-console", "content-type": "application/json" });
  expect([validToken.mock.calls.length, onUnauthorized.mock.calls.length]).toEqual([0, 0]);
});

test("LOG-04 calls go to the server that was chosen at login", async () => {
  const { call } = setUp("t0ken", "https://staging.example");
  answers(200, { data: [] });
  await call(getScalarHistory, { params: { serial: "10001" }, query: {} });
  expect(request().address).toBe("https://staging.example/api/nodes/10001/realtime");
});

test("COM-04 status 0 is a network failure; the server's words are kept and its errorCode is logged", async () => {
  const { call } = setUp();
  fetched.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(call(getNodeDashboard, { query: {} })).rejects.toMatchObject({
    status: 0,
    message: "Unable to connect to server. Please try again later.",
  });
  answers(503, { errorCode: "DATABASE_UNAVAILABLE", errorMessage: "The database does not answer" });
  await expect(call(getNodeDashboard, { query: {} })).rejects.toMatchObject({ status: 503, message: "The database does not answer" });
  expect(console.warn).toHaveBeenLastCalledWith(expect.stringContaining("DATABASE_UNAVAILABLE"));
});

describe.each(Object.entries(api))("A-14 %s", (_, endpoint: Endpoint) => {
  test.each([
    [200, "<!doctype html><p>A proxy's page"],
    [200, "null"],
    [200, {}],
    [502, "Bad gateway"],
    [500, ""],
    [500, {}],
    [500, { unexpected: true }],
    [500, { errorCode: "INTERNAL", errorMessage: " " }],
  ])("answered %d %j says the sentence of the texts", async (status, body) => {
    const { call, onUnauthorized } = setUp();
    answers(status, body);
    const failure = { status, errorCode: "UNREADABLE", message: "Unexpected error happened, Please try later." };
    await expect(call(endpoint, {} as never)).rejects.toMatchObject(failure);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });
});

test("A-14 a download that is refused without a message says so too", async () => {
  const { call } = setUp();
  answers(502, "<!doctype html><p>A proxy's page");
  const message = "Unexpected error happened, Please try later.";
  await expect(call.bytes(getScalarHistory, { params: { serial: "10001" }, query: {} })).rejects.toMatchObject({ status: 502, message });
});

test("an answer that is known is requested by its tag and given back when nothing changed", async () => {
  const { call } = setUp();
  const answer = (status: number, body: string | null, etag: string) =>
    fetched.mockResolvedValueOnce(new Response(body, { status, headers: { etag } }));
  answer(200, '{"data":[1]}', '"one"');
  const first = await call(getScalarHistory, { params: { serial: "10001" }, query: {} });
  answer(304, null, '"one"');
  const known = () => call(getScalarHistory, { params: { serial: "10001" }, query: {} }, { known: first });
  expect(await known()).toBe(first);
  answer(200, '{"data":[2]}', '"two"');
  expect(await known()).toEqual([2]);
  const tags = fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get("if-none-match"));
  expect(tags).toEqual([null, '"one"', '"one"']);
  answer(304, null, '"two"');
  await expect(call(getScalarHistory, { params: { serial: "10001" }, query: {} }, { known: [] })).rejects.toMatchObject({ status: 304 });
});

test("parameters cannot leave their place in the path", async () => {
  const { call } = setUp();
  answers(200, { data: [] });
  await call(getScalarHistory, { params: { serial: "../users?x=#y" }, query: {} });
  expect(request().address).toBe("http://localhost:8080/api/nodes/..%2Fusers%3Fx%3D%23y/realtime");
});

test("a caller may read a large answer itself; what it cannot read, and a refusal, are read as ever", async () => {
  const { call } = setUp();
  const read = vi.fn<(text: string) => { data: string } | undefined>(() => ({ data: "by the caller" }));
  const ask = () => call(getNodeDashboard, { query: {} }, { read });
  answers(200, { data: { revision: "5" } });
  expect(await ask()).toBe("by the caller");
  for (const cannot of [() => undefined, () => JSON.parse("{")]) {
    read.mockImplementationOnce(cannot);
    answers(200, { data: { revision: "5" } });
    expect(await ask()).toEqual({ revision: "5" });
  }
  read.mockClear();
  answers(503, { errorCode: "UNAVAILABLE", errorMessage: "The database does not answer" });
  await expect(ask()).rejects.toMatchObject({ status: 503, message: "The database does not answer" });
  expect(read).not.toHaveBeenCalled();
});

test("signing in takes the browser's cookie to the same host on any port, and no other call and no other host does", async () => {
  const body = { username: "pat", password: "x" };
  const credentials = async (chosenOrigin?: string) => {
    fetched.mockReset();
    answers(200, { data: {} });
    await setUp("t0ken", chosenOrigin).call(createAdministratorSession, { body });
    return fetched.mock.calls[0]![1]!.credentials;
  };
  expect([await credentials(), await credentials("http://localhost:9000"), await credentials("https://staging.example")]).toEqual([
    "include",
    "include",
    undefined,
  ]);
  answers(200, { data: {} });
  await setUp().call(refreshSession, { body: { duration: 60 } });
  expect(fetched.mock.lastCall![1]).toMatchObject({ cache: "no-store" });
  expect(fetched.mock.lastCall![1]!.credentials).toBeUndefined();
});

test("bytes go as they are, what is not given is left out of the address, and a refusal names its field", async () => {
  const { call } = setUp();
  answers(400, { errorCode: "INVALID", errorMessage: "This is no table", field: "file" });
  const bytes = new TextEncoder().encode("a,b");
  await expect(call(planPlaceImport, { body: bytes })).rejects.toMatchObject({ status: 400, errorCode: "INVALID", field: "file" });
  expect(request()).toMatchObject({ headers: { "content-type": "application/octet-stream" }, body: bytes });
  fetched.mockReset();
  answers(200, { data: [] });
  await call(getScalarHistory, { params: { serial: "10001" }, query: { before: undefined } });
  expect(request().address).toBe("http://localhost:8080/api/nodes/10001/realtime");
  expect(request().headers).toEqual({ token: "t0ken" });
  expect(setUp("t0ken", "https://staging.example").call.addressFor(getScalarHistory, { serial: "a b" })).toBe(
    "https://staging.example/api/nodes/a%20b/realtime",
  );
});

test("what a caller gives up is no failure of the network; who waits for ever gives up", async () => {
  const { call } = setUp();
  const hanging = (_address: unknown, init?: RequestInit) =>
    new Promise<Response>((_go, fail) => init!.signal!.addEventListener("abort", () => fail(init!.signal!.reason as Error)));
  fetched.mockImplementation(hanging);
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const own = new AbortController();
  const left = call(getScalarHistory, { params: { serial: "10001" }, query: {} }, { signal: own.signal });
  const late = call(getScalarHistory, { params: { serial: "10001" }, query: {} });
  own.abort();
  await expect(left).rejects.toMatchObject({ name: "AbortError" });
  expect(timeout.mock.calls).toEqual([[30_000], [30_000]]);
  patience.abort(new DOMException("It took too long", "TimeoutError"));
  await expect(late).rejects.toMatchObject({ status: 0, errorCode: "NETWORK" });
});

test("the server's clock is learned from answers that say it", async () => {
  const noted = vi.spyOn(serverClock, "note").mockReturnValue();
  const { call } = setUp();
  for (const headers of [{ date: "Tue, 03 Feb 2026 18:00:00 GMT" }, {}]) {
    fetched.mockResolvedValueOnce(new Response('{"data":[]}', { headers: headers as Record<string, string> }));
    await call(getScalarHistory, { params: { serial: "10001" }, query: {} });
  }
  expect(noted).toHaveBeenCalledTimes(1);
  const { reportedMs, precisionMs, requestedAtMs, seenAtMs } = noted.mock.calls[0]![0];
  expect([reportedMs, precisionMs, requestedAtMs <= seenAtMs]).toEqual([Date.UTC(2026, 1, 3, 18), 1_000, true]);
});

test("bytes that are asked for end a session that is over, and are given unread", async () => {
  const { call, onUnauthorized } = setUp();
  answers(200, "bytes");
  const response = await call.bytes(getScalarHistory, { params: { serial: "10001" }, query: {} });
  expect([response.bodyUsed, await response.text(), request().headers]).toEqual([false, "bytes", { token: "t0ken" }]);
  answers(401, { errorCode: "UNAUTHORIZED", errorMessage: "Sign in" });
  await expect(call.bytes(getScalarHistory, { params: { serial: "10001" }, query: {} })).rejects.toMatchObject({ status: 401 });
  expect(onUnauthorized).toHaveBeenCalledExactlyOnceWith("Sign in", "t0ken");
  fetched.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(call.bytes(getScalarHistory, { params: { serial: "10001" }, query: {} })).rejects.toMatchObject({ status: 0 });
});
