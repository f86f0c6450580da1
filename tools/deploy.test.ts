import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { api } from "../packages/contract/src/api.ts";
import type { Endpoint } from "../packages/contract/src/endpoint.ts";
import { findFault, whyNoExampleProxy, writeExampleProxy } from "../bench/lib/example-proxy.ts";
import { allRoles, readRoles } from "../apps/server/src/roles.ts";
import { freePort } from "../apps/server/src/testing/free-port.ts";

test("the example proxy lets every body through that the server takes", () => {
  const nginx = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const limit = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024;
  const largest = Math.max(
    ...Object.values<Endpoint>(api).map(({ takesBytes = 0, maxBodyBytes = 0 }) => Math.max(takesBytes, maxBodyBytes)),
  );
  expect(limit).toBeGreaterThanOrEqual(largest);
});

test("A-40 the example proxy informs the broker for whom it connects, and the example compose file lets it be believed", () => {
  const nginx = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const streams = nginx.slice(nginx.indexOf("\nstream {")).split("server {").slice(1);
  expect(streams.length).toBeGreaterThan(0);
  for (const server of streams) expect(server).toMatch(/^\s*proxy_protocol on;$/m);
  expect(readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8")).toMatch(/^\s*TRUSTED_PROXIES: uniquelocal$/m);
});

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const cluster = () => read("deploy/cluster/compose.yaml");

test("the cluster's proxy is the example proxy, but for who is behind it", () => {
  const withoutThoseBehind = (path: string) =>
    read(path)
      .replace(/^#.*\n/gm, "")
      .replace(/upstream api \{[^}]*\}/, "")
      .replace(/^ *(#.*\n *)?proxy_pass (busbar:1883;\n.*\n *proxy_protocol on|broker:8883);\n/m, "");
  expect(withoutThoseBehind("deploy/cluster/nginx.conf")).toBe(withoutThoseBehind("deploy/nginx.conf"));
  const asked = (path: string) => {
    const upstream = /upstream api \{([^}]*)\}/.exec(read(path))?.[1] ?? "";
    return upstream.split("\n").flatMap((line) => (/^ *(#.*)?$/.test(line) ? [] : [line.trim()]));
  };
  const names = [...cluster().matchAll(/^ {2}(api-\d):/gm)].map(([, name = ""]) => name);
  const forEach = (line: string) => (line.includes("busbar:") ? names.map((name) => line.replace("busbar", name)) : [line]);
  expect(asked("deploy/cluster/nginx.conf")).toEqual(asked("deploy/nginx.conf").flatMap(forEach));
  expect(asked("deploy/nginx.conf")).toEqual([
    // Marks are for all workers, end soon, and leave no one without an answer: docs/decisions/0056-a-process-is-left-before-it-ends.md.
    "zone api 64k;",
    "server busbar:8080 max_fails=1 fail_timeout=2s;",
    "server busbar:8080 max_fails=0 backup;",
  ]);
});

test("the cluster runs every role that is not the broker's, and sets variables that the guide lists", () => {
  const roles = [...cluster().matchAll(/serve, --roles, ([\w,]+)\]/g)].flatMap(([, names]) => readRoles(names));
  expect([...roles, "broker"].sort()).toEqual([...allRoles].sort());
  const guide = read("docs/operations.md");
  const environment = /^x-busbar:[\s\S]*?\n {2}environment:\n((?: {4}.*\n)+)/m.exec(cluster())?.[1] ?? "";
  const variables = [...environment.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name!);
  expect(variables).toContain("MQTT_URL");
  for (const name of variables) expect(guide).toContain(`\`${name}\``);
  // What the file refuses to start without.
  for (const [, name] of cluster().matchAll(/\{([A-Z_]+):\?/g)) expect(guide).toMatch(new RegExp(`^${name}=`, "m"));
});

test("the cluster's broker is set up as the guide says, and only the platform's listener lets client ids be chosen", () => {
  const settings = read("deploy/cluster/mosquitto.conf");
  const guide = read("docs/operations.md");
  for (const setting of ["persistence true", "max_queued_messages 100000", "queue_qos0_messages true", "per_listener_settings true"]) {
    expect(settings).toMatch(new RegExp(`^${setting}$`, "m"));
    expect(guide).toContain(setting);
  }
  const [, nodes = "", platform = ""] = settings.split(/^listener /m);
  for (const listener of [nodes, platform]) expect(listener).toMatch(/^allow_anonymous false$/m);
  expect(nodes).toMatch(/^8883\n[\s\S]*^use_username_as_clientid true$/m);
  expect(platform).toMatch(/^1884\n/);
  expect(platform).not.toContain("use_username_as_clientid");
  expect(cluster()).toMatch(/MQTT_URL: mqtt:\/\/busbar:.*@broker:1884$/m);
});

const missing = whyNoExampleProxy();
test.skipIf(missing !== undefined)(`A-40 nginx takes the example configuration${missing ? ` (left out: ${missing})` : ""}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "busbar-nginx-"));
  try {
    const path = writeExampleProxy(folder, {
      http: await freePort(),
      https: await freePort(),
      mqtts: await freePort(),
      api: 8080,
      mqtt: 1883,
    });
    expect(findFault(path)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!hasSystemd)(`systemd takes the example unit${hasSystemd ? "" : " (left out: systemd is not installed)"}`, () => {
  const unit = fileURLToPath(new URL("../deploy/busbar.service", import.meta.url));
  const { stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  // It says what is wrong with the machine's own units too.
  expect(stderr.split("\n").filter((line) => line.includes("busbar.service"))).toEqual([]);
});
