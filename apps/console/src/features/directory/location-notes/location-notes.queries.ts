import {
  archiveLocationNote,
  createLocationNote,
  getLocationNotes,
  getNodePlotNotes,
  unarchiveLocationNote,
  updateLocationNote,
} from "@busbar/contract/directory/location-notes.ts";
import type { LocationNote, LocationNoteForm, PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { getLocation } from "@busbar/contract/directory/locations.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

const notesKey = "location-notes";
const plotNotesKey = "plot-notes";

/** NOT-02: archived ones are asked for only when they are to be seen. */
export function useLocationNotes(locationId: number, withArchived: boolean) {
  const call = useApi();
  return useQuery({
    queryKey: [notesKey, locationId, withArchived],
    queryFn: ({ signal }) =>
      call(
        getLocationNotes,
        { params: { id: String(locationId) }, query: withArchived ? { include_archived: "true" as const } : {} },
        { signal },
      ),
  });
}

export function useNotedLocation(locationId: number) {
  const call = useApi();
  return useQuery({
    queryKey: ["location", locationId],
    queryFn: ({ signal }) => call(getLocation, { params: { id: String(locationId) } }, { signal }),
  });
}

const none: PlotNote[] = [];

export interface PlotNotesOptions {
  refetchMs?: number | false;
  /** Epoch seconds, both included; without, the newest notes. */
  span?: { from: number; to: number } | undefined;
}

/** What plots of a node show of its location's notes; none while they are not known. */
export function usePlotNotes(serial: string | undefined, { refetchMs = false, span }: PlotNotesOptions = {}): PlotNote[] {
  const call = useApi();
  const query = span ? { from: String(Math.floor(span.from)), to: String(Math.ceil(span.to)) } : {};
  const { data } = useQuery({
    queryKey: [plotNotesKey, serial, query],
    enabled: serial !== undefined,
    queryFn: ({ signal }) => call(getNodePlotNotes, { params: { serial: serial ?? "" }, query }, { signal }),
    refetchInterval: refetchMs,
  });
  return data ?? none;
}

/** Changes of a location's notes; the list, the plots and the location's own numbers follow. */
export function useNoteChanges(locationId: number) {
  const call = useApi();
  const queries = useQueryClient();
  const id = String(locationId);
  const change = async (make: (client: Client) => Promise<LocationNote>): Promise<void> => {
    try {
      await make(call);
    } finally {
      // Also after a refusal: somebody else may have been first.
      for (const queryKey of [[notesKey, locationId], [plotNotesKey], ["location", locationId]])
        void queries.invalidateQueries({ queryKey });
    }
  };
  return {
    add: (note: LocationNoteForm) => change((client) => client(createLocationNote, { params: { id }, body: note })),
    update: ({ id: noteId, revision }: LocationNote, note: LocationNoteForm) =>
      change((client) => client(updateLocationNote, { params: { id, noteId: String(noteId) }, body: { ...note, revision } })),
    archive: ({ id: noteId }: LocationNote) => change((client) => client(archiveLocationNote, { params: { id, noteId: String(noteId) } })),
    unarchive: ({ id: noteId }: LocationNote) =>
      change((client) => client(unarchiveLocationNote, { params: { id, noteId: String(noteId) } })),
  };
}
