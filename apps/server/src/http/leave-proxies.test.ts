import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeApp } from "../listen.ts";
import { letProxiesBeLeft } from "./leave-proxies.ts";

const asksElsewhere = { "x-asks-elsewhere": "reads" };
const drainMs = 1_000;

let app: FastifyInstance;
beforeEach(async () => {
  // It goes on only where a test says so.
  vi.useFakeTimers({ toFake: ["performance"] });
  app = fastify();
  letProxiesBeLeft(app, (address) => address?.startsWith("127.0.0.") === true);
  app.route({ method: ["GET", "HEAD", "POST"], url: "/", handler: () => "answered" });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  await app.close();
  vi.useRealTimers();
});

/** On a connection of its own. */
async function call(method: string, headers: Record<string, string> = asksElsewhere, localAddress = "127.0.0.1"): Promise<number | string> {
  const { port } = app.server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", method, headers, localAddress, agent: false }).end();
  try {
    const [response] = (await once(sent, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    return response.statusCode;
  } catch {
    return "cut";
  }
}

test("A-40 who ends cuts one read of each proxy that asks elsewhere, and answers it again and all else", async () => {
  expect(await call("GET")).toBe(200);
  const closed = closeApp(app, drainMs);
  expect(await Promise.all([call("POST"), call("GET", {}), call("GET", { "x-asks-elsewhere": "no" })])).toEqual([200, 200, 200]);
  expect(await call("GET")).toBe("cut");
  expect(await Promise.all(["GET", "HEAD", "POST"].map((method) => call(method)))).toEqual([200, 200, 200]);
  expect(await call("HEAD", asksElsewhere, "127.0.0.2")).toBe("cut");
  expect(await call("GET", asksElsewhere, "127.0.0.2")).toBe(200);
  vi.advanceTimersByTime(300);
  await closed;
  expect(app.server.listening).toBe(false);
});

test("A-40 it goes on listening for as long as a proxy comes, and then no more", async () => {
  expect(await call("POST")).toBe(200);
  const informed = vi.spyOn(app.log, "info");
  const closed = closeApp(app, drainMs);
  for (let step = 0; step < 13; step++) {
    vi.advanceTimersByTime(299);
    expect(await call("POST")).toBe(200);
  }
  vi.advanceTimersByTime(299);
  await closed;
  expect(app.server.listening).toBe(false);
  expect(informed).toHaveBeenCalledWith({ proxies: 0, isQuiet: false }, "left the proxies");
});

test.each([
  ["no one who asks elsewhere has called", {}, "127.0.0.1"],
  ["it was no proxy of ours", asksElsewhere, "127.0.1.1"],
])("A-40 it stops listening at once where %s", async (_, headers, address) => {
  expect(await call("GET", headers, address)).toBe(200);
  const closed = closeApp(app, drainMs);
  // As many as it may take until no one comes.
  for (let turn = 0; turn <= 501; turn++) await turnOfLoop();
  expect(app.server.listening).toBe(false);
  await closed;
});
