import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { LocationNotes } from "./location-notes.service.ts";
import type { PlotNotesReadModel } from "./plot-notes.read-model.ts";

export function locationNotesHandlers(notes: LocationNotes, plotNotes: PlotNotesReadModel) {
  return {
    getLocationNotes: ({ params, query }) => notes.list(params.id, query.include_archived === "true"),
    createLocationNote: ({ params, body }, { caller }) => notes.create(caller, params.id, body),
    updateLocationNote: ({ params, body }, { caller }) => notes.update(caller, params.id, params.noteId, body),
    archiveLocationNote: ({ params }, { caller }) => notes.archive(caller, params.id, params.noteId),
    unarchiveLocationNote: ({ params }, { caller }) => notes.unarchive(caller, params.id, params.noteId),
    async getNodePlotNotes({ params, query }) {
      const found = await plotNotes.find(Number(params.serial), { from: query.from, to: query.to });
      if (!found) throw notFound(say`Node ${params.serial}`);
      return found;
    },
  } satisfies Partial<Handlers>;
}
