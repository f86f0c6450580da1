import { ActionIcon } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { NativeSelect } from "./native-select.tsx";

export interface SortSelectProps {
  /** The columns of the table that this list stands for; those without a sort are left out. */
  columns: readonly { label: string; sort?: { key: string } }[];
  sort: string;
  isDescending: boolean;
  /** As a click on the column's head: the same key turns the order round. */
  onSort: (key: string) => void;
}

/** What a table's heads do, for a narrow screen that has none. */
export function SortSelect({ columns, sort, isDescending, onSort }: SortSelectProps) {
  const choices = columns.flatMap(({ label, sort: by }) => (by === undefined ? [] : [{ value: by.key, label }]));
  const DirectionIcon = isDescending ? IconSortDescending : IconSortAscending;
  return (
    <div className="sort-select no-print">
      <NativeSelect
        size="xs"
        aria-label="Sort by"
        data={choices}
        value={sort}
        onChange={({ currentTarget }) => onSort(currentTarget.value)}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label={isDescending ? "Descending: turn the order round" : "Ascending: turn the order round"}
        onClick={() => onSort(sort)}
      >
        <DirectionIcon size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
