import { sensorDataOffsets, type SensorDataOffset } from "@busbar/contract/telemetry/sensor-data.ts";
import { Anchor } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { SensorData } from "#features/telemetry/sensor-data/sensor-data.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { rangeAround, trendsOf } from "#ui/trends-link.ts";
import { PageFrame } from "./page-frame.tsx";

const halfDay = 43_200;

export function SensorDataPage() {
  const { serialNumber = "", timestamp = "", offset = "" } = useParams({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  // SEN-02
  const onRecord = useCallback(
    (found: number) => void navigate({ href: `/node-dashboard/${serialNumber}/sensordata/${found}/current`, replace: true }),
    [navigate, serialNumber],
  );
  const isAddress = /^\d{1,11}$/.test(timestamp) && (sensorDataOffsets as readonly string[]).includes(offset);
  return (
    <PageFrame title={`Sensor Data ${serialNumber}`}>
      <h1 className="page-title">
        Sensor Data of node <NodeLink serial={serialNumber} />{" "}
        <Anchor size="sm" href={`#/node-dashboard/${serialNumber}/files?dataInterval=900&scrollPos=${timestamp}`}>
          Files
        </Anchor>{" "}
        <Anchor size="sm" href={trendsOf([serialNumber], { range: isAddress ? rangeAround(Number(timestamp), halfDay) : "" })}>
          Trends
        </Anchor>
      </h1>
      {isAddress ? (
        <SensorData serial={serialNumber} timestamp={Number(timestamp)} offset={offset as SensorDataOffset} onRecord={onRecord} />
      ) : (
        <EmptyState title="This address names no record: it ends with a time in epoch seconds and current, previous or next." />
      )}
    </PageFrame>
  );
}
