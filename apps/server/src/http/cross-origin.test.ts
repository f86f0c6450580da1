import fastify from "fastify";
import { expect, test } from "vitest";
import { allowConsoleOrigins } from "./cross-origin.ts";

test.each([
  ["http://east.example", "http", [80], true],
  ["http://east.example", "http", [443], false],
  ["https://east.example", "https", [443], true],
  ["https://east.example", "https", [80], false],
  ["http://east.example:8080", "http", [80, 8080], true],
  ["http://east.example:8081", "http", [80, 8080], false],
  ["https://east.example", "http", [80, 443], false],
  ["http://west.example", "http", [80], false],
  ["not an origin", "http", [80], false],
])("A-46 %s asks a server of %s whose console is at %j: allowed %s", async (origin, scheme, ports, isAllowed) => {
  const app = fastify({ trustProxy: true });
  allowConsoleOrigins(app, { isConsolePort: (port) => ports.includes(port), others: new Set() });
  app.get("/", () => "");
  const headers = { host: "east.example:5000", origin, "x-forwarded-proto": scheme };
  const answer = await app.inject({ url: "/", headers });
  expect(answer.headers["access-control-allow-origin"]).toBe(isAllowed ? origin : undefined);
  await app.close();
});
