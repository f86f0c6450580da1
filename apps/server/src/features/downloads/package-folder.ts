import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Where finished packages lie, one file per download, named by its id. */
export interface PackageFolder {
  pathOf(id: string): string;
  prepare(): Promise<void>;
  /** Bytes that may still be written before the disk counts as full. */
  room(): Promise<number>;
  /** Removes the packages that nobody may fetch any more. @returns how many */
  removeOthers(kept: ReadonlySet<string>): Promise<number>;
}

/** Below this share of free space nothing more is packed (R7). */
const keptFreeShare = 0.05;

export function createPackageFolder(folder: string): PackageFolder {
  return {
    pathOf: (id) => join(folder, `${id}.zip`),
    prepare: async () => void (await mkdir(folder, { recursive: true, mode: 0o700 })),
    async room() {
      const { bavail, blocks, bsize } = await statfs(folder);
      return Math.max(0, (bavail - keptFreeShare * blocks) * bsize);
    },
    async removeOthers(kept) {
      const names = await readdir(folder).catch(() => []);
      const stray = names.filter((name) => !kept.has(name.replace(/\.zip(\.part)?$/, "")));
      for (const name of stray) await rm(join(folder, name), { force: true });
      return stray.length;
    },
  };
}
