import type { BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { useMemo } from "react";
import type { Asked } from "#ui/loaded.tsx";
import { useAlerts, useFacilities } from "./bulk-changes.queries.ts";
import { facilityFields, locationFields, nodeFields, type BulkField } from "./bulk-fields.ts";

/** The fields of a kind; of subscriptions the facilities. Undefined until they are loaded. */
export function useBulkFields(kind: BulkKind): Asked<readonly BulkField[]> {
  const alerts = useAlerts(kind === "locations");
  const facilities = useFacilities(kind === "subscriptions");
  const ofLocations = useMemo(() => alerts.data && locationFields(alerts.data), [alerts.data]);
  const ofFacilities = useMemo(() => facilities.data && facilityFields(facilities.data), [facilities.data]);
  if (kind === "nodes") return { data: nodeFields, error: null, dataUpdatedAt: 0, refetch: () => undefined };
  const { error, dataUpdatedAt, refetch } = kind === "locations" ? alerts : facilities;
  return { data: kind === "locations" ? ofLocations : ofFacilities, error, dataUpdatedAt, refetch };
}
