import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import type { AvailableNode } from "@busbar/contract/directory/locations.ts";
import type { ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useAvailableNodes, useFaultLibraryFlags } from "./locations.queries.ts";

export interface LocationFormDataProps {
  children: (data: { flags: readonly FaultLibraryFlag[]; availableNodes: readonly AvailableNode[] }) => ReactNode;
}

/** What every location form offers, loaded before it is shown: a form begins with its values. */
export function LocationFormData({ children }: LocationFormDataProps) {
  const nodes = useAvailableNodes();
  const flags = useFaultLibraryFlags();
  if (nodes.data && flags.data) return children({ flags: flags.data, availableNodes: nodes.data });
  const error = nodes.error ?? flags.error;
  if (!error) return <LoadingForm label="Loading the form" fields={6} />;
  const retry = () => {
    void nodes.refetch();
    void flags.refetch();
  };
  return <FailureState message={failureMessage(error)} onRetry={retry} />;
}
