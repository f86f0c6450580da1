import type { LocationNote, LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import type { PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useLocationNotes, useNoteChanges, useNotedLocation } from "./location-notes.queries.ts";
import { NoteForm } from "./note-form.tsx";
import "./location-notes.css";

interface NoteDialogProps {
  locationId: number;
  noteId: number;
  onClose: () => void;
}

/** One note, to be edited. */
export function NoteDialog({ locationId, noteId, onClose }: NoteDialogProps) {
  const asked = useNotedLocation(locationId);
  const { data: location } = asked;
  return (
    <Dialog title={location ? `Note for ${location.name}` : "Note"} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label="Loading the location" fields={4} />} />
      {location && <NoteOf location={location} noteId={noteId} onSaved={onClose} />}
    </Dialog>
  );
}

interface NoteOfProps {
  location: PlacedLocation;
  noteId: number;
  onSaved: () => void;
}

function NoteOf({ location: { id: locationId, timezone }, noteId, onSaved }: NoteOfProps) {
  const asked = useLocationNotes(locationId, true);
  const { data } = asked;
  const changes = useNoteChanges(locationId);
  const outcome = useOutcome();
  const note = data?.find(({ id }) => id === noteId);
  if (!data) return <Loaded of={asked} loading={<LoadingForm label="Loading the note" fields={4} />} />;
  if (!note) return <p>This note was deleted since.</p>;
  const unarchive = () => void outcome.run(() => changes.unarchive(note).then(() => "Note unarchived successfully"));
  return (
    <>
      <p className="dim notes-zone">Time zone: {timezone}</p>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      {note.isArchived ? (
        <p>
          This note was archived since.{" "}
          <Button variant="default" loading={outcome.isWorking} onClick={unarchive}>
            Unarchive note
          </Button>
        </p>
      ) : (
        <NoteEdit latest={note} timezone={timezone} onSave={(saved, values) => changes.update(saved, values).then(onSaved)} />
      )}
    </>
  );
}

interface NoteEditProps {
  latest: LocationNote;
  timezone: string;
  onSave: (saved: LocationNote, values: LocationNoteForm) => Promise<void>;
}

/** The form goes on with the note that it began with, whoever saves it meanwhile. */
function NoteEdit({ latest, timezone, onSave }: NoteEditProps) {
  const [note, setNote] = useState(latest);
  return <NoteForm note={note} latest={latest} timezone={timezone} onLoad={setNote} onSave={(values) => onSave(note, values)} />;
}
