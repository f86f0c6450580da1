import {
  createLocation,
  deleteLocation,
  getAvailableNodes,
  getLocation,
  getMoveTargets,
  moveLocation,
  updateLocation,
  type LocationForm,
  type MoveTarget,
  type PlacedLocation,
} from "@busbar/contract/directory/locations.ts";
import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { getSystemConfigEntry } from "@busbar/contract/system/system-config.ts";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";

/** A location with where it is; not requested any more once it is known to be gone. */
export function useLocation(locationId: number, { isGone = false } = {}) {
  // A form begins with what is loaded first: that must not be what the last dialog left behind.
  return useApiQuery(getLocation, { params: { id: String(locationId) } }, { enabled: !isGone, gcTime: 0 });
}

/** CUS-13 */
export const useAvailableNodes = () => useApiQuery(getAvailableNodes, {});

/** CUS-14: the alerts that there are, with what holds for a location that says nothing. */
export function useFaultLibraryFlags() {
  return useApiQuery(
    getSystemConfigEntry,
    { params: { name: "Location_faultLibraryAlertDefault" } },
    { select: (flags) => z.array(FaultLibraryFlag).parse(flags) },
  );
}

export const useMoveTargets = () => useApiQuery(getMoveTargets, {});

export interface FacilityRef {
  customerId: number;
  facilityId: number;
}

interface Explained {
  wiringReason?: string;
}

const pathOf = ({ customerId, facilityId }: FacilityRef) => ({ id: String(customerId), facilityId: String(facilityId) });

export function useLocationChanges() {
  const call = useApi();
  return {
    add: (facility: FacilityRef, location: LocationForm & Explained) => call(createLocation, { params: pathOf(facility), body: location }),
    update: (location: PlacedLocation, fields: Partial<LocationForm> & Explained) =>
      call(updateLocation, {
        params: { ...pathOf(location), locationId: String(location.id) },
        body: { ...fields, id: location.id, revision: location.revision },
      }),
    remove: (location: PlacedLocation, code: string) =>
      call(deleteLocation, { params: { ...pathOf(location), locationId: String(location.id), code } }),
    move: (location: PlacedLocation, target: MoveTarget) =>
      call(moveLocation, {
        params: {
          ...pathOf(location),
          locationId: String(location.id),
          newCustomerId: String(target.customerId),
          newFacilityId: String(target.facilityId),
        },
      }),
  };
}
