import { lazy } from "react";
import { NodeDashboard } from "#features/telemetry/node-dashboard/node-dashboard.tsx";
import { usePlotNotes } from "#features/directory/location-notes/location-notes.queries.ts";
import { useFleet, useNodeTimezone, usePollState } from "#features/telemetry/node-dashboard/use-fleet.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useDashboardAddress } from "./use-dashboard-address.ts";

const HistoryDialog = lazy(() =>
  import("#features/telemetry/scalar-history/history-dialog.tsx").then((module) => ({ default: module.HistoryDialog })),
);

export function NodeDashboardPage() {
  const fleet = useFleet();
  const { criteria, changeCriteria, historySerial, openHistory, closeHistory } = useDashboardAddress();
  const timezone = useNodeTimezone(fleet, historySerial);
  const { hasLoaded } = usePollState(fleet);
  const notes = usePlotNotes(historySerial);

  return (
    <PageFrame title="Dashboard">
      <NodeDashboard fleet={fleet} criteria={criteria} onCriteria={changeCriteria} onOpenHistory={openHistory} />
      <DialogSlot onClose={closeHistory}>
        {historySerial !== undefined && hasLoaded && (
          <HistoryDialog serial={historySerial} timezone={timezone ?? null} notes={notes} onClose={closeHistory} />
        )}
      </DialogSlot>
    </PageFrame>
  );
}
