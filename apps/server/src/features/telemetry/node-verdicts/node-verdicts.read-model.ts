import { maxPastVerdicts, type NodeVerdict, type PastVerdict, type VerdictEvidence } from "@busbar/contract/telemetry/node-verdicts.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

export interface VerdictOfNode {
  /** Null until the node was judged for the first time. */
  verdict: (NodeVerdict & { evidence: VerdictEvidence[] }) | null;
  /** Newest first. */
  history: PastVerdict[];
}

export function createNodeVerdictsReadModel(pool: Pool) {
  return {
    /** Undefined when there is no such node. */
    async find(serialNumber: number): Promise<VerdictOfNode | undefined> {
      const rows = await prepared<NonNullable<VerdictOfNode["verdict"]> | { kind: null }>(pool, "find-node-verdict", [serialNumber])`
        select v.kind, v.gravity, v.sentence, ${epochSeconds("v.since")} as since, v.evidence
        from node n left join node_verdict v using (serial_number) where n.serial_number = $1`;
      const [row] = rows;
      if (!row) return undefined;
      return { verdict: row.kind === null ? null : row, history: await this.history(serialNumber) };
    },

    async history(serialNumber: number): Promise<PastVerdict[]> {
      return await prepared<PastVerdict>(pool, "list-past-verdicts", [serialNumber])`
        select kind, gravity, sentence, ${epochSeconds("began_at")} as "beganAt", ${epochSeconds("lead(began_at) over (order by began_at)")} as "endedAt"
        from (select * from node_verdict_history where serial_number = $1 order by began_at desc limit ${maxPastVerdicts}) h order by began_at desc`;
    },
  };
}
export type NodeVerdictsReadModel = ReturnType<typeof createNodeVerdictsReadModel>;
