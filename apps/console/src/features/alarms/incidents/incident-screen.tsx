import { mostListedMembers, mostNotes, NewIncidentNote, type Incident, type IncidentDetails } from "@busbar/contract/alarms/incidents.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Group } from "@mantine/core";
import { useRef, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { useClock } from "#lib/clock.ts";
import { spanWords } from "#lib/span-words.ts";
import { visibleText } from "#lib/visible-text.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { MultiLineField } from "#ui/text-field.tsx";
import { gravityShapes } from "#ui/verdict-words.tsx";
import { incidentGravity, incidentTitle } from "./incident-words.ts";
import { useAddIncidentNote, useIncident, useIncidentPeople, useUpdateIncident } from "./incidents.queries.ts";
import "./incidents.css";

export interface IncidentScreenProps {
  id: string;
  /** The reader's username. */
  self: string;
  onSwap: (serial: string) => void;
}

/** One incident: how it went, which nodes had it, what was sent, and what people did about it. */
export function IncidentScreen({ id, self, onSwap }: IncidentScreenProps) {
  const asked = useIncident(id);
  const { data } = asked;
  const answer = (
    <Loaded
      of={asked}
      loading={<LoadingRows label="Loading the incident" rows={8} height={40} frame="list" />}
      missing={{ what: "incident: it ends with a number", others: <a href="#/incidents">All incidents</a> }}
    />
  );
  if (!data) {
    return (
      <>
        <h1 className="page-title">Incident</h1>
        {answer}
      </>
    );
  }
  const { incident } = data;
  return (
    <>
      <h1 className="page-title">{incidentTitle(incident)}</h1>
      {answer}
      <Course incident={incident} />
      <Care incident={incident} self={self} />
      <div className="page-sides">
        <div className="page-side">
          <Notes details={data} />
          <Messages details={data} />
        </div>
        <Members details={data} onSwap={onSwap} />
      </div>
    </>
  );
}

function Course({ incident }: { incident: Incident }) {
  const { beganTimestamp, calmTimestamp, endedTimestamp, timezone, nodeCount, openNodeCount, occurrenceCount, isMuted } = incident;
  const { customerName, facilityId, facilityName, locationName } = incident;
  const { shape, className } = gravityShapes[incidentGravity(incident)];
  const end = endedTimestamp ?? calmTimestamp;
  const lasted = useClock((now) => spanWords((end ?? now) - beganTimestamp));
  const nodes = nodeCount > 1 ? ` at ${openNodeCount} of ${counted(nodeCount, "node")}` : "";
  return (
    <>
      <p className="incident-course">
        <span className={className} aria-hidden="true">
          {shape}
        </span>{" "}
        {endedTimestamp !== null
          ? "Over"
          : calmTimestamp !== null
            ? "Quiet now; it is over when it stays so for 15 minutes"
            : `Lasts${nodes}`}
        {isMuted && " (muted or paused)"}. From <DateTime timestamp={beganTimestamp} timezone={timezone} />
        {end !== null && (
          <>
            {" "}
            to <DateTime timestamp={end} timezone={timezone} />
          </>
        )}
        , {lasted}. {occurrenceCount > nodeCount && `It came ${counted(occurrenceCount, "time")}.`}
      </p>
      <p>
        {customerName !== "" && <a href={`#/customers?filterText=${encodeURIComponent(customerName)}`}>{customerName}</a>}
        {facilityName !== "" && (
          <>
            {" / "}
            <a href={`#/facilities/${facilityId}`}>{facilityName}</a>
          </>
        )}
        {locationName !== "" && ` / ${locationName}`}
      </p>
    </>
  );
}

/** Who looks after it, and who knows of it. */
function Care({ incident, self }: { incident: Incident; self: string }) {
  const { owner, acknowledgedBy, acknowledgedTimestamp, timezone, revision, id } = incident;
  const { mutate, isPending, error } = useUpdateIncident(id);
  const { data: people = [] } = useIncidentPeople();
  const [isGiving, setIsGiving] = useState(false);
  const giver = useRef<HTMLButtonElement>(null);
  const give = (to: string) => {
    setIsGiving(false);
    mutate({ owner: to, revision });
  };
  const button = (label: string, act: () => void) => (
    <Button variant="default" size="compact-sm" disabled={isPending} onClick={act}>
      {label}
    </Button>
  );
  const isAcknowledged = acknowledgedTimestamp !== null;
  return (
    <>
      <p>
        {owner === "" ? "No one looks after it." : `${owner} looks after it.`}{" "}
        {isAcknowledged ? (
          <>
            Acknowledged by {acknowledgedBy || "a former user"}, <DateTime timestamp={acknowledgedTimestamp} timezone={timezone} />.
          </>
        ) : (
          "No one has acknowledged it."
        )}
      </p>
      <Group gap="xs" className="no-print" mb="sm">
        {button(isAcknowledged ? "Take the acknowledgement back" : "Acknowledge", () =>
          mutate({ isAcknowledged: !isAcknowledged, revision }),
        )}
        {owner !== self && button("Take over", () => give(self))}
        <Button
          ref={giver}
          variant="default"
          size="compact-sm"
          disabled={isPending}
          aria-expanded={isGiving}
          onClick={() => setIsGiving(!isGiving)}
        >
          Give to
        </Button>
        {owner !== "" && button("No owner", () => give(""))}
        <Button component="a" variant="default" size="compact-sm" href={`#/changes?object=incident/${id}`}>
          Changes
        </Button>
      </Group>
      {isGiving && (
        <Select
          aria-label="Give to"
          placeholder="Choose a person"
          data={people}
          value={null}
          onChange={(username) => {
            if (username === null) return;
            giver.current?.focus();
            give(username);
          }}
          limit={50}
          maw={260}
          mb="sm"
          searchable
          ref={focusAtOnce}
        />
      )}
      {error && <Notice kind="error">{failureMessage(error)}</Notice>}
    </>
  );
}

const focusAtOnce = (field: HTMLElement | null) => field?.focus();

function Notes({ details: { incident, notes } }: { details: IncidentDetails }) {
  const add = useAddIncidentNote(incident.id);
  const form = useSaveForm<NewIncidentNote>({ resolver: zodResolver(NewIncidentNote), defaultValues: { note: "" }, isQuietAtFirst: true });
  const save = form.saving(async ({ note }) => {
    await add.mutateAsync(note);
    form.reset({ note: "" });
    return "The note was added";
  });
  return (
    <Panel title="Notes" aside={notes.length > 0 ? incident.noteCount : undefined}>
      {notes.length === 0 && <p className="panel-empty">No one has noted anything yet.</p>}
      {incident.noteCount > mostNotes && <p className="dim">The last {counted(mostNotes, "note")}.</p>}
      <ol className="bare-list panel-list">
        {notes.map(({ id, timestamp, author, note }) => (
          <li key={id}>
            <span className="dim tabular">
              <DateTime timestamp={timestamp} timezone={incident.timezone} /> {author || "a former user"}
            </span>
            <div className="incident-note">{visibleText(note)}</div>
          </li>
        ))}
      </ol>
      <SaveForm form={form} onSubmit={save} saveLabel="Add note" label="Add a note" className="no-print">
        <MultiLineField control={form.control} name="note" label="Note" autosize minRows={2} maxRows={8} isRequired />
      </SaveForm>
    </Panel>
  );
}

function Messages({ details: { incident, messages } }: { details: IncidentDetails }) {
  const { sentCount, heldCount } = incident;
  return (
    <Panel title="Messages" aside={messages.length > 0 ? `${sentCount} sent, ${heldCount} held back` : undefined}>
      {messages.length === 0 && <p className="panel-empty">No one was notified of it.</p>}
      <ul className="bare-list panel-list">
        {messages.map(({ id, timestamp, subject, sentTimestamp, reason }) => (
          <li key={id}>
            <span className="dim tabular">
              <DateTime timestamp={timestamp} timezone={incident.timezone} />
            </span>{" "}
            {subject} <span className="dim">{sentTimestamp !== null ? "sent" : reason === "" ? "is sent soon" : reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Members({ details: { incident, members }, onSwap }: { details: IncidentDetails; onSwap: (serial: string) => void }) {
  const { nodeCount, timezone } = incident;
  return (
    <Panel title="Nodes" aside={nodeCount}>
      <ul className="bare-list panel-list">
        {members.map(({ serialNumber, locationName, beganTimestamp, endedTimestamp, count }) => (
          <li key={serialNumber}>
            <NodeLink serial={serialNumber} /> {locationName}
            {count > 1 && <span className="dim">, {counted(count, "time")}</span>}{" "}
            {locationName !== "" && (
              <Button
                variant="subtle"
                size="compact-xs"
                className="no-print"
                aria-label={`Swap node ${serialNumber}…`}
                onClick={() => onSwap(serialNumber)}
              >
                Swap node…
              </Button>
            )}
            <div className="dim tabular">
              <DateTime timestamp={beganTimestamp} timezone={timezone} />{" "}
              {endedTimestamp === null ? (
                <span className="bad">not over</span>
              ) : (
                <>
                  to <DateTime timestamp={endedTimestamp} timezone={timezone} />
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {nodeCount > mostListedMembers && <p className="dim">The first {counted(mostListedMembers, "node")}.</p>}
    </Panel>
  );
}
