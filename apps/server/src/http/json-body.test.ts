import { gzipSync } from "node:zlib";
import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { endpointUrl } from "./endpoints.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("sender"));
});
afterAll(() => server.stop());

const withBody = Object.entries<Endpoint>(api)
  .filter(([, { body, takesBytes, maxBodyValues }]) => body !== undefined && takesBytes === undefined && maxBodyValues === undefined)
  .flatMap(([name, call]) => call.versions.map((version) => [name, version, call] as const));
const many = Array.from({ length: 100_000 }, (_, index) => index);
const bodies = [
  JSON.stringify(many),
  `[${many.map(() => "[]").join(",")}]`,
  JSON.stringify(Object.fromEntries(many.map((index) => [index.toString(36), 0]))),
  JSON.stringify({ roles: many, managers: many.slice(0, 10) }),
];

test("A-46 no call reads a body of 100,000 entries any further than to count them", async () => {
  expect(withBody.length).toBeGreaterThan(20);
  for (const [index, [name, version, { method, path }]] of withBody.entries()) {
    const url = endpointUrl(version, path.replaceAll(/\{\w+\}/g, "1"));
    const payload = bodies[index % bodies.length]!;
    const { status, json } = await server.call({ method, url, payload, token, headers: { "content-type": "application/json" } });
    expect([name, status, json["errorMessage"]]).toEqual([name, 400, "The body has more than 10000 values"]);
  }
});

test("every call says which content type it takes when it is sent another one", async () => {
  for (const [name, version, { method, path }] of withBody) {
    const url = endpointUrl(version, path.replaceAll(/\{\w+\}/g, "1"));
    const { status, json } = await server.call({ method, url, payload: "a=b", token, headers: { "content-type": "text/plain" } });
    expect([name, status, json]).toEqual([
      name,
      415,
      { errorCode: "INVALID", errorMessage: "content-type: this call takes application/json" },
    ]);
  }
});

const signIn = { method: "POST" as const, url: "/api/sessions/administrator" };
const asSent = JSON.stringify({ username: "sender", password: "not it" });

test.each([
  ["content-encoding", "gzip", gzipSync(asSent), "content-encoding: this call takes a body that is not packed"],
  ["content-encoding", "BR", asSent, "content-encoding: this call takes a body that is not packed"],
  ["content-encoding", "identity, gzip", asSent, "content-encoding: this call takes a body that is not packed"],
  [
    "content-type",
    "application/json; charset=utf-16le",
    Buffer.from(asSent, "utf16le"),
    "content-type: this call takes application/json in UTF-8",
  ],
  ["content-type", 'application/json;Charset="latin1"', asSent, "content-type: this call takes application/json in UTF-8"],
  ["content-type", "application/json; charset=", asSent, "content-type: this call takes application/json in UTF-8"],
])("a body with %s %s is not read as what it is not", async (name, value, payload, errorMessage) => {
  const { status, json } = await server.call({ ...signIn, payload, headers: { "content-type": "application/json", [name]: value } });
  expect([status, json]).toEqual([415, { errorCode: "INVALID", errorMessage }]);
});

test.each([
  ["content-encoding", "Identity"],
  ["content-type", "application/json; charset=UTF-8"],
  ["content-type", 'application/json; charset="utf8"; profile=x'],
])("a body with %s %s is read", async (name, value) => {
  const { status } = await server.call({ ...signIn, payload: asSent, headers: { "content-type": "application/json", [name]: value } });
  expect(status).toBe(401);
});

test.each([
  ['{"__proto__":{"username":"a"},"password":"x"}', "The body has a field that no body may have"],
  ['{"username":"a","password":"x"', "The body is not valid JSON"],
])("what is not taken of a body is said: %s", async (payload, errorMessage) => {
  const headers = { "content-type": "application/json" };
  const { status, json } = await server.call({ method: "POST", url: "/api/sessions/administrator", payload, headers });
  expect([status, json]).toEqual([400, { errorCode: "INVALID", errorMessage }]);
});

test("A-46 text that holds commas and brackets is one value", async () => {
  const payload = { username: ",[{".repeat(20_000), password: "x" };
  const { json } = await server.call({ method: "POST", url: "/api/sessions/administrator", payload });
  expect(json["errorMessage"]).not.toMatch(/values|nested/);
});

test("half of a character is refused, in values and names, and a whole one is taken", async () => {
  const post = async (payload: string) =>
    (await server.call({ method: "POST", url: "/api/sessions/administrator", payload, headers: { "content-type": "application/json" } }))
      .json["errorMessage"];
  const half = " holds half of a character";
  expect(await post(String.raw`{"username":"a\ud800","password":"x"}`)).toBe(`username${half}`);
  expect(await post(String.raw`{"username":"a","password":"x","\uDFFF":[]}`)).toBe(`The body${half}`);
  expect(await post(String.raw`{"username":"a","password":"x","list":[["\udc00\ud83d"]]}`)).toBe(`list${half}`);
  for (const whole of [String.raw`\ud83d\udd0c`, String.raw`\\ud800`])
    expect(await post(`{"username":"${whole}","password":"x"}`)).not.toContain(half);
});

test.each([
  ["as many values as it may", `{"list":[${Array.from({ length: 9_998 }, () => 0).join()}]}`, undefined],
  ["one value more", `{"list":[${Array.from({ length: 9_999 }, () => 0).join()}]}`, "The body has more than 10000 values"],
  ["as many levels as it may", `{"list":${"[".repeat(31)}${"]".repeat(31)}}`, undefined],
  ["one level more", `{"list":${"[".repeat(32)}${"]".repeat(32)}}`, "The body is nested deeper than 32 levels"],
  ["brackets in a text, after a quotation mark in it", `{"list":"\\"${"[".repeat(33)}"}`, undefined],
  [
    "a text that ends with a backslash, and brackets after it",
    `{"list":"\\\\","x":${"[".repeat(32)}${"]".repeat(32)}}`,
    "The body is nested deeper than 32 levels",
  ],
])("A-63 a body with %s", async (_, payload, refusal) => {
  const { json } = await server.call({ ...signIn, payload, headers: { "content-type": "application/json" } });
  const taken = "list: this call has no such field";
  expect(json["errorMessage"]).toBe(refusal ?? taken);
});
