import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { noneYet, ownFields } from "../values/own-fields.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { SerialNumber } from "../values/serial-number.ts";

export const maxNoteLength = 2_000;

/** Text of several lines: no control characters but tabs and line breaks. */
const plainText = /^(?:\P{Cc}|[\t\n\r])*$/u;

// NOT-04. The instants that can be entered, in any zone; the server looks at the location's own.
const noteFields = {
  timestamp: z
    .int("timestamp is a whole number of epoch seconds")
    .check(z.minimum(1_262_217_600, "timestamp is in 2010 to 2059"), z.maximum(2_840_227_200, "timestamp is in 2010 to 2059")),
  note: z.string("Note is required").check(
    z.refine((text) => text.trim() !== "", "Note is required"),
    z.maxLength(maxNoteLength, `Note has at most ${maxNoteLength} characters`),
    z.regex(plainText, "Note holds control characters"),
  ),
  details: z
    .string("Details are a text")
    .check(
      z.maxLength(maxNoteLength, `Details have at most ${maxNoteLength} characters`),
      z.regex(plainText, "Details hold control characters"),
    ),
  showInVoltagePlot: z.boolean("showInVoltagePlot is true or false"),
  showInCurrentPlot: z.boolean("showInCurrentPlot is true or false"),
  showInAccumulatedAmpHoursPlot: z.boolean("showInAccumulatedAmpHoursPlot is true or false"),
};

/** The form's values. */
export const LocationNoteForm = z.object(noteFields);
export type LocationNoteForm = z.infer<typeof LocationNoteForm>;

/** See `ownFields`. */
export const noteOwnFields = {
  id: z.number(),
  authorUserId: z.nullable(z.number()),
  /** Epoch seconds; with the names, of the last change. Empty names: a user who is gone. */
  updatedTimestamp: EpochSeconds,
  firstName: z.string(),
  lastName: z.string(),
  isArchived: z.boolean(),
};

export const NewLocationNote = z.strictObject({
  ...noteFields,
  details: z._default(noteFields.details, ""),
  showInVoltagePlot: z._default(noteFields.showInVoltagePlot, true),
  showInCurrentPlot: z._default(noteFields.showInCurrentPlot, true),
  showInAccumulatedAmpHoursPlot: z._default(noteFields.showInAccumulatedAmpHoursPlot, true),
  ...(Object.fromEntries(Object.keys(noteOwnFields).map((name) => [name, noneYet(name)])) as Record<
    keyof typeof noteOwnFields,
    ReturnType<typeof noneYet>
  >),
  isArchived: z.optional(z.literal(false, "A new note is not archived")),
});
export type NewLocationNote = z.output<typeof NewLocationNote>;

export const LocationNotePatch = z.strictObject({
  ...z.partial(LocationNoteForm).shape,
  ...ownFields(noteOwnFields),
  revision: ExpectedRevision,
});
export type LocationNotePatch = z.output<typeof LocationNotePatch>;

export const LocationNote = z.object({
  ...noteFields,
  ...noteOwnFields,
  revision: z.number(),
});
export type LocationNote = z.infer<typeof LocationNote>;

/** NOT-06: what a plot gets of a note; the details stay behind. */
export const PlotNote = z.object({
  id: z.number(),
  timestamp: EpochSeconds,
  note: z.string(),
  showInVoltagePlot: z.boolean(),
  showInCurrentPlot: z.boolean(),
  showInAccumulatedAmpHoursPlot: z.boolean(),
});
export type PlotNote = z.infer<typeof PlotNote>;

const ofLocation = z.object({ id: EntityId });
const ofNote = z.object({ id: EntityId, noteId: EntityId });

export const getLocationNotes = endpoint("GET /api/v2/locations/{id}/notes", {
  access: "staff",
  summary: "Notes of a location: active before archived, then newest first",
  params: ofLocation,
  query: z.strictObject({ include_archived: z.optional(z.enum(["true", "false"], "include_archived is true or false")) }),
  data: z.array(LocationNote),
});

// The list, the plots and the location's own numbers.
const changedByNote = ["/locations/{id}/notes", "/nodes/{serial}/notes", "/nodes/{serial}/overview", "/locations/{id}"] as const;

export const createLocationNote = endpoint("POST /api/v2/locations/{id}/notes", {
  access: "staff",
  summary: "Add a note to a location",
  changes: changedByNote,
  params: ofLocation,
  body: NewLocationNote,
  data: LocationNote,
});

export const updateLocationNote = endpoint("PATCH /api/v2/locations/{id}/notes/{noteId}", {
  access: "staff",
  summary: "Change an active note: the fields that are given",
  changes: changedByNote,
  params: ofNote,
  body: LocationNotePatch,
  data: LocationNote,
});

export const archiveLocationNote = endpoint("POST /api/v2/locations/{id}/notes/{noteId}/archive", {
  access: "staff",
  summary: "Archive an active note",
  changes: changedByNote,
  params: ofNote,
  data: LocationNote,
});

export const unarchiveLocationNote = endpoint("DELETE /api/v2/locations/{id}/notes/{noteId}/archive", {
  access: "staff",
  summary: "Make an archived note active again",
  changes: changedByNote,
  params: ofNote,
  data: LocationNote,
});

const epochQuery = (name: string) =>
  z.optional(z.pipe(z.string().check(z.regex(/^\d{1,10}$/, `${name} is a whole number of epoch seconds`)), z.transform(Number)));

export const getNodePlotNotes = endpoint("GET /api/v2/nodes/{serial}/notes", {
  access: "staff",
  summary: "Active notes of where the node was at their time that some plot shows, oldest first, without their details",
  params: z.object({ serial: SerialNumber }),
  query: z.strictObject({ from: epochQuery("from"), to: epochQuery("to") }),
  data: z.array(PlotNote),
});
