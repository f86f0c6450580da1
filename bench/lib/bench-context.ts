import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUndoStack } from "@busbar/server/undo-stack.ts";
import type { UndoStack } from "@busbar/server/undo-stack.ts";
import type { Report } from "./report.ts";

/** What a benchmark works with. All that it starts goes on `undo`, so that nothing stays behind, however it ends. */
export interface BenchContext {
  isShort: boolean;
  /** Temporary folder, removed at the end. */
  folder: string;
  undo: UndoStack;
  /** Folder for processor profiles of the server, when they are wanted. */
  profileDir: string | undefined;
  /** One line about what goes on, for whoever waits. */
  say(text: string): void;
}

export type Benchmark = (context: BenchContext) => Promise<Report>;

export async function createBenchContext(options: Pick<BenchContext, "isShort" | "profileDir">): Promise<BenchContext> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-bench-"));
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  return { ...options, folder, undo, say: (text) => void process.stderr.write(`   ${text}\n`) };
}
