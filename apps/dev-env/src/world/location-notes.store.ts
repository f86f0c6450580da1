import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";
import { demoNotes } from "./location-notes.ts";

/** Written by one of the demo's administrators. */
export async function seedLocationNotes(client: PoolClient, now: number): Promise<void> {
  await planned(client, "demo-location-notes", [JSON.stringify(demoNotes), now])`
    insert into location_note (location_id, ts, note, details, author_user_id, updated_by, updated_at, is_archived,
      show_in_voltage_plot, show_in_current_plot, show_in_accumulated_amp_hours_plot)
    select l.id, to_timestamp($2 - 60 * r."minutesAgo"), r.note, coalesce(r.details, ''), u.id, u.id, to_timestamp($2 - 60 * r."minutesAgo" + 30),
      coalesce(r."isArchived", false), coalesce(r."showInVoltagePlot", true), coalesce(r."showInCurrentPlot", true),
      coalesce(r."showInAccumulatedAmpHoursPlot", true)
    from jsonb_to_recordset($1) as r(location text, "minutesAgo" float8, note text, details text, "isArchived" boolean,
      "showInVoltagePlot" boolean, "showInCurrentPlot" boolean, "showInAccumulatedAmpHoursPlot" boolean)
    join location l on l.name = r.location left join app_user u on u.username = 'staff'`;
}
