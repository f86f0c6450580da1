import type { Handlers } from "#http/endpoints.ts";
import { invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { IncidentCare } from "./incidents.service.ts";

export function incidentsHandlers(incidents: IncidentCare) {
  /** Who is shown under this name. */
  async function findShown(name: string, asShown: <Part>(part: Part) => Part): Promise<string> {
    const people = await incidents.people();
    return people.find(({ username }) => asShown({ username }).username === name)?.username ?? "";
  }

  return {
    async getIncidents({ query: { owner, ...filter } }, { asShown }) {
      if (filter.from !== undefined && filter.to !== undefined && filter.to < filter.from) throw invalid("to", say`is not before from`);
      return incidents.list({ ...filter, owner: asShown && owner !== undefined ? await findShown(owner, asShown) : owner });
    },
    getIncidentPeople: () => incidents.people(),
    getIncident: ({ params }) => incidents.find(params.id),
    updateIncident: ({ params, body }, { caller }) => incidents.update(caller, params.id, body),
    addIncidentNote: ({ params, body }, { caller }) => incidents.addNote(caller, params.id, body),
  } satisfies Partial<Handlers>;
}
