import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { LoadingPlot } from "#ui/loading.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { MeterModule } from "./meter-module.tsx";
import { MeterValues, type MeterValue } from "./meter-values.tsx";
import { useTrend } from "./metering.queries.ts";
import { PhaseSplit, PhaseTable } from "./phase-table.tsx";
import { PhasorDiagram } from "./phasor-diagram.tsx";

const TrendPlot = lazyPart(() => import("./trend-plot.tsx"), "TrendPlot");

// Totals come once a minute while no one watches, averages are written as often.
const totalsLateSeconds = 180;

export interface MeterPanelsProps {
  metering: Metering;
  locationId: string;
  /** Of the location. */
  notes: readonly PlotNote[];
}

/** MET-05: every reading in its module, each under its display flag. */
export function MeterPanels({ metering: m, locationId, notes }: MeterPanelsProps) {
  const trend = useTrend(locationId);
  const { timezone } = m;
  const live = { at: m.timestamp, lateAfter: 3 * m.readingInterval, timezone };
  const totals = { at: m.totalsTimestamp, lateAfter: totalsLateSeconds, timezone };
  return (
    <div className={m.phasors ? "meter-layout meter-with-side" : "meter-layout"}>
      <MeterModule title="Phases" {...live}>
        <PhaseTable metering={m} />
      </MeterModule>
      {m.phasors && (
        <MeterModule title="Phasors" {...live} className="meter-side">
          <PhasorDiagram phasors={m.phasors} noise={m.limits?.currentNoise ?? 0} />
        </MeterModule>
      )}
      <div className="meter-grid">
        {m.showPowerModule && (
          <MeterModule title="Power" {...live}>
            <MeterValues values={powerValues(m)} />
          </MeterModule>
        )}
        {m.showLineFrequency && (
          <MeterModule title="Supply" {...live}>
            <MeterValues
              values={[
                { label: "Line frequency", value: m.lineFrequency, unit: "Hz" },
                { label: "Voltage imbalance", value: m.voltageImbalance, unit: "%" },
                { label: "Current imbalance", value: m.currentImbalance, unit: "%" },
              ]}
            />
          </MeterModule>
        )}
        {m.showPhaseSplitModule && (
          <MeterModule title="Phase split" {...live}>
            <PhaseSplit metering={m} />
          </MeterModule>
        )}
        {m.showAveragePowerModule && (
          <MeterModule title="Average power" at={m.averagesTimestamp} lateAfter={totalsLateSeconds} timezone={timezone}>
            <MeterValues
              values={[
                { label: "Today, average", value: m.powerTodayAverageKw, unit: "kW" },
                { label: "Today, peak", value: m.powerTodayPeakKw, unit: "kW" },
                { label: "Daily, average", value: m.powerDailyAverageKw, unit: "kW" },
                { label: "Daily, peak", value: m.powerDailyPeakKw, unit: "kW" },
              ]}
            />
          </MeterModule>
        )}
        {m.showFieldModule && (
          <MeterModule title="Field" at={m.fieldTimestamp} lateAfter={3 * m.readingInterval} timezone={timezone}>
            <MeterValues
              values={[
                { label: "Field voltage", value: m.fieldVoltage, unit: "V" },
                { label: "Field current", value: m.fieldCurrent, unit: "A" },
              ]}
            />
          </MeterModule>
        )}
        <MeterModule title="Since the last reset" {...totals}>
          <MeterValues
            values={[
              { label: "Running time", value: m.runningTimeDays, unit: "days" },
              { label: "Charge", value: m.ampHours, unit: "Ah" },
              ...(m.showPowerModule
                ? [
                    { label: "Energy", value: m.kilowattHours, unit: "kWh" },
                    { label: "Reactive energy", value: m.kilovarHours, unit: "kVArh" },
                  ]
                : []),
            ]}
          />
        </MeterModule>
      </div>
      <MeterModule title="Last 60 seconds" {...live}>
        <ProgramPart loading={<LoadingPlot label="Loading the plot" plots={2} height={150} />}>
          <div className="meter-trends">
            <TrendPlot
              trend={trend}
              unit="A"
              phaseCount={m.showLineFrequency ? 3 : 1}
              noise={m.limits?.currentNoise ?? 0}
              notes={notes}
              timezone={timezone}
            />
            {m.showPowerModule && <TrendPlot trend={trend} unit="kW" notes={notes} timezone={timezone} />}
          </div>
        </ProgramPart>
      </MeterModule>
    </div>
  );
}

function powerValues(m: Metering): MeterValue[] {
  return [
    { label: "Power", value: m.powerKw, unit: "kW" },
    m.showPowerFactorInPlaceOfHp ? { label: "Power factor", value: m.powerFactor } : { label: "Shaft power", value: m.hp, unit: "hp" },
    ...(m.showLineFrequency
      ? [
          { label: "Apparent power", value: m.powerKva, unit: "kVA" },
          { label: "Reactive power", value: m.powerKvaR, unit: "kVAr" },
        ]
      : []),
    ...(m.loadPercent === null || m.showPowerFactorInPlaceOfHp ? [] : [{ label: "Load", value: m.loadPercent, unit: "%" }]),
  ];
}
