import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("defaults are those of the documents", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    v2Port: 5000,
    mqttPort: 1883,
    simNodes: 60,
    initialCredential: "busbar-console",
  });
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
