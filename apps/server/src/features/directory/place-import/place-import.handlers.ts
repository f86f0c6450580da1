import type { Handlers } from "#http/endpoints.ts";
import { importCalls } from "#http/import-answer.ts";
import type { Log } from "#lib/log.ts";
import type { PlaceImport } from "./place-import.service.ts";

export function placeImportHandlers(places: PlaceImport, log: Log) {
  const { plan, run } = importCalls(places, log);
  return { planPlaceImport: plan, runPlaceImport: run } satisfies Partial<Handlers>;
}
