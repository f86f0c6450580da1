import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { DashboardNode } from "@busbar/contract/node-dashboard.ts";
import { useApi } from "#api/api-context.ts";
import { createFleetPoller } from "./fleet-poller.ts";
import type { FleetPoller, PollState } from "./fleet-poller.ts";
import { createFleetStore } from "./fleet-store.ts";
import type { FleetFacts, FleetRecord, FleetStore } from "./fleet-store.ts";
import { selectRecords, viewVersion } from "./fleet-view.ts";
import type { FleetCriteria } from "./fleet-view.ts";

export interface Fleet {
  store: FleetStore;
  poller: FleetPoller;
}

/** The fleet of this screen, polled while the screen stands. */
export function useFleet(): Fleet {
  const call = useApi();
  const [fleet] = useState<Fleet>(() => {
    const store = createFleetStore();
    return { store, poller: createFleetPoller(call, store) };
  });
  useEffect(() => {
    fleet.poller.start();
    return () => fleet.poller.stop();
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
export function useSelectedRecords({ store }: Fleet, criteria: FleetCriteria): FleetRecord[] {
  const deferred = useDeferredValue(criteria);
  const version = useSyncExternalStore(store.subscribe, () => viewVersion(store, deferred.sort));
  // Records are one map that changes in place; the version says when.
  return useMemo(() => selectAt(version, store, deferred), [version, store, deferred]);
}

function selectAt(_version: string, store: FleetStore, criteria: FleetCriteria): FleetRecord[] {
  return selectRecords(store.records(), criteria);
}

export function useTotal({ store }: Fleet): number {
  return useSyncExternalStore(store.subscribe, () => store.records().size);
}

/** One node's values; the component renders when they change. */
export function useFleetNode(store: FleetStore, record: FleetRecord): DashboardNode {
  return useSyncExternalStore(
    (listener) => store.subscribeRecord(record.serial, listener),
    () => record.node,
  );
}
