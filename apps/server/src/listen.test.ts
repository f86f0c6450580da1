import { once } from "node:events";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { closeApp, endConnections, listen, whyNot } from "./listen.ts";
import { letProxiesBeLeft } from "#http/leave-proxies.ts";
import { allRoles, readRoles, refuseLoneBroker } from "./roles.ts";

test.each([
  ["EADDRINUSE", "PORT 80 is in use on 10.0.0.1. Stop the other program or set PORT to another port."],
  ["EACCES", "PORT 80 may not be used by this user. Set PORT to a port above 1023."],
  ["EADDRNOTAVAIL", "HOST 10.0.0.1 is no address of this machine."],
  ["ENOTFOUND", "HOST 10.0.0.1 is no address of this machine."],
  ["EOTHER", "PORT 80 cannot be used on 10.0.0.1: as said"],
])("A-63 %s is said in a sentence", (code, sentence) => {
  expect(whyNot(Object.assign(new Error("as said"), { code }), "PORT", "10.0.0.1", 80)).toBe(sentence);
});

test("A-63 the port that was taken is known, and one that is in use is named", async () => {
  const [app, second] = [fastify(), fastify()];
  onTestFinished(() => Promise.all([app.close(), second.close()]).then(() => undefined));
  const port = await listen(app, "PORT", "127.0.0.1", 0);
  expect(port).toBe((app.server.address() as AddressInfo).port);
  await expect(listen(second, "V2_PORT", "127.0.0.1", port)).rejects.toThrow(`V2_PORT ${port} is in use on 127.0.0.1.`);
});

test("A-63 a call that does not end is cut when its time is over, and one that ends in time is answered and its connection closed", async () => {
  const app = fastify({ forceCloseConnections: "idle" });
  letProxiesBeLeft(app, () => false);
  const answers = Promise.withResolvers<string>();
  const came = { hanging: Promise.withResolvers<void>(), late: Promise.withResolvers<void>() };
  app.get("/hanging", () => (came.hanging.resolve(), new Promise(() => {})));
  app.get("/late", () => (came.late.resolve(), answers.promise));
  const port = await listen(app, "PORT", "127.0.0.1", 0);
  const call = (path: string) => once(get({ port, path, host: "127.0.0.1", agent: false }), "response") as Promise<[{ headers: object }]>;
  endConnections(app);
  const hanging = call("/hanging").catch((error: Error) => error.message);
  const late = call("/late");
  await Promise.all([came.hanging.promise, came.late.promise]);
  const closed = closeApp(app, 50);
  answers.resolve("here");
  expect((await late)[0].headers).toMatchObject({ connection: "close" });
  expect(await hanging).toContain("socket hang up");
  await closed;
  const refused = createServer();
  onTestFinished(() => void refused.close());
  refused.listen(port, "127.0.0.1");
  await once(refused, "listening");
});

test("A-63 roles are those of the list, each once, all without one; broker and ingest go together unless there is another broker", () => {
  expect([readRoles(undefined), readRoles("services, api,services")]).toEqual([[...allRoles], ["services", "api"]]);
  for (const text of ["", "api,", "API", "api;ingest"])
    expect(() => readRoles(text)).toThrow("--roles lists broker, ingest, api, services");
  for (const roles of [["broker"], ["ingest", "api"]] as const) {
    expect(() => refuseLoneBroker(roles, undefined)).toThrow("The roles broker and ingest go together");
    expect(() => refuseLoneBroker(roles, "mqtt://x")).not.toThrow();
  }
  for (const roles of [
    ["broker", "ingest"],
    ["api", "services"],
  ] as const)
    expect(() => refuseLoneBroker(roles, undefined)).not.toThrow();
});
