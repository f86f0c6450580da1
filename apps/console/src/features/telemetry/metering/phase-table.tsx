import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { barScale, currentMarks, powerMarks, shareOf, unityMarks, voltageMarks, type BarScale } from "./bar-scale.ts";
import { hasNoLoad, isNoise } from "./no-load.ts";

interface PhaseRow {
  label: string;
  unit: string;
  total: number | null;
  phases: (number | null)[];
  marks: readonly { label: string; value: number | null | undefined }[];
  /** Such as a current that is noise: shown faded and without a bar. */
  isFaded?: (value: number | null) => boolean;
}

/** Means or totals with their phases, each phase with a bar that has the nameplate and the limits as marks. */
export function PhaseTable({ metering: m }: { metering: Metering }) {
  const rows: PhaseRow[] = [
    {
      label: "Current",
      unit: "A",
      total: m.current,
      phases: [m.current1, m.current2, m.current3],
      marks: currentMarks(m),
      isFaded: (value) => isNoise(m, value),
    },
    {
      label: m.showLineFrequency ? `Voltage ${m.isLineToNeutral ? "line to neutral" : "line to line"}` : "Voltage",
      unit: "V",
      total: m.voltage,
      phases: [m.voltage1, m.voltage2, m.voltage3],
      marks: voltageMarks(m),
    },
    ...(m.showPowerModule
      ? [
          {
            label: "Power",
            unit: "kW",
            total: m.powerKw,
            phases: [m.powerKw1, m.powerKw2, m.powerKw3],
            marks: powerMarks(m),
            isFaded: () => hasNoLoad(m),
          },
          {
            label: "Power factor",
            unit: "",
            total: m.powerFactor,
            phases: [m.powerFactor1, m.powerFactor2, m.powerFactor3],
            marks: unityMarks,
            isFaded: () => hasNoLoad(m),
          },
        ]
      : []),
  ];
  // A DC machine has one circuit: its phases would only repeat the total.
  const hasPhases = m.showLineFrequency;
  const columns = [quantity(hasPhases), total(hasPhases), ...(hasPhases ? [0, 1, 2].map(phaseOf) : [])];
  return <DataTable className="meter-phases" columns={columns} rows={rows.map(scaled)} keyOf={({ label }) => label} isMatrix />;
}

interface ScaledRow extends PhaseRow {
  scale: BarScale;
  isIdle: boolean;
}

const isFadedIn = ({ isFaded }: PhaseRow, value: number | null): boolean => isFaded?.(value) ?? false;

function scaled(row: PhaseRow): ScaledRow {
  const { phases, marks } = row;
  const isIdle = phases.some((value) => value !== null) && phases.every((value) => value === null || isFadedIn(row, value));
  return { ...row, scale: barScale(phases, marks), isIdle };
}

const quantity = (hasPhases: boolean): Column<ScaledRow> => ({
  label: "Quantity",
  text: ({ label }) => label,
  cell: ({ label, unit, scale, isIdle }) => (
    <>
      {label} {unit && <span className="meter-unit">{unit}</span>}
      {unit && scale.marks.length > 0 && hasPhases && (
        <span className="meter-marks">{scale.marks.map((mark) => `${mark.label} ${formatReading(mark.value)}`).join(", ")}</span>
      )}
      {label === "Current" && isIdle && <span className="meter-no-load">no load</span>}
    </>
  ),
  isRowHead: true,
});

const total = (hasPhases: boolean): Column<ScaledRow> => ({
  label: hasPhases ? "Mean / total" : "Value",
  text: ({ total }) => formatReading(total),
  cell: ({ total, isIdle }) => <span className={isIdle ? "meter-faded" : "meter-total"}>{formatReading(total)}</span>,
  className: "mono",
  isRight: true,
});

const phaseOf = (phase: number): Column<ScaledRow> => ({
  label: `Phase ${phase + 1}`,
  headColor: `var(--phase-${phase + 1})`,
  text: ({ phases }) => formatReading(phases[phase] ?? null),
  cell: (row) => <PhaseValue row={row} phase={phase} />,
  className: "mono",
  isRight: true,
});

function PhaseValue({ row, phase }: { row: ScaledRow; phase: number }) {
  const value = row.phases[phase] ?? null;
  const isFaded = isFadedIn(row, value);
  return (
    <span className={isFaded ? "meter-faded" : undefined}>
      {formatReading(value)}
      <PhaseBar share={isFaded ? 0 : shareOf(value, row.scale)} scale={row.scale} phase={phase} />
    </span>
  );
}

function PhaseBar({ share, scale, phase }: { share: number; scale: BarScale; phase: number }) {
  return (
    <span className="meter-bar" aria-hidden="true">
      <span className="meter-fill" style={{ width: `${share * 100}%`, background: `var(--phase-${phase + 1})` }} />
      {scale.marks.map(({ label, value }) => (
        <span
          key={label}
          className={label.startsWith("nameplate") ? "meter-mark meter-mark-nameplate" : "meter-mark"}
          title={`${label} ${formatReading(value)}`}
          style={{ left: `${(value / scale.full) * 100}%` }}
        />
      ))}
    </span>
  );
}

/** The parts of the phases in the total, as one bar. */
export function PhaseSplit({ metering: m }: { metering: Metering }) {
  if (hasNoLoad(m)) return <p className="meter-no-load">no load</p>;
  const parts = [m.phaseSplit1, m.phaseSplit2, m.phaseSplit3];
  return (
    <>
      <div className="meter-split" aria-hidden="true">
        {parts.map((part, phase) => (
          // oxlint-disable-next-line react/no-array-index-key -- a phase is its place
          <span key={phase} style={{ width: `${Math.max(0, part ?? 0)}%`, background: `var(--phase-${phase + 1})` }} />
        ))}
      </div>
      <dl className="meter-values">
        {parts.map((part, phase) => (
          // oxlint-disable-next-line react/no-array-index-key -- a phase is its place
          <div key={phase}>
            <dt>Phase {phase + 1}</dt>
            <dd className="mono">
              {formatReading(part)} <span className="meter-unit">%</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
