import type { RecordedEvent } from "@busbar/contract/files/recorded-events.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { Column } from "#ui/column.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { eventHref, type EventFilter } from "./event-filter.ts";
import { EventPicture } from "./event-picture.tsx";
import { durationText, figureText, lookOf, machineOf } from "./event-words.ts";

/** A relay's clock may be a little ahead. */
const tolerableSeconds = 300;

export interface EventActions {
  filter: EventFilter;
}

export const timeText = ({ timestamp, timezone }: RecordedEvent): string => formatDateTime(timestamp, timezone ?? "UTC");

/** Events are in the order in which they happened, each by the clocks of its place: where these are not the reader's, both are shown. */
function OwnTime({ event }: { event: RecordedEvent }) {
  const own = formatDateTime(event.timestamp);
  return own === timeText(event) ? null : <div className="event-small dim">{own}, yours</div>;
}

export const eventColumns: readonly Column<RecordedEvent, EventActions>[] = [
  {
    label: "Time",
    text: timeText,
    cell: (event, { filter }) => (
      <div>
        <a href={eventHref(event.eventName, filter)} aria-label={`Event at ${machineOf(event)}, ${timeText(event)}`}>
          <HoverTimes timestamp={event.timestamp} timezone={event.timezone}>
            {timeText(event)}
          </HoverTimes>
        </a>
        <OwnTime event={event} />
        {event.timestamp > serverClock.nowSeconds() + tolerableSeconds && <div className="warn">◆ dated ahead of now</div>}
      </div>
    ),
    className: "tabular",
    isRowHead: true,
    width: 200,
  },
  {
    label: "Machine",
    text: ({ locationName }) => locationName,
    cell: (event) => <Machine event={event} />,
  },
  { label: "Customer", text: ({ customerName }) => customerName, only: "file" },
  { label: "Facility", text: ({ facilityName }) => facilityName, only: "file" },
  { label: "Node", text: ({ serialNumber }) => serialNumber, only: "file" },
  {
    label: "Event",
    text: (event) => lookOf(event).word,
    cell: (event) => <Kind event={event} />,
    width: 190,
  },
  { label: "Words", text: ({ words }) => visibleText(words), only: "file" },
  {
    label: "Largest current",
    text: ({ largestCurrent }) => figureText(largestCurrent, "A"),
    isRight: true,
    className: "tabular",
    width: 120,
    file: { label: "Largest current A", text: ({ largestCurrent }) => largestCurrent?.value ?? null },
  },
  { label: "Phase of the current", text: ({ largestCurrent }) => largestCurrent?.phase ?? null, only: "file" },
  {
    label: "Lowest voltage",
    text: ({ lowestVoltage }) => figureText(lowestVoltage, "V"),
    isRight: true,
    className: "tabular",
    width: 120,
    file: { label: "Lowest voltage V", text: ({ lowestVoltage }) => lowestVoltage?.value ?? null },
  },
  { label: "Phase of the voltage", text: ({ lowestVoltage }) => lowestVoltage?.phase ?? null, only: "file" },
  {
    label: "Duration",
    text: ({ durationSeconds }) => durationText(durationSeconds),
    isRight: true,
    className: "tabular",
    width: 84,
    file: { label: "Duration s", text: ({ durationSeconds }) => durationSeconds },
  },
  { label: "Status", text: ({ status }) => status, only: "file" },
  { label: "Reason", text: ({ reason }) => reason, only: "file" },
  { label: "Name", text: ({ eventName }) => eventName, only: "file" },
  {
    label: "Waveform",
    text: () => null,
    cell: (event, { filter }) => <Waveform event={event} filter={filter} />,
    only: "screen",
    width: 180,
  },
];

function Machine({ event }: { event: RecordedEvent }) {
  const { serialNumber, facilityId, facilityName, customerName, locationName } = event;
  return (
    <div>
      <div>{locationName === "" ? <span className="dim">At no location</span> : visibleText(locationName)}</div>
      <div className="event-small">
        <NodeLink serial={serialNumber} />{" "}
        {facilityName !== "" && (
          <span className="dim">
            {facilityId === null ? visibleText(facilityName) : <a href={`#/facilities/${facilityId}`}>{visibleText(facilityName)}</a>},{" "}
            {visibleText(customerName)}
          </span>
        )}
      </div>
    </div>
  );
}

export function Kind({ event }: { event: RecordedEvent }) {
  const { shape, word, className } = lookOf(event);
  return (
    <div>
      <span className={className}>
        <span aria-hidden="true">{shape}</span> {word}
      </span>
      {event.words !== "" && <div className="event-small dim">{visibleText(event.words)}</div>}
      {event.reason !== null && <div className="event-small warn">{visibleText(event.reason)}</div>}
    </div>
  );
}

function Waveform({ event, filter }: { event: RecordedEvent; filter: EventFilter }) {
  if (event.picture === null) return <span className="dim event-none">No waveform</span>;
  return (
    <a href={eventHref(event.eventName, filter)} tabIndex={-1} className="event-picture-link">
      <EventPicture picture={event.picture} label={`Waveform at ${machineOf(event)}`} />
    </a>
  );
}
