import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyState } from "./data-states.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { Loaded, type Asked } from "./loaded.tsx";
import { LoadingTable } from "./loading.tsx";

export interface NewestRowsProps<Row> {
  /** What is requested page by page, the newest first. */
  list: Asked<{ pages: readonly (readonly Row[])[] }> & {
    isFetching: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** Of one row, such as `event`, and of several. */
  noun: string;
  nouns: string;
  /** While the first page is on its way. */
  loading: ReactNode;
  /** Said when nothing is there, and when nothing of it matches. */
  none: string;
  noMatch: string;
  /** Undefined where everything is asked for. */
  onClear: (() => void) | undefined;
  /** What it is limited to, behind the count. */
  limitedTo?: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/** The newest of a long list, and older ones when asked for: loading, failing, empty, or as the caller draws them. */
export function NewestRows<Row>({ list, noun, nouns, loading, none, noMatch, onClear, limitedTo = "", children }: NewestRowsProps<Row>) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const answer = <Loaded of={list} loading={loading} />;
  if (!data) return answer;
  const rows = data.pages.flat();
  return (
    <>
      {answer}
      {rows.length === 0 ? (
        <EmptyState title={onClear ? noMatch : none}>
          {onClear && (
            <Button variant="default" onClick={onClear}>
              Clear the filter
            </Button>
          )}
        </EmptyState>
      ) : (
        <>
          {children(rows)}
          <Group gap="sm" mt="xs" className="dim">
            <output>
              {counted(rows.length, noun, nouns)}
              {hasNextPage ? " shown, there are older ones" : ""}
              {limitedTo}
            </output>
            {hasNextPage && (
              <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show older {nouns}
              </Button>
            )}
          </Group>
        </>
      )}
    </>
  );
}

export type NewestTableProps<Row, On> = Omit<NewestRowsProps<Row>, "loading" | "children"> &
  Pick<DataTableProps<Row, Row, On>, "className" | "columns" | "keyOf" | "on" | "isUnnamed">;

/** The same as a table. */
export function NewestTable<Row, On>({ className, columns, keyOf, on, isUnnamed, ...list }: NewestTableProps<Row, On>) {
  const table = { className, columns, keyOf, on, isUnnamed };
  return (
    <NewestRows {...list} loading={<LoadingTable label={`Loading the ${list.nouns}`} columns={columns} />}>
      {(rows) => (
        <DataTable
          {...table}
          aria-label={list.nouns.replace(/^./, (first) => first.toUpperCase())}
          rows={rows}
          aria-busy={list.list.isFetching}
        />
      )}
    </NewestRows>
  );
}
