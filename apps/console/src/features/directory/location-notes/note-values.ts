import { LocationNoteForm, type LocationNote } from "@busbar/contract/directory/location-notes.ts";
import type { FieldErrors, Resolver } from "react-hook-form";
import { enterInstant, instantOf, type EnteredInstant } from "#lib/entered-instant.ts";

/** What the form holds: the timestamp as text of the location's clocks. */
export type NoteValues = Omit<LocationNoteForm, "timestamp"> & { timestamp: string };

export const noteDefaults = (note: LocationNote | undefined, entered: EnteredInstant): NoteValues => ({
  timestamp: entered.text,
  note: note?.note ?? "",
  details: note?.details ?? "",
  showInVoltagePlot: note?.showInVoltagePlot ?? true,
  showInCurrentPlot: note?.showInCurrentPlot ?? true,
  showInAccumulatedAmpHoursPlot: note?.showInAccumulatedAmpHoursPlot ?? true,
});

export const enteredOf = (note: LocationNote | undefined, timezone: string, now: number): EnteredInstant =>
  enterInstant(note?.timestamp ?? now, timezone);

export const authorOf = ({ firstName, lastName }: LocationNote): string => `${firstName} ${lastName}`.trim() || "a former user";

type ReadNote = { note: LocationNoteForm; errors: undefined } | { note: undefined; errors: FieldErrors<NoteValues> };

/** NOT-04: the contract's rules, with the timestamp read in the location's zone (COM-08). */
export function readNote(values: NoteValues, entered: EnteredInstant): ReadNote {
  const instant = instantOf(values.timestamp, entered.timezone, entered);
  const result = LocationNoteForm.safeParse({ ...values, timestamp: "timestamp" in instant ? Math.floor(instant.timestamp) : 0 });
  if (result.success) return { note: result.data, errors: undefined };
  const errors: FieldErrors<NoteValues> = {};
  for (const { path, message } of result.error.issues) {
    const field = path[0] as keyof NoteValues;
    errors[field] ??= { type: "rule", message: field === "timestamp" && "problem" in instant ? instant.problem : message };
  }
  return { note: undefined, errors };
}

export function noteResolver(entered: EnteredInstant): Resolver<NoteValues> {
  return (values) => {
    const { errors } = readNote(values, entered);
    return errors ? { values: {}, errors } : { values, errors: {} };
  };
}
