import type { Metering } from "@busbar/contract/metering.ts";
import { formatReading } from "#lib/format-number.ts";

interface PhaseRow {
  label: string;
  unit: string;
  total: number | null;
  phases: (number | null)[];
}

/** Means or totals with their phases, each phase with a bar to the greatest of its row. */
export function PhaseTable({ metering: m }: { metering: Metering }) {
  const rows: PhaseRow[] = [
    { label: "Current", unit: "A", total: m.current, phases: [m.current1, m.current2, m.current3] },
    {
      label: m.showLineFrequency ? `Voltage ${m.isLineToNeutral ? "line to neutral" : "line to line"}` : "Voltage",
      unit: "V",
      total: m.voltage,
      phases: [m.voltage1, m.voltage2, m.voltage3],
    },
    ...(m.showPowerModule
      ? [
          { label: "Power", unit: "kW", total: m.powerKw, phases: [m.powerKw1, m.powerKw2, m.powerKw3] },
          { label: "Power factor", unit: "", total: m.powerFactor, phases: [m.powerFactor1, m.powerFactor2, m.powerFactor3] },
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
          <tr key={row.label}>
            <th scope="row">
              {row.label} {row.unit && <span className="meter-unit">{row.unit}</span>}
            </th>
            <td className="meter-total mono">{formatReading(row.total)}</td>
            {phases.map((phase) => (
              <td key={phase} className="mono">
                {formatReading(row.phases[phase] ?? null)}
                <PhaseBar share={shareOf(row.phases, phase)} phase={phase} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PhaseBar({ share, phase }: { share: number; phase: number }) {
  return (
    <span className="meter-bar" aria-hidden="true">
      <span style={{ width: `${share * 100}%`, background: `var(--phase-${phase + 1})` }} />
    </span>
  );
}

/** Of the greatest magnitude in the row, from 0 to 1. */
function shareOf(values: readonly (number | null)[], phase: number): number {
  const greatest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  return greatest > 0 ? Math.abs(values[phase] ?? 0) / greatest : 0;
}

/** The parts of the phases in the total, as one bar. */
export function PhaseSplit({ metering: m }: { metering: Metering }) {
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
