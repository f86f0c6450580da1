import { Button } from "@mantine/core";
import { csvOf, downloadFile } from "#lib/download.ts";
import { csvLines } from "#ui/column.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { fleetColumns } from "./fleet-columns.tsx";
import { everything, sortKeyOf } from "./fleet-criteria.ts";
import type { FleetCriteria } from "./fleet-criteria.ts";
import { FleetGrid } from "./fleet-grid.tsx";
import { FleetHeading } from "./fleet-heading.tsx";
import { FleetCount, StaleMark } from "./fleet-status.tsx";
import { FleetTools } from "./fleet-tools.tsx";
import { usePollState, useSelectedRecords, useVerdictCounts } from "./use-fleet.ts";
import type { Fleet } from "./use-fleet.ts";
import { VerdictChips } from "./verdict-chips.tsx";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-dashboard.css";

export interface NodeDashboardProps {
  fleet: Fleet;
  criteria: FleetCriteria;
  onCriteria: (criteria: FleetCriteria) => void;
  onOpenHistory: (serial: string) => void;
}

export function NodeDashboard({ fleet, criteria, onCriteria, onOpenHistory }: NodeDashboardProps) {
  const { hasLoaded, failure } = usePollState(fleet);
  const records = useSelectedRecords(fleet, criteria);
  const counts = useVerdictCounts(fleet, criteria);
  const showAll = () => onCriteria({ ...criteria, ...everything });
  // DSH-06: another column starts ascending, the same one turns round
  const sortBy = (key: string) =>
    onCriteria({ ...criteria, sort: sortKeyOf(key), isDescending: key === criteria.sort && !criteria.isDescending });

  return (
    <div className="list-page">
      <FleetHeading fleet={fleet} />
      <FleetTools criteria={criteria} onChange={onCriteria} />
      <StaleMark fleet={fleet} />
      {hasLoaded && <VerdictChips counts={counts} criteria={criteria} onChange={onCriteria} />}
      {hasLoaded && (
        <FleetCount
          fleet={fleet}
          shown={records.length}
          isFiltered={criteria.filterText !== "" || criteria.verdicts.size > 0}
          onClear={showAll}
          onExport={() =>
            downloadFile(
              "nodes.csv",
              csvOf(
                csvLines(
                  fleetColumns,
                  records.map(({ node }) => node),
                ),
              ),
            )
          }
        />
      )}
      {!hasLoaded && failure === undefined && (
        <LoadingRows label="Loading the fleet" rows={20} height={50} narrowHeight={itemHeightOf(fleetColumns)} hasCount frame="grid" />
      )}
      {!hasLoaded && failure !== undefined && <FailureState message={failure} onRetry={fleet.poller.pollNow} />}
      {hasLoaded && records.length === 0 && (
        <EmptyState
          title={
            criteria.verdicts.size > 0
              ? "No node among those shown has one of the chosen verdicts"
              : criteria.filterText
                ? `No node matches “${criteria.filterText}” among those shown`
                : "No node has one of the ticked statuses"
          }
        >
          <Button variant="default" onClick={showAll}>
            Show all nodes
          </Button>
        </EmptyState>
      )}
      {hasLoaded && records.length > 0 && (
        <FleetGrid
          store={fleet.store}
          records={records}
          sort={criteria.sort}
          isDescending={criteria.isDescending}
          onSort={sortBy}
          onOpenHistory={onOpenHistory}
        />
      )}
    </div>
  );
}
