import type { LocationNote } from "@busbar/contract/directory/location-notes.ts";
import { ActionIcon, Group } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconPencil } from "@tabler/icons-react";
import { DateTime } from "#ui/date-time.tsx";
import { authorOf } from "./note-values.ts";

export interface NoteListProps {
  notes: readonly LocationNote[];
  timezone: string;
  isWorking: boolean;
  onEdit: (note: LocationNote) => void;
  onArchive: (note: LocationNote) => void;
  onUnarchive: (note: LocationNote) => void;
}

/** NOT-03, in the server's order. */
export function NoteList({ notes, timezone, isWorking, onEdit, onArchive, onUnarchive }: NoteListProps) {
  return (
    <ul className="bare-list" aria-label="Notes">
      {notes.map((note) => (
        <li key={note.id} className={note.isArchived ? "note is-archived" : "note"}>
          <Group gap={8}>
            <b className="mono">
              <DateTime timestamp={note.timestamp} timezone={timezone} />
            </b>
            {note.isArchived && <span className="status-badge status-plain">Archived</span>}
            <Group gap={4} className="note-actions">
              {note.isArchived ? (
                <NoteAction label="Unarchive note" icon={IconArchiveOff} isDisabled={isWorking} onClick={() => onUnarchive(note)} />
              ) : (
                <>
                  <NoteAction label="Edit note" icon={IconPencil} isDisabled={isWorking} onClick={() => onEdit(note)} />
                  <NoteAction label="Archive note" icon={IconArchive} isDisabled={isWorking} onClick={() => onArchive(note)} />
                </>
              )}
            </Group>
          </Group>
          <p className="note-text">{note.note}</p>
          {note.details !== "" && (
            <p className="note-text note-details">
              <span className="note-label">Details</span> {note.details}
            </p>
          )}
          <p className="dim note-foot">
            {plotsOf(note)}. Updated by {authorOf(note)} at <DateTime timestamp={note.updatedTimestamp} timezone={timezone} />
          </p>
        </li>
      ))}
    </ul>
  );
}

interface NoteActionProps {
  label: string;
  icon: typeof IconPencil;
  isDisabled: boolean;
  onClick: () => void;
}

function NoteAction({ label, icon: Icon, isDisabled, onClick }: NoteActionProps) {
  return (
    <ActionIcon variant="default" size="sm" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

function plotsOf({ showInVoltagePlot, showInCurrentPlot, showInAccumulatedAmpHoursPlot }: LocationNote): string {
  const plots = [
    ...(showInVoltagePlot ? ["voltage"] : []),
    ...(showInCurrentPlot ? ["current"] : []),
    ...(showInAccumulatedAmpHoursPlot ? ["accumulated amp hours"] : []),
  ];
  return plots.length === 0 ? "In no plot" : `In plots of ${plots.join(", ")}`;
}
