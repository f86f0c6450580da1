import type { Handlers } from "#http/endpoints.ts";
import { gone } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { LocationsReadModel } from "./locations.read-model.ts";
import type { Locations } from "./locations.service.ts";

const placeOf = ({ id, facilityId }: { id: number; facilityId: number }) => ({ customerId: id, facilityId });

export function locationsHandlers(locations: Locations, readModel: LocationsReadModel) {
  return {
    async getLocation({ params }) {
      const location = await readModel.find(params.id);
      if (!location) throw gone(say`This location`);
      return location;
    },
    getAvailableNodes: () => readModel.availableNodes(),
    getMoveTargets: () => readModel.moveTargets(),
    createLocation: ({ params, body }, { caller }) => locations.create(caller, placeOf(params), body),
    updateLocation: ({ params, body }, { caller }) => locations.update(caller, placeOf(params), params.locationId, body),
    deleteLocation: ({ params }, { caller }) => locations.delete(caller, placeOf(params), params.locationId, params.code),
    moveLocation: ({ params }, { caller }) =>
      locations.move(caller, placeOf(params), params.locationId, {
        customerId: params.newCustomerId,
        facilityId: params.newFacilityId,
      }),
  } satisfies Partial<Handlers>;
}
