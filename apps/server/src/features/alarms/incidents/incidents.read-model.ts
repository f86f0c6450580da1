import {
  Incident,
  incidentsPerPage,
  mostCountedMessages,
  mostListedMembers,
  mostListedMessages,
  mostNotes,
  type getIncidents,
  type IncidentDetails,
  type IncidentMember,
  type IncidentMessage,
  type IncidentNote,
} from "@busbar/contract/alarms/incidents.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { planned, prepared, type Db } from "#db/statement.ts";

export type IncidentFilter = HandlerInput<typeof getIncidents>["query"];

const isWithin = (at: string) => `${at} >= i.began_at and ${at} < coalesce(i.ended_at + interval '1 second', 'infinity')`;
/** Messages about what happened to its nodes while it lasted: each for each of these nodes. */
const messages = `from notification_subject s join incident_member sm on sm.incident_id = i.id and sm.serial_number = s.serial_number
  join notification n on n.id = s.notification_id
  where s.topic = case when i.kind = 'alarm' then i.alarm_kind else 'link' end and i.kind in ('outage', 'link', 'alarm')
    and ${isWithin("s.at")}`;
/** Those that were sent or held back, each once: for the first of its nodes. Read one by one, so that a limit ends the reading. */
const settledMessages = `${messages} and (n.sent_at is not null or n.next_attempt_at is null) and not exists (
    select from notification_subject e join incident_member em on em.incident_id = i.id and em.serial_number = e.serial_number
    where e.notification_id = s.notification_id and e.topic = s.topic and e.serial_number < s.serial_number and ${isWithin("e.at")})`;

const columns = selectList(Incident, "i", {
  serialNumber: "case when g.nodes = 1 then g.serial::text end",
  facilityId: "f.id",
  customerName: "coalesce(c.name, '')",
  facilityName: "coalesce(f.name, '')",
  locationName: "coalesce(case when g.nodes = 1 then l.name end, '')",
  timezone: "coalesce(l.timezone, (select min(timezone) from location where facility_id = f.id having count(distinct timezone) = 1))",
  nodeCount: "g.nodes",
  openNodeCount: "g.open",
  occurrenceCount: "g.occurrences",
  beganTimestamp: epochSeconds("i.began_at"),
  calmTimestamp: epochSeconds("i.calm_since"),
  endedTimestamp: epochSeconds("i.ended_at"),
  owner: "coalesce(o.username, '')",
  acknowledgedBy: "coalesce(k.username, '')",
  acknowledgedTimestamp: epochSeconds("i.acknowledged_at"),
  noteCount: "(select count(*)::int4 from incident_note where incident_id = i.id)",
  sentCount: "m.sent",
  heldCount: "m.held",
  isMuted: "g.muted",
});
const beside = (countedMessages: string) => `cross join lateral (
    select count(*)::int4 as nodes, (count(*) filter (where ended_at is null))::int4 as open, coalesce(sum(count), 0)::int4 as occurrences,
      min(serial_number) as serial, coalesce(bool_and(v.gravity = 'note') filter (where ended_at is null), false) as muted
    from incident_member left join node_verdict v using (serial_number) where incident_id = i.id) g
  cross join lateral (select (count(*) filter (where is_sent))::int4 as sent, (count(*) filter (where not is_sent))::int4 as held
    from (select n.sent_at is not null as is_sent ${settledMessages} ${countedMessages}) n) m
  left join node_assignment a on g.nodes = 1 and a.serial_number = g.serial left join location l on l.id = a.location_id
  left join facility f on f.id = i.facility_id left join customer c on c.id = f.customer_id
  left join app_user o on o.id = i.owner_id left join app_user k on k.id = i.acknowledged_by`;

export function createIncidentsReadModel(db: Db) {
  return {
    async list({ state, kind, serial, facility, owner, from, to, before }: IncidentFilter): Promise<Incident[]> {
      const values: unknown[] = [];
      const conditions: string[] = [];
      const where = (condition: (parameter: string) => string, value: unknown) =>
        value !== undefined && conditions.push(condition(`$${values.push(value)}`));
      where((name) => `id < ${name}`, before);
      where((name) => `kind = ${name}`, kind);
      where((name) => `id in (select incident_id from incident_member where serial_number = ${name}::int4)`, serial);
      where((name) => `facility_id = ${name}`, facility);
      where((name) => `owner_id = (select id from app_user where username = ${name})`, owner);
      where((name) => `coalesce(ended_at >= to_timestamp(${name}), true)`, from);
      where((name) => `began_at < to_timestamp(${name})`, to);
      if (state !== undefined) conditions.push(`ended_at is ${state === "ended" ? "not " : ""}null`);
      if (state === "new") conditions.push("acknowledged_at is null");
      const filter = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
      return await planned<Incident>(db, "list-incidents", values)`
        select ${columns} from (select * from incident ${filter} order by id desc limit ${incidentsPerPage}) i ${beside(`limit ${mostCountedMessages}`)} order by i.id desc`;
    },

    async find(id: number): Promise<IncidentDetails | undefined> {
      const rows = await prepared<Incident>(db, "find-incident", [id])`select ${columns} from incident i ${beside("")} where i.id = $1`;
      const [incident] = rows;
      if (!incident) return undefined;
      const of = async <Row extends object>(name: string, text: string): Promise<Row[]> => await prepared<Row>(db, name, [id])`${text}`;
      return {
        incident,
        members: await of<IncidentMember>(
          "incident-members",
          `select m.serial_number::text as "serialNumber", coalesce(l.name, '') as "locationName", ${epochSeconds("m.began_at")} as "beganTimestamp",
             ${epochSeconds("m.ended_at")} as "endedTimestamp", m.count
           from incident_member m left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
           where m.incident_id = $1 order by m.ended_at is not null, m.serial_number limit ${mostListedMembers}`,
        ),
        notes: await of<IncidentNote>(
          "incident-notes",
          `select t.id, ${epochSeconds("t.at")} as timestamp, coalesce(u.username, '') as author, t.note
           from incident_note t left join app_user u on u.id = t.author_id
           where t.id in (select id from incident_note where incident_id = $1 order by id desc limit ${mostNotes}) order by t.id`,
        ),
        messages: await of<IncidentMessage>(
          "incident-messages",
          `select distinct n.id::float8 as id, ${epochSeconds("n.created_at")} as timestamp, n.subject, ${epochSeconds("n.sent_at")} as "sentTimestamp",
             case when n.sent_at is null then coalesce(n.sent_failed_reason, '') else '' end as reason
           from incident i cross join lateral (select n.* ${messages}) n where i.id = $1 order by 1 desc limit ${mostListedMessages}`,
        ),
      };
    },

    /** Staff who may sign in. */
    async people(): Promise<{ username: string }[]> {
      return await prepared<{ username: string }>(db, "incident-people")`
        select username from app_user where is_administrator and not demo_user and active_status = 'ACTIVE' order by username`;
    },
  };
}
