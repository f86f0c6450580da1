import { lazy } from "react";
import { NodeDashboard } from "#features/telemetry/node-dashboard/node-dashboard.tsx";
import { useFleet, useNodeTimezone, usePollState } from "#features/telemetry/node-dashboard/use-fleet.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useDashboardAddress } from "./use-dashboard-address.ts";

const NotedHistoryDialog = lazy(() => import("./noted-history-dialog.tsx").then((module) => ({ default: module.NotedHistoryDialog })));

export function NodeDashboardPage() {
  const fleet = useFleet();
  const { criteria, changeCriteria, historySerial, openHistory, closeHistory } = useDashboardAddress();
  const timezone = useNodeTimezone(fleet, historySerial);
  const { hasLoaded } = usePollState(fleet);

  return (
    <PageFrame title="Dashboard">
      <NodeDashboard fleet={fleet} criteria={criteria} onCriteria={changeCriteria} onOpenHistory={openHistory} />
      <DialogSlot onClose={closeHistory}>
        {historySerial !== undefined && hasLoaded && (
          <NotedHistoryDialog serial={historySerial} timezone={timezone ?? null} onClose={closeHistory} />
        )}
      </DialogSlot>
    </PageFrame>
  );
}
