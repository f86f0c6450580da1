import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import type { ReactNode } from "react";
import { useClock } from "#lib/clock.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Panel } from "#ui/panel.tsx";
import { LateBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useMeterGlance } from "./metering.queries.ts";
import { MeterValues, type MeterValue } from "./meter-values.tsx";
import { hasNoLoad } from "./no-load.ts";
import { PhasorDrawing } from "./phasor-diagram.tsx";
import "#ui/status-badge.css";
import "./metering.css";

export interface MeterGlanceProps {
  serial: string;
  /** Null for a node at no location: it has no meter. */
  locationId: number | null;
  /** Relays and others' hardware have none. */
  hasMeter: boolean;
  /** The course of the last hour; currents up to `noise` are none. */
  children?: (noise: number | undefined) => ReactNode;
}

/** What a node measures now, for a look: the whole is on the Metering screen. */
export function MeterGlance({ serial, locationId: place, hasMeter, children }: MeterGlanceProps) {
  const locationId = hasMeter ? place : null;
  const asked = useMeterGlance(locationId === null ? undefined : String(locationId));
  const { data } = asked;
  const isField = data?.fieldSerialNumber === serial;
  const at = (isField ? data?.fieldTimestamp : data?.timestamp) ?? null;
  const isLate = useClock((now) => data !== undefined && at !== null && now - at > 3 * data.readingInterval);
  return (
    <Panel
      title="Now"
      className={isLate ? "meter-late" : ""}
      aside={
        data &&
        at !== null && (
          <>
            {isLate && <LateBadge />}{" "}
            <HoverTimes timestamp={at} timezone={data.timezone}>
              <TimeAgo timestamp={at} />
            </HoverTimes>
          </>
        )
      }
    >
      {locationId === null ? (
        <p className="panel-empty">{hasMeter ? "A node at no location has no meter." : "A node of this type has no meter."}</p>
      ) : (
        <Loaded of={asked} loading={<LoadingRows label="Loading the meter" rows={4} height={28} />} />
      )}
      {data && at === null && <p className="panel-empty">No value has come yet.</p>}
      {data && at !== null && (
        <div className="meter-glance">
          <MeterValues values={isField ? fieldValues(data) : glanceValues(data)} />
          {!isField && data.phasors && (
            <div className="meter-glance-phasors">
              <PhasorDrawing phasors={data.phasors} noise={data.limits.currentNoise} />
            </div>
          )}
        </div>
      )}
      {data && !isField && hasNoLoad(data) && <p className="meter-no-load">no load</p>}
      {children?.(isField ? undefined : data?.limits.currentNoise)}
    </Panel>
  );
}

const fieldValues = (m: Metering): MeterValue[] => [
  { label: "Field voltage", value: m.fieldVoltage, unit: "V" },
  { label: "Field current", value: m.fieldCurrent, unit: "A" },
];

function glanceValues(m: Metering): MeterValue[] {
  return [
    { label: "Current", value: m.current, unit: "A" },
    { label: "Voltage", value: m.voltage, unit: "V" },
    ...(m.showPowerModule
      ? [
          { label: "Power", value: m.powerKw, unit: "kW" },
          { label: "Power factor", value: m.powerFactor },
        ]
      : []),
    ...(m.showLineFrequency
      ? [
          { label: "Line frequency", value: m.lineFrequency, unit: "Hz" },
          { label: "Voltage imbalance", value: m.voltageImbalance, unit: "%" },
          { label: "Current imbalance", value: m.currentImbalance, unit: "%" },
        ]
      : []),
  ];
}
