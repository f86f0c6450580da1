import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { initialise, startProcess } from "./postgres-process.ts";

test("A-63 programs of the database that are not there end a start with a sentence", async () => {
  const folder = await mkdtemp(join(tmpdir(), "busbar-no-postgres-"));
  const user = { prefix: [] };
  await expect(initialise(folder, join(folder, "data"), user)).rejects.toThrow(
    `The database could not be created in ${join(folder, "data")}: Error: spawn ${join(folder, "initdb")} ENOENT`,
  );
  await expect(startProcess(folder, join(folder, "data"), {}, user, silentLog)).rejects.toThrow("PostgreSQL did not start: no message");
  await rm(folder, { recursive: true });
});
