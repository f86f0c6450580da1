import { counted } from "@busbar/contract/values/counted.ts";
import type { CsvRecord } from "#lib/csv-reader.ts";
import { invalid } from "#lib/errors.ts";

/** What a line says: an empty cell, and a column that is not there, say nothing. */
export interface ImportLine<Column extends string, Value = string> {
  line: number;
  values: Partial<Record<Column, Value>>;
}

export interface LineError {
  line: number;
  column: string;
  message: string;
}

/** What a cell says; a text may not be one of this column. */
export type ReadCell<Value> = { value: Value } | { message: string };

export interface ImportColumns<Column extends string, Value> {
  /** Headings by column. */
  names: Readonly<Record<Column, string>>;
  /** Without this one no line says anything. */
  key: Column;
  read: (column: Column, text: string) => ReadCell<Value>;
}

/** @throws AppError 400 for what is no text */
export function importText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid("file", "is no text in UTF-8. Save it as CSV UTF-8");
  }
}

/** Why a name is refused that differs from one that is there in its capital letters only. */
export const otherCapitals = (other: string): string => `${other} is there already, and differs in its capital letters only`;

/** The heading, then the lines; what a line may not say is an error of its number. */
export function readImportLines<Column extends string, Value>(
  [heading, ...records]: readonly CsvRecord[],
  { names, key, read }: ImportColumns<Column, Value>,
): { lines: ImportLine<Column, Value>[]; errors: LineError[]; ignored: string[] } {
  const errors: LineError[] = [];
  const all = Object.keys(names) as Column[];
  const byName = new Map(all.map((column) => [names[column].toLowerCase(), column]));
  const columns = (heading?.cells ?? []).map((cell) => byName.get(cell.trim().toLowerCase()));
  const ignored = (heading?.cells ?? []).filter((_cell, index) => columns[index] === undefined).map((cell) => cell.trim());
  const at = heading?.line ?? 1;
  for (const column of all)
    if (columns.filter((each) => each === column).length > 1)
      errors.push({ line: at, column: names[column], message: "This column is there twice" });
  if (!columns.includes(key))
    errors.push({ line: at, column: names[key], message: "The first line names the columns, and this one is missing" });
  if (errors.length > 0) return { lines: [], errors, ignored };

  // Names repeat from line to line: each is judged once.
  const known = new Map<string, ReadCell<Value>>();
  const judged = (column: Column, text: string) => {
    const id = `${column} ${text}`;
    const verdict = known.get(id) ?? read(column, text);
    known.set(id, verdict);
    return verdict;
  };
  const lines = records.flatMap(({ line, cells }) => {
    const values: Partial<Record<Column, Value>> = {};
    // A separator is missing or too many: who knows which cell is whose.
    if (cells.length !== columns.length) {
      errors.push({ line, column: "", message: `This line has ${counted(cells.length, "cell")}, the first one ${columns.length}` });
      return [];
    }
    columns.forEach((column, index) => {
      const text = (cells[index] ?? "").trim();
      if (column === undefined || text === "") return;
      const verdict = judged(column, text);
      if ("value" in verdict) values[column] = verdict.value;
      else errors.push({ line, column: names[column], message: verdict.message });
    });
    return [{ line, values }];
  });
  return { lines, errors, ignored };
}
