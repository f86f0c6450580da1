import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { newNodeSecret } from "@busbar/server/lib/node-secrets.ts";
import { replaceNodeCredentials } from "@busbar/server/features/directory/node-credentials/issued-credentials.store.ts";
import type { Pool } from "@busbar/server/db/pool.ts";

/**
 * The secrets of the simulated nodes. The database has their hashes only, so the demo keeps them in a private file; a node
 * that is not in the file gets a new secret.
 */
export async function ensureNodeSecrets(pool: Pool, file: string, serials: readonly number[]): Promise<Map<number, string>> {
  const secrets = readSecrets(file);
  const missing = serials.filter((serial) => !secrets.has(serial));
  if (missing.length === 0) return secrets;
  for (const serial of missing) secrets.set(serial, newNodeSecret());
  // The database first: a secret that is not in the file is made again at the next start.
  await replaceNodeCredentials(
    pool,
    missing.map((serial) => ({ serial, secret: secrets.get(serial) ?? "" })),
  );
  writeSecrets(file, secrets);
  return secrets;
}

function readSecrets(file: string): Map<number, string> {
  if (!existsSync(file)) return new Map();
  const stored = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return new Map(Object.entries(stored).map(([serial, secret]) => [Number(serial), secret]));
}

function writeSecrets(file: string, secrets: ReadonlyMap<number, string>): void {
  const next = `${file}.next`;
  writeFileSync(next, `${JSON.stringify(Object.fromEntries(secrets), undefined, 1)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
