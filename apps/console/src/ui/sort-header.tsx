export interface SortHeaderProps<Key extends string> {
  label: string;
  /** What the column sorts by; a column without does not sort. */
  sort?: Key;
  /** What the table is sorted by now. */
  sorted: Key;
  isDescending: boolean;
  onSort: (key: Key) => void;
  className?: string;
}

/** A column's head that says how the table is sorted, and sorts it. */
export function SortHeader<Key extends string>({ label, sort, sorted, isDescending, onSort, className }: SortHeaderProps<Key>) {
  if (sort === undefined) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  }
  const isSorted = sort === sorted;
  return (
    <th scope="col" className={className} aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" className="plain-button sort-button" onClick={() => onSort(sort)}>
        {label} <span aria-hidden="true">{isSorted ? (isDescending ? "▼" : "▲") : ""}</span>
      </button>
    </th>
  );
}
