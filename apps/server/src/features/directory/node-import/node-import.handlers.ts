import type { Handlers } from "#http/endpoints.ts";
import { importCalls } from "#http/import-answer.ts";
import type { Log } from "#lib/log.ts";
import type { NodeImport } from "./node-import.service.ts";

export function nodeImportHandlers(nodes: NodeImport, log: Log) {
  const { plan, run } = importCalls(nodes, log);
  return { planNodeImport: plan, runNodeImport: run } satisfies Partial<Handlers>;
}
