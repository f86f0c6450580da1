import { changesPerPage, getChangePeople, getChanges, maxChangesPerPage } from "@busbar/contract/system/changes.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { useAllRows, useApiPages, useApiQuery } from "#api/use-api-query.ts";

/** What of the changes is asked for. */
export type ChangeQuery = Omit<NonNullable<CallInput<typeof getChanges>["query"]>, "limit" | "before">;

const pageOf = (query: ChangeQuery, limit: number, before: number | undefined) => ({
  query: { ...query, limit: String(limit), ...(before === undefined ? {} : { before: String(before) }) },
});

/** The newest that match; older ones page by page. */
export function useChanges(query: ChangeQuery) {
  return useApiPages(
    getChanges,
    (before: number | undefined) => pageOf(query, changesPerPage, before),
    (last) => (last.length < changesPerPage ? undefined : last.at(-1)?.id),
  );
}

const mostInFile = 50_000;

/** Everything that matches, for a file: the newest. */
export const useAllChanges = (query: ChangeQuery) =>
  useAllRows(
    (call, before: number | undefined) => call(getChanges, pageOf(query, maxChangesPerPage, before)),
    (last) => (last.length < maxChangesPerPage ? undefined : last.at(-1)?.id),
    mostInFile,
  );

export const useChangePeople = () => useApiQuery(getChangePeople, {}, { select: (people) => people.map(({ actor }) => actor) });
