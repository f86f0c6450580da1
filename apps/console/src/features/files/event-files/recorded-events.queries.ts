import { eventsPerPage, getEvent, getEvents, maxEventsPerPage } from "@busbar/contract/files/recorded-events.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { useAllRows, useApiPages, useApiQuery } from "#api/use-api-query.ts";

/** What of the events is asked for. */
export type EventQuery = NonNullable<CallInput<typeof getEvent>["query"]>;

const pageOf = (query: EventQuery, limit: number, before: string | undefined) => ({
  query: { ...query, limit: String(limit), ...(before === undefined ? {} : { before }) },
});

/** The newest that match; older ones page by page. */
export function useEvents(query: EventQuery) {
  return useApiPages(
    getEvents,
    (before: string | undefined) => pageOf(query, eventsPerPage, before),
    (last) => (last.length < eventsPerPage ? undefined : last.at(-1)?.eventName),
  );
}

const mostInFile = 20_000;

/** Everything that matches, for a file: the newest. */
export const useAllEvents = (query: EventQuery) =>
  useAllRows(
    (call, before: string | undefined) => call(getEvents, pageOf(query, maxEventsPerPage, before)),
    (last) => (last.length < maxEventsPerPage ? undefined : last.at(-1)?.eventName),
    mostInFile,
  );

const pendingMs = 5_000;

/** With its neighbours in the same filter; asked again while its files wait to be read. */
export const useEvent = (eventName: string, query: EventQuery) =>
  useApiQuery(
    getEvent,
    { params: { eventName }, query },
    { refetchInterval: ({ state }) => (state.data?.files.some(({ processed }) => processed === null) ? pendingMs : false) },
  );
