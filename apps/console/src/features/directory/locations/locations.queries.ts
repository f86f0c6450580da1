import {
  createLocation,
  deleteLocation,
  getAvailableNodes,
  getLocation,
  getMoveTargets,
  moveLocation,
  updateLocation,
} from "@busbar/contract/directory/locations.ts";
import type { LocationForm, MoveTarget, PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { getSystemConfigEntry } from "@busbar/contract/system/system-config.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

/** A location with where it is; not asked for any more once it is known to be gone. */
export function useLocation(locationId: number, { isGone = false } = {}) {
  const call = useApi();
  return useQuery({
    queryKey: ["location", locationId],
    enabled: !isGone,
    // A form begins with what is loaded first: that must not be what the last dialog left behind.
    gcTime: 0,
    queryFn: ({ signal }) => call(getLocation, { params: { id: String(locationId) } }, { signal }),
  });
}

/** CUS-13 */
export function useAvailableNodes() {
  const call = useApi();
  return useQuery({ queryKey: ["available-nodes"], queryFn: ({ signal }) => call(getAvailableNodes, {}, { signal }) });
}

/** CUS-14: the alerts that there are, with what holds for a location that says nothing. */
export function useFaultLibraryFlags() {
  const call = useApi();
  return useQuery({
    queryKey: ["fault-library-flags"],
    queryFn: async ({ signal }) =>
      z
        .array(FaultLibraryFlag)
        .parse(await call(getSystemConfigEntry, { params: { name: "Location_faultLibraryAlertDefault" } }, { signal })),
  });
}

export function useMoveTargets() {
  const call = useApi();
  return useQuery({ queryKey: ["move-targets"], queryFn: ({ signal }) => call(getMoveTargets, {}, { signal }) });
}

export interface FacilityRef {
  customerId: number;
  facilityId: number;
}

const pathOf = ({ customerId, facilityId }: FacilityRef) => ({ id: String(customerId), facilityId: String(facilityId) });

/** Changes of locations; whatever shows the tree, a node or a location follows. */
export function useLocationChanges() {
  const call = useApi();
  const queries = useQueryClient();
  async function change<T>(make: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await make(call);
    } finally {
      // Also after a refusal: it may tell of something that the page does not show yet.
      for (const name of ["customers", "location", "available-nodes", "nodes", "node", "node-tasks", "plot-notes"])
        void queries.invalidateQueries({ queryKey: [name] });
    }
  }
  return {
    add: (facility: FacilityRef, location: LocationForm) =>
      change((client) => client(createLocation, { params: pathOf(facility), body: location })),
    update: (location: PlacedLocation, fields: Partial<LocationForm>) =>
      change((client) =>
        client(updateLocation, {
          params: { ...pathOf(location), locationId: String(location.id) },
          body: { ...fields, id: location.id, revision: location.revision },
        }),
      ),
    remove: (location: PlacedLocation, code: string) =>
      change((client) => client(deleteLocation, { params: { ...pathOf(location), locationId: String(location.id), code } })),
    move: (location: PlacedLocation, target: MoveTarget) =>
      change((client) =>
        client(moveLocation, {
          params: {
            ...pathOf(location),
            locationId: String(location.id),
            newCustomerId: String(target.customerId),
            newFacilityId: String(target.facilityId),
          },
        }),
      ),
  };
}
