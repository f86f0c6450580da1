import "./probe.ts";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { DataGrid, type GridColDef } from "@mui/x-data-grid";
import { useEffect, useMemo, useState } from "react";
import { loadRows, type RowFeed } from "./feed.ts";
import { render } from "./frame.tsx";
import { gridColumns, rowHeight, searchTextOf } from "./grid-cells.tsx";

// MUI X DataGrid's free version: it shows 100 rows a page, and takes updates as a new array.
const columns: GridColDef<DashboardNode>[] = gridColumns.map((column, index) => ({
  field: column.field,
  headerName: column.label,
  flex: column.flex,
  sortable: index < 3,
  renderCell: ({ row }) => column.render(row),
}));
const rowId = (node: DashboardNode) => node.serialNumber;
const initialState = { sorting: { sortModel: [{ field: "serialNumber", sort: "asc" as const }] } };

function Grid({ feed }: { feed: RowFeed }) {
  const [rows, setRows] = useState(feed.rows);
  const [text, setText] = useState("");
  useEffect(() => feed.start(setRows), [feed]);
  const words = text.toLowerCase();
  const shown = useMemo(() => (words ? rows.filter((node) => searchTextOf(node).includes(words)) : rows), [rows, words]);
  return (
    <>
      <input aria-label="filter" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <div style={{ height: "calc(100dvh - 60px)" }}>
        <DataGrid
          rows={shown}
          columns={columns}
          getRowId={rowId}
          rowHeight={rowHeight}
          disableRowSelectionOnClick
          initialState={initialState}
        />
      </div>
    </>
  );
}

void loadRows().then((feed) => render(<Grid feed={feed} />));
