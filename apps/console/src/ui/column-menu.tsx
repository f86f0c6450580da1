import { Button, Checkbox, Popover } from "@mantine/core";
import { useRef } from "react";
import { toggleColumn, type ColumnChoice } from "./chosen-columns.ts";
import { ColumnsButton } from "./columns-button.tsx";
import { nameOf, shownColumns, type Column } from "./column.ts";

export interface ColumnMenuProps<Row, On> {
  columns: readonly Column<Row, On>[];
  usual: readonly Column<Row, On>[];
  chosen: readonly Column<Row, On>[];
  choice: ColumnChoice;
  onChoice: (choice: ColumnChoice) => void;
  hiddenCount: number;
}

/** Which columns a list shows. Open at first: see LazyMenu. */
export function ColumnMenu<Row, On>({ columns, usual, chosen, choice, onChoice, hiddenCount }: ColumnMenuProps<Row, On>) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Popover position="bottom-start" trapFocus defaultOpened onClose={() => button.current?.focus()} transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <ColumnsButton hiddenCount={hiddenCount} ref={button} />
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className="column-choices">
          <legend>Columns</legend>
          {shownColumns(columns).map((column, index) => (
            <Checkbox
              key={nameOf(column)}
              size="xs"
              label={column.label}
              checked={chosen.includes(column)}
              // It says what the row is.
              disabled={index === 0}
              onChange={() => onChoice(toggleColumn(columns, choice, column, usual))}
            />
          ))}
        </fieldset>
        <Button variant="subtle" size="compact-xs" onClick={() => onChoice("")}>
          As usual
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
