import { longestCoverageDays } from "@busbar/contract/telemetry/coverage.ts";
import type { Handlers } from "#http/endpoints.ts";
import { invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { CoverageService, Days } from "./coverage.service.ts";

export function coverageHandlers(coverage: CoverageService) {
  return {
    getCoverage: ({ query }) => coverage.ofFleet(query.kind, daysOf(query)),
    getNodeCoverage: ({ params, query }) => coverage.ofNode(Number(params.serial), query.kind, daysOf(query)),
    askForFiles: ({ params, body }, { caller }) =>
      coverage.ask(Number(params.serial), body.kind, { from: body.fromTimestamp, to: body.toTimestamp }, caller.username),
  } satisfies Partial<Handlers>;
}

function daysOf({ from, to }: { from: string; to: string }): Days {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days < 1) throw invalid("to", say`is not before from`);
  if (days > longestCoverageDays) throw invalid("to", say`is at most ${longestCoverageDays} days from the first`);
  return { fromDay: from, days };
}
