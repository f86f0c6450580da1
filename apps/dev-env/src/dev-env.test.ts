import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timezones } from "@busbar/contract/values/option-lists.ts";
import { readConfig } from "@busbar/server/config.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { totpCode, totpStep } from "@busbar/server/lib/totp.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { demoPassword } from "./administrators.ts";
import { startDevEnv, type DevEnv } from "./start-dev-env.ts";

let folder: string;
let env: DevEnv;
/** False where a test has stopped it. */
let isUp = false;
const start = (change: Record<string, string> = {}) =>
  startDevEnv({
    config: readConfig({ LOGIN_TWO_FACTOR: "off", DATA_DIR: join(folder, "data"), PORT: "0", V2_PORT: "0", MQTT_PORT: "0", ...change }),
    log: silentLog,
    faultScale: 0,
    hasStops: false,
    historyHours: 1,
    startDelayMaxSeconds: 0,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-dev-env-"));
});
beforeEach(async () => {
  if (!isUp) env = await start();
  isUp = true;
});
afterAll(async () => {
  if (isUp) await env.stop();
  await rm(folder, { recursive: true, force: true });
});

async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await env.pool.query<Row>(text)).rows;
}

async function signIn(username: string): Promise<{ token: string; roles: string[] }> {
  const post = () =>
    fetch(`${env.urls.console}/api/sessions/administrator`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: demoPassword }),
    });
  let response = await post();
  // A database that gives no connection within 3 s, as on a busy machine, is asked once more.
  while (response.status === 503) response = await post();
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: { token: string; roles: string[] } }).data;
}

describe("the demo world", () => {
  test("has its customers, facilities, zones and nodes", async () => {
    const [count] =
      await rows(`select (select count(*)::int from customer) as customers, (select count(*)::int from customer where type = 'Internal') as internal,
      (select count(*)::int from facility) as facilities, (select count(*)::int from node) as nodes`);
    expect(count).toEqual({ customers: 6, internal: 1, facilities: 14, nodes: 60 });
    const used = await rows<{ timezone: string }>("select distinct timezone from location");
    expect(used.map(({ timezone }) => timezone).sort()).toEqual([...timezones].sort());
  });

  test("has every kind of node and every status, unassigned, retired and awaiting ones", async () => {
    const types = await rows<{ type: string }>("select distinct type from node order by 1");
    expect(types.map(({ type }) => type).sort()).toEqual(["GERelay", "Node", "Recorder", "SEL", "subNode"]);
    const [odd] = await rows(`select count(*) filter (where current_deployment_status <> new_deployment_status)::int as awaiting,
      count(distinct current_deployment_status)::int as statuses, count(*) filter (where notify_on_connect)::int as watched,
      (select count(*)::int from decommissioned_node) as retired, (select max(length(name)) from location) > 60 as "hasLongNames",
      (select count(*)::int from node_assignment a join location l on l.id = a.location_id where slot = 2 and l.equipment_type in ('DCMotor', 'SynchronousMotor')) as secondary
      from node`);
    expect(odd).toEqual({ awaiting: 3, statuses: 4, watched: 2, retired: 4, hasLongNames: true, secondary: 5 });
  });

  test("names keep to the rules of the forms", async () => {
    const bad = await rows(`select name from location where name !~ '^[A-Za-z0-9][A-Za-z0-9 .,]+$'
      union all select name from facility where name !~ '^[A-Za-z0-9][A-Za-z0-9 ,_.-]{2,}$' union all select code from customer where code !~ '^[a-z]{2,}$'
      union all select name from customer where name !~ '^[A-Za-z][A-Za-z0-9,. ]{2,}$'`);
    expect(bad).toEqual([]);
  });

  test("its history ends where the live rows begin", async () => {
    const [history] = await rows<{ count: number; hours: number }>(
      "select count(*)::int as count, extract(epoch from max(ts) - min(ts))::float8 / 3600 as hours from scalar where serial_number = 10102",
    );
    expect(history!.count).toBeGreaterThan(340);
    expect(history!.hours).toBeCloseTo(1, 1);
    // Of its day the scalars before the history are missing, and those of the moment between history and first connection.
    const [day] = await rows<{ missing: number; expected: number; received: number }>(
      `select v.missing_scalar_count as missing, extract(epoch from v.last_scalar_at - d.start)::float8 / n.scalar_interval_seconds as expected,
         (select count(*)::int from scalar s where s.serial_number = n.serial_number and s.ts >= d.start and s.ts <= v.last_scalar_at) as received
       from node n join node_live v using (serial_number) join node_assignment a using (serial_number) join location l on l.id = a.location_id
         cross join lateral (select date_trunc('day', v.last_scalar_at at time zone l.timezone) at time zone l.timezone as start) d
       where n.serial_number = 10102`,
    );
    expect(Math.abs(day!.expected - day!.received - day!.missing)).toBeLessThan(60);
    // The service CoverageFill puts it into the coverage: three whole quarters of an hour lie within an hour.
    await expect
      .poll(() =>
        rows("select bit_count(received)::int >= 3 as \"isCovered\" from coverage where kind = 'scalars' and serial_number = 10102"),
      )
      .toContainEqual({ isCovered: true });
  });

  test("relays' uploads are files that can be read, and each is in the feeds", async () => {
    const [uploads] = await rows(`select count(*)::int as count, count(f.file_name)::int as stored, count(distinct actor)::int as relays
      from activity a left join data_file f on f.file_name = a.object and f.kind = 'E'
      where actor_type = 'ApiKey' and action like 'POST_CUSTOMER_GP_%'`);
    expect(uploads).toEqual({ count: 91, stored: 91, relays: 2 });
    const pending = () => rows("select file_name from data_file where kind = 'E' and processed is null");
    await vi.waitUntil(async () => (await pending()).length === 0, { interval: 200 });
    expect(await rows("select file_name, failed_reason from data_file where kind = 'E' and not processed")).toEqual([]);
    const kinds = await rows<{ kind: string; count: number }>(
      "select kind, count(*)::int as count from node_event where body->>'fileName' like '%\\_E0001.%' group by kind order by kind",
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["RELAY_EVENT", "relayAlarm", "relayTrip"]);
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(52);
  });

  test("the simulated nodes connect and stream, the one that never connects does not", async () => {
    const live = () =>
      rows<{ serial: number; connected: boolean; seconds: number | null }>(
        "select serial_number as serial, is_connected as connected, extract(epoch from now() - last_scalar_at)::float8 as seconds from node_live where serial_number in (10102, 11303)",
      );
    await vi.waitUntil(
      async () => (await live()).find(({ serial, connected, seconds }) => serial === 10102 && connected && (seconds ?? 99) < 11),
      { interval: 200 },
    );
    expect((await live()).find(({ serial }) => serial === 11303)).toEqual({ serial: 11303, connected: false, seconds: null });
  });
});

describe("its accounts", () => {
  test.each([
    ["sysadmin", ["systemAdministrator"]],
    ["accounts", ["accountsAdministrator"]],
    ["admin", ["systemAdministrator", "accountsAdministrator"]],
    ["staff", []],
  ])("%s signs in with roles %j", async (username, roles) => {
    expect((await signIn(username)).roles).toEqual(roles);
  });

  test("each has a 2FA secret and an address for an authenticator", () => {
    expect(env.administrators.map(({ username }) => username)).toEqual(["sysadmin", "accounts", "admin", "staff"]);
    for (const { totpSecret, otpauth, username } of env.administrators) {
      expect(otpauth).toMatch(new RegExp(`^otpauth://totp/Busbar:${username}\\?.*secret=${totpSecret}`));
      expect(totpStep(totpSecret, totpCode(totpSecret, Date.now()), Date.now())).toBeDefined();
    }
  });
});

test("new credentials of a node name the port on which the broker listens", async () => {
  const { username, totpSecret } = env.administrators[0]!;
  const { token } = await signIn(username);
  const [node] = await rows<{ serialNumber: string }>('select min(serial_number)::text as "serialNumber" from node');
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${env.urls.console}/api${path}`, { ...init, headers: { "content-type": "application/json", token } });
    return ((await response.json()) as { data: { version: string; broker: string }[] }).data;
  };
  const [state] = await call(`/node-credentials?serials=${node!.serialNumber}`);
  const body = { nodes: [{ ...node, version: state!.version }], code: totpCode(totpSecret, Date.now()) };
  const [made] = await call("/node-credentials", { method: "POST", body: JSON.stringify(body) });
  expect(made!.broker).toBe(env.urls.mqtt);
});

test("secrets of nodes are in a private file", async () => {
  const file = join(folder, "data", "demo-node-secrets.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(await readFile(file, "utf8")) as object)).toHaveLength(60);
});

test("a second start keeps the world as it is, and a larger fleet only adds", async () => {
  await env.pool.query("update customer set name = 'Renamed by hand' where code = 'benches'");
  const secrets = env.administrators.map(({ totpSecret }) => totpSecret);
  await env.stop();
  env = await start({ SIM_NODES: "65" });
  expect(env.administrators.map(({ totpSecret }) => totpSecret)).toEqual(secrets);
  const [count] = await rows(
    "select (select count(*)::int from node) as nodes, (select count(*)::int from customer) as customers, (select name from customer where code = 'benches') as name",
  );
  expect(count).toEqual({ nodes: 65, customers: 6, name: "Renamed by hand" });
});

test("npm start's program says how to sign in, and Ctrl-C ends all of it within 5 s", async () => {
  await env.stop();
  isUp = false;
  const dataDir = join(folder, "data");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [fileURLToPath(new URL("./main.ts", import.meta.url))], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: "0", V2_PORT: "0", MQTT_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitUntil(() => said.includes("Ctrl-C stops everything."));
  expect(said).toContain(`password ${demoPassword}`);
  expect(said).toMatch(/sysadmin .*2FA secret [A-Z2-7]{32}\n +otpauth:\/\/totp\/Busbar:sysadmin/);
  const pid = Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
