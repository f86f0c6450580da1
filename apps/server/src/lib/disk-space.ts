import { statfs } from "node:fs/promises";

/** Figures of a file system, in blocks. */
export type StatFs = (folder: string) => Promise<{ bsize: number; blocks: number; bfree: number; bavail: number }>;

/** Bytes. As `df` reports them: what only root may use is neither used nor free. */
export interface DiskSpace {
  usable: number;
  used: number;
  free: number;
}

/** Below this share of free space nothing large is written any more (R7): the database needs the rest. */
export const keptFreeShare = 0.05;

/** Of the disk that a folder is on. */
export async function readDiskSpace(folder: string, read: StatFs = statfs): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await read(folder);
  return { usable: (blocks - bfree + bavail) * bsize, used: (blocks - bfree) * bsize, free: bavail * bsize };
}
