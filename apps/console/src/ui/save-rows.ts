import { csvOf, downloadFile } from "#lib/download.ts";
import { csvLines, type Column } from "./column.ts";

/** Saves rows as a CSV file, as their columns say them. */
export const saveRows = <Row, On>(name: string, columns: readonly Column<Row, On>[], rows: readonly Row[]): void =>
  downloadFile(name, csvOf(csvLines(columns, rows)));
