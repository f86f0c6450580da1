import { counted } from "@busbar/contract/values/counted.ts";
import type { ImportCounts, ImportPlan, ImportRecord } from "@busbar/contract/values/import-plan.ts";
import type { Column } from "#ui/column.ts";

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
/** Such as `Facilities`. */
const manyOf = (noun: string): string => capital(counted(0, noun).slice("0 ".length));

export const countColumns: Column<ImportCounts>[] = [
  { label: "What", text: ({ noun }) => manyOf(noun), isRowHead: true },
  { label: "Added", text: ({ added }) => added, width: 110 },
  { label: "Changed", text: ({ changed }) => changed, width: 110 },
  { label: "Left as they are", text: ({ left }) => left, width: 140 },
];

const line = { label: "Line", text: ({ line }: { line: number }) => line, width: 80 };

export const errorColumns: Column<ImportPlan["errors"][number]>[] = [
  line,
  { label: "Column", text: ({ column }) => column, width: 200 },
  { label: "What is wrong", text: ({ message }) => message },
];

const of: Column<ImportRecord>[] = [
  line,
  { label: "What", text: ({ noun }) => capital(noun), width: 100 },
  { label: "Name", text: ({ name }) => name, width: 220 },
];

export const addedColumns: Column<ImportRecord>[] = [
  ...of,
  {
    label: "With",
    text: ({ changes }) => changes.map(({ column, after }) => `${column}: ${after}`).join("; "),
  },
];

const orNone = (text: string): string => text || "(none)";

export const changedColumns: Column<ImportRecord>[] = [
  ...of,
  {
    label: "Change",
    text: ({ changes }) => changes.map(({ column, before, after }) => `${column}: ${orNone(before)} → ${after}`).join("; "),
    cell: ({ changes }) =>
      changes.map(({ column, before, after }, index) => (
        <span key={column}>
          {index > 0 && "; "}
          {column}: <span className="dim">{orNone(before)}</span> → <b>{after}</b>
        </span>
      )),
  },
];
