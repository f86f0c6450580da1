import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptFreeShare, readDiskSpace } from "#lib/disk-space.ts";

/** Where finished packages are, one file per download, named by its id. */
export interface PackageFolder {
  pathOf(id: string): string;
  prepare(): Promise<void>;
  /** Bytes that may still be written before the disk counts as full. */
  room(): Promise<number>;
  /** Names of the packages that no one may fetch any more. */
  findOthers(kept: ReadonlySet<string>): Promise<string[]>;
  remove(names: readonly string[]): Promise<number>;
}

export function createPackageFolder(folder: string): PackageFolder {
  return {
    pathOf: (id) => join(folder, `${id}.zip`),
    prepare: async () => void (await mkdir(folder, { recursive: true, mode: 0o700 })),
    async room() {
      const { usable, free } = await readDiskSpace(folder);
      return Math.max(0, free - keptFreeShare * usable);
    },
    async findOthers(kept) {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => !kept.has(name.replace(/\.zip(\.part)?$/, "")));
    },
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true });
      return names.length;
    },
  };
}
