import type { EventWithFiles } from "@busbar/contract/files/recorded-events.ts";
import { Anchor, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { isNotFound } from "#lib/api-error.ts";
import { formatBytes } from "#lib/format-number.ts";
import { visibleText } from "#lib/visible-text.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { FileStatus } from "#ui/file-status.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { rangeAround, trendsOf } from "#ui/trends-link.ts";
import { usePageKeys } from "#ui/use-page-keys.ts";
import { Kind } from "./event-columns.tsx";
import { FileLabels, FileProblems, FileText } from "./event-file.tsx";
import { eventHref, eventQueryOf, type EventFilter } from "./event-filter.ts";
import { durationText, figureText, machineOf, reportFileOf } from "./event-words.ts";
import { useEventFile, type TimeRange } from "./event-files.queries.ts";
import { useEvent } from "./recorded-events.queries.ts";
import { WaveformSection } from "./waveform-section.tsx";
import "./recorded-events.css";

export interface EventScreenProps {
  eventName: string;
  /** Of the list that one came from. */
  filter: EventFilter;
  range: TimeRange | undefined;
  onRange: (range: TimeRange | undefined) => void;
  onGo: (href: string) => void;
}

const halfHour = 1_800;

/** One event: its facts, and its report and waveform side by side. */
export function EventScreen({ eventName, filter, range, onRange, onGo }: EventScreenProps) {
  const asked = useEvent(eventName, eventQueryOf(filter));
  const { data: event, error } = asked;
  const others = isNotFound(error) ? (
    <Anchor href={`#/events?text=${eventName.slice(0, 5)}`}>Events of this node</Anchor>
  ) : (
    <Anchor href="#/events">All events</Anchor>
  );
  const answer = <Loaded of={asked} loading={<LoadingRows label="Loading the event" rows={10} height={24} />} missing={{ others }} />;
  if (!event) return answer;
  const reportFile = reportFileOf(event.files);
  return (
    <>
      {answer}
      <Group gap="2px 16px">
        <h1 className="page-title">Event at {machineOf(event)}</h1>
        <Neighbours event={event} filter={filter} onGo={onGo} />
      </Group>
      <EventFacts event={event} />
      <div className="event-sides">
        <div className="event-side">
          {event.waveformFileName === null ? (
            <EmptyState title={event.status === "pending" ? "Its files wait to be read" : "No file of this event holds a waveform"} />
          ) : (
            <Waveform fileName={event.waveformFileName} range={range} onRange={onRange} />
          )}
        </div>
        <section aria-label="Report" className="event-side">
          {reportFile === undefined ? <EmptyState title="The event has no report" /> : <Report fileName={reportFile} />}
        </section>
      </div>
    </>
  );
}

function Neighbours({ event, filter, onGo }: { event: EventWithFiles; filter: EventFilter; onGo: (href: string) => void }) {
  const { earlierEventName: earlier, laterEventName: later } = event;
  // An address that says nothing would open the reader's default view.
  const all = eventHref("", filter).slice("#/events/".length) || "?view=none";
  const goTo = (name: string | null) => (name === null ? undefined : () => onGo(eventHref(name, filter)));
  usePageKeys({ p: goTo(earlier), n: goTo(later) });
  return (
    <nav className="event-walk no-print" aria-label="Events">
      <a href={`#/events${all}`}>All that match</a>
      {earlier !== null && (
        <a href={eventHref(earlier, filter)} title="Key: p">
          <IconChevronLeft size={14} aria-hidden className="icon" /> Previous
        </a>
      )}
      {later !== null && (
        <a href={eventHref(later, filter)} title="Key: n">
          Next <IconChevronRight size={14} aria-hidden className="icon" />
        </a>
      )}
    </nav>
  );
}

function EventFacts({ event }: { event: EventWithFiles }) {
  const { timestamp, timezone, serialNumber, locationName, facilityId, facilityName, customerName, files } = event;
  const { largestCurrent, lowestVoltage, durationSeconds } = event;
  return (
    <div className="event-facts">
      <Facts>
        <Fact name="Time">
          <DateTime timestamp={timestamp} timezone={timezone} />
        </Fact>
        <Fact name="Event">
          <Kind event={event} />
        </Fact>
        <Fact name="Largest current">{figureText(largestCurrent, "A") || "–"}</Fact>
        <Fact name="Lowest voltage">{figureText(lowestVoltage, "V") || "–"}</Fact>
        <Fact name="Duration">{durationText(durationSeconds) || "–"}</Fact>
        <Fact name="Location">
          {locationName === "" ? "At no location" : visibleText(locationName)}
          {facilityName !== "" && (
            <>
              , {facilityId === null ? visibleText(facilityName) : <a href={`#/facilities/${facilityId}`}>{visibleText(facilityName)}</a>},{" "}
              {visibleText(customerName)}
            </>
          )}
        </Fact>
        <Fact name="Node">
          <NodeLink serial={serialNumber} />{" "}
          <a href={`#/node-dashboard/${serialNumber}/files?kinds=E&scrollPos=${timestamp}`}>All its files</a>{" "}
          <a href={trendsOf([serialNumber], { range: rangeAround(timestamp, halfHour) })}>Trends around it</a>
        </Fact>
      </Facts>
      <ul className="bare-list event-file-list" aria-label="Files of the event">
        {files.map(({ fileName, processed, failedReason, size }) => (
          <li key={fileName}>
            <a className="mono" href={`#/activity/eventfiles/${fileName}`}>
              {fileName}
            </a>{" "}
            <span className="dim">{formatBytes(size)}</span> <FileStatus processed={processed} />
            {failedReason !== null && <span className="warn"> {visibleText(failedReason)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Report({ fileName }: { fileName: string }) {
  const asked = useEventFile(fileName);
  return (
    <Loaded of={asked} loading={<LoadingRows label="Loading the report" rows={8} height={24} />}>
      {(file) => (
        <>
          <FileLabels file={file} />
          <FileText file={file} />
        </>
      )}
    </Loaded>
  );
}

function Waveform({ fileName, range, onRange }: { fileName: string } & Pick<EventScreenProps, "range" | "onRange">) {
  const asked = useEventFile(fileName);
  return (
    <Loaded of={asked} loading={<LoadingRows label="Loading the waveform" rows={8} height={40} />}>
      {(file) => (
        <>
          <FileProblems file={file} />
          {file.waveform && <WaveformSection fileName={fileName} waveform={file.waveform} range={range} onRange={onRange} />}
        </>
      )}
    </Loaded>
  );
}
