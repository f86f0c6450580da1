import {
  archiveLocationNote,
  createLocationNote,
  getLocationNotes,
  getNodePlotNotes,
  unarchiveLocationNote,
  updateLocationNote,
  type LocationNote,
  type LocationNoteForm,
  type PlotNote,
} from "@busbar/contract/directory/location-notes.ts";
import { getLocation } from "@busbar/contract/directory/locations.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";

/** NOT-02: archived ones are requested only when they are to be seen. */
export function useLocationNotes(locationId: number, withArchived: boolean) {
  const query = withArchived ? { include_archived: "true" as const } : {};
  return useApiQuery(getLocationNotes, { params: { id: String(locationId) }, query });
}

export const useNotedLocation = (locationId: number) => useApiQuery(getLocation, { params: { id: String(locationId) } });

const none: PlotNote[] = [];

export interface PlotNotesOptions {
  refetchMs?: number | false;
  /** Epoch seconds, both included; without, the newest notes. */
  span?: { from: number; to: number } | undefined;
}

/** What plots of a node show of its location's notes; none while they are not known. */
export function usePlotNotes(serial: string | undefined, { refetchMs = false, span }: PlotNotesOptions = {}): PlotNote[] {
  const query = span ? { from: String(Math.floor(span.from)), to: String(Math.ceil(span.to)) } : {};
  const { data } = useApiQuery(
    getNodePlotNotes,
    { params: { serial: serial ?? "" }, query },
    { enabled: serial !== undefined, refetchInterval: refetchMs },
  );
  return data ?? none;
}

/** Changes of a location's notes. */
export function useNoteChanges(locationId: number) {
  const call = useApi();
  const id = String(locationId);
  const pathOf = (note: LocationNote) => ({ params: { id, noteId: String(note.id) } });
  return {
    add: (note: LocationNoteForm) => call(createLocationNote, { params: { id }, body: note }),
    update: (saved: LocationNote, note: LocationNoteForm) =>
      call(updateLocationNote, { ...pathOf(saved), body: { ...note, revision: saved.revision } }),
    archive: (note: LocationNote) => call(archiveLocationNote, pathOf(note)),
    unarchive: (note: LocationNote) => call(unarchiveLocationNote, pathOf(note)),
  };
}
