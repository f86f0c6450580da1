import { isIP } from "node:net";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { closestName } from "#lib/closest-name.ts";
import { parseFilesAddress } from "#lib/files-address.ts";

/** A configuration that cannot be used; its message names the variable and says what it may be. */
export class ConfigError extends Error {}

const flag = (name: string) =>
  z.pipe(
    z._default(z.string(), "false").check(z.regex(/^(true|false|1|0)$/, `${name} is true or false`)),
    z.transform((text) => text === "true" || text === "1"),
  );
const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
const list = z.pipe(z._default(z.string(), ""), z.transform(listOf));
// A database on a unix socket has no host: postgres://user@/name?host=/folder
const canReach = (text: string): boolean => URL.canParse(text) || URL.canParse(text.replace("@/", "@localhost/"));
const address = (name: string, ...schemes: string[]) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => schemes.some((scheme) => text.startsWith(`${scheme}://`) && canReach(text)),
          `${name} is an address that begins with ${schemes.map((s) => `${s}://`).join(" or ")}`,
        ),
      ),
  );
const isWholeNumber = (name: string, minimum: number, maximum: number) =>
  z.refine<string>(
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    `${name} is a whole number from ${minimum} to ${maximum}`,
  );
const wholeNumber = (name: string, fallback: number, minimum: number, maximum: number) =>
  z.pipe(z._default(z.string(), String(fallback)).check(isWholeNumber(name, minimum, maximum)), z.transform(Number));
const optionalWholeNumber = (name: string, minimum: number, maximum: number) =>
  z.optional(z.pipe(z.string().check(isWholeNumber(name, minimum, maximum)), z.transform(Number)));

/** An address, a network such as 10.1.0.0/16, or a word for a range of private ones. */
function isProxyAddress(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [host = "", bits, ...more] = text.split("/");
  const version = isIP(host);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

const port = (name: string, fallback: number) => wholeNumber(name, fallback, 0, 65_535);

const variables = {
  HOST: z._default(z.string(), "127.0.0.1"),
  PORT: port("PORT", 8080),
  V2_PORT: port("V2_PORT", 5000),
  DATA_DIR: z._default(z.string().check(z.minLength(1, "DATA_DIR names a folder")), "./data"),
  SECRETS_KEY_FILE: z.optional(z.string().check(z.minLength(1, "SECRETS_KEY_FILE names a file"))),
  DATABASE_URL: address("DATABASE_URL", "postgres", "postgresql"),
  FILES_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => parseFilesAddress(text) !== undefined,
          "FILES_URL is a bucket such as s3://bucket/prefix?endpoint=https://s3.example&region=eu-1",
        ),
      ),
  ),
  MQTT_PORT: port("MQTT_PORT", 1883),
  MQTT_URL: address("MQTT_URL", "mqtt", "mqtts"),
  NODE_MQTT_URL: address("NODE_MQTT_URL", "mqtt", "mqtts"),
  SMTP_URL: address("SMTP_URL", "smtp", "smtps"),
  SIM_NODES: wholeNumber("SIM_NODES", 60, 0, 80_000),
  TRUSTED_PROXIES: z
    .pipe(z._default(z.string(), "loopback"), z.transform(listOf))
    .check(
      z.refine(
        (proxies) => proxies.every(isProxyAddress),
        "TRUSTED_PROXIES lists addresses, networks such as 10.1.0.0/16, or loopback, linklocal, uniquelocal",
      ),
    ),
  LOG_LEVEL: z._default(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "LOG_LEVEL is trace, debug, info, warn, error, fatal or silent"),
    "info",
  ),
  INITIAL_CREDENTIAL: z._default(
    z.string().check(z.regex(/^[\w.-]{1,64}$/, "INITIAL_CREDENTIAL is up to 64 letters, digits, . _ -")),
    "busbar-console",
  ),
  PRODUCTION_HOSTS: list,
  LOGIN_SERVERS: list,
  CONSOLE_ORIGINS: list,
  SHOW_SERVER_FLAGS: flag("SHOW_SERVER_FLAGS"),
  NODE_ANSWER_SECONDS: wholeNumber("NODE_ANSWER_SECONDS", 15, 1, 20),
  SCALAR_RETENTION_DAYS: optionalWholeNumber("SCALAR_RETENTION_DAYS", 1, 400),
  MAIL_FROM: z._default(
    z
      .string()
      .check(
        z.regex(
          /^([\w .-]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
          "MAIL_FROM is an address such as Busbar <no-reply@busbar.example>",
        ),
      ),
    "Busbar <no-reply@busbar.example>",
  ),
  PUBLIC_URL: address("PUBLIC_URL", "http", "https"),
  ANALYTICS_URL: address("ANALYTICS_URL", "https", "http"),
  LOGIN_TWO_FACTOR: z._default(
    z.enum(["off", "systemAdministrator", "all"], "LOGIN_TWO_FACTOR is off, systemAdministrator or all"),
    "systemAdministrator",
  ),
  SESSIONS_PER_PERSON: wholeNumber("SESSIONS_PER_PERSON", 20, 1, 10_000),
  DRAIN_SECONDS: wholeNumber("DRAIN_SECONDS", 0, 0, 10),
  BROKER_AUTH_VHOST: z._default(z.string().check(z.minLength(1), z.maxLength(255)), "/"),
  BROKER_AUTH_TOKEN: z.optional(z.string().check(z.regex(/^[\w-]{32,128}$/, "BROKER_AUTH_TOKEN is 32 to 128 letters, digits, _ and -"))),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, "METRICS_TOKEN has at least 16 characters"))),
};

export interface Config {
  host: string;
  port: number;
  v2Port: number;
  dataDir: string;
  /** Holds the key that seals the database's secrets. */
  secretsKeyFile: string;
  databaseUrl: string | undefined;
  /** Where the content store is; undefined: a folder of dataDir. */
  filesUrl: string | undefined;
  mqttPort: number;
  mqttUrl: string | undefined;
  /** The broker as nodes reach it, through whatever is before it. */
  nodeMqttUrl: string;
  smtpUrl: string | undefined;
  /** Sender of every mail. */
  mailFrom: string;
  /** Of the console, as people reach it: links in mail begin with it. */
  publicUrl: string | undefined;
  /** Base of the analytics links. */
  analyticsUrl: string | undefined;
  /** Who needs a second factor to sign in. */
  loginTwoFactor: "off" | "systemAdministrator" | "all";
  /** Who may say for whom they call. */
  trustedProxies: string[];
  simNodes: number;
  logLevel: string;
  initialCredential: string;
  productionHosts: string[];
  loginServers: { name: string; origin: string }[];
  /** Consoles of other servers whose people may sign in here: their pages' origins. */
  consoleOrigins: string[];
  showServerFlags: boolean;
  /** How long a node may take to answer a request. */
  nodeAnswerMs: number;
  /** Instead of the setting Retention_scalarDays. */
  scalarRetentionDays: number | undefined;
  /** How many sign-ins of one person live at a time. */
  sessionsPerPerson: number;
  /** How long a process that ends says so before it listens no more. */
  drainSeconds: number;
  metricsToken: string | undefined;
  /** Who may ask about nodes' credentials: a broker elsewhere. Without it no one may. */
  brokerAuthToken: string | undefined;
  brokerAuthVhost: string;
}

/**
 * Reads and checks every variable of ours.
 * @throws ConfigError for the first bad value, and for a name that is almost one of ours
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  refuseTypos(env);
  const read = z.object(variables).safeParse(env);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = String(issue?.path[0]);
    const shown = shownValue(name, env[name] ?? "");
    throw new ConfigError(`${issue?.message}${shown === undefined ? "" : `, not "${shown}"`}.`);
  }
  const values = read.data;
  if (values.PORT === values.V2_PORT && values.PORT !== 0)
    throw new ConfigError(`PORT and V2_PORT are both ${values.PORT}; each needs its own.`);
  return {
    host: values.HOST,
    port: values.PORT,
    v2Port: values.V2_PORT,
    dataDir: resolve(values.DATA_DIR),
    secretsKeyFile: resolve(values.SECRETS_KEY_FILE ?? join(values.DATA_DIR, "secrets.key")),
    databaseUrl: values.DATABASE_URL,
    filesUrl: values.FILES_URL,
    mqttPort: values.MQTT_PORT,
    mqttUrl: values.MQTT_URL,
    nodeMqttUrl: withoutPassword(values.NODE_MQTT_URL ?? values.MQTT_URL ?? `mqtt://${values.HOST}:${values.MQTT_PORT}`),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    publicUrl: values.PUBLIC_URL?.replace(/(?:\/admin)?\/*$/, ""),
    analyticsUrl: values.ANALYTICS_URL,
    loginTwoFactor: values.LOGIN_TWO_FACTOR,
    trustedProxies: values.TRUSTED_PROXIES,
    simNodes: values.SIM_NODES,
    logLevel: values.LOG_LEVEL,
    initialCredential: values.INITIAL_CREDENTIAL,
    productionHosts: values.PRODUCTION_HOSTS,
    loginServers: values.LOGIN_SERVERS.map(readLoginServer),
    consoleOrigins: values.CONSOLE_ORIGINS.map(readConsoleOrigin),
    showServerFlags: values.SHOW_SERVER_FLAGS,
    nodeAnswerMs: values.NODE_ANSWER_SECONDS * 1000,
    scalarRetentionDays: values.SCALAR_RETENTION_DAYS,
    sessionsPerPerson: values.SESSIONS_PER_PERSON,
    drainSeconds: values.DRAIN_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    brokerAuthToken: values.BROKER_AUTH_TOKEN,
    brokerAuthVhost: values.BROKER_AUTH_VHOST,
  };
}

/** A refused value as it may be printed: no token, and no user, password or parameters of an address. */
function shownValue(name: string, value: string): string | undefined {
  if (name.endsWith("_TOKEN")) return undefined;
  if (!name.endsWith("_URL")) return value;
  const [, scheme = "", rest = ""] = /^([a-z0-9+]*:?\/+)?(.*)$/is.exec(value) ?? [];
  // Without an @, what follows a colon and is no port may be the password of an address that lacks its host.
  const isHostFirst = /^[^:@/?]*(:\d*)?([/?][^@]*)?$/.test(rest);
  const withoutUser = scheme + (isHostFirst ? rest : rest.replace(/^.*(?=@)|^[^@]*$/s, "…"));
  // Of the storage of files it has no secret, and is where the fault is.
  return name === "FILES_URL" ? withoutUser : withoutUser.replace(/\?.*/s, "?…");
}

// Who connects there has a password of their own.
function withoutPassword(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}`;
}

/** Where nodes reach a broker of ours that listens on whichever port was free: only then the port is 0. */
export const reachedAt = (nodeMqttUrl: string, listensAt: string): string => (new URL(nodeMqttUrl).port === "0" ? listensAt : nodeMqttUrl);

function readLoginServer(entry: string): { name: string; origin: string } {
  const [name = "", origin = ""] = entry.split("=", 2);
  if (!name || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) {
    throw new ConfigError(`LOGIN_SERVERS is a list such as "Here=http://localhost:8080,Staging=https://staging.example", not "${entry}".`);
  }
  return { name, origin: new URL(origin).origin };
}

function readConsoleOrigin(entry: string): string {
  const origin = /^https?:\/\//i.test(entry) && URL.canParse(entry) ? new URL(entry).origin : undefined;
  const isOriginAlone = origin !== undefined && /^[^/]*:\/\/[^/@?#*]+\/?$/.test(entry);
  if (origin !== undefined && isOriginAlone) return origin;
  throw new ConfigError(
    `CONSOLE_ORIGINS is a list of scheme, host and port such as "http://localhost:8080,https://console.example", not "${entry}".`,
  );
}

// Other programs' variables are none of our business; one letter off from ours is a mistake worth stopping for.
function refuseTypos(env: Record<string, string | undefined>): void {
  const known = Object.keys(variables);
  for (const name of Object.keys(env)) {
    if (known.includes(name)) continue;
    const bare = name.replace(/^BUSBAR_/, "");
    const meant = closestName(bare, known);
    if (name.startsWith("BUSBAR_") || (meant !== undefined && !wellKnownNeighbours.has(name))) {
      throw new ConfigError(`${name} is no variable of Busbar${meant ? `; did you mean ${meant}?` : "."}`);
    }
  }
}

const wellKnownNeighbours = new Set(["HOST", "PORT", "HOSTS", "PORTS", "SPORT", "POST", "VPORT"]);
