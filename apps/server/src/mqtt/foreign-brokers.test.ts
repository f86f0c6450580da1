import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeBrokerFiles } from "#src/admin/broker-files.ts";
import { replaceNodeCredentials } from "#features/directory/node-credentials/issued-credentials.store.ts";
import { createNodeCredentialsStore } from "#features/directory/node-credentials/node-credentials.store.ts";
import { systemClock } from "#lib/clock.ts";
import { freePort } from "#testing/free-port.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode } from "#testing/test-world.ts";
import { createNodeEvictions } from "./node-evictions.ts";
import { createSpokenVersion } from "./spoken-version.ts";
import { createStandingLink } from "./standing-link.ts";

const token = "token-of-the-broker-of-this-test-0001";
const findProgram = (...paths: string[]) => paths.find(existsSync);
const mosquitto = findProgram("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto");
const rabbitmq = findProgram("/usr/lib/rabbitmq/bin/rabbitmq-server");

let server: TestApp;
let folder: string;
const clients: MqttClient[] = [];
const programs: ChildProcess[] = [];
beforeAll(async () => {
  server = await createTestApp({ BROKER_AUTH_TOKEN: token });
  folder = await mkdtemp(join(tmpdir(), "busbar-brokers-"));
  for (const serial of [10_234, 10_235]) {
    await addNode(server.database.pool, serial);
    await setSecret(serial, `secret-${serial}`);
  }
});
afterAll(async () => {
  for (const client of clients) client.end(true);
  for (const program of programs) {
    if (program.exitCode !== null) continue;
    const ended = once(program, "exit");
    process.kill(-program.pid!, "SIGKILL");
    await ended;
  }
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const setSecret = (serial: number, secret: string) => replaceNodeCredentials(server.database.pool, [{ serial, secret }]);

/** Runs a program in a group of its own until something listens on the port. */
async function run(program: string, args: string[], port: number, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: "ignore", detached: true, env: { ...process.env, ...env } });
  programs.push(child);
  await expect.poll(() => isListening(port)).toBe(true);
  return child;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connectTcp(port, "127.0.0.1");
  return new Promise((done) => {
    socket.once("connect", () => done(true)).once("error", () => done(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

async function connect(url: string, options: IClientOptions): Promise<MqttClient> {
  const client = await connectAsync(url, { reconnectPeriod: 0, ...options }, false);
  client.on("error", () => undefined);
  clients.push(client);
  return client;
}
const asNode = (url: string, serial: number, options: IClientOptions = {}) =>
  connect(url, { clientId: String(serial), username: String(serial), password: `secret-${serial}`, ...options });

const mayConnect = (url: string): Promise<boolean> =>
  connect(url, { clientId: "busbar-try" }).then(
    (client) => {
      client.end(true);
      return true;
    },
    () => false,
  );

const closed = (client: MqttClient) => new Promise<void>((done) => void client.once("close", () => done()));

/** What a node may do and what not, whichever broker it is; `admin` is the platform's own address. */
async function checkRules(nodesUrl: string, platformUrl: string): Promise<void> {
  await expect(asNode(nodesUrl, 10_234, { password: "wrong" })).rejects.toThrow(/Not authorized|Bad username or password/);
  await expect(asNode(nodesUrl, 10_299)).rejects.toThrow(/Not authorized|Bad username or password/);
  const platform = await connect(platformUrl, { clientId: "busbar-test" });
  const heard: string[] = [];
  platform.on("message", (topic, payload) => void heard.push(`${topic} ${payload.toString()}`));
  await platform.subscribeAsync("spBv1.0/#", { qos: 1 });

  const node = await asNode(nodesUrl, 10_234);
  const commands: string[] = [];
  node.on("message", (topic) => void commands.push(topic));
  await node.subscribeAsync("spBv1.0/n58/NCMD/10234", { qos: 1 });
  await node.publishAsync("spBv1.0/n58/NBIRTH/10234", "own", { qos: 1 });
  await expect.poll(() => heard).toEqual(["spBv1.0/n58/NBIRTH/10234 own"]);
  await platform.publishAsync("spBv1.0/n58/NCMD/10234", "command", { qos: 1 });
  await expect.poll(() => commands).toEqual(["spBv1.0/n58/NCMD/10234"]);

  // Refused quietly or by ending the connection: what counts is that no one hears it.
  for (const topic of ["spBv1.0/n59/NDATA/10235", "spBv1.0/n58/NCMD/10234", "spBv1.0/STATE/pq-ingest", "spBv1.0/n57/NDATA/10234"]) {
    const other = await asNode(nodesUrl, 10_234);
    await Promise.race([other.publishAsync(topic, "foreign", { qos: 1 }).catch(() => undefined), closed(other)]);
    other.end(true);
  }
  const seen: string[] = [];
  const spies: MqttClient[] = [];
  for (const filter of ["spBv1.0/#", "spBv1.0/n59/NCMD/10235"]) {
    const spy = await asNode(nodesUrl, 10_234);
    spies.push(spy);
    spy.on("message", (topic) => void seen.push(topic));
    await Promise.race([spy.subscribeAsync(filter, { qos: 1 }).catch(() => undefined), closed(spy)]);
  }
  const second = await asNode(nodesUrl, 10_235);
  await platform.publishAsync("spBv1.0/n59/NCMD/10235", "for another", { qos: 1 });
  await second.publishAsync("spBv1.0/n59/NDATA/10235", "last", { qos: 1 });
  await expect.poll(() => heard.at(-1)).toBe("spBv1.0/n59/NDATA/10235 last");
  expect(heard.filter((line) => line.endsWith("foreign"))).toEqual([]);
  expect(seen).toEqual([]);
  for (const client of [platform, node, ...spies, second]) client.end(true);
}

/** The platform's links come up, in whichever version the broker speaks: RabbitMQ before 3.13 leaves MQTT 5 unanswered. */
async function checkLink(platformUrl: string): Promise<void> {
  const link = createStandingLink({
    url: new URL(platformUrl),
    version: createSpokenVersion(systemClock),
    clientId: "busbar-n05",
    session: "kept",
    subscriptions: [{ filter: "spBv1.0/n05/#", qos: 1 }],
    onMessage: (_topic, _payload, _qos, done) => done(),
    onUp: () => undefined,
    isFull: () => false,
    whenRoom: () => undefined,
    inTurn: (attempt) => attempt(),
    clock: systemClock,
    limitedLog: () => undefined,
    firstBackoffMs: 50,
  });
  link.start();
  await expect.poll(() => link.current()).toBeDefined();
  await link.end(1_000);
}

/** Revoking a credential ends the node's connection, and it does not come in again; another, which came with a new one, stays. */
async function checkRevocation(nodesUrl: string, platformUrl: string): Promise<void> {
  const { pool } = server.database;
  const node = await asNode(nodesUrl, 10_234);
  const other = await asNode(nodesUrl, 10_235);
  await pool.query("update node_live set is_connected = true, connection_changed_at = now(), changed_xid = pg_current_xact_id()");
  await pool.query("update node_credential set created_at = now() - interval '1 s' * case serial_number when 10234 then 86400 else 1 end");
  const ended = closed(node);
  const startEvictions = () => {
    const evictions = createNodeEvictions({
      url: platformUrl,
      findSuspects: (seconds) => createNodeCredentialsStore(pool).findSuspects(seconds),
      findLockedOut: () => createNodeCredentialsStore(pool).findLockedOut(),
      isOurs: () => true,
      clock: systemClock,
      limitedLog: () => undefined,
      everyMs: 50,
    });
    evictions.start();
    return evictions;
  };
  const evictions = startEvictions();
  await pool.query("update node_credential set revoked_at = now() where serial_number = 10234");
  await ended;
  // The platform looks credentials up again after a second.
  server.clock.advance(2);
  await expect
    .poll(() =>
      asNode(nodesUrl, 10_234).then(
        () => "in",
        () => "out",
      ),
    )
    .toBe("out");
  expect(other.connected).toBe(true);
  await evictions.stop();

  // Revoked while no one looked.
  const otherEnded = closed(other);
  await pool.query("update node_credential set revoked_at = now() - interval '1 day' where serial_number = 10235");
  const later = startEvictions();
  await otherEnded;
  await later.stop();
  await setSecret(10_234, "secret-10234");
  await setSecret(10_235, "secret-10235");
  server.clock.advance(2);
}

describe.skipIf(!mosquitto)("Mosquitto (install the package mosquitto to run this)", () => {
  test("its files let nodes in as themselves only, and a revoked node goes; the files are whole, private and current", async () => {
    const [nodePort, platformPort] = [await freePort(), await freePort()];
    const files = join(folder, "mosquitto");
    await mkdir(files);
    const platformUrl = `mqtt://busbar:platform@127.0.0.1:${platformPort}`;
    const listener = (port: number) =>
      `listener ${port} 127.0.0.1\nallow_anonymous false\npassword_file ${files}/passwords\nacl_file ${files}/acl\n`;
    const config = `user root\nper_listener_settings true\npid_file ${files}/pid\n${listener(nodePort)}use_username_as_clientid true\n${listener(platformPort)}`;
    await writeFile(join(files, "mosquitto.conf"), config);
    const stopping = new AbortController();
    const said: string[] = [];
    const options = { pool: server.database.pool, folder: files, mqttUrl: platformUrl, pidFile: join(files, "pid") };
    const watching = writeBrokerFiles({ ...options, watch: stopping.signal, print: (line) => void said.push(line) });
    await expect.poll(() => said.length).toBe(1);
    expect((await stat(join(files, "passwords"))).mode & 0o777).toBe(0o600);
    const before = await readFile(join(files, "passwords"), "utf8");
    await run(mosquitto!, ["-c", join(files, "mosquitto.conf")], nodePort);
    const nodesUrl = `mqtt://127.0.0.1:${nodePort}`;
    await checkRules(nodesUrl, platformUrl);
    await checkLink(platformUrl);
    await checkRevocation(nodesUrl, platformUrl);
    await expect.poll(async () => (await readFile(join(files, "passwords"), "utf8")) === before).toBe(true);
    expect(said.slice(1).every((line) => line.endsWith("The broker reads them now."))).toBe(true);

    // A secret of an earlier version is left out, and named.
    await server.database.pool.query("update node_credential set mosquitto_hash = null where serial_number = 10235");
    await expect.poll(() => said.at(-1)).toContain("Left out: 1 node with a secret of an earlier version (10235).");
    await setSecret(10_235, "secret-10235");
    stopping.abort();
    await watching;
    await expect(writeBrokerFiles({ ...options, mqttUrl: "mqtt://broker", watch: undefined, print: () => undefined })).rejects.toThrow(
      "MQTT_URL has no user name and password",
    );
  });
});

describe.skipIf(!rabbitmq || process.getuid?.() !== 0)("RabbitMQ (install the package rabbitmq-server to run this, as root)", () => {
  test("it asks the platform about each node, and a revoked node goes", async () => {
    const home = join(folder, "rabbitmq");
    await mkdir(home);
    await chmod(folder, 0o755);
    const apiUrl = await server.app.listen({ host: "127.0.0.1", port: 0 });
    const [mqttPort, amqpPort, distPort] = [await freePort(), await freePort(), await freePort()];
    const path = (name: string) => `auth_http.${name}_path = ${apiUrl}/broker-auth/rabbitmq/${token}/${name}\n`;
    await writeFile(
      join(home, "rabbitmq.conf"),
      `listeners.tcp.1 = 127.0.0.1:${amqpPort}\nmqtt.listeners.tcp.1 = 127.0.0.1:${mqttPort}\nmqtt.allow_anonymous = false\nmqtt.sparkplug = true\n` +
        `load_definitions = ${home}/definitions.json\nauth_backends.1 = internal\nauth_backends.2 = http\nauth_http.http_method = post\n` +
        ["user", "vhost", "resource", "topic"].map(path).join(""),
    );
    const vhosts = ["/", "plant"];
    const right = { user: "busbar", configure: ".*", write: ".*", read: ".*" };
    const definitions = {
      users: [{ name: "busbar", password: "platform", tags: "" }],
      vhosts: vhosts.map((name) => ({ name })),
      permissions: vhosts.map((vhost) => ({ ...right, vhost })),
    };
    await writeFile(join(home, "definitions.json"), JSON.stringify(definitions));
    await writeFile(join(home, "plugins"), "[rabbitmq_mqtt,rabbitmq_auth_backend_http].\n");
    await run(rabbitmq!, [], mqttPort, {
      HOME: home,
      RABBITMQ_NODENAME: `busbar${distPort}@localhost`,
      RABBITMQ_CONFIG_FILE: join(home, "rabbitmq.conf"),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(home, "plugins"),
      RABBITMQ_MNESIA_BASE: join(home, "mnesia"),
      RABBITMQ_LOG_BASE: join(home, "log"),
      RABBITMQ_DIST_PORT: String(distPort),
      // Without a daemon for names, which would stay behind.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-start_epmd false -erl_epmd_port ${distPort} -setcookie busbar`,
    });
    const nodesUrl = `mqtt://127.0.0.1:${mqttPort}`;
    const platformUrl = `mqtt://busbar:platform@127.0.0.1:${mqttPort}`;
    // It listens before its virtual hosts are open.
    await expect.poll(() => mayConnect(platformUrl)).toBe(true);
    await checkRules(nodesUrl, platformUrl);
    await checkLink(platformUrl);
    await checkRevocation(nodesUrl, platformUrl);
    // The platform's own user may be in any virtual host, a node in the platform's only.
    const elsewhere = await connect(nodesUrl, { clientId: "busbar-plant", username: "plant:busbar", password: "platform" });
    const inside = await asNode(nodesUrl, 10_235, { username: "/:10235" });
    await expect(asNode(nodesUrl, 10_234, { username: "plant:10234" })).rejects.toThrow(/Not authorized|Bad username or password/);
    for (const client of [elsewhere, inside]) client.end(true);
    expect(server.logText()).not.toContain(token);
  });
});
