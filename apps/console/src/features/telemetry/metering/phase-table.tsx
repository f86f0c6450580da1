import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { formatReading } from "#lib/format-number.ts";
import { barScale, currentMarks, powerMarks, shareOf, unityMarks, voltageMarks } from "./bar-scale.ts";
import type { BarScale } from "./bar-scale.ts";
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
  const phases = m.showLineFrequency ? [0, 1, 2] : [];
  return (
    <table className="meter-phases">
      <thead>
        <tr>
          <th scope="col" className="meter-quantity">
            Quantity
          </th>
          <th scope="col">{phases.length > 0 ? "Mean / total" : "Value"}</th>
          {phases.map((phase) => (
            <th key={phase} scope="col" style={{ color: `var(--phase-${phase + 1})` }}>
              Phase {phase + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PhaseTableRow key={row.label} row={row} phases={phases} />
        ))}
      </tbody>
    </table>
  );
}

function PhaseTableRow({ row, phases }: { row: PhaseRow; phases: number[] }) {
  const { label, unit, total, isFaded = () => false } = row;
  const scale = barScale(row.phases, row.marks);
  const isIdle = row.phases.some((value) => value !== null) && row.phases.every((value) => value === null || isFaded(value));
  return (
    <tr>
      <th scope="row">
        {label} {unit && <span className="meter-unit">{unit}</span>}
        {unit && scale.marks.length > 0 && phases.length > 0 && (
          <span className="meter-marks">{scale.marks.map((mark) => `${mark.label} ${formatReading(mark.value)}`).join(", ")}</span>
        )}
        {label === "Current" && isIdle && <span className="meter-no-load">no load</span>}
      </th>
      <td className={isIdle ? "meter-total mono meter-faded" : "meter-total mono"}>{formatReading(total)}</td>
      {phases.map((phase) => {
        const value = row.phases[phase] ?? null;
        const faded = isFaded(value);
        return (
          <td key={phase} className={faded ? "mono meter-faded" : "mono"}>
            {formatReading(value)}
            <PhaseBar share={faded ? 0 : shareOf(value, scale)} scale={scale} phase={phase} />
          </td>
        );
      })}
    </tr>
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
