import type { LocationNote } from "@busbar/contract/directory/location-notes.ts";

export interface LocationNoteRow {
  id: number;
  ts: number;
  note: string;
  details: string;
  author_user_id: number | null;
  updated_at: number;
  first_name: string | null;
  last_name: string | null;
  is_archived: boolean;
  show_in_voltage_plot: boolean;
  show_in_current_plot: boolean;
  show_in_accumulated_amp_hours_plot: boolean;
  revision: number;
}

export function toLocationNote(row: LocationNoteRow): LocationNote {
  return {
    id: row.id,
    timestamp: row.ts,
    note: row.note,
    details: row.details,
    authorUserId: row.author_user_id,
    updatedTimestamp: row.updated_at,
    firstName: row.first_name ?? "",
    lastName: row.last_name ?? "",
    isArchived: row.is_archived,
    showInVoltagePlot: row.show_in_voltage_plot,
    showInCurrentPlot: row.show_in_current_plot,
    showInAccumulatedAmpHoursPlot: row.show_in_accumulated_amp_hours_plot,
    revision: row.revision,
  };
}
