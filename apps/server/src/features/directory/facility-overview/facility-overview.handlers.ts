import type { Handlers } from "#http/endpoints.ts";
import { gone } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { FacilityOverviewReadModel } from "./facility-overview.read-model.ts";
import { toFacilityOverview } from "./facility-overview.view.ts";

export function facilityOverviewHandlers(readModel: FacilityOverviewReadModel) {
  return {
    async getFacilityOverview({ params }) {
      const facility = await readModel.find(params.id);
      if (!facility) throw gone(say`This facility`);
      return toFacilityOverview(facility);
    },
  } satisfies Partial<Handlers>;
}
