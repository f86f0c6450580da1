import { Button, Checkbox, Group } from "@mantine/core";
import { IconList, IconRotate } from "@tabler/icons-react";
import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { useState } from "react";
import { failureMessage, isNotFound } from "#lib/api-error.ts";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { OwnTimeAgo } from "#ui/time-ago.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { MeterPanels } from "./meter-panels.tsx";
import { MeterStatus, MeterProblem } from "./meter-status.tsx";
import { useMetering } from "./metering.queries.ts";
import { RawDialog } from "./raw-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { WiringPanel } from "./wiring-panel.tsx";
import "#ui/status-badge.css";
import { DialogSlot } from "#ui/program-part.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import "./metering.css";

export interface MeteringScreenProps {
  locationId: string;
  /** The node that the address names; the meter is the location's. */
  serial: string;
  /** Of the node's location. */
  notes: readonly PlotNote[];
}

const none: PlotNote[] = [];

/** MET-01 to MET-06 */
export function MeteringScreen({ locationId, serial, notes }: MeteringScreenProps) {
  const [isLive, setIsLive] = useState(true);
  const [isLineToNeutral, setIsLineToNeutral] = useState(false);
  const [dialog, setDialog] = useState<"reset" | "raw" | undefined>();
  const outcome = useOutcome();
  const { data, error, dataUpdatedAt, refetch } = useMetering(locationId, { isLive, isLineToNeutral });

  return (
    <>
      <h1 className="page-title">
        Metering <NodeLink serial={serial} />
      </h1>
      {data && <MeterPlace metering={data} serial={serial} />}
      <Group gap="lg" mb="xs">
        <Checkbox label="Live Metering" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />
        <Checkbox
          label="Line to Neutral"
          disabled={data?.showLineFrequency === false}
          checked={isLineToNeutral}
          onChange={(event) => setIsLineToNeutral(event.currentTarget.checked)}
        />
        <Button variant="default" leftSection={<IconRotate size={14} aria-hidden />} onClick={() => setDialog("reset")}>
          Reset
        </Button>
        <Button variant="default" leftSection={<IconList size={14} aria-hidden />} onClick={() => setDialog("raw")}>
          Raw
        </Button>
      </Group>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      {error && (
        <Notice
          kind="error"
          action={
            isNotFound(error) && !data ? (
              <a href="#/customers">All customers</a>
            ) : (
              <NoticeButton onClick={() => void refetch()}>Try again</NoticeButton>
            )
          }
        >
          Failed to load metering for {serial}. {failureMessage(error)}
          {data && (
            <>
              {" "}
              Last updated <OwnTimeAgo ms={dataUpdatedAt} />.
            </>
          )}
        </Notice>
      )}
      {!data && !error && (
        <>
          <p aria-hidden="true">Loading...</p>
          <LoadingRows label="Loading..." rows={6} height={46} />
        </>
      )}
      {data && (
        <>
          <MeterProblem metering={data} />
          {data.meterString === null ? (
            <p className="meter-waiting">Waiting...</p>
          ) : (
            <>
              <p className="meter-string mono">
                {data.meterString}
                {data.fieldMeterString !== null && <> | {data.fieldMeterString}</>}
              </p>
              {data.serialNumber !== null && data.showLineFrequency && <WiringPanel serial={data.serialNumber} isLive={isLive} />}
              <MeterPanels metering={data} locationId={locationId} notes={isHere(data, serial) ? notes : none} />
            </>
          )}
        </>
      )}
      <DialogSlot onClose={() => setDialog(undefined)}>
        {dialog === "reset" && (
          <ResetDialog
            serial={serial}
            locationId={locationId}
            onClose={() => setDialog(undefined)}
            onDone={() => {
              setDialog(undefined);
              outcome.say({ kind: "success", text: `Metering of node ${serial} was reset` });
            }}
          />
        )}
      </DialogSlot>
      <DialogSlot onClose={() => setDialog(undefined)}>
        {dialog === "raw" && <RawDialog serial={serial} timezone={data?.timezone ?? "UTC"} onClose={() => setDialog(undefined)} />}
      </DialogSlot>
    </>
  );
}

const isHere = ({ serialNumber, fieldSerialNumber }: Metering, serial: string) => serial === serialNumber || serial === fieldSerialNumber;

function MeterPlace({ metering, serial }: { metering: Metering; serial: string }) {
  const { facilityName, siteName, name, displayEquipmentType, serialNumber, displayTimestamp } = metering;
  return (
    <>
      <p className="meter-place">
        <span>
          {facilityName}
          {siteName !== facilityName && ` (${siteName})`} / {name}
        </span>
        <span className="dim">{displayEquipmentType}</span>
        <MeterStatus metering={metering} />
        {displayTimestamp !== "" && <span className="dim tabular">{displayTimestamp}</span>}
      </p>
      {!isHere(metering, serial) && (
        <Notice kind="warning">
          Node {serial} is not at this location{serialNumber === null ? "" : `; what is shown is the meter of node ${serialNumber}`}.
        </Notice>
      )}
    </>
  );
}
