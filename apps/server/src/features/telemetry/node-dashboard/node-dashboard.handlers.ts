import { chooseEncoding } from "#http/compression.ts";
import type { Handlers } from "#http/endpoints.ts";
import { unavailable } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { DashboardAnswers } from "./dashboard-answers.ts";
import type { FleetCache } from "./fleet-cache.ts";

export function nodeDashboardHandlers(cache: FleetCache, answers: DashboardAnswers) {
  return {
    async getNodeDashboard({ query }, { headers }) {
      if (!cache.isLoaded()) throw unavailable(say`The server is still reading the fleet. Please try again`);
      const since = query.since === undefined ? undefined : Number(query.since);
      return await answers.answer(since, chooseEncoding(headers["accept-encoding"]), headers["if-none-match"] as string | undefined);
    },
  } satisfies Partial<Handlers>;
}
