import type { Endpoint } from "@busbar/contract/endpoint.ts";
import * as z from "zod/v4/core";
import type { Client } from "#api/client.ts";
import { ApiError } from "#lib/api-error.ts";

type Answer = (input: Record<string, unknown>) => unknown;

/** A client whose answers a test gives, by `METHOD /path`; anything else is a network failure. Remembers what was asked. */
export function fakeApi(answers: Record<string, Answer>) {
  const asked: { endpoint: string; input: Record<string, unknown> }[] = [];
  const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    refuseUnknownFields(endpoint, input);
    asked.push({ endpoint: name, input });
    const answer = answers[name];
    if (!answer) throw new ApiError(0, "NETWORK", "Unable to connect to server. Please try again later.");
    return answer(input);
  };
  const addressFor = (endpoint: Endpoint, params: Record<string, string>) =>
    `http://localhost/api${endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "")}`;
  const bytes = async (endpoint: Endpoint, input: Record<string, unknown>) => new Response((await call(endpoint, input)) as Blob);
  return { call: Object.assign(call, { addressFor, bytes }) as unknown as Client, asked, answers };
}

/** The server refuses a field that it does not know: no screen may send one. */
function refuseUnknownFields(endpoint: Endpoint, input: Record<string, unknown>): void {
  for (const part of ["query", "body"] as const) {
    const schema = endpoint[part];
    if (schema === undefined && input[part] !== undefined) throw new Error(`${endpoint.path} takes no ${part}`);
    const issues = schema ? (z.safeParse(schema, input[part] ?? {}).error?.issues ?? []) : [];
    const unknown = issues.find(({ code }) => code === "unrecognized_keys");
    if (unknown) throw new Error(`${endpoint.path} ${part}: ${unknown.message}`);
  }
}

/** A token as the server makes them, with a life of its own choosing; no one checks the signature here. */
export function fakeToken(lifeSeconds = 86_400, username = "robin"): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now, exp: now + lifeSeconds, name: "Robin Testerly", username };
  return `h.${btoa(JSON.stringify(claims))}.s`;
}
