import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DateTime } from "#ui/date-time.tsx";
import { NewestTable } from "#ui/newest-rows.tsx";
import { batchLook, batchTitle, courseWords } from "./batch-words.ts";
import { useBatches } from "./config-batches.queries.ts";
import "#ui/status-badge.css";
import "./config-batches.css";

export const batchColumns: readonly Column<Batch>[] = [
  {
    label: "Batch",
    text: ({ id }) => id,
    cell: ({ id }) => <a href={`#/batches/${id}`}>Batch {id}</a>,
    isRowHead: true,
    width: 110,
  },
  { label: "What", text: batchTitle, className: "mono batch-what" },
  {
    label: "State",
    text: (batch) => batchLook(batch).label,
    cell: (batch) => <span className={`status-badge ${batchLook(batch).badge}`}>{batchLook(batch).label}</span>,
    width: 190,
  },
  { label: "Nodes", text: courseWords, width: 260 },
  { label: "Made by", text: ({ madeBy }) => madeBy, width: 120 },
  {
    label: "Made",
    text: ({ madeTimestamp }) => formatDateTime(madeTimestamp),
    cell: ({ madeTimestamp }) => <DateTime timestamp={madeTimestamp} timezone={null} />,
    className: "tabular",
    width: 190,
  },
];

/** Changes to many nodes, the newest first. */
export function BatchList() {
  const list = useBatches();
  return (
    <>
      <h1 className="page-title">Batches</h1>
      <NewestTable
        list={list}
        noun="batch"
        nouns="batches"
        none="No one has changed many nodes at once yet: choose them in the list of nodes"
        noMatch=""
        onClear={undefined}
        columns={batchColumns}
        keyOf={({ id }) => id}
      />
    </>
  );
}
