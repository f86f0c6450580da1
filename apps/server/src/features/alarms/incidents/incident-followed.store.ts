import { causeOfAlarm, type IncidentKind, type JudgedNode, type Occurrence } from "@busbar/alarms/incidents/occurrences.ts";
import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { timelineSql } from "#db/timeline-sql.ts";

interface EvidenceRow {
  serial: number;
  facilityId: number | null;
  evidence: { kind: string; gravity: string; since: number | null }[];
}

interface AlarmRow {
  serial: number;
  facilityId: number | null;
  kind: string;
  raisedAt: number;
  clearedAt: number | null;
}

const place = "left join node_assignment a using (serial_number) left join location l on l.id = a.location_id";

/** Reads what incidents are made of: what changed since, by the transaction watermark (decision 0002). Times are epoch seconds. */
export function createIncidentFollowedStore(pool: Pool) {
  const read = async <Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
    await prepared<Row>(pool, name, values)`${text}`;

  return {
    async watermark(): Promise<{ xid: number; timeline: string | null }> {
      const [row] = await read<{ xid: number; timeline: string | null }>(
        "incident-watermark",
        `select pg_snapshot_xmin(pg_current_snapshot())::text::float8 as xid, ${timelineSql} as timeline`,
      );
      if (!row) throw new Error("The database gave no watermark");
      return row;
    },

    async verdicts(sinceXid: number): Promise<JudgedNode[]> {
      const rows = await read<EvidenceRow>(
        "incident-verdicts",
        `select serial_number as serial, l.facility_id as "facilityId", v.evidence from node_verdict v ${place} where v.changed_xid >= $1::text::xid8`,
        [String(sinceXid)],
      );
      return rows.map(({ serial, facilityId, evidence }) => ({
        serial,
        facilityId: facilityId ?? undefined,
        evidence: evidence.map(({ since, ...rest }) => ({ ...rest, since: since ?? undefined })),
      }));
    },

    /** @param from at the begin, when all are new: those that are open or were so since then */
    async alarms(sinceXid: number, from: number): Promise<Occurrence[]> {
      const rows = await read<AlarmRow>(
        "incident-alarms",
        `select serial_number as serial, l.facility_id as "facilityId", m.kind, ${exactEpoch("m.raised_at")} as "raisedAt",
           ${exactEpoch("m.cleared_at")} as "clearedAt" from alarm m ${place}
         where m.changed_xid >= $1::text::xid8 and (m.cleared_at is null or m.cleared_at > to_timestamp($2))`,
        [String(sinceXid), from],
      );
      return rows.map(({ serial, facilityId, kind, raisedAt, clearedAt }) => ({
        cause: causeOfAlarm(kind, serial, facilityId ?? undefined),
        serial,
        beganAt: raisedAt,
        endedAt: clearedAt ?? undefined,
      }));
    },

    /** What lasts by the open incidents, as it was last written down. */
    async open(): Promise<(Occurrence & { isOver: boolean })[]> {
      const rows = await read<{
        key: string;
        kind: IncidentKind;
        alarmKind: string;
        facilityId: number | null;
        serial: number;
        beganAt: number;
        isOver: boolean;
      }>(
        "incident-open-members",
        `select i.cause as key, i.kind, i.alarm_kind as "alarmKind", i.facility_id as "facilityId", m.serial_number as serial,
           ${exactEpoch("m.last_began_at")} as "beganAt", i.kind = 'alarm' and not exists (
             select from alarm where serial_number = m.serial_number and kind = i.alarm_kind and cleared_at is null) as "isOver"
         from incident i join incident_member m on m.incident_id = i.id where i.ended_at is null and m.ended_at is null`,
      );
      return rows.map(({ key, kind, alarmKind, facilityId, serial, beganAt, isOver }) => ({
        cause: { key, kind, alarmKind, facilityId: facilityId ?? undefined },
        serial,
        beganAt,
        endedAt: undefined,
        isOver,
      }));
    },

    /** Open ones that may end by now: quiet since then, or of nodes that are gone. */
    async quiet(calmUntil: number): Promise<Occurrence["cause"][]> {
      const rows = await read<{ key: string; kind: IncidentKind; alarmKind: string; facilityId: number | null }>(
        "incident-quiet",
        `select cause as key, kind, alarm_kind as "alarmKind", facility_id as "facilityId" from incident i
         where ended_at is null and (calm_since <= to_timestamp($1)
           or (calm_since is null and not exists (select from incident_member where incident_id = i.id and ended_at is null)))`,
        [calmUntil],
      );
      return rows.map(({ facilityId, ...cause }) => ({ ...cause, facilityId: facilityId ?? undefined }));
    },
  };
}
export type IncidentFollowedStore = ReturnType<typeof createIncidentFollowedStore>;
