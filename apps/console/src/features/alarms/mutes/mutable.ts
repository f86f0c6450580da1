import type { FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import type { MuteControlProps } from "./mute-control.tsx";
import type { Mutable } from "./mute-dialog.tsx";

/** The node, then its location and its facility. */
export function mutableNode(
  node: Pick<NodeOverview, "serialNumber" | "locationId" | "locationName" | "facilityId" | "facilityName" | "timezone">,
): MuteControlProps {
  const { serialNumber, locationId, locationName, facilityId, facilityName, timezone } = node;
  const containers: Mutable[] = [];
  if (locationId !== null) {
    containers.push({ kind: "location", objectId: locationId, name: locationName });
    if (facilityId !== null) containers.push({ kind: "facility", objectId: facilityId, name: facilityName });
  }
  return { objects: [{ kind: "node", objectId: Number(serialNumber), name: serialNumber }, ...containers], timezone: timezone ?? "UTC" };
}

/** In the zone of its first location: a facility has one, but for a few. */
export function mutableFacility({
  id,
  facilityName,
  timezones,
}: Pick<FacilityOverview, "id" | "facilityName" | "timezones">): MuteControlProps {
  return { objects: [{ kind: "facility", objectId: id, name: facilityName }], timezone: timezones[0]?.timezone ?? "UTC" };
}
