import { counted } from "@busbar/contract/values/counted.ts";
import { IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lazyPart } from "#lib/lazy-part.ts";
import { chosenColumns, type ColumnChoice } from "./chosen-columns.ts";
import type { ColumnMenuProps } from "./column-menu.tsx";
import { ColumnsButton } from "./columns-button.tsx";
import { shownColumns, type Column } from "./column.ts";
import { LazyMenu } from "./lazy-menu.tsx";
import "./list-bar.css";

const importMenu = () => import("./column-menu.tsx");
// A lazy component takes no types of its own: those of the list's rows.
const ColumnMenu = lazyPart(() => importMenu(), "ColumnMenu") as <Row, On>(props: ColumnMenuProps<Row, On>) => ReactNode;

export interface ListBarProps<Row, On> {
  columns: readonly Column<Row, On>[];
  /** Shown where nothing is chosen; all where it is left out. */
  usual?: readonly Column<Row, On>[];
  choice: ColumnChoice;
  onChoice: (choice: ColumnChoice) => void;
  /** What is counted, such as `node`. */
  noun: string;
  /** How many rows are not shown; undefined where only the server knows. */
  hiddenCount?: number | undefined;
  /** The filters that are set, each in a word or two. */
  hiddenBy: readonly string[];
  /** What is listed only when it is asked for, and is not now. */
  leftOut?: readonly string[];
  /** The menu of saved views. */
  children?: ReactNode;
}

/** How a list is looked at: its saved views, its columns, and what of it is not in sight. */
export function ListBar<Row, On>(props: ListBarProps<Row, On>) {
  const { columns, usual = columns, choice, onChoice, children, ...hidden } = props;
  const { chosen, unknown } = chosenColumns(columns, choice, usual);
  const hiddenCount = shownColumns(columns).filter((column) => !chosen.includes(column)).length;
  return (
    <div className="list-bar no-print">
      {children}
      <LazyMenu opens="dialog" load={importMenu} Button={ColumnsButton} buttonProps={{ hiddenCount }}>
        <ColumnMenu columns={columns} usual={usual} chosen={chosen} choice={choice} onChoice={onChoice} hiddenCount={hiddenCount} />
      </LazyMenu>
      <HiddenChip {...hidden} />
      {unknown.length > 0 && (
        <output className="warn">
          ◆ {unknown.length === 1 ? "A column is" : "Columns are"} no longer there: {unknown.join(", ")}
        </output>
      )}
    </div>
  );
}

type HiddenRows = Pick<ListBarProps<unknown, unknown>, "noun" | "hiddenCount" | "hiddenBy" | "leftOut">;

/** It is there whenever a row is not. */
function HiddenChip({ noun, hiddenCount, hiddenBy, leftOut = [] }: HiddenRows) {
  const isSomeHidden = hiddenCount === undefined ? hiddenBy.length > 0 : hiddenCount > 0;
  if (!isSomeHidden && leftOut.length === 0) return null;
  const words = [
    isSomeHidden &&
      `${hiddenCount === undefined ? `Some ${noun}s` : counted(hiddenCount, noun)} hidden${hiddenBy.length > 0 ? ` by ${hiddenBy.join(", ")}` : ""}`,
    leftOut.length > 0 && `Hidden unless asked for: ${leftOut.join(", ")}`,
  ];
  return (
    <output className="hidden-chip">
      <IconEyeOff size={13} aria-hidden />
      <span>{words.filter(Boolean).join(". ")}</span>
    </output>
  );
}
