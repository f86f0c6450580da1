import { homeNeedKinds, homeNeeds, type HomeNeedKind } from "@busbar/contract/system/home-needs.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { HomeNeedsReadModel } from "./home-needs.read-model.ts";

export function homeNeedsHandlers(readModel: HomeNeedsReadModel, clock: Clock) {
  return {
    async getHomeNeeds(_input, { caller }) {
      const counts = await readModel.counts(clock.now() / 1000);
      const concerns = (kind: HomeNeedKind): boolean => {
        const need = homeNeeds[kind];
        return !("role" in need) || (caller?.roles ?? []).includes(need.role);
      };
      return homeNeedKinds
        .filter((kind) => counts[kind] > 0 && concerns(kind))
        .map((kind) => ({ kind, gravity: homeNeeds[kind].gravity, count: counts[kind] }));
    },
  } satisfies Partial<Handlers>;
}
