import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import { ChoiceBar } from "./choice-bar.tsx";
import { sortRows, type Column } from "./column.ts";
import type { GridProps } from "./grid-props.ts";
import { saveRows } from "./save-rows.ts";

export interface FilteredRows<Row> {
  rows: Row[];
  /** Which are shown, and their file. */
  tools: ReactNode;
  sorting: Pick<GridProps<Row, Row, undefined>, "sort" | "isDescending" | "onSort">;
}

const asTheyAre = () => 0;

/**
 * Rows that are all there: some of them, in any order, and as a file.
 * @param columns the first one has the order at first, and between equals
 * @param choices which rows a choice shows, by its words; the first one at first; without any there is nothing to choose
 */
export function useFilteredRows<Row>(
  columns: readonly Column<Row>[],
  all: readonly Row[],
  choices: Readonly<Record<string, (row: Row) => boolean>>,
  fileName: string,
): FilteredRows<Row> {
  const { key = "", compare = asTheyAre } = columns[0]?.sort ?? {};
  const labels = Object.keys(choices);
  const [order, setOrder] = useState({ sort: key, isDescending: false });
  const [shown, setShown] = useState(labels[0] ?? "");
  const isIn = choices[shown];
  const rows = useMemo(() => sortRows(columns, isIn ? all.filter(isIn) : all, order, compare), [columns, all, isIn, order, compare]);
  return {
    rows,
    tools: (
      <Group gap={8} justify="space-between" mb={8} className="no-print">
        {labels.length > 0 && (
          <ChoiceBar
            label="Show"
            choices={labels.map((value) => ({ value, label: `${value} ${all.filter(choices[value] ?? (() => true)).length}` }))}
            value={shown}
            onChoose={setShown}
            size="compact-sm"
          />
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={13} aria-hidden />}
          onClick={() => saveRows(fileName, columns, rows)}
        >
          Export CSV
        </Button>
      </Group>
    ),
    sorting: { ...order, onSort: (sort) => setOrder({ sort, isDescending: sort === order.sort && !order.isDescending }) },
  };
}
