import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useApi } from "#api/api-context.ts";
import type { FleetCriteria } from "./fleet-criteria.ts";
import { createFleetPoller, type FleetPoller, type PollState } from "./fleet-poller.ts";
import { createFleetStore, type FleetFacts, type FleetRecord, type FleetStore } from "./fleet-store.ts";
import { countVerdicts, createFleetView, type FleetView } from "./fleet-view.ts";

export interface Fleet {
  store: FleetStore;
  poller: FleetPoller;
  view: FleetView;
}

/** The fleet of this screen, polled while the screen is open. */
export function useFleet(): Fleet {
  const call = useApi();
  const [fleet] = useState<Fleet>(() => {
    const store = createFleetStore();
    return { store, poller: createFleetPoller(call, store), view: createFleetView(store) };
  });
  useEffect(() => {
    fleet.poller.start();
    return fleet.poller.stop;
  }, [fleet]);
  return fleet;
}

export function usePollState({ poller }: Fleet): PollState {
  return useSyncExternalStore(poller.subscribe, poller.state);
}

export function useFleetFacts({ store }: Fleet): FleetFacts | undefined {
  return useSyncExternalStore(store.subscribe, store.facts);
}

/** The rows to show. Typing stays immediate: the list follows in a later render. */
export function useSelectedRecords({ store, view }: Fleet, criteria: FleetCriteria): FleetRecord[] {
  const deferred = useDeferredValue(criteria);
  // Records change in place; the version says that they did. Readings move no row where the serial number decides.
  const version = useSyncExternalStore(
    store.subscribe,
    deferred.sort === "node" || deferred.sort === "gravity" ? store.directoryVersion : store.liveVersion,
  );
  return useMemo(() => selectAt(version, view, deferred), [version, view, deferred]);
}

function selectAt(_version: number, view: FleetView, criteria: FleetCriteria): FleetRecord[] {
  return view(criteria);
}

/** How many nodes of each verdict the search and the statuses let through. */
export function useVerdictCounts({ store }: Fleet, { filterText, show }: FleetCriteria): ReadonlyMap<VerdictKind, number> {
  const version = useSyncExternalStore(store.subscribe, store.directoryVersion);
  const criteria = useDeferredValue(useMemo(() => ({ filterText, show }), [filterText, show]));
  return useMemo(() => countAt(version, store, criteria), [version, store, criteria]);
}

function countAt(_version: number, store: FleetStore, criteria: Pick<FleetCriteria, "filterText" | "show">) {
  return countVerdicts(store, criteria);
}

export function useTotal({ store }: Fleet): number {
  return useSyncExternalStore(store.subscribe, () => store.records().size);
}

/** One node's values as they are now; the component renders when they change. */
export function useFleetNode(store: FleetStore, record: FleetRecord): DashboardNode {
  const version = useSyncExternalStore(
    (listener) => store.subscribeRecord(record.serial, listener),
    () => record.version,
  );
  return useMemo(() => copyAt(version, record), [version, record]);
}

function copyAt(_version: number, { node }: FleetRecord): DashboardNode {
  return { ...node };
}

/** The zone of a node's location: null for a node at no location, undefined while the fleet does not know the node. */
export function useNodeTimezone({ store }: Fleet, serial: string | undefined): string | null | undefined {
  return useSyncExternalStore(store.subscribe, () => (serial === undefined ? undefined : store.records().get(serial)?.node.timezone));
}
