import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { NewestRows } from "#ui/newest-rows.tsx";
import { batchLook, batchTitle, courseWords } from "./batch-words.ts";
import { useBatches } from "./config-batches.queries.ts";
import "#ui/status-badge.css";
import "./config-batches.css";

const columns: readonly Column<Batch>[] = [
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
      <NewestRows
        list={list}
        noun="batch"
        nouns="batches"
        loading={<LoadingTable label="Loading the batches" columns={columns} />}
        none="No one has changed many nodes at once yet: choose them in the list of nodes"
        noMatch=""
        onClear={undefined}
      >
        {(batches) => (
          <DataTable aria-label="Batches" columns={columns} rows={batches} keyOf={({ id }) => id} aria-busy={list.isFetching} />
        )}
      </NewestRows>
    </>
  );
}
