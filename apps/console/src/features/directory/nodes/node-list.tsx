import { ActionIcon, Button } from "@mantine/core";
import { IconFileImport, IconKey, IconPlus, IconRefresh } from "@tabler/icons-react";
import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import { ChosenNodes } from "#ui/chosen-nodes.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { ListBar } from "#ui/list-bar.tsx";
import { ListCount } from "#ui/list-count.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { OwnTimeAgo } from "#ui/time-ago.tsx";
import { useRowSelection } from "#ui/use-row-selection.ts";
import type { NodeActions } from "./node-list-cells.tsx";
import { everything, hidingOf, sortedBy, type NodeListCriteria } from "./node-list-criteria.ts";
import { columnsOf, nodeColumns, usualColumns } from "./node-list-columns.tsx";
import { NodeGrid } from "./node-list-grid.tsx";
import type { NodeRecord } from "./node-record.ts";
import { NodeListTools } from "./node-list-tools.tsx";
import { placeChoices, recordsOf, selectRecords } from "./node-list-view.ts";
import { useNodeList } from "./nodes.queries.ts";
import "#ui/grid.css";
import { saveRows } from "#ui/save-rows.ts";
import "#ui/status-badge.css";
import "./node-list.css";

export interface NodeListProps extends NodeActions {
  criteria: NodeListCriteria;
  onCriteria: (criteria: NodeListCriteria) => void;
  onAdd: () => void;
  /** Of several nodes at once. */
  onCredentials: () => void;
  /** Where the configuration of those that are chosen is changed. */
  configureHref: (serials: readonly string[]) => string;
  /** Where the fields of those that are chosen are changed. */
  editManyHref: (serials: readonly string[]) => string;
  editLocationsHref: (locationIds: readonly number[]) => string;
  /** Where a node was once whose number is searched. */
  earlier: ReactNode;
  /** The menu of saved views. */
  views: ReactNode;
}

const none: NodeListRow[] = [];

/** NOD-01 to NOD-07 */
export function NodeList({
  criteria,
  onCriteria,
  onAdd,
  onCredentials,
  configureHref,
  editManyHref,
  editLocationsHref,
  earlier,
  views,
  ...actions
}: NodeListProps) {
  const asked = useNodeList();
  const { data, refetch, dataUpdatedAt, isFetching } = asked;
  const records = useMemo(() => recordsOf(data ?? none), [data]);
  const places = useMemo(() => placeChoices(records), [records]);
  // Typing stays immediate: the list follows in a later render.
  const deferred = useDeferredValue(criteria);
  const shown = useMemo(() => selectRecords(records, deferred), [records, deferred]);
  const selection = useRowSelection(useMemo(() => shown.map(({ serial }) => serial), [shown]));
  const showAll = () => onCriteria({ ...criteria, ...everything });
  const again = () => void refetch();

  return (
    <div className="list-page">
      <div className="node-list-head">
        <h1 className="page-title">Nodes</h1>
        <ActionIcon size="sm" aria-label="Add node" title="Add node" onClick={onAdd} className="no-print">
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          component="a"
          href="#/import?of=nodes"
          size="sm"
          variant="default"
          aria-label="Import nodes"
          title="Import nodes"
          className="no-print"
        >
          <IconFileImport size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size="sm"
          variant="default"
          aria-label="Credentials of several nodes"
          title="Credentials of several nodes"
          onClick={onCredentials}
          className="no-print"
        >
          <IconKey size={16} aria-hidden />
        </ActionIcon>
      </div>
      <NodeListTools criteria={criteria} places={places} onChange={onCriteria} />
      <ListBar
        columns={nodeColumns}
        usual={usualColumns}
        choice={criteria.columns}
        onChoice={(columns) => onCriteria({ ...criteria, columns })}
        noun="node"
        hiddenCount={records.length - shown.length}
        hiddenBy={hidingOf(deferred)}
      >
        {views}
      </ListBar>
      {earlier}
      <Loaded
        of={asked}
        loading={
          <LoadingRows
            label="Loading nodes"
            rows={20}
            height={46}
            narrowHeight={itemHeightOf(columnsOf(criteria.columns))}
            hasCount
            frame="grid"
          />
        }
      />
      {data && (
        <ListCount
          shown={shown.length}
          total={records.length}
          noun="node"
          isFiltered={criteria.filterText !== "" || criteria.place !== "all"}
          onClear={showAll}
          onExport={() => saveRows("nodes.csv", nodeColumns, shown)}
        >
          <ChosenNodes
            selection={selection}
            matching={shown}
            configureHref={configureHref}
            editManyHref={editManyHref}
            editLocationsHref={(serials) => editLocationsHref(locationIdsOf(records.filter(({ serial }) => serials.has(serial))))}
          />
          <span className="dim">
            Read <OwnTimeAgo ms={dataUpdatedAt} />
          </span>
          <ActionIcon variant="subtle" size="md" aria-label="Reload the list" title="Reload the list" loading={isFetching} onClick={again}>
            <IconRefresh size={14} aria-hidden />
          </ActionIcon>
        </ListCount>
      )}
      {data && shown.length === 0 && <NoNodes criteria={criteria} hasNodes={records.length > 0} onShowAll={showAll} onAdd={onAdd} />}
      {data && shown.length > 0 && (
        <NodeGrid
          records={shown}
          criteria={criteria}
          onSort={(key) => onCriteria(sortedBy(criteria, key))}
          actions={{ ...actions, selection }}
        />
      )}
    </div>
  );
}

/** A location with two nodes once. */
const locationIdsOf = (records: readonly NodeRecord[]): number[] => [
  ...new Set(records.flatMap(({ node: { isAssigned, locationId } }) => (isAssigned && locationId !== null ? [locationId] : []))),
];

interface NoNodesProps {
  criteria: NodeListCriteria;
  hasNodes: boolean;
  onShowAll: () => void;
  onAdd: () => void;
}

function NoNodes({ criteria, hasNodes, onShowAll, onAdd }: NoNodesProps) {
  if (!hasNodes) {
    return (
      <EmptyState title="There is no node yet">
        <Button onClick={onAdd}>Add node</Button>
      </EmptyState>
    );
  }
  const title = criteria.filterText ? `No node matches “${criteria.filterText}” among those shown` : "No node is among those chosen";
  return (
    <EmptyState title={title}>
      <Button variant="default" onClick={onShowAll}>
        Show all nodes
      </Button>
    </EmptyState>
  );
}
