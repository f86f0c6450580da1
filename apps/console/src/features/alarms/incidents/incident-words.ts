import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import type { Incident, IncidentKind } from "@busbar/contract/alarms/incidents.ts";

export const incidentKindLabels: Readonly<Record<IncidentKind, string>> = {
  outage: "Outage",
  link: "Connection",
  silent: "Silence",
  sensor: "Sensor",
  alarm: "Alarm",
};

const alarmNames = new Map(defaultFaultLibraryFlags.map(({ name, display_name }) => [name, display_name]));

type Named = Pick<Incident, "kind" | "alarmKind" | "serialNumber" | "facilityName">;

/** What happened where, such as `Outage of North Works` or `Over-voltage at node 10604`. */
export function incidentTitle({ kind, alarmKind, serialNumber, facilityName }: Named): string {
  const facility = facilityName === "" ? "a facility that is gone" : facilityName;
  if (kind === "outage") return `Outage of ${facility}`;
  const where = serialNumber === null ? facility : `node ${serialNumber}`;
  if (kind === "link") return `Lost connection of ${where}`;
  if (kind === "silent") return `Silence of ${where}`;
  if (kind === "sensor") return `Sensor fault at ${where}`;
  return `${alarmNames.get(alarmKind) ?? alarmKind} at ${where}`;
}

/** Red asks for action; what someone knows of, and what is quiet, does not. */
export function incidentGravity(incident: Pick<Incident, "endedTimestamp" | "calmTimestamp" | "acknowledgedTimestamp" | "isMuted">) {
  if (incident.endedTimestamp !== null) return "fine";
  if (incident.isMuted) return "note";
  return incident.calmTimestamp === null && incident.acknowledgedTimestamp === null ? "act" : "look";
}
