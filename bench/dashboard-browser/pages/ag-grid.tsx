import "./probe.ts";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import {
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  ModuleRegistry,
  QuickFilterModule,
  themeQuartz,
  type ColDef,
  type GetRowIdParams,
  type GridApi,
  type ICellRendererParams,
} from "ag-grid-community";
import { AgGridReact } from "ag-grid-react";
import { useState } from "react";
import { loadRows, type RowFeed } from "./feed.ts";
import { render } from "./frame.tsx";
import { gridColumns, rowHeight, searchTextOf } from "./grid-cells.tsx";

// AG Grid Community as its documents advise for live data: row ids, transactions, only the modules in use.
ModuleRegistry.registerModules([ClientSideRowModelModule, ClientSideRowModelApiModule, QuickFilterModule]);

const theme = themeQuartz.withParams({ rowHeight, fontSize: 13 });
const columns: ColDef<DashboardNode>[] = gridColumns.map((column, index) => ({
  field: column.field,
  headerName: column.label,
  flex: column.flex,
  sortable: index < 3,
  ...(index === 0 ? { sort: "asc" as const } : {}),
  // The cell shows more than its value: it is new whenever its row is.
  equals: () => false,
  cellRenderer: ({ data }: ICellRendererParams<DashboardNode>) => data && column.render(data),
  getQuickFilterText: ({ data }: { data: DashboardNode }) => (index === 0 ? searchTextOf(data) : ""),
}));
const rowId = ({ data }: GetRowIdParams<DashboardNode>) => data.serialNumber;

function Grid({ feed }: { feed: RowFeed }) {
  const [text, setText] = useState("");
  const start = ({ api }: { api: GridApi<DashboardNode> }) =>
    feed.start((_rows, changed) => void api.applyTransaction({ update: changed }));
  return (
    <>
      <input aria-label="filter" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <div style={{ height: "calc(100dvh - 60px)" }}>
        <AgGridReact
          theme={theme}
          rowHeight={rowHeight}
          columnDefs={columns}
          rowData={feed.rows}
          getRowId={rowId}
          quickFilterText={text}
          cacheQuickFilter
          sortingOrder={["asc", "desc"]}
          onGridReady={start}
        />
      </div>
    </>
  );
}

void loadRows().then((feed) => render(<Grid feed={feed} />));
