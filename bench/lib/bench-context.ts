import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUndoStack, type UndoStack } from "@busbar/server/undo-stack.ts";
import type { Report } from "./report.ts";

/** What a benchmark works with. All that it starts goes on `undo`, so that nothing stays behind, however it ends. */
export interface BenchContext {
  isShort: boolean;
  /** How long the main stages last, and how many nodes send, when someone asks for other than the usual. */
  seconds: number | undefined;
  connections: number | undefined;
  /** Temporary folder. */
  folder: string;
  undo: UndoStack;
  /** For what benchmarks share: ends after the last of them. */
  atEnd: UndoStack;
  /** Folder for processor profiles of the server, when they are requested. */
  profileDir: string | undefined;
  removeFolder: () => Promise<void>;
  /** One line about what goes on, for whoever waits. */
  say: (text: string) => void;
}

export type BenchOptions = Pick<BenchContext, "isShort" | "seconds" | "connections" | "profileDir">;

export type Benchmark = (context: BenchContext) => Promise<Report>;

export async function createBenchContext(options: BenchOptions, atEnd: UndoStack): Promise<BenchContext> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-bench-"));
  const undo = createUndoStack();
  const startedAt = performance.now();
  const elapsed = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  return { ...options, folder, undo, atEnd, removeFolder, say: (text) => void process.stderr.write(`${elapsed()} s  ${text}\n`) };
}
