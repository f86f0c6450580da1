import { incidentKinds, incidentStates } from "@busbar/contract/alarms/incidents.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { timesOfDays } from "#lib/chosen-days.ts";
import { isObjectId } from "#lib/object-id.ts";
import { incidentKindLabels } from "./incident-words.ts";
import type { IncidentQuery } from "./incidents.queries.ts";

export const incidentFilterNames = ["state", "kind", "serial", "facility", "owner", "from", "to"] as const;
/** As it is in the address; an empty text is any, but for the state: those that are open. */
export type IncidentFilter = Record<(typeof incidentFilterNames)[number], string>;

export const noIncidentFilter: IncidentFilter = { state: "", kind: "", serial: "", facility: "", owner: "", from: "", to: "" };

export const anyState = "all";
export const stateChoices = [
  { value: "", label: "Open" },
  { value: "new", label: "Not acknowledged" },
  { value: "ended", label: "Over" },
  { value: anyState, label: "All" },
];
export const kindChoices = [
  { value: "", label: "All kinds" },
  ...incidentKinds.map((kind) => ({ value: kind, label: incidentKindLabels[kind] })),
];

const valuesOf = (choices: readonly { value: string }[]) => choices.map(({ value }) => value);
/** What the address may say: an unknown state or kind would be shown by no choice. */
export const incidentFilterChoices = { state: valuesOf(stateChoices), kind: valuesOf(kindChoices) };

/** What the server is asked for; what it does not know is left out. */
export function incidentQueryOf({ state, kind, serial, facility, owner, ...days }: IncidentFilter): IncidentQuery {
  const known = incidentStates.find((name) => name === state) ?? (state === anyState ? undefined : "open");
  const knownKind = incidentKinds.find((name) => name === kind);
  return {
    ...(known ? { state: known } : {}),
    ...(knownKind ? { kind: knownKind } : {}),
    ...(serialNumberPattern.test(serial.trim()) ? { serial: serial.trim() } : {}),
    ...(isObjectId(facility) ? { facility } : {}),
    ...(owner.trim() === "" ? {} : { owner: owner.trim() }),
    ...timesOfDays(days),
  };
}
