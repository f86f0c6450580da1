import { ActionIcon } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { NativeSelect } from "./select.tsx";

export interface SortSelectProps<Key extends string> {
  /** The columns of the table that this list stands for; those without a sort are left out. */
  columns: readonly { label: string; sort?: Key }[];
  sort: Key;
  isDescending: boolean;
  /** As a click on the column's head: the same key turns the order round. */
  onSort: (key: Key) => void;
}

/** What a table's heads do, for a narrow screen that has none. */
export function SortSelect<Key extends string>({ columns, sort, isDescending, onSort }: SortSelectProps<Key>) {
  const choices = columns.flatMap(({ label, sort: value }) => (value === undefined ? [] : [{ value, label }]));
  const DirectionIcon = isDescending ? IconSortDescending : IconSortAscending;
  return (
    <div className="sort-select no-print">
      <NativeSelect
        size="xs"
        aria-label="Sort by"
        data={choices}
        value={sort}
        onChange={({ currentTarget }) => onSort(currentTarget.value as Key)}
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
