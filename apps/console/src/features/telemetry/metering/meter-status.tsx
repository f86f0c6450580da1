import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { IconBolt, IconBoltOff } from "@tabler/icons-react";
import { Notice } from "#ui/notice.tsx";

/** Zero: values come, and nothing flows. */
const isZero = ({ meteringStatus, current }: Metering): boolean => meteringStatus === "Metering" && current === 0;

const tones = { Metering: "good", Waiting: "warn", "Not metering": "bad" } as const;

/** Connected or not, and metering, zero, waiting or not: each a shape, a word and a colour. */
export function MeterStatus({ metering }: { metering: Metering }) {
  const { connectedStatus, meteringStatus, fieldConnectedStatus, fieldMeteringStatus, fieldSerialNumber } = metering;
  return (
    <span className="meter-status">
      <Connection status={connectedStatus} />
      <span className={`status-badge status-${isZero(metering) ? "info" : tones[meteringStatus]}`}>
        {isZero(metering) ? "Metering, zero" : meteringStatus}
      </span>
      {metering.isRunning !== null && meteringStatus === "Metering" && (
        <span className="status-badge status-plain">{metering.isRunning ? "Running" : "Stopped"}</span>
      )}
      {fieldConnectedStatus !== null && fieldMeteringStatus !== null && (
        <>
          <span className="dim">Field node {fieldSerialNumber}</span> <Connection status={fieldConnectedStatus} />
          <span className={`status-badge status-${tones[fieldMeteringStatus]}`}>{fieldMeteringStatus}</span>
        </>
      )}
    </span>
  );
}

function Connection({ status }: { status: Metering["connectedStatus"] }) {
  const Icon = status === "Connected" ? IconBolt : IconBoltOff;
  return (
    <span className={status === "Connected" ? "good" : "bad"}>
      <Icon size={15} aria-hidden className="icon" /> {status}
    </span>
  );
}

/** Why values are missing or old, in a sentence. */
export function MeterProblem({ metering }: { metering: Metering }) {
  const { serialNumber, connectedStatus, meteringStatus, timestamp } = metering;
  const after = timestamp === null ? "" : " These are its last values.";
  if (serialNumber === null) return <Notice kind="warning">This location has no primary node, so nothing is metered.</Notice>;
  if (connectedStatus === "Not connected") {
    return (
      <Notice kind="warning">
        Node {serialNumber} is not connected.{after}
      </Notice>
    );
  }
  if (meteringStatus === "Not metering") {
    return (
      <Notice kind="warning">
        Node {serialNumber} is connected and sends no meter values.{after}
      </Notice>
    );
  }
  return null;
}
