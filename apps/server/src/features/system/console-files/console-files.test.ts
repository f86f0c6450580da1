import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { consoleFilesRoutes } from "./console-files.routes.ts";
import { presentRuntimeConfig, type ConsoleSettings } from "./runtime-config.view.ts";

const settings: ConsoleSettings = {
  v1Port: 8080,
  v2Port: 5000,
  productionHosts: ["console.busbar.example"],
  loginServers: [{ name: "</script><script>alert(1)</script>", origin: "https://staging.busbar.example" }],
  showServerFlags: true,
  initialCredential: "busbar-console",
};
const script = `console.log(${JSON.stringify("x".repeat(2_000))});`;

let server: TestApp;
let consoleDir: string;
const app = fastify();
beforeAll(async () => {
  server = await createTestApp();
  consoleDir = join(server.dataDir, "console");
  await mkdir(join(consoleDir, "assets"), { recursive: true });
  await writeFile(join(consoleDir, "index.html"), "<!doctype html><head><!--runtime-config--></head>");
  for (const [name, bytes] of [
    ["main-Ab3_xY9-.js", script],
    ["main-Ab3_xY9-.js.br", brotliCompressSync(script)],
    ["main-Ab3_xY9-.js.gz", gzipSync(script)],
    ["busbar.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  ] as const)
    await writeFile(join(consoleDir, "assets", name), bytes);
  await consoleFilesRoutes(app, {
    consoleDir,
    updatesFile: join(server.dataDir, "updates.json"),
    settings: () => settings,
    clock: server.clock,
    log: silentLog,
  });
});
afterAll(async () => {
  await app.close();
  await server.stop();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url, headers: { host: "localhost:8080", ...headers } });
function configOf(page: string): RuntimeConfig {
  const json = /<script type="application\/json" id="runtime-config">(.*?)<\/script>/.exec(page)?.[1];
  return RuntimeConfig.parse(JSON.parse(json ?? ""));
}

describe("the page", () => {
  test("is under /admin/, where / and /admin lead", async () => {
    for (const url of ["/", "/admin"]) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers.location]).toEqual([302, "/admin/"]);
    }
    const { statusCode, headers } = await get("/admin/");
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, "text/html; charset=utf-8", "no-cache"]);
  });

  test("carries the runtime config as data that cannot end its element, and a nonce of its own each time", async () => {
    const [one, other] = [await get("/admin/"), await get("/admin/")];
    expect(one.body).not.toContain("<script>alert");
    const config = configOf(one.body);
    expect(config).toMatchObject({
      loginServers: settings.loginServers,
      showServerFlags: true,
      initialCredential: "busbar-console",
      serverTimeMs: server.clock.now(),
    });
    expect(config.styleNonce).toMatch(/^[\w+/]{22}==$/);
    expect(one.headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${config.styleNonce}'`);
    expect(configOf(other.body).styleNonce).not.toBe(config.styleNonce);
  });

  test("has a policy that allows our own script, nonced styles and the calls that the console makes", async () => {
    const { headers, body } = await get("/admin/");
    expect(
      String(headers["content-security-policy"])
        .replace(configOf(body).styleNonce ?? "?", "NONCE")
        .split("; "),
    ).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-NONCE'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self' http://localhost:5000 https://staging.busbar.example",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types default",
    ]);
  });

  test("a missing build is said, with what makes it", async () => {
    await rm(join(consoleDir, "index.html"));
    const { statusCode, body } = await get("/admin/");
    expect([statusCode, body]).toEqual([503, expect.stringContaining("npm start")]);
    // One that cannot be read is no missing one.
    await mkdir(join(consoleDir, "index.html"));
    expect((await get("/admin/")).statusCode).toBe(500);
    await rm(join(consoleDir, "index.html"), { recursive: true });
    await writeFile(join(consoleDir, "index.html"), "<!doctype html><head><!--runtime-config--></head>");
  });
});

describe("assets", () => {
  test("are sent precompressed, for ever when their name holds a hash", async () => {
    for (const [accepted, encoding] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
      ["", undefined],
    ] as const) {
      const { statusCode, headers } = await get("/admin/assets/main-Ab3_xY9-.js", { "accept-encoding": accepted });
      expect([statusCode, headers["content-encoding"]]).toEqual([200, encoding]);
      expect(headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" });
      expect(headers["content-type"]).toContain("javascript");
    }
    expect((await get("/admin/assets/busbar.svg")).headers["cache-control"]).toBe("no-cache");
  });

  test("nothing outside the folder is reachable", async () => {
    for (const name of [
      "../index.html",
      "..%2findex.html",
      "%2e%2e/index.html",
      "....//index.html",
      "..%5cindex.html",
      "%252e%252e/index.html",
      "main-Ab3_xY9-.js%00",
    ]) {
      const { statusCode, body } = await get(`/admin/assets/${name}`);
      expect([name, statusCode >= 400, body.includes("runtime-config")]).toEqual([name, true, false]);
    }
  });
});

describe("updates.json", () => {
  const updates = () => server.call({ method: "GET", url: "/admin/assets/updates.json?t=1" });

  test("ENV-07 says that this version is the newest, until the operator says otherwise", async () => {
    const { status, json, headers } = await updates();
    expect([status, json, headers["cache-control"]]).toEqual([200, { version: 268, releaseNotes: [] }, "no-store"]);
    await writeFile(join(server.dataDir, "updates.json"), JSON.stringify({ version: 269, releaseNotes: ["Faster"] }));
    expect((await updates()).json).toEqual({ version: 269, releaseNotes: ["Faster"] });
  });

  test("a file that cannot be used is ignored and said in the log", async () => {
    for (const text of ["{", '{"version":"two"}', "[]"]) {
      await writeFile(join(server.dataDir, "updates.json"), text);
      expect((await updates()).json).toEqual({ version: 268, releaseNotes: [] });
    }
    expect(server.logText()).toContain("updates.json needs a number");
  });
});

describe("bases are given only where the console would derive others", () => {
  const bases = (hostname: string, pagePort: number, ports: Partial<ConsoleSettings> = {}) => {
    const { v1Base, v2Base } = presentRuntimeConfig({ ...settings, ...ports }, "http", hostname, pagePort, "n");
    return { v1Base, v2Base };
  };
  test.each([
    ["ENV-02 localhost with the usual ports", bases("localhost", 8080), {}],
    ["ENV-01 another host", bases("console.busbar.example", 443), {}],
    [
      "other ports",
      bases("localhost", 9080, { v1Port: 9080, v2Port: 9500 }),
      { v1Base: "http://localhost:9080/api", v2Base: "http://localhost:9500/api/v2" },
    ],
    ["a taken V2_PORT", bases("127.0.0.1", 8080, { v2Port: undefined }), { v2Base: "http://127.0.0.1:8080/api/v2" }],
    ["A-05 a proxy on this machine", bases("localhost", 80), { v1Base: "http://localhost:80/api", v2Base: "http://localhost:80/api/v2" }],
    [
      "A-05 a tunnel or a container's mapping",
      bases("localhost", 9090),
      { v1Base: "http://localhost:9090/api", v2Base: "http://localhost:9090/api/v2" },
    ],
    [
      "A-05 a mapping to the usual port from another one inside",
      bases("localhost", 8080, { v1Port: 3000, v2Port: 3001 }),
      { v2Base: "http://localhost:8080/api/v2" },
    ],
    ["the page opened on the second port", bases("localhost", 5000), { v1Base: "http://localhost:5000/api" }],
    ["IPv6", bases("[::1]", 8080, { v2Port: undefined }), { v2Base: "http://[::1]:8080/api/v2" }],
  ])("%s", (_name, bases, expected) => {
    expect(bases).toEqual({ v1Base: undefined, v2Base: undefined, ...expected });
  });
});
