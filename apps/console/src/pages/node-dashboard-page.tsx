import { addressOf } from "#lib/number-runs.ts";
import { criteriaOf, searchOf } from "#features/telemetry/node-dashboard/fleet-criteria.ts";
import { NodeDashboard } from "#features/telemetry/node-dashboard/node-dashboard.tsx";
import { useFleet, useNodeTimezone, usePollState } from "#features/telemetry/node-dashboard/use-fleet.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useDashboardAddress } from "./use-dashboard-address.ts";

const NotedHistoryDialog = lazyPart(() => import("./noted-history-dialog.tsx"), "NotedHistoryDialog");

const taken = (search: Record<string, string>) => searchOf(criteriaOf(search));

export function NodeDashboardPage() {
  const fleet = useFleet();
  const { criteria, changeCriteria, historySerial, openHistory, closeHistory } = useDashboardAddress();
  const timezone = useNodeTimezone(fleet, historySerial);
  const { hasLoaded } = usePollState(fleet);

  return (
    <PageFrame title="Dashboard">
      <NodeDashboard
        fleet={fleet}
        criteria={criteria}
        onCriteria={changeCriteria}
        onOpenHistory={openHistory}
        configureHref={(serials) => `#/batches/new?nodes=${addressOf(serials)}`}
        editManyHref={(serials) => `#/bulk/new?nodes=${addressOf(serials)}`}
        views={<ListViews list="node-dashboard" path="/node-dashboard" search={searchOf(criteria)} taken={taken} />}
      />
      <DialogSlot onClose={closeHistory}>
        {historySerial !== undefined && hasLoaded && (
          <NotedHistoryDialog serial={historySerial} timezone={timezone ?? null} onClose={closeHistory} />
        )}
      </DialogSlot>
    </PageFrame>
  );
}
