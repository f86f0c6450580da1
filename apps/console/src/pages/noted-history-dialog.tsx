import { usePlotNotes } from "#features/directory/location-notes/location-notes.queries.ts";
import { HistoryDialog, type HistoryDialogProps } from "#features/telemetry/scalar-history/history-dialog.tsx";

/** A node's history with the notes of its location. */
export function NotedHistoryDialog(props: Omit<HistoryDialogProps, "notes">) {
  return <HistoryDialog {...props} notes={usePlotNotes(props.serial)} />;
}
