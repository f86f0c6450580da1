import {
  addIncidentNote,
  getIncident,
  getIncidentPeople,
  getIncidents,
  incidentsPerPage,
  updateIncident,
} from "@busbar/contract/alarms/incidents.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiPages, useApiQuery } from "#api/use-api-query.ts";

const refreshMs = 10_000;

/** What of the incidents is asked for. */
export type IncidentQuery = Omit<NonNullable<CallInput<typeof getIncidents>["query"]>, "before">;

/** The newest that match; older ones page by page. */
export function useIncidents(query: IncidentQuery) {
  return useApiPages(
    getIncidents,
    (before: number | undefined) => ({ query: { ...query, ...(before === undefined ? {} : { before: String(before) }) } }),
    (last) => (last.length < incidentsPerPage ? undefined : last.at(-1)?.id),
    { refetchInterval: refreshMs },
  );
}

/** Open ones of a node or a facility. */
export const useOpenIncidents = (of: Pick<IncidentQuery, "serial" | "facility">) =>
  useApiQuery(getIncidents, { query: { ...of, state: "open" } }, { refetchInterval: refreshMs });

export const useIncident = (id: string) => useApiQuery(getIncident, { params: { id } }, { refetchInterval: refreshMs });

export const useIncidentPeople = () =>
  useApiQuery(getIncidentPeople, {}, { select: (people) => people.map(({ username }) => username), staleTime: Infinity });

export function useUpdateIncident(id: number) {
  return useApiMutation((call, body: CallInput<typeof updateIncident>["body"]) =>
    call(updateIncident, { params: { id: String(id) }, body }),
  );
}

export function useAddIncidentNote(id: number) {
  return useApiMutation((call, note: string) => call(addIncidentNote, { params: { id: String(id) }, body: { note } }));
}
