import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { SortSelect } from "#ui/sort-select.tsx";
import { exportFleet } from "./export-fleet.ts";
import { everything } from "./fleet-criteria.ts";
import type { FleetCriteria, SortKey } from "./fleet-criteria.ts";
import { FleetGrid, fleetColumns } from "./fleet-grid.tsx";
import { FleetHeading } from "./fleet-heading.tsx";
import { FleetList } from "./fleet-list.tsx";
import { FleetCount, StaleMark } from "./fleet-status.tsx";
import { FleetTools } from "./fleet-tools.tsx";
import type { FleetRecord } from "./fleet-store.ts";
import { usePollState, useSelectedRecords } from "./use-fleet.ts";
import type { Fleet } from "./use-fleet.ts";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-dashboard.css";

export interface NodeDashboardProps {
  fleet: Fleet;
  criteria: FleetCriteria;
  onCriteria: (criteria: FleetCriteria) => void;
  onOpenHistory: (record: FleetRecord) => void;
}

export function NodeDashboard({ fleet, criteria, onCriteria, onOpenHistory }: NodeDashboardProps) {
  const { hasLoaded, failure } = usePollState(fleet);
  const records = useSelectedRecords(fleet, criteria);
  const isNarrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  const showAll = () => onCriteria({ ...criteria, ...everything });
  // DSH-06: another column starts ascending, the same one turns round
  const sortBy = (sort: SortKey) => onCriteria({ ...criteria, sort, isDescending: sort === criteria.sort && !criteria.isDescending });

  return (
    <div className="list-page">
      <FleetHeading fleet={fleet} />
      <FleetTools criteria={criteria} onChange={onCriteria} />
      <StaleMark fleet={fleet} />
      {hasLoaded && (
        <FleetCount
          fleet={fleet}
          shown={records.length}
          isFiltered={criteria.filterText !== ""}
          onClear={showAll}
          onExport={() => exportFleet(records)}
        />
      )}
      {!hasLoaded && failure === undefined && (
        <LoadingRows label="Loading the fleet" rows={20} height={50} narrowHeight={168} hasCount frame="grid" />
      )}
      {!hasLoaded && failure !== undefined && <FailureState message={failure} onRetry={fleet.poller.pollNow} />}
      {hasLoaded && records.length === 0 && (
        <EmptyState
          title={
            criteria.filterText ? `No node matches “${criteria.filterText}” among those shown` : "No node has one of the ticked statuses"
          }
        >
          <Button variant="default" onClick={showAll}>
            Show all nodes
          </Button>
        </EmptyState>
      )}
      {hasLoaded && records.length > 0 && isNarrow && (
        <>
          <SortSelect columns={fleetColumns} sort={criteria.sort} isDescending={criteria.isDescending} onSort={sortBy} />
          <FleetList store={fleet.store} records={records} onOpenHistory={onOpenHistory} />
        </>
      )}
      {hasLoaded && records.length > 0 && !isNarrow && (
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
