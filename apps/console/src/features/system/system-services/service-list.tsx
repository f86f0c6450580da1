import { Button, Group } from "@mantine/core";
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows, LoadingTable } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { serviceColumns, type NamedService } from "./service-columns.tsx";
import { ServiceItems, serviceItemHeight } from "./service-items.tsx";
import { WorkWords } from "./service-state.tsx";
import { StopAllDialog } from "./stop-all-dialog.tsx";
import { WaitingDialog } from "./waiting-dialog.tsx";
import { useServiceCommand, useServices } from "./system-services.queries.ts";

const loadingText = "Loading the services";
const expected = 12;
const workOf = ({ service }: NamedService) => <WorkWords service={service} />;

export function ServiceList() {
  const asked = useServices();
  const { data } = asked;
  const command = useServiceCommand();
  const isNarrow = useIsNarrow();
  const [isAsking, setIsAsking] = useState(false);
  const [waitingOf, setWaitingOf] = useState<string>();
  const rows = Object.entries(data ?? {}).map(([name, service]) => ({
    name,
    service,
    isWorking: command.isPending,
    onCommand: (verb: "enable" | "disable" | "run") => command.mutate({ verb, name }),
    onShowWaiting: () => setWaitingOf(name),
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
      <Loaded
        of={asked}
        loading={
          isNarrow ? (
            <LoadingRows label={loadingText} rows={expected} height={serviceItemHeight} />
          ) : (
            <LoadingTable label={loadingText} columns={serviceColumns} rows={expected} lines={2} hasDetail />
          )
        }
      />
      {data && rows.length === 0 && <EmptyState title="No service is known yet. A server with the role services makes them known." />}
      {rows.length > 0 && isNarrow && <ServiceItems rows={rows} />}
      {rows.length > 0 && !isNarrow && (
        <DataTable
          aria-label="Services"
          className="service-list"
          columns={serviceColumns}
          rows={rows}
          keyOf={({ name }) => name}
          detail={workOf}
        />
      )}
      <DialogSlot onClose={() => setWaitingOf(undefined)}>
        {waitingOf !== undefined && <WaitingDialog name={waitingOf} service={data?.[waitingOf]} onClose={() => setWaitingOf(undefined)} />}
      </DialogSlot>
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
