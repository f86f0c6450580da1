import { getBulkChange, planBulkChange, runBulkChange, type BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { getCustomers } from "@busbar/contract/directory/customer-tree.ts";
import { getMoveTargets } from "@busbar/contract/directory/locations.ts";
import { getNodeContainers, getNodes } from "@busbar/contract/directory/nodes.ts";
import { getUsers } from "@busbar/contract/access/users.ts";
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
    { select: (flags) => z.array(FaultLibraryFlag).parse(flags), enabled: isAsked },
  );

export const useFacilities = (isAsked: boolean) => useApiQuery(getMoveTargets, {}, { enabled: isAsked });

export const useContainers = (isAsked: boolean) => useApiQuery(getNodeContainers, {}, { enabled: isAsked });

export interface ChosenName {
  name: string;
  place: string;
}

/** What is chosen by ids: users, or locations, as those of nodes. A location whose node has left is looked up among all of them. */
export function useChosenNames(kind: Exclude<BulkKind, "nodes">, ids: readonly string[]) {
  const users = useApiQuery(getUsers, {}, { enabled: kind === "subscriptions", select: namesOfUsers });
  const nodes = useApiQuery(getNodes, {}, { enabled: kind === "locations", select: namesOfLocations });
  const isMissing = ids.some((id) => nodes.data?.has(id) === false);
  const customers = useApiQuery(getCustomers, {}, { enabled: isMissing, select: namesInTree });
  if (kind === "subscriptions") return users;
  return isMissing ? customers : nodes;
}

const namesOfLocations = (nodes: CallOutput<typeof getNodes>): ReadonlyMap<string, ChosenName> =>
  new Map(
    nodes.flatMap(({ locationId, locationName, customerName, facilityName }) =>
      locationId === null ? [] : [[String(locationId), { name: locationName, place: `${customerName} / ${facilityName}` }]],
    ),
  );
const namesInTree = (customers: CallOutput<typeof getCustomers>): ReadonlyMap<string, ChosenName> =>
  new Map(
    customers.flatMap((customer) =>
      customer.facilities.flatMap((facility) =>
        facility.locations.map(({ id, name }) => [String(id), { name, place: `${customer.name} / ${facility.name}` }] as const),
      ),
    ),
  );
const namesOfUsers = (users: CallOutput<typeof getUsers>): ReadonlyMap<string, ChosenName> =>
  new Map(users.map(({ id, username, customerCode }) => [String(id), { name: username, place: customerCode }]));
