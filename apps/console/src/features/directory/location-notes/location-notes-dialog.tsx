import type { LocationNote, LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import type { PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { Checkbox } from "@mantine/core";
import { useRef, useState } from "react";
import { EmptyState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Expander } from "#ui/expander.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { TrendsLink } from "#ui/trends-of-location.tsx";
import { useLeave } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useLocationNotes, useNoteChanges, useNotedLocation } from "./location-notes.queries.ts";
import { NoteForm } from "./note-form.tsx";
import { NoteList } from "./note-list.tsx";
import "#ui/status-badge.css";
import "./location-notes.css";

/** NOT-01: one of the three is open at a time. */
type Open = { section: "add" } | { section: "edit"; note: LocationNote } | { section: "list" } | { section: "none" };

const list: Open = { section: "list" };

export function LocationNotesDialog({ locationId, onClose }: { locationId: number; onClose: () => void }) {
  const asked = useNotedLocation(locationId);
  const { data: location } = asked;
  return (
    <Dialog title={location ? `Notes for ${location.name}` : "Notes"} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the location" rows={4} height={60} />} />
      {location && <NotesOf location={location} />}
    </Dialog>
  );
}

function NotesOf({ location }: { location: PlacedLocation }) {
  const { id: locationId, timezone } = location;
  const [open, setOpen] = useState<Open>(list);
  const [withArchived, setWithArchived] = useState(false);
  const outcome = useOutcome();
  const changes = useNoteChanges(locationId);
  const notes = useLocationNotes(locationId, withArchived);
  const listButton = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone or worked: the keyboard goes on at the list.
  const toList = () => listButton.current?.focus();

  const act = (change: () => Promise<unknown>, success: string) => void outcome.run(() => change().then(() => success)).then(toList);
  const saving = (change: (values: LocationNoteForm) => Promise<unknown>) => async (values: LocationNoteForm) => {
    await change(values);
    outcome.say({ kind: "success", text: "Note saved successfully" });
    setOpen(list);
    toList();
  };
  const leave = useLeave();
  // A section that closes forgets what was typed into it.
  const show = (next: Open) => leave(() => setOpen(next));
  const closeEdit = () =>
    leave(() => {
      setOpen(list);
      toList();
    });
  const toggleAdd = () => show(open.section === "add" ? list : { section: "add" });
  const edited = open.section === "edit" ? open.note : undefined;

  return (
    <>
      <p className="dim notes-zone">
        <span>Time zone: {timezone}</span> <TrendsLink location={location} />
      </p>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      <Expander title="Add a new note" isFirst isOpen={open.section === "add"} onToggle={toggleAdd}>
        <NoteForm timezone={timezone} onSave={saving(changes.add)} />
      </Expander>
      <Expander title="Edit a note" isOpen={edited !== undefined} canOpen={false} onToggle={closeEdit}>
        {edited && (
          <NoteForm
            key={edited.id}
            note={edited}
            latest={notes.data?.find(({ id }) => id === edited.id)}
            timezone={timezone}
            onLoad={(note) => setOpen({ section: "edit", note })}
            onSave={saving((values) => changes.update(edited, values))}
          />
        )}
      </Expander>
      <Expander
        title="Current notes"
        buttonRef={listButton}
        isOpen={open.section === "list"}
        onToggle={() => show(open.section === "list" ? { section: "none" } : list)}
      >
        <Checkbox
          label="Show Archived Notes"
          checked={withArchived}
          mb="sm"
          onChange={(event) => setWithArchived(event.currentTarget.checked)}
        />
        <CurrentNotes
          notes={notes}
          timezone={timezone}
          withArchived={withArchived}
          isWorking={outcome.isWorking}
          onEdit={(note) => setOpen({ section: "edit", note })}
          onArchive={(note) => act(() => changes.archive(note), "Note archived successfully")}
          onUnarchive={(note) => act(() => changes.unarchive(note), "Note unarchived successfully")}
        />
      </Expander>
    </>
  );
}

interface CurrentNotesProps {
  notes: ReturnType<typeof useLocationNotes>;
  timezone: string;
  withArchived: boolean;
  isWorking: boolean;
  onEdit: (note: LocationNote) => void;
  onArchive: (note: LocationNote) => void;
  onUnarchive: (note: LocationNote) => void;
}

function CurrentNotes({ notes, withArchived, ...rest }: CurrentNotesProps) {
  return (
    <Loaded of={notes} loading={<LoadingRows label="Loading the notes" rows={3} height={60} />}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState title={withArchived ? "This location has no notes" : "This location has no active notes. Add one above."} />
        ) : (
          <NoteList notes={all} {...rest} />
        )
      }
    </Loaded>
  );
}
