import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { Updates, consoleVersion } from "@busbar/contract/system/updates.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import { presentRuntimeConfig, v2Origin, type ConsoleSettings } from "./runtime-config.view.ts";

export interface ConsoleFilesDependencies {
  /** Folder of the console's production build. */
  consoleDir: string;
  /** File of the operator that announces a newer console (ENV-07). */
  updatesFile: string;
  settings: () => ConsoleSettings;
  clock: Clock;
  log: Log;
}

/** Vite's `name-XXXXXXXX.ext`, perhaps precompressed; another contents has another name. */
const hashedName = /-[\w-]{8}\.\w+(\.(br|gz))?$/;
const placeholder = "<!--runtime-config-->";

export async function consoleFilesRoutes(
  app: FastifyInstance,
  { consoleDir, updatesFile, settings, clock, log }: ConsoleFilesDependencies,
): Promise<void> {
  app.get("/", (_request, reply) => reply.redirect("/admin/"));
  app.get("/admin", (_request, reply) => reply.redirect("/admin/"));
  app.get("/admin/assets/updates.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(await readUpdates(updatesFile, log)),
  );

  const indexFile = join(consoleDir, "index.html");
  app.get("/admin/", async (request, reply) => sendIndex(request, reply, indexFile, settings(), clock.now()));

  if (!existsSync(consoleDir)) return;
  await app.register(fastifyStatic, {
    root: join(consoleDir, "assets"),
    prefix: "/admin/assets/",
    preCompressed: true,
    immutable: true,
    maxAge: "1y",
    setHeaders: (reply, path) => {
      // Compressed and plain bytes share an address.
      reply.header("vary", "accept-encoding");
      if (!hashedName.test(path)) reply.header("cache-control", "no-cache");
    },
  });
}

async function sendIndex(
  request: FastifyRequest,
  reply: FastifyReply,
  indexFile: string,
  settings: ConsoleSettings,
  serverTimeMs: number,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  const pagePort = request.port ?? (request.protocol === "https" ? 443 : 80);
  const v2 = v2Origin(settings, request.protocol, request.hostname, pagePort);
  reply
    .header("content-security-policy", policy(nonce, [...(v2 ? [v2] : []), ...settings.loginServers.map(({ origin }) => origin)]))
    .header("cache-control", "no-cache");
  reply.type("text/html; charset=utf-8");
  const page = await readFile(indexFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (page === undefined)
    return reply
      .code(503)
      .send("<!doctype html><title>Busbar</title><h1>The console is not built</h1><p>Run <code>npm start</code>, which builds it.</p>");
  const config = { ...presentRuntimeConfig(settings, request.protocol, request.hostname, pagePort, nonce), serverTimeMs };
  // `<` would end the script element; inside JSON strings it may be an escape.
  const json = JSON.stringify(config).replaceAll("<", "\\u003c");
  return reply.send(page.replace(placeholder, () => `<script type="application/json" id="runtime-config">${json}</script>`));
}

function policy(nonce: string, otherOrigins: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...otherOrigins].join(" ")}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
}

const current: Updates = { version: consoleVersion, releaseNotes: [] };

/** What the operator announces, or that this console is the newest. A file that cannot be used is ignored, and said in the log. */
async function readUpdates(file: string, log: Log): Promise<Updates> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") log.warn({ err: error, file }, "updates.json cannot be read");
    return current;
  }
  const parsed = Updates.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  log.warn({ file }, "updates.json needs a number `version` and a list `releaseNotes`");
  return current;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by the schema
  }
}
