import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import type { AvailableNode } from "@busbar/contract/directory/locations.ts";
import type { ReactNode } from "react";
import { Loaded, bothOf } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useAvailableNodes, useFaultLibraryFlags } from "./locations.queries.ts";

export interface LocationFormDataProps {
  children: (data: { flags: readonly FaultLibraryFlag[]; availableNodes: readonly AvailableNode[] }) => ReactNode;
}

/** What every location form offers, loaded before it is shown: a form begins with its values. */
export function LocationFormData({ children }: LocationFormDataProps) {
  const nodes = useAvailableNodes();
  const flags = useFaultLibraryFlags();
  return (
    <Loaded of={bothOf(nodes, flags)} loading={<LoadingForm label="Loading the form" fields={6} />}>
      {([availableNodes, faultFlags]) => children({ flags: faultFlags, availableNodes })}
    </Loaded>
  );
}
