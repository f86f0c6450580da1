import { mostCountedMessages, type Incident } from "@busbar/contract/alarms/incidents.ts";
import { Button, Input, TextInput } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import type { Column } from "#ui/column.ts";
import { DateTime } from "#ui/date-time.tsx";
import { DayFields } from "#ui/day-fields.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { NewestTable } from "#ui/newest-rows.tsx";
import { Autocomplete } from "#ui/select.tsx";
import { gravityShapes } from "#ui/verdict-words.tsx";
import { incidentQueryOf, kindChoices, noIncidentFilter, stateChoices, type IncidentFilter } from "./incident-filter.ts";
import { incidentGravity, incidentKindLabels, incidentTitle } from "./incident-words.ts";
import { useIncidentPeople, useIncidents } from "./incidents.queries.ts";
import "./incidents.css";

export interface IncidentListProps {
  filter: IncidentFilter;
  onFilter: (filter: IncidentFilter) => void;
}

/** What belongs together of what happened: those that are open, unless others are asked for. */
export function IncidentList({ filter, onFilter }: IncidentListProps) {
  const list = useIncidents(incidentQueryOf(filter));
  const isFiltered = Object.values(filter).some((text) => text !== "");
  return (
    <>
      <h1 className="page-title">Incidents</h1>
      <Filter filter={filter} set={(part) => onFilter({ ...filter, ...part })} />
      <NewestTable
        list={list}
        noun="incident"
        nouns="incidents"
        none="No incident is open"
        noMatch="No incident matches"
        onClear={isFiltered ? () => onFilter(noIncidentFilter) : undefined}
        columns={columns}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function Filter({ filter, set }: { filter: IncidentFilter; set: (part: Partial<IncidentFilter>) => void }) {
  const { data: people = [] } = useIncidentPeople();
  return (
    <search className="incident-filter no-print">
      <ChoiceBar label="Show" isLabelShown choices={stateChoices} value={filter.state} onChoose={(state) => set({ state })} />
      <NativeSelect
        label="Kind"
        data={kindChoices}
        value={filter.kind}
        w={130}
        onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
      />
      <TextInput
        label="Node"
        placeholder="Serial number"
        value={filter.serial}
        maxLength={5}
        inputMode="numeric"
        w={120}
        onChange={({ currentTarget }) => set({ serial: currentTarget.value })}
      />
      <Autocomplete
        label="Owner"
        placeholder="Anyone"
        data={people}
        value={filter.owner}
        maxLength={64}
        limit={50}
        w={150}
        onChange={(owner) => set({ owner })}
      />
      <DayFields days={filter} onDays={set} isLabelShown />
      {filter.facility !== "" && (
        <Input.Wrapper label="Facility" labelElement="div">
          <Button
            variant="default"
            display="block"
            aria-label={`Only facility ${filter.facility}: show all`}
            onClick={() => set({ facility: "" })}
          >
            Only one facility ✕
          </Button>
        </Input.Wrapper>
      )}
    </search>
  );
}

/** Its title as a link, with the shape of its gravity. */
export function IncidentLink({ incident }: { incident: Incident }) {
  const { shape, className } = gravityShapes[incidentGravity(incident)];
  return (
    <>
      <span className={className} aria-hidden="true">
        {shape}
      </span>{" "}
      <a href={`#/incidents/${incident.id}`}>{incidentTitle(incident)}</a>
    </>
  );
}

const placeOf = ({ customerName, facilityName, locationName }: Incident): string =>
  [customerName, facilityName, locationName].filter(Boolean).join(" / ") || "No location";

function stateOf({ endedTimestamp, calmTimestamp, isMuted, openNodeCount, nodeCount }: Incident): string {
  if (endedTimestamp !== null) return "Over";
  if (calmTimestamp !== null) return "Quiet";
  const which = nodeCount > 1 ? ` ${openNodeCount} of ${nodeCount}` : "";
  return `${isMuted ? "Muted" : "Lasts"}${which}`;
}

function End({ incident: { endedTimestamp, calmTimestamp, timezone } }: { incident: Incident }) {
  const at = endedTimestamp ?? calmTimestamp;
  return at === null ? "" : <DateTime timestamp={at} timezone={timezone} />;
}

/** Where more messages are than are counted, at least how many of them were sent. */
const sentOf = ({ sentCount, heldCount }: Incident): string =>
  sentCount + heldCount < mostCountedMessages ? String(sentCount) : `${Math.min(sentCount, mostCountedMessages - 1)}+`;

const columns: readonly Column<Incident>[] = [
  {
    label: "Incident",
    text: incidentTitle,
    cell: (incident) => (
      <div>
        <IncidentLink incident={incident} />
        <div className="dim incident-place">{placeOf(incident)}</div>
      </div>
    ),
    isRowHead: true,
  },
  { label: "Kind", text: ({ kind }) => incidentKindLabels[kind], width: 100 },
  { label: "State", text: stateOf, width: 120 },
  {
    label: "Began",
    text: ({ beganTimestamp }) => formatDateTime(beganTimestamp),
    cell: ({ beganTimestamp, timezone }) => <DateTime timestamp={beganTimestamp} timezone={timezone} />,
    className: "tabular",
    width: 205,
  },
  {
    label: "Ended",
    text: ({ endedTimestamp }) => (endedTimestamp === null ? null : formatDateTime(endedTimestamp)),
    cell: (incident) => <End incident={incident} />,
    className: "tabular",
    width: 205,
  },
  { label: "Times", text: ({ occurrenceCount }) => occurrenceCount, width: 70 },
  { label: "Messages", text: sentOf, isRight: true, width: 90 },
  {
    label: "Owner",
    text: ({ owner, acknowledgedBy }) => owner || (acknowledgedBy === "" ? "" : `acknowledged by ${acknowledgedBy}`),
    width: 130,
  },
];
