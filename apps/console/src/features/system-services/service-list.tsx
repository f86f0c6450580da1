import { canRunNow } from "@busbar/contract/system-services.ts";
import type { Service } from "@busbar/contract/system-services.ts";
import { Button, Group } from "@mantine/core";
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useState } from "react";
import { useClock } from "#lib/clock.ts";
import { failureMessage } from "#api/api-error.ts";
import { formatCount } from "#lib/format-number.ts";
import { serviceTime } from "#lib/service-time.ts";
import { EmptyState, FailureState, LoadingRows } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { ReportTable } from "#ui/report-table.tsx";
import type { ReportColumn } from "#ui/report-table.tsx";
import { StaleNotice } from "#ui/stale-notice.tsx";
import { runWords, stateOf } from "./service-words.ts";
import type { ServiceState } from "./service-words.ts";
import { StopAllDialog } from "./stop-all-dialog.tsx";
import { useServiceCommand, useServices } from "./system-services.queries.ts";
import "#ui/status-badge.css";
import "./system-services.css";

interface NamedService {
  name: string;
  service: Service;
  isWorking: boolean;
  onCommand: (verb: "enable" | "disable" | "run") => void;
}

export function ServiceList() {
  const { data, error, dataUpdatedAt, refetch } = useServices();
  const command = useServiceCommand();
  const [isAsking, setIsAsking] = useState(false);
  const rows = Object.entries(data ?? {}).map(([name, service]) => ({
    name,
    service,
    isWorking: command.isPending,
    onCommand: (verb: "enable" | "disable" | "run") => command.mutate({ verb, name }),
  }));
  const stoppable = rows.filter(({ service }) => service.isScheduledService && service.isEnabled).length;
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Service State</h1>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            disabled={command.isPending}
            onClick={() => command.mutate({ verb: "enable all" })}
          >
            Start all
          </Button>
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            disabled={command.isPending || stoppable === 0}
            onClick={() => setIsAsking(true)}
          >
            Stop all
          </Button>
        </Group>
      </div>
      {command.error && <Notice kind="error">{failureMessage(command.error)}</Notice>}
      {!data && !error && <LoadingRows label="Loading the services" height={40} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && error && <StaleNotice message={failureMessage(error)} updatedAt={dataUpdatedAt} />}
      {data && rows.length === 0 && <EmptyState title="No service is known yet. A server with the role services makes them known." />}
      {rows.length > 0 && (
        <ReportTable label="Services" columns={columns} rows={rows} keyOf={({ name }) => name} detail={({ service }) => service.logEntry} />
      )}
      <DialogSlot onClose={() => setIsAsking(false)}>
        {isAsking && (
          <StopAllDialog
            count={stoppable}
            onClose={() => setIsAsking(false)}
            onConfirm={() => {
              setIsAsking(false);
              command.mutate({ verb: "disable all" });
            }}
          />
        )}
      </DialogSlot>
    </>
  );
}

const tones: Record<ServiceState, string> = {
  Running: "info",
  Idle: "good",
  "Always on": "good",
  Disabled: "plain",
  "Not running": "bad",
  Failing: "bad",
};
const seconds = (value: number | null): string => (value === null ? "–" : `${value.toFixed(2)} s`);

const columns: readonly ReportColumn<NamedService>[] = [
  {
    label: "Service",
    text: ({ name }) => name,
    cell: ({ name, service }) => (
      <div>
        <b>{name}</b>
        <RunWords service={service} />
      </div>
    ),
  },
  {
    label: "State",
    text: ({ service }) => stateOf(service),
    cell: ({ service }) => <State service={service} />,
  },
  { label: "Interval", text: ({ service }) => (service.isScheduledService ? `${service.interval} s` : "continuous") },
  { label: "Last Run", text: ({ service }) => formatCount(service.countProcessedLastRun) },
  { label: "Lifetime", text: ({ service }) => formatCount(service.countProcessedLifetime) },
  { label: "Duration", text: ({ service }) => seconds(service.durationLastRun) },
  { label: "Average", text: ({ service }) => seconds(service.durationAverage) },
  {
    label: "Last Finished",
    text: ({ service }) => String(service.timestampLastFinished ?? "–"),
    cell: ({ service }) => <Moment timestamp={service.timestampLastFinished} />,
  },
  {
    label: "Next Run",
    text: ({ service }) => String(service.timestampNextRun ?? "–"),
    cell: ({ service }) => <Moment timestamp={service.isEnabled ? service.timestampNextRun : null} />,
  },
  { label: "Actions", text: () => "", cell: (row) => <Actions {...row} /> },
];

function Moment({ timestamp }: { timestamp: number | null }) {
  return timestamp === null ? <>–</> : <DateTime timestamp={Math.floor(timestamp)} timezone={null} />;
}

function State({ service }: { service: Service }) {
  const state = stateOf(service);
  const { failingSince } = service;
  const duration = useClock((now) => (failingSince === null ? "" : serviceTime(now - failingSince)));
  return (
    <>
      <span className={`status-badge status-${tones[state]}`}>{state}</span>
      {state === "Failing" && <div className="dim">for {duration}</div>}
      {state === "Running" && failingSince !== null && <div className="dim">failing for {duration}</div>}
    </>
  );
}

function RunWords({ service }: { service: Service }) {
  const words = useClock((now) => runWords(service, now) ?? "");
  return words === "" ? null : <div className="dim">{words}</div>;
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
