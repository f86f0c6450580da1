import { Button } from "@mantine/core";
import { csvOf, downloadFile } from "#lib/download.ts";
import { useMemo, useState, type ReactNode } from "react";
import { lazyPart } from "#lib/lazy-part.ts";
import { csvLines } from "#ui/column.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { ListBar } from "#ui/list-bar.tsx";
import { ListCount } from "#ui/list-count.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { useRowSelection } from "#ui/use-row-selection.ts";
import { columnsOf, fleetColumns, usualColumns } from "./fleet-columns.tsx";
import { everything, hidingOf, sortKeyOf, type FleetCriteria } from "./fleet-criteria.ts";
import { FleetGrid } from "./fleet-grid.tsx";
import { FleetHeading } from "./fleet-heading.tsx";
import { StaleMark } from "./fleet-status.tsx";
import { FleetTools } from "./fleet-tools.tsx";
import { usePollState, useSelectedRecords, useTotal, useVerdictCounts, type Fleet } from "./use-fleet.ts";
import { VerdictChips } from "./verdict-chips.tsx";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-dashboard.css";

const ChosenNodes = lazyPart(() => import("#ui/chosen-nodes.tsx"), "ChosenNodes");

export interface NodeDashboardProps {
  fleet: Fleet;
  criteria: FleetCriteria;
  onCriteria: (criteria: FleetCriteria) => void;
  onOpenHistory: (serial: string) => void;
  /** Where those that are chosen are changed. */
  configureHref: (serials: readonly string[]) => string;
  editManyHref: (serials: readonly string[]) => string;
  /** The menu of saved views. */
  views: ReactNode;
}

export function NodeDashboard({ fleet, criteria, onCriteria, onOpenHistory, configureHref, editManyHref, views }: NodeDashboardProps) {
  const { hasLoaded, failure } = usePollState(fleet);
  const records = useSelectedRecords(fleet, criteria);
  const total = useTotal(fleet);
  const columns = columnsOf(criteria.columns);
  const counts = useVerdictCounts(fleet, criteria);
  const [isChoosing, setChoosing] = useState(false);
  const selection = useRowSelection(useMemo(() => (isChoosing ? records.map(({ serial }) => serial) : []), [isChoosing, records]));
  const showAll = () => onCriteria({ ...criteria, ...everything });
  // DSH-06: another column starts ascending, the same one turns round
  const sortBy = (key: string) =>
    onCriteria({ ...criteria, sort: sortKeyOf(key), isDescending: key === criteria.sort && !criteria.isDescending });

  return (
    <div className="list-page">
      <FleetHeading fleet={fleet} />
      <FleetTools criteria={criteria} onChange={onCriteria} />
      <ListBar
        columns={fleetColumns}
        usual={usualColumns}
        choice={criteria.columns}
        onChoice={(choice) => onCriteria({ ...criteria, columns: choice })}
        noun="node"
        hiddenCount={total - records.length}
        hiddenBy={hidingOf(criteria)}
      >
        {views}
      </ListBar>
      <StaleMark fleet={fleet} />
      {hasLoaded && <VerdictChips counts={counts} criteria={criteria} onChange={onCriteria} />}
      {hasLoaded && (
        <ListCount
          total={total}
          noun="node"
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
        >
          {isChoosing && (
            <ProgramPart>
              <ChosenNodes selection={selection} matching={records} configureHref={configureHref} editManyHref={editManyHref} />
            </ProgramPart>
          )}
          <Button
            variant={isChoosing ? "light" : "subtle"}
            size="compact-xs"
            aria-pressed={isChoosing}
            onClick={() => {
              setChoosing(!isChoosing);
              selection.choose([]);
            }}
          >
            Choose nodes
          </Button>
        </ListCount>
      )}
      {!hasLoaded && failure === undefined && (
        <LoadingRows label="Loading the fleet" rows={20} height={50} narrowHeight={itemHeightOf(columns)} hasCount frame="grid" />
      )}
      {!hasLoaded && failure !== undefined && <FailureState message={failure} onRetry={fleet.poller.pollNow} />}
      {hasLoaded && total === 0 && (
        <EmptyState title="There is no node yet">
          <Button component="a" href="#/nodes?add=node">
            Add node
          </Button>
        </EmptyState>
      )}
      {hasLoaded && total > 0 && records.length === 0 && (
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
          columns={columns}
          sort={criteria.sort}
          isDescending={criteria.isDescending}
          onSort={sortBy}
          onOpenHistory={onOpenHistory}
          selection={isChoosing ? selection : undefined}
          onChoose={(serial, isRange) => {
            setChoosing(true);
            selection.toggle(serial, isRange);
          }}
        />
      )}
    </div>
  );
}
