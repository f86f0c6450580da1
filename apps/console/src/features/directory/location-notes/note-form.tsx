import type { LocationNote, LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import { Group, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import { serverClock } from "#lib/server-clock.ts";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { DateTimeField } from "#ui/date-time-field.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { MultiLineField } from "#ui/text-field.tsx";
import { authorOf, enteredOf, noteDefaults, noteResolver, readNote, type NoteValues } from "./note-values.ts";

export interface NoteFormProps {
  /** The note to change; a new one without. */
  note?: LocationNote;
  /** As it is now, whoever saved it. */
  latest?: LocationNote | undefined;
  timezone: string;
  onLoad?: (note: LocationNote) => void;
  onSave: (note: LocationNoteForm) => Promise<void>;
}

/** NOT-04 */
export function NoteForm({ note, latest, timezone, onLoad, onSave }: NoteFormProps) {
  const begin = (from: LocationNote | undefined) => enteredOf(from, timezone, Math.floor(serverClock.nowSeconds()));
  const [entered, setEntered] = useState(() => begin(note));
  const old = usePutBack(`note/${note?.id}`);
  const before = note && old && { ...note, ...old };
  const form = useSaveForm<NoteValues>({
    resolver: noteResolver(entered),
    defaultValues: noteDefaults(note, entered),
    putBack: before && noteDefaults(before, begin(before)),
  });
  const { control, setFocus } = form;
  const isEdited = note !== undefined;
  // The pencil that was pressed went with the list.
  useEffect(() => {
    if (isEdited) setFocus("note");
  }, [isEdited, setFocus]);
  const save = form.saving(async (values) => {
    const { note: read } = readNote(values, entered);
    if (!read) return undefined;
    await onSave(read);
    return undefined;
  });
  const reload = form.reloadOf({
    noun: "note",
    by: latest && { name: authorOf(latest), timestamp: latest.updatedTimestamp },
    saved: note,
    latest,
    valuesOf: (item) => noteDefaults(item, begin(item)),
    onLoad: (item) => {
      setEntered(begin(item));
      onLoad?.(item);
    },
  });
  return (
    <SaveForm form={form} onSubmit={save} saveLabel={note ? "Update" : "Add"} label={note ? "Edit note" : "New note"} reload={reload}>
      <Stack gap="sm">
        <DateTimeField
          control={control}
          name="timestamp"
          label="Date and time"
          timezone={timezone}
          original={entered}
          isRequired
          maw={340}
        />
        <MultiLineField
          control={control}
          name="note"
          label="Note"
          description="Displayed on plots"
          isRequired
          autosize
          minRows={2}
          maxRows={8}
        />
        <MultiLineField
          control={control}
          name="details"
          label="Details"
          description="Internal: never on plots, never for customers"
          autosize
          minRows={2}
          maxRows={8}
        />
        <Group gap="lg">
          <CheckboxField control={control} name="showInVoltagePlot" label="Show in voltage plot" />
          <CheckboxField control={control} name="showInCurrentPlot" label="Show in current plot" />
          <CheckboxField control={control} name="showInAccumulatedAmpHoursPlot" label="Show in accumulated amp hours plot" />
        </Group>
      </Stack>
    </SaveForm>
  );
}
