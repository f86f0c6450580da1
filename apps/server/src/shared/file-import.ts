import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  mostImportErrors,
  mostImportRecords,
  type ImportCounts,
  type ImportPlan,
  type ImportRecord,
} from "@busbar/contract/values/import-plan.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction, isDeadlock, rolledBack } from "#db/transaction.ts";
import { readCsv } from "#lib/csv-reader.ts";
import { conflict, invalid } from "#lib/errors.ts";
import { importText, readImportLines, type ImportColumns, type ImportLine, type LineError } from "./import-lines.ts";
import { planAnew } from "./file-import.store.ts";

export type OnStep = (done: number, total: number) => void;

export interface ImportSheet<Column extends string, Value> {
  lines: ImportLine<Column, Value>[];
  /** With one of them nothing stays. */
  errors: LineError[];
}

export interface ImportWork {
  onStep: OnStep;
  /** Nothing stays. */
  isDry: boolean;
  /** For who knows before it writes. @throws AppError where a line is wrong, or this is not what was shown */
  requireShown: (records: readonly ImportRecord[], errors: readonly LineError[]) => void;
  /** Does this once it is committed. */
  afterwards: (work: () => void) => void;
}

/** How files of a kind are imported. */
export interface FileImport<Column extends string, Value, By> extends ImportColumns<Column, Value> {
  /** What a line is about, such as `node`. */
  noun: string;
  /** What is counted. */
  counted: readonly string[];
  mostLines: number;
  /** Does what the lines say, and adds what is wrong to their errors. Returns what became of each, also of those that stay as they are. */
  perform: (client: PoolClient, caller: By, sheet: ImportSheet<Column, Value>, work: ImportWork) => Promise<ImportRecord[]>;
}

interface Done {
  lines: number;
  records: ImportRecord[];
  errors: LineError[];
  ignored: string[];
}

/** Decisions 0045 and 0049. First what a file would do, then exactly that, all or nothing. */
export function createFileImport<Column extends string, Value, By>(pool: Pool, kind: FileImport<Column, Value, By>) {
  async function perform(client: PoolClient, caller: By, bytes: Uint8Array, work: ImportWork): Promise<Done> {
    const { records, problem } = readCsv(importText(bytes), kind.mostLines + 1);
    // Of a first line that cannot be read nothing more can be said.
    const { lines, errors, ignored } =
      problem && records.length === 0 ? { lines: [], errors: [], ignored: [] } : readImportLines(records, kind);
    if (problem) errors.push({ column: "", ...problem });
    // What takes long for a large file lets other calls in between.
    await nextTurn();
    await planAnew(client);
    const done = await kind.perform(client, caller, { lines, errors }, work);
    errors.sort((a, b) => a.line - b.line);
    return { lines: Math.max(0, records.length - 1), records: done, errors, ignored };
  }

  return {
    async plan(caller: By, bytes: Uint8Array, onStep: OnStep): Promise<ImportPlan> {
      let done: Done | undefined;
      const work = { onStep, isDry: true, requireShown: () => {}, afterwards: () => {} };
      await rolledBack(pool, async (client) => void (done = await perform(client, caller, bytes, work))).catch(refuse);
      const { lines, records, errors, ignored } = done!;
      return {
        digest: digestOf(bytes, records),
        lines,
        counts: countRecords(kind.counted, records),
        records: [
          ...records.filter(({ isNew }) => isNew).slice(0, mostImportRecords),
          ...records.filter(isChanged).slice(0, mostImportRecords),
        ].toSorted((a, b) => a.line - b.line),
        errors: errors.slice(0, mostImportErrors),
        errorCount: errors.length,
        ignored,
      };
    },

    async run(caller: By, bytes: Uint8Array, digest: string, onStep: OnStep): Promise<ImportCounts[]> {
      const afterwards: (() => void)[] = [];
      const requireShown: ImportWork["requireShown"] = (records, errors) => {
        const [error] = errors.toSorted((a, b) => a.line - b.line);
        if (error) throw invalid("file", `line ${error.line}: ${[error.column, error.message].filter(Boolean).join(": ")}`);
        if (digestOf(bytes, records) !== digest)
          throw conflict(
            `This is not what was shown: the file is another one, or someone changed a ${kind.noun} meanwhile. Look at it again`,
          );
      };
      const work: ImportWork = { onStep, isDry: false, requireShown, afterwards: (one) => void afterwards.push(one) };
      const counts = await inTransaction(pool, async (client) => {
        const { records, errors } = await perform(client, caller, bytes, work);
        requireShown(records, errors);
        return countRecords(kind.counted, records);
      }).catch(refuse);
      for (const one of afterwards) one();
      return counts;
    },
  };
}

function refuse(error: unknown): never {
  throw isDeadlock(error) ? conflict("Someone else changed one of these at the same moment. Try again") : error;
}

/** The same for the same file and the same effect; the effect holds what is there now. */
function digestOf(bytes: Uint8Array, records: readonly ImportRecord[]): string {
  const effect = records.map(({ line, noun, name, isNew, changes }) => [line, noun, name, isNew, changes]);
  return createHash("sha256").update(bytes).update(JSON.stringify(effect)).digest("hex");
}

const isChanged = ({ isNew, changes }: ImportRecord): boolean => !isNew && changes.length > 0;

export const countRecords = (nouns: readonly string[], records: readonly ImportRecord[]): ImportCounts[] =>
  nouns.map((noun) => {
    const of = records.filter((record) => record.noun === noun);
    const added = of.filter(({ isNew }) => isNew).length;
    const changed = of.filter(isChanged).length;
    return { noun, added, changed, left: of.length - added - changed };
  });
