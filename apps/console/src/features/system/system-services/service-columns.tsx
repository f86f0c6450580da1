import { canRunNow, type Service } from "@busbar/contract/system/system-services.ts";
import { Button, Group } from "@mantine/core";
import { useClock } from "#lib/clock.ts";
import { formatCount } from "#lib/format-number.ts";
import { serviceTime } from "#lib/service-time.ts";
import { DateTime } from "#ui/date-time.tsx";
import type { Column } from "#ui/column.ts";
import { FailingFor, RunWords, StateBadge } from "./service-state.tsx";
import { RunPlot } from "./run-plot.tsx";
import { durationWords, stateOf } from "./service-words.ts";
import "./system-services.css";

export interface NamedService {
  name: string;
  service: Service;
  isWorking: boolean;
  onCommand: (verb: "enable" | "disable" | "run") => void;
  onShowWaiting: () => void;
}

const seconds = (value: number | null): string => (value === null ? "–" : durationWords(value));

export const serviceColumns: readonly Column<NamedService>[] = [
  {
    label: "Service",
    text: ({ name }) => name,
    cell: ({ name, service }) => (
      <div>
        <b>{name}</b>
        <div className="dim service-when">
          <RunWords service={service} />
        </div>
      </div>
    ),
  },
  {
    label: "State",
    text: ({ service }) => stateOf(service),
    cell: ({ service }) => (
      <div>
        <StateBadge service={service} />
        <div className="dim">
          <FailingFor service={service} />
        </div>
      </div>
    ),
  },
  { label: "Waiting", text: ({ service }) => service.waiting?.count ?? "–", cell: (row) => <Waiting {...row} /> },
  { label: "Interval", text: ({ service }) => (service.isScheduledService ? serviceTime(service.interval) : "continuous") },
  { label: "Last Run", text: ({ service }) => formatCount(service.countProcessedLastRun) },
  { label: "Lifetime", text: ({ service }) => formatCount(service.countProcessedLifetime) },
  {
    label: "Duration",
    text: ({ service }) => seconds(service.durationLastRun),
    cell: ({ service }) => (
      <div>
        {seconds(service.durationLastRun)}
        <div>
          <RunPlot runs={service} />
        </div>
      </div>
    ),
  },
  { label: "Average", text: ({ service }) => seconds(service.durationAverage) },
  {
    label: "Last Finished",
    text: ({ service }) => String(service.timestampLastFinished ?? "–"),
    cell: ({ service }) => <Moment timestamp={service.timestampLastFinished} />,
    className: "service-time tabular",
  },
  {
    label: "Next Run",
    text: ({ service }) => String(service.timestampNextRun ?? "–"),
    cell: ({ service }) => <Moment timestamp={service.isEnabled ? service.timestampNextRun : null} />,
    className: "service-time tabular",
  },
  { label: "Actions", text: () => "", cell: (row) => <Actions {...row} /> },
];

function Moment({ timestamp }: { timestamp: number | null }) {
  return timestamp === null ? <>–</> : <DateTime timestamp={Math.floor(timestamp)} timezone={null} />;
}

function Waiting({ name, service: { waiting }, onShowWaiting }: NamedService) {
  const duration = useClock((now) => (waiting ? serviceTime(now - waiting.since) : ""));
  const nextTry = useClock((now) => (waiting?.nextTry ? serviceTime(waiting.nextTry - now) : ""));
  if (!waiting) return <>–</>;
  const shown = `${formatCount(waiting.count)}, for ${duration}`;
  return (
    <div>
      <Button size="compact-xs" variant="default" aria-label={`${shown}: waiting for ${name}`} onClick={onShowWaiting}>
        {shown}
      </Button>
      {nextTry !== "" && <div className="dim">next try in {nextTry}</div>}
    </div>
  );
}

function Actions({ name, service, isWorking, onCommand }: NamedService) {
  if (!service.isScheduledService) return <span className="dim">–</span>;
  const verb = service.isEnabled ? "disable" : "enable";
  return (
    <Group gap={6} wrap="nowrap" className="service-actions">
      <Button size="compact-xs" variant="default" disabled={isWorking} aria-label={`${verb} ${name}`} onClick={() => onCommand(verb)}>
        {verb}
      </Button>
      {canRunNow(service) && (
        <Button size="compact-xs" variant="default" disabled={isWorking} aria-label={`run now: ${name}`} onClick={() => onCommand("run")}>
          run now
        </Button>
      )}
    </Group>
  );
}
