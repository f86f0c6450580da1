import { incidentFilterChoices, incidentFilterNames } from "#features/alarms/incidents/incident-filter.ts";
import { IncidentList } from "#features/alarms/incidents/incident-list.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function IncidentsPage() {
  const [filter, change] = useAddressTexts("/incidents", incidentFilterNames, incidentFilterChoices);
  return (
    <PageFrame title="Incidents">
      <IncidentList filter={filter} onFilter={change} />
    </PageFrame>
  );
}
