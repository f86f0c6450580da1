import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { nodeExists } from "#db/node-exists.ts";
import { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { selectList } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";

/** More would only hide the plot. */
const maxNotes = 200;

const columns = selectList(PlotNote, "n", { timestamp: epochSeconds("n.ts") });

export interface PlotNoteSpan {
  /** Epoch seconds, both included. */
  from: number | undefined;
  to: number | undefined;
}

/** NOT-06: reads what plots show and nothing else. */
export function createPlotNotesReadModel(pool: Pool) {
  return {
    /**
     * The newest notes of where the node was at their time, oldest first; undefined when there is no such node. Of a time before
     * anything is known of the node's places, its present one counts.
     */
    async find(serialNumber: number, { from, to }: PlotNoteSpan): Promise<PlotNote[] | undefined> {
      const rows = await prepared<PlotNote>(pool, "plot-notes", [serialNumber, from ?? null, to ?? null])`
        select p.* from node k cross join lateral (
          select ${columns} from location_note n
          where n.location_id in (select location_id from node_assignment where serial_number = k.serial_number
              union select location_id from node_placement where serial_number = k.serial_number)
            and coalesce(
              (select n.location_id = p.location_id from node_placement p
               where p.serial_number = k.serial_number and p.started_at <= n.ts and (p.ended_at is null or p.ended_at > n.ts) limit 1),
              exists (select from node_assignment a where a.serial_number = k.serial_number and a.location_id = n.location_id))
            and not n.is_archived
            and (n.show_in_voltage_plot or n.show_in_current_plot or n.show_in_accumulated_amp_hours_plot)
            and ($2::float8 is null or n.ts >= to_timestamp($2)) and ($3::float8 is null or n.ts <= to_timestamp($3))
          order by n.ts desc, n.id desc limit ${maxNotes}) p
        where k.serial_number = $1`;
      if (rows.length > 0) return rows.toReversed();
      return (await nodeExists(pool, serialNumber)) ? [] : undefined;
    },
  };
}
export type PlotNotesReadModel = ReturnType<typeof createPlotNotesReadModel>;
