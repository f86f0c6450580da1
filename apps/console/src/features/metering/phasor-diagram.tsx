import type { Metering, MeterPhasor } from "@busbar/contract/metering.ts";
import { formatReading } from "#lib/format-number.ts";

const radius = 100;
const labelRadius = 112;
const colors = ["var(--phase-1)", "var(--phase-2)", "var(--phase-3)"];

/** Voltages to neutral as solid arrows, currents dashed; each kind is drawn to its own greatest magnitude. */
export function PhasorDiagram({ phasors }: { phasors: NonNullable<Metering["phasors"]> }) {
  return (
    <figure className="meter-phasors">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img> */}
      <svg viewBox="-130 -130 260 260" role="img" aria-label={describe(phasors)}>
        {[radius / 3, (2 * radius) / 3, radius].map((each) => (
          <circle key={each} r={each} className="phasor-ring" />
        ))}
        {[0, 30, 60, 90, 120, 150].map((angle) => (
          <line key={angle} {...lineBetween(pointAt(angle, radius), pointAt(angle + 180, radius))} className="phasor-ring" />
        ))}
        <Arrows name="I" phasors={phasors.currents} length={0.78 * radius} isDashed />
        <Arrows name="V" phasors={phasors.voltages} length={radius} />
      </svg>
      <table className="meter-phasor-table mono">
        <thead>
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">V L-N</th>
            <th scope="col">I</th>
            <th scope="col">Lag</th>
          </tr>
        </thead>
        <tbody>
          {phasors.voltages.map((voltage, phase) => {
            const current = phasors.currents[phase];
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a phase is its place
              <tr key={phase}>
                <th scope="row" style={{ color: colors[phase] }}>
                  {phase + 1}
                </th>
                <td>
                  {formatReading(voltage.magnitude)}∠{Math.round(voltage.angle)}°
                </td>
                <td>{current ? `${formatReading(current.magnitude)}∠${Math.round(current.angle)}°` : "–"}</td>
                <td>{current ? `${Math.round(turn(voltage.angle - current.angle))}°` : "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </figure>
  );
}

function Arrows({ name, phasors, length, isDashed = false }: { name: string; phasors: MeterPhasor[]; length: number; isDashed?: boolean }) {
  const greatest = Math.max(...phasors.map(({ magnitude }) => magnitude));
  if (!(greatest > 0)) return null;
  return phasors.map(({ magnitude, angle }, phase) => {
    const reach = (magnitude / greatest) * length;
    if (reach < 1) return null;
    const tip = pointAt(angle, reach);
    const label = pointAt(angle, isDashed ? reach + 12 : labelRadius + 4);
    return (
      // oxlint-disable-next-line react/no-array-index-key -- a phase is its place
      <g key={phase} stroke={colors[phase]} fill={colors[phase]}>
        <line x1={0} y1={0} x2={tip.x} y2={tip.y} strokeWidth={isDashed ? 1.6 : 2.4} strokeDasharray={isDashed ? "5 3" : undefined} />
        <path d="M0 0 L-9 3.5 L-9 -3.5 Z" stroke="none" transform={`translate(${tip.x} ${tip.y}) rotate(${-angle})`} />
        <text x={label.x} y={label.y} className="phasor-label" stroke="none">
          {name}
          {phase + 1}
        </text>
      </g>
    );
  });
}

/** Angles turn against the clock, the picture's y grows downwards. */
function pointAt(degrees: number, length: number): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180;
  return { x: Number((length * Math.cos(radians)).toFixed(2)), y: Number((-length * Math.sin(radians)).toFixed(2)) };
}

const lineBetween = (a: { x: number; y: number }, b: { x: number; y: number }) => ({ x1: a.x, y1: a.y, x2: b.x, y2: b.y });

/** From -180 to 180. */
const turn = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

function describe({ voltages, currents }: NonNullable<Metering["phasors"]>): string {
  const list = (name: string, unit: string, phasors: MeterPhasor[]) =>
    phasors
      .map(({ magnitude, angle }, phase) => `${name}${phase + 1} ${formatReading(magnitude)} ${unit} at ${Math.round(angle)}°`)
      .join(", ");
  return `Phasor diagram: ${list("V", "V", voltages)}; ${list("I", "A", currents)}`;
}
