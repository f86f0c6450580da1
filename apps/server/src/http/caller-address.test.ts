import type { Socket } from "node:net";
import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { unauthorized } from "#lib/errors.ts";
import { callerAddress } from "./caller-address.ts";
import { answerError } from "./errors.ts";
import { endpointUrl, registerEndpoint, type Authenticators } from "./endpoints.ts";

const proxy = { remoteAddress: "10.1.2.3" } as Socket;

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:5555", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["garbage<script>", "10.1.2.3"],
  ["203.0.113.999", "10.1.2.3"],
  ["", "10.1.2.3"],
])("who calls through a proxy that says %j is at %s", (ip, address) => {
  expect(callerAddress({ ip, socket: proxy })).toBe(address);
});

test("A-63 a key is looked up for the same address, with the scope of its call", async () => {
  const endpoint = Object.values<Endpoint>(api).find(({ apiKeyScope, method }) => apiKeyScope !== undefined && method === "GET")!;
  const app = fastify();
  app.setErrorHandler(answerError);
  onTestFinished(() => app.close());
  const asked: unknown[] = [];
  const authenticateKey: Authenticators["authenticateKey"] = (...given) => (asked.push(given), Promise.reject(unauthorized()));
  registerEndpoint(app, "v1", endpoint, () => ({}), { authenticateKey } as unknown as Authenticators);
  const url = endpointUrl("v1", endpoint.path.replaceAll(/\{\w+\}/g, "1"));
  const basic = `Basic ${Buffer.from("who:sec:ret").toString("base64")}`;
  for (const headers of [{ "x-api-key": "k1" }, { authorization: basic }])
    await app.inject({ method: "GET", url, headers, remoteAddress: "::ffff:203.0.113.9" });
  expect(asked).toEqual([
    [{ kind: "api", key: "k1" }, endpoint.apiKeyScope, "203.0.113.9"],
    [{ kind: "access", key: "who", secret: "sec:ret" }, endpoint.apiKeyScope, "203.0.113.9"],
  ]);
});
