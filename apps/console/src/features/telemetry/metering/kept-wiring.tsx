import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Panel } from "#ui/panel.tsx";
import { WiringVerdict } from "./wiring-panel.tsx";

export interface KeptWiringProps {
  wiring: Omit<NodeWiring, "serialNumber" | "currentNoise"> & { takenTimestamp: number; takenBy: string };
}

/** A verdict on a node's wiring that was taken as evidence, with the values of its moment. */
export function KeptWiring({ wiring }: KeptWiringProps) {
  const { takenTimestamp, takenBy, timezone } = wiring;
  return (
    <Panel
      title="Taken as evidence"
      className="wiring"
      aside={
        <>
          <DateTime timestamp={takenTimestamp} timezone={timezone} /> by {takenBy}
        </>
      }
    >
      <WiringVerdict wiring={wiring} />
    </Panel>
  );
}
