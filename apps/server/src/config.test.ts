import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("defaults are those of the documents", () => {
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 8080,
    v2Port: 5000,
    dataDir: resolve("data"),
    secretsKeyFile: resolve("data/secrets.key"),
    mqttPort: 1883,
    nodeMqttUrl: "mqtt://127.0.0.1:1883",
    mailFrom: "Busbar <no-reply@busbar.example>",
    loginTwoFactor: "systemAdministrator",
    trustedProxies: ["loopback"],
    simNodes: 60,
    logLevel: "info",
    initialCredential: "busbar-console",
    productionHosts: [],
    loginServers: [],
    consoleOrigins: [],
    showServerFlags: false,
    nodeAnswerMs: 15_000,
    sessionsPerPerson: 20,
    drainSeconds: 0,
    brokerAuthVhost: "/",
  });
});

test("A-63 each variable is read, and is the setting of its name", () => {
  const token = "0123456789abcdefghijklmnopqrstuv";
  const env = {
    HOST: "0.0.0.0",
    PORT: "1001",
    V2_PORT: "1002",
    DATA_DIR: "/srv/data",
    SECRETS_KEY_FILE: "/etc/busbar/key",
    DATABASE_URL: "postgres://busbar@/busbar?host=/run",
    FILES_URL: "s3://bucket/prefix?endpoint=https://s3.example&region=eu-1",
    MQTT_PORT: "1003",
    MQTT_URL: "mqtts://ingest:secret@broker.example",
    NODE_MQTT_URL: "mqtts://ingest:secret@nodes.example:8883",
    SMTP_URL: "smtps://mail.example",
    SIM_NODES: "7",
    TRUSTED_PROXIES: "10.1.0.0/16, ::1",
    LOG_LEVEL: "debug",
    INITIAL_CREDENTIAL: "first",
    PRODUCTION_HOSTS: "a.example,b.example",
    LOGIN_SERVERS: "East=https://east.example/admin",
    CONSOLE_ORIGINS: "https://west.example",
    SHOW_SERVER_FLAGS: "1",
    NODE_ANSWER_SECONDS: "16",
    SCALAR_RETENTION_DAYS: "8",
    MAIL_FROM: "mail@busbar.example",
    PUBLIC_URL: "https://busbar.example/admin/",
    ANALYTICS_URL: "https://analytics.example",
    LOGIN_TWO_FACTOR: "all",
    SESSIONS_PER_PERSON: "9",
    DRAIN_SECONDS: "6",
    BROKER_AUTH_VHOST: "nodes",
    BROKER_AUTH_TOKEN: token,
    METRICS_TOKEN: token.slice(16),
  };
  expect(readConfig(env)).toEqual({
    host: "0.0.0.0",
    port: 1001,
    v2Port: 1002,
    dataDir: "/srv/data",
    secretsKeyFile: "/etc/busbar/key",
    databaseUrl: env.DATABASE_URL,
    filesUrl: env.FILES_URL,
    mqttPort: 1003,
    mqttUrl: env.MQTT_URL,
    nodeMqttUrl: "mqtts://nodes.example:8883",
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    publicUrl: "https://busbar.example",
    analyticsUrl: env.ANALYTICS_URL,
    loginTwoFactor: "all",
    trustedProxies: ["10.1.0.0/16", "::1"],
    simNodes: 7,
    logLevel: "debug",
    initialCredential: "first",
    productionHosts: ["a.example", "b.example"],
    loginServers: [{ name: "East", origin: "https://east.example" }],
    consoleOrigins: ["https://west.example"],
    showServerFlags: true,
    nodeAnswerMs: 16_000,
    scalarRetentionDays: 8,
    sessionsPerPerson: 9,
    drainSeconds: 6,
    metricsToken: env.METRICS_TOKEN,
    brokerAuthToken: token,
    brokerAuthVhost: "nodes",
  });
});

test.each([
  ["PORT", 0, 65_535],
  ["V2_PORT", 0, 65_535],
  ["MQTT_PORT", 0, 65_535],
  ["SIM_NODES", 0, 80_000],
  ["NODE_ANSWER_SECONDS", 1, 20],
  ["SCALAR_RETENTION_DAYS", 1, 400],
  ["SESSIONS_PER_PERSON", 1, 10_000],
  ["DRAIN_SECONDS", 0, 10],
])("A-63 %s is a whole number from %i to %i", (name, minimum, maximum) => {
  for (const value of [minimum, maximum]) expect(() => readConfig({ [name]: String(value) })).not.toThrow();
  for (const value of [minimum - 1, maximum + 1])
    expect(() => readConfig({ [name]: String(value) })).toThrow(`${name} is a whole number from ${minimum} to ${maximum}`);
});

test.each([
  [{ PORT: "eighty" }, 'PORT is a whole number from 0 to 65535, not "eighty".'],
  [{ PORT: "80808" }, 'PORT is a whole number from 0 to 65535, not "80808".'],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL is an address that begins with postgres:// or postgresql://"],
  [{ MQTT_URL: "tcp://x:1883/y" }, ', not "tcp://x:1883/y".'],
  [
    { FILES_URL: "/srv/files" },
    'FILES_URL is a bucket such as s3://bucket/prefix?endpoint=https://s3.example&region=eu-1, not "/srv/files".',
  ],
  [{ FILES_URL: "s3://bucket?endpiont=https://s3.example" }, "FILES_URL is a bucket"],
  [{ FILES_URL: "s3://bucket?endpoint=s3.example" }, "FILES_URL is a bucket"],
  [{ FILES_URL: "s3://key:secret@bucket" }, "FILES_URL is a bucket"],
  [{ SIM_NODES: "-1" }, "SIM_NODES is a whole number from 0 to 80000"],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL is trace, debug"],
  [{ TRUSTED_PROXIES: "10.1.0.0/33" }, "TRUSTED_PROXIES lists addresses, networks such as 10.1.0.0/16, or loopback"],
  [{ TRUSTED_PROXIES: "proxy.example" }, "TRUSTED_PROXIES lists addresses"],
  [{ PORT: "5000" }, "PORT and V2_PORT are both 5000"],
  [{ LOGIN_SERVERS: "nowhere" }, "LOGIN_SERVERS is a list such as"],
  [{ PROT: "8080" }, "PROT is no variable of Busbar; did you mean PORT?"],
  [{ V2PORT: "8080" }, "did you mean V2_PORT?"],
  [{ DATADIR: "/x" }, "did you mean DATA_DIR?"],
  [{ BUSBAR_COLOUR: "red" }, "BUSBAR_COLOUR is no variable of Busbar."],
])("%j is refused by name", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});

test.each([
  [{ DATABASE_URL: "postgres://busbar:pa#hunter2@db/busbar" }, ', not "postgres://…@db/busbar".'],
  [{ DATABASE_URL: "mysql://busbar:hunter2@db/busbar?password=hunter2" }, ', not "mysql://…@db/busbar?…".'],
  [{ MQTT_URL: "tcp://ingest:hunter2@broker" }, ', not "tcp://…@broker".'],
  [{ NODE_MQTT_URL: "mqtt:/a:hun@ter2@broker" }, ', not "mqtt:/…@broker".'],
  [{ SMTP_URL: "smtp//mail:hunter2@mail.example" }, ', not "smtp//…@mail.example".'],
  [{ DATABASE_URL: "postgres://busbar:hunter2/busbar" }, ', not "postgres://…".'],
  [{ SMTP_URL: "mail:hunter2" }, ', not "…".'],
  [{ MQTT_URL: "mqtts//ingest:hunter2:1883" }, ', not "mqtts//…".'],
  [{ FILES_URL: "s3://key:hunter2@bucket" }, ', not "s3://…@bucket".'],
  [{ METRICS_TOKEN: "hunter2" }, "METRICS_TOKEN has at least 16 characters."],
  [{ BROKER_AUTH_TOKEN: "hunter2!" }, "BROKER_AUTH_TOKEN is 32 to 128 letters, digits, _ and -."],
])("a secret in %j is not printed where the value is refused", (env, end) => {
  const refused = () => readConfig(env);
  expect(refused).toThrow(Object.keys(env)[0]);
  expect(refused).toThrow(end);
  expect(refused).not.toThrow(/hun|ter2/);
});

test("an ordinary machine's environment passes", () => {
  for (const name of ["HOSTS", "PORTS", "SPORT", "POST", "VPORT"]) expect(() => readConfig({ [name]: "theirs" })).not.toThrow();
  expect(() => readConfig(process.env as Record<string, string>)).not.toThrow();
});

test("days of scalars are the environment's only when it sets them", () => {
  expect([readConfig({}).scalarRetentionDays, readConfig({ SCALAR_RETENTION_DAYS: "7" }).scalarRetentionDays]).toEqual([undefined, 7]);
  expect(() => readConfig({ SCALAR_RETENTION_DAYS: "0" })).toThrow("SCALAR_RETENTION_DAYS is a whole number from 1 to 400");
});

test("A-04 CONSOLE_ORIGINS are exact origins: no wildcard, no path, no other scheme", () => {
  expect(readConfig({ CONSOLE_ORIGINS: "http://localhost:8080, https://Console.example:443/" }).consoleOrigins).toEqual([
    "http://localhost:8080",
    "https://console.example",
  ]);
  for (const bad of [
    "*",
    "null",
    "localhost:8080",
    "https://*.example",
    "https://a.example/admin",
    "ftp://a.example",
    "https://me@a.example",
    "file:///x",
  ])
    expect(() => readConfig({ CONSOLE_ORIGINS: bad })).toThrow(/^CONSOLE_ORIGINS is a list of scheme, host and port/);
  expect(() => readConfig({ LOGIN_SERVERS: "East=javascript:alert(1)" })).toThrow("LOGIN_SERVERS is a list");
});
