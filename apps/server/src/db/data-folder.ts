import { accessSync, constants, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "#lib/make-folders.ts";

const marker = ".busbar-data";
// What an operator may have laid down before the first start.
const welcome = new Set([marker, "updates.json", "secrets.key", "lost+found"]);

/** Makes the data folder ours: it must be writable, and empty or ours already. */
export function claimDataFolder(folder: string): void {
  let names: string[];
  try {
    makeFolders(folder);
    names = readdirSync(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`DATA_DIR ${folder} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  const unexpected = names.find((name) => !welcome.has(name));
  if (unexpected !== undefined && !names.includes(marker)) {
    throw new Error(`DATA_DIR ${folder} is not empty and not ours (found ${unexpected}). Choose another folder.`);
  }
  if (!names.includes(marker)) writeFileSync(join(folder, marker), "This folder belongs to Busbar.\n");
}
