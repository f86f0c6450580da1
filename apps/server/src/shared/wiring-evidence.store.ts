import { measuringNodeTypes } from "@busbar/contract/values/option-lists.ts";
import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";

export const hasPhases = (type: string): boolean => measuringNodeTypes.includes(type);
const placeHasPhasesSql = "coalesce(a.slot = 1 and l.equipment_type <> 'DCMotor', false)";

/** SQL: whether the wiring of node `n` with its assignment `a` and location `l` can be judged: it has phases, and sends their values. */
export const hasPhasesSql = `(n.type in (${measuringNodeTypes.map((type) => `'${type}'`).join(", ")}) and ${placeHasPhasesSql})`;

/** SQL: the evidence of node `n` as `w`, if it was taken where the node is now. */
export const wiringEvidenceJoin = "left join wiring_evidence w on w.serial_number = n.serial_number and w.location_id = l.id";

/** SQL: a wiring that ought to be judged and was not found right. */
export const lacksWiringVerdictSql = `(${hasPhasesSql} and w.outcome is distinct from 'right')`;

/** SQL: the same for a node of any type that has phases. */
export const isWiringOpenSql = `(${placeHasPhasesSql} and w.outcome is distinct from 'right')`;

/** SQL: what was taken of it, in a sentence. */
export const wiringVerdictSql = "coalesce(w.sentence, '')";

/** Of these nodes those that are, or become, Deployed where they are without a wiring that was found right. */
export async function findDeployedUnjudged(
  client: PoolClient,
  serials: readonly string[],
): Promise<{ serialNumber: string; wiringVerdict: string }[]> {
  if (serials.length === 0) return [];
  return await prepared<{ serialNumber: string; wiringVerdict: string }>(client, "find-deployed-unjudged", [serials])`
    select n.serial_number::text as "serialNumber", ${wiringVerdictSql} as "wiringVerdict"
    from node n join node_assignment a using (serial_number) join location l on l.id = a.location_id ${wiringEvidenceJoin}
    where n.serial_number = any($1) and n.new_deployment_status = 'Deployed' and ${lacksWiringVerdictSql} order by 1`;
}
