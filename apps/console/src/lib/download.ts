import { csvText, type CsvCell } from "@busbar/contract/values/csv.ts";

/** Hands bytes that this page made to the browser as a file. */
export function downloadFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export const csvOf = (rows: readonly (readonly CsvCell[])[]): Blob => new Blob([csvText(rows)], { type: "text/csv;charset=utf-8" });
