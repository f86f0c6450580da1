import type { ReactNode } from "react";

export interface SortHeaderProps {
  label: string;
  /** In place of the label, in a column that does not sort. */
  head?: ReactNode;
  /** What the column sorts by; a column without does not sort. */
  sort: string | undefined;
  /** What the table is sorted by now. */
  sorted: string;
  isDescending: boolean;
  onSort: (key: string) => void;
}

/** A column's head that says how the table is sorted, and sorts it. */
export function SortHeader({ label, head = label, sort, sorted, isDescending, onSort }: SortHeaderProps) {
  if (sort === undefined) {
    return <th scope="col">{head}</th>;
  }
  const isSorted = sort === sorted;
  return (
    <th scope="col" aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" className="plain-button sort-button" onClick={() => onSort(sort)}>
        {label} <span aria-hidden="true">{isSorted ? (isDescending ? "▼" : "▲") : ""}</span>
      </button>
    </th>
  );
}
