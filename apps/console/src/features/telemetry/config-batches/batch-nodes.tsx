import type { Batch, BatchNode, BatchNodeState } from "@busbar/contract/telemetry/config-batches.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { byText, type Column } from "#ui/column.ts";
import { DateTime } from "#ui/date-time.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { Grid } from "#ui/grid.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NodeLink, nodePageOf } from "#ui/node-link.tsx";
import { Panel } from "#ui/panel.tsx";
import { useFilteredRows } from "#ui/use-filtered-rows.tsx";
import { changesText, nodeStateWords, shownValue } from "./batch-words.ts";
import { useBatchNodes } from "./config-batches.queries.ts";
import "#ui/status-badge.css";

const stateOf = ({ state }: BatchNode): string => nodeStateWords[state].label;

export const batchNodeColumns: readonly Column<BatchNode>[] = [
  {
    label: "Serial Number",
    text: ({ serialNumber }) => serialNumber,
    cell: ({ serialNumber }) => <NodeLink serial={serialNumber} />,
    narrow: ({ serialNumber, locationName }) => (
      <div className="cell-line">
        <NodeLink serial={serialNumber} /> <span className="dim">{locationName}</span>
      </div>
    ),
    sort: { key: "serial", compare: byText(({ serialNumber }) => serialNumber) },
    width: 150,
  },
  {
    label: "Location",
    text: ({ locationName }) => locationName,
    cell: ({ locationName }) => <span title={locationName}>{locationName || <span className="dim">At no location</span>}</span>,
    sort: { key: "location", compare: byText(({ locationName }) => locationName) },
    narrow: { in: "Serial Number" },
    width: 200,
  },
  {
    label: "Change",
    text: changesText,
    cell: (node) => <Changes node={node} />,
    narrow: (node) => <Changes node={node} />,
    sort: { key: "change", compare: byText(changesText) },
    width: 260,
  },
  {
    label: "State",
    text: stateOf,
    cell: (node) => <State node={node} />,
    narrow: (node) => <State node={node} />,
    sort: { key: "state", compare: byText((node) => `${stateOf(node)} ${node.reason}`) },
    width: 130,
  },
  {
    label: "Why",
    text: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
    narrow: ({ reason }) => (
      <div className="row-reason dim" title={reason}>
        {reason}
      </div>
    ),
    narrowHeight: 58,
  },
  {
    label: "Answered",
    text: ({ settledTimestamp, timezone }) => (settledTimestamp === null ? null : formatDateTime(settledTimestamp, timezone ?? "UTC")),
    cell: ({ settledTimestamp, timezone }) => settledTimestamp !== null && <DateTime timestamp={settledTimestamp} timezone={timezone} />,
    className: "tabular",
    narrow: { in: "State" },
    width: 190,
  },
];

function Changes({ node }: { node: BatchNode }) {
  return (
    <div className="cell-line mono" title={changesText(node)}>
      <span className="ellipsis">
        {node.changes.map(({ key, oldValue, newValue }, index) => (
          <span key={key}>
            {index > 0 && "; "}
            {node.changes.length > 1 && `${key} `}
            <span className="dim">{shownValue(oldValue)}</span> → <b>{shownValue(newValue)}</b>
          </span>
        ))}
      </span>
    </div>
  );
}

function State({ node }: { node: BatchNode }) {
  const { label, badge } = nodeStateWords[node.state];
  const { changes, confirmedCount } = node;
  return (
    <div className="cell-line">
      <span className={`status-badge ${badge}`}>{label}</span>
      {changes.length > 1 && confirmedCount > 0 && confirmedCount < changes.length && (
        <span className="dim">
          {confirmedCount} of {changes.length}
        </span>
      )}
    </div>
  );
}

const inStates =
  (...states: BatchNodeState[]) =>
  ({ state }: BatchNode) =>
    states.includes(state);
const choices = {
  All: () => true,
  "To be changed": inStates("waiting", "sending"),
  "Left out": inStates("left"),
  Failed: inStates("refused", "unknown", "dropped"),
  Confirmed: inStates("confirmed"),
};
const none: BatchNode[] = [];

/** Each node of a batch: what it has and is to have, why it is left out, and what it answered. */
export function BatchNodes({ batch }: { batch: Batch }) {
  const asked = useBatchNodes(batch);
  const { data } = asked;
  const { rows, tools, sorting } = useFilteredRows(batchNodeColumns, data ?? none, choices, `batch-${batch.id}.csv`);
  if (!data) return <Loaded of={asked} loading={<LoadingRows label="Loading the nodes" rows={8} height={36} frame="grid" />} />;
  return (
    <Panel title={batch.startedTimestamp === null ? "Dry run" : "Nodes"} aside={`${rows.length} of ${data.length}`} className="batch-nodes">
      {tools}
      <Grid
        label="Nodes of the batch"
        columns={batchNodeColumns}
        items={rows}
        keyOf={({ serialNumber }) => serialNumber}
        on={undefined}
        rowHeight={36}
        minWidth={1_000}
        {...sorting}
        onOpen={({ serialNumber }) => (location.hash = nodePageOf(serialNumber))}
        renderFoot={() => <GridKeys sideways="links of a row" enter="open the node" />}
      />
    </Panel>
  );
}
