import type { Handlers } from "#http/endpoints.ts";
import { importCalls } from "#http/import-answer.ts";
import type { Log } from "#lib/log.ts";
import type { UserImport } from "./user-import.service.ts";

export function userImportHandlers(users: UserImport, log: Log) {
  const { plan, run } = importCalls(users, log);
  return { planUserImport: plan, runUserImport: run } satisfies Partial<Handlers>;
}
