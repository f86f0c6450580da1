import type { ImportRecord } from "@busbar/contract/values/import-plan.ts";
import { readPlainNumber } from "@busbar/contract/values/plain-number.ts";
import type { Pool, PoolClient } from "pg";
import * as z from "zod/mini";
import { isRuleOfSchema } from "#db/transaction.ts";
import { AppError, invalid } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { createFileImport, type ImportSheet, type ImportWork } from "./file-import.ts";
import { beginLine, importAlone, nextLine, takeLineBack } from "./file-import.store.ts";
import type { ImportColumns, LineError } from "./import-lines.ts";

export type CellValue = string | number | boolean;
export type RecordValues<Column extends string> = Partial<Record<Column, CellValue>>;

/** What a line did. */
export type LineOutcome = Omit<ImportRecord, "line" | "noun">;

export interface RecordImport<Column extends string, By> {
  /** What a line is about, such as `node`. */
  noun: string;
  names: Readonly<Record<Column, string>>;
  key: Column;
  /** Columns that say yes or no, and those of numbers; others are texts. */
  flags: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  mostLines: number;
  /** Reads what all lines need. Returns what does a line, as the single call does it. @throws AppError whose field is a column */
  begin: (
    client: PoolClient,
    caller: By,
    lines: readonly RecordValues<Column>[],
    afterwards: ImportWork["afterwards"],
  ) => Promise<(values: RecordValues<Column>) => Promise<LineOutcome>>;
}

const stepLines = 100;

/** Decision 0049. Each line does what the single call does, in one transaction; the dry run is the same, and is rolled back. */
export function createRecordImport<Column extends string, By>({ pool, log }: { pool: Pool; log: Log }, kind: RecordImport<Column, By>) {
  const { noun, names, key, mostLines } = kind;

  async function perform(
    client: PoolClient,
    caller: By,
    { lines, errors }: ImportSheet<Column, CellValue>,
    { onStep, afterwards }: ImportWork,
  ): Promise<ImportRecord[]> {
    const records: ImportRecord[] = [];
    const wrong = new Set(errors.map(({ line }) => line));
    const seen = new Map<string, number>();
    onStep(0, lines.length);
    await importAlone(client, noun);
    const values = lines.map((line) => line.values);
    const performLine = await kind.begin(client, caller, values, afterwards);
    await beginLine(client);
    for (const [index, { line, values }] of lines.entries()) {
      // `Pat` and `pat` are one.
      const id = values[key] === undefined ? undefined : String(values[key]).toLowerCase();
      const twin = id === undefined ? undefined : seen.get(id);
      if (id === undefined) {
        if (!wrong.has(line)) errors.push({ line, column: names[key], message: "Every line has one" });
      } else if (twin !== undefined) {
        errors.push({ line, column: names[key], message: `The same ${noun} is on line ${twin}` });
      } else if (!wrong.has(line)) {
        try {
          records.push({ line, noun, ...(await performLine(values)) });
          await nextLine(client);
        } catch (error) {
          errors.push({ line, ...refusalOf(error, line) });
          await takeLineBack(client);
        }
      }
      if (id !== undefined && twin === undefined) seen.set(id, line);
      if ((index + 1) % stepLines === 0) onStep(index + 1, lines.length);
    }
    return records;
  }

  /** @throws what is no refusal of this line, but a failure of all */
  function refusalOf(error: unknown, line: number): Pick<LineError, "column" | "message"> {
    if (error instanceof AppError) {
      const { field, message } = error;
      const column = field !== undefined && field in names ? names[field as Column] : "";
      return { column, message: field !== undefined && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message };
    }
    const { code = "", message } = error as { code?: string; message: string };
    if (isRuleOfSchema(error)) return { column: "", message };
    if (!/^2[23]/.test(code)) throw error;
    log.error({ err: error, line }, `the database refused a line of an import of a ${noun}`);
    return { column: "", message: "The database refuses this line. The server's log says why" };
  }

  return createFileImport<Column, CellValue, By>(pool, {
    noun,
    counted: [noun],
    names,
    key,
    read: readCell(kind),
    mostLines,
    perform,
  });
}

function readCell<Column extends string>({
  names,
  flags,
  numbers,
}: Pick<RecordImport<Column, never>, "names" | "flags" | "numbers">): ImportColumns<Column, CellValue>["read"] {
  return (column, text) => {
    if (numbers.has(column)) {
      const value = readPlainNumber(text);
      return typeof value === "number" ? { value } : { message: `${names[column]} is a number, with a point before its decimals` };
    }
    if (!flags.has(column)) return { value: text };
    const word = text.toLowerCase();
    return word === "yes" || word === "no" ? { value: word === "yes" } : { message: `${names[column]} is yes or no` };
  };
}

/** @throws AppError 400 that names the first field that is wrong */
export function checked<Schema extends z.ZodMiniType>(schema: Schema, values: object): z.output<Schema> {
  const result = z.safeParse(schema, values);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(String(issue?.path[0] ?? "file"), issue?.message ?? "is not valid");
}

/** A value as the file has it. */
export const cellText = (value: CellValue | null = ""): string =>
  typeof value === "boolean" ? (value ? "yes" : "no") : String(value ?? "");

/** What a file says of a new one, by the names of its columns. */
export const givenChanges = <Column extends string>(names: Readonly<Record<Column, string>>, values: RecordValues<Column>) =>
  (Object.keys(values) as Column[]).map((column) => ({ column: names[column], before: "", after: cellText(values[column]) }));
