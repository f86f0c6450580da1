import { askForFiles, getCoverage, getNodeCoverage, type CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import type { DaySpan } from "./coverage-days.ts";

const fleetMs = 60_000;
/** Someone waits for what was asked for. */
const nodeMs = 5_000;

export const useCoverage = (kind: CoverageKind, { from, to }: DaySpan) =>
  useApiQuery(getCoverage, { query: { kind, from, to } }, { refetchInterval: fleetMs, isPreviousKept: true });

export const useNodeCoverage = (serial: string, kind: CoverageKind, { from, to }: DaySpan) =>
  useApiQuery(getNodeCoverage, { params: { serial }, query: { kind, from, to } }, { refetchInterval: nodeMs, isPreviousKept: true });

export interface AskedFiles {
  serial: string;
  kind: "D" | "S";
  fromTimestamp: number;
  toTimestamp: number;
}

export const useAskForFiles = () =>
  useApiMutation((call, { serial, ...body }: AskedFiles) => call(askForFiles, { params: { serial }, body }));
