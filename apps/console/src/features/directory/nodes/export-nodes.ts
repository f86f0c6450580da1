import { csvOf, downloadFile } from "#lib/download.ts";
import { exportedColumns } from "./node-list-columns.tsx";
import type { NodeRecord } from "./node-list-view.ts";

/** The rows as they are shown, with all columns, as a file. */
export function exportNodes(records: readonly NodeRecord[]): void {
  const header = [...exportedColumns.map(({ label }) => label), "Deployment Task Version"];
  const rows = records.map((record) => [...exportedColumns.map(({ text }) => text(record)), record.node.deploymentTaskType ?? ""]);
  downloadFile("nodes.csv", csvOf([header, ...rows]));
}
