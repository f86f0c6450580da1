import { getBulkChange, planBulkChange, runBulkChange } from "@busbar/contract/directory/bulk-changes.ts";
import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { getMoveTargets } from "@busbar/contract/directory/locations.ts";
import { getNodeContainers, getNodes } from "@busbar/contract/directory/nodes.ts";
import { getUsers } from "@busbar/contract/access/users.ts";
import type { BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import type { CallInput, CallOutput } from "@busbar/contract/endpoint.ts";
import { getSystemConfigEntry } from "@busbar/contract/system/system-config.ts";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export type BulkOrderInput = CallInput<typeof planBulkChange>["body"];
export type BulkPlan = CallOutput<typeof planBulkChange>;

export function useBulkCalls() {
  const call = useApi();
  return {
    plan: (body: BulkOrderInput) => call(planBulkChange, { body }),
    /** Exactly what the plan showed. */
    run: (order: BulkOrderInput, { rows }: BulkPlan) =>
      call(runBulkChange, { body: { ...order, digests: rows.map(({ digest }) => digest) } }),
  };
}

export const useBulkChange = (id: string) => useApiQuery(getBulkChange, { params: { id } });

/** CUS-14: the alerts that there are. */
export const useAlerts = (isAsked: boolean) =>
  useApiQuery(
    getSystemConfigEntry,
    { params: { name: "Location_faultLibraryAlertDefault" } },
    { read: (flags) => z.array(FaultLibraryFlag).parse(flags), enabled: isAsked },
  );

export const useFacilities = (isAsked: boolean) => useApiQuery(getMoveTargets, {}, { enabled: isAsked });

export const useContainers = (isAsked: boolean) => useApiQuery(getNodeContainers, {}, { enabled: isAsked });

export interface ChosenName {
  name: string;
  place: string;
}

/** What is chosen by ids: locations, as those of nodes, or users. */
export function useChosenNames(kind: Exclude<BulkKind, "nodes">) {
  const nodes = useApiQuery(getNodes, {}, { enabled: kind === "locations", read: namesOfLocations });
  const users = useApiQuery(getUsers, {}, { enabled: kind === "subscriptions", read: namesOfUsers });
  return kind === "locations" ? nodes : users;
}

const namesOfLocations = (nodes: CallOutput<typeof getNodes>): ReadonlyMap<string, ChosenName> =>
  new Map(
    nodes.flatMap(({ locationId, locationName, customerName, facilityName }) =>
      locationId === null ? [] : [[String(locationId), { name: locationName, place: `${customerName} / ${facilityName}` }]],
    ),
  );
const namesOfUsers = (users: CallOutput<typeof getUsers>): ReadonlyMap<string, ChosenName> =>
  new Map(users.map(({ id, username, customerCode }) => [String(id), { name: username, place: customerCode }]));
