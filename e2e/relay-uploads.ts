import { createDemoWorld } from "@busbar/dev-env/world/demo-world.ts";
import { makeRelayFiles, type RelayFile } from "@busbar/dev-env/world/relay-events.ts";
import type { APIRequestContext } from "@playwright/test";
import { gunzipSync } from "node:zlib";
import { expect, password, world } from "./fixtures.ts";

export const sel = { serial: 11_001, customer: "dunwickel", location: "Corrugator Main" };
export const ge = { serial: 10_803, customer: "coppervane", location: "Utility Main" };

/** A relay's files that no one has uploaded yet: tests may run again on the same world. */
export function freshFiles(serial: number, extensions: readonly string[]): RelayFile[] {
  const now = Math.floor(Date.now() / 1000) - 86_400 * (30 + Math.floor(Math.random() * 3_000));
  const files = makeRelayFiles(createDemoWorld().nodes, 5, now).filter((file) => file.serial === serial);
  const stems = files.filter(({ name }) => name.endsWith(extensions[0]!)).map(({ name }) => name.slice(0, -3));
  // One whose breaker opens: then most channels change.
  const opensBreaker = (stem: string) =>
    files.some(({ name, bytes }) => name.startsWith(stem) && /TRIP 50|TRIP BUS/.test(gunzipSync(bytes).toString("latin1")));
  const stem = stems.find(opensBreaker)!;
  return extensions.map((extension) => files.find(({ name }) => name === stem + extension)!);
}

/** Uploads with an API key of a user of the relay's customer. */
export async function uploader(
  request: APIRequestContext,
  customer: string,
): Promise<(serial: number, name: string, bytes: Uint8Array) => Promise<void>> {
  const { url } = world();
  const session = await request.post(`${url}/api/sessions/administrator`, { data: { username: "admin", password } });
  const { token } = ((await session.json()) as { data: { token: string } }).data;
  const users = await request.get(`${url}/api/users`, { headers: { token } });
  const owner = ((await users.json()) as { data: { id: number; customerCode: string; activeStatus: string }[] }).data.find(
    ({ customerCode, activeStatus }) => customerCode === customer && activeStatus === "ACTIVE",
  );
  const made = await request.post(`${url}/api/users/${owner?.id}/apikeys/relays-${Date.now()}`, { headers: { token }, data: {} });
  const { key } = ((await made.json()) as { data: { key: string } }).data;
  return async (serial, name, bytes) => {
    const answer = await request.post(`${url}/api/nodes/${serial}/files/${name}`, {
      headers: { "x-api-key": key, "content-type": "application/gzip" },
      data: Buffer.from(bytes),
    });
    expect(answer.status()).toBe(200);
  };
}
