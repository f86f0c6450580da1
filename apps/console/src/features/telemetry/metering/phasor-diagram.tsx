import type { Metering, MeterPhasor } from "@busbar/contract/telemetry/metering.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { placeLabels, pointAt, type LabelledPhasor, type Point } from "./phasor-labels.ts";

const radius = 100;
const colors = ["var(--phase-1)", "var(--phase-2)", "var(--phase-3)"];

export interface PhasorsProps {
  phasors: NonNullable<Metering["phasors"]>;
  /** A current at or below it is noise. */
  noise: number;
  /** Where there are several: which one. */
  title?: string;
}

/** The drawing with its values below. */
export function PhasorDiagram({ phasors, noise }: PhasorsProps) {
  return (
    <figure className="meter-phasors">
      <PhasorDrawing phasors={phasors} noise={noise} />
      <DataTable
        className="meter-phasor-table mono"
        columns={columns}
        rows={rowsOf(phasors, noise)}
        keyOf={({ phase }) => phase}
        isMatrix
      />
    </figure>
  );
}

/**
 * Voltages to neutral as solid arrows, currents dashed; each kind is drawn to its own greatest magnitude. A current that is noise has a direction
 * by chance: it has no arrow.
 */
export function PhasorDrawing({ phasors, noise, title = "Phasor diagram" }: PhasorsProps) {
  const currents = phasors.currents.map((phasor) => (isNoise(phasor, noise) ? { ...phasor, magnitude: 0 } : phasor));
  const arrows = [...arrowsOf("V", phasors.voltages, radius), ...arrowsOf("I", currents, 0.78 * radius)];
  const labels = placeLabels(arrows);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img>
    <svg viewBox="-130 -130 260 260" role="img" aria-label={`${title}: ${describe(phasors, noise)}`}>
      {[radius / 3, (2 * radius) / 3, radius].map((each) => (
        <circle key={each} r={each} className="phasor-ring" />
      ))}
      {[0, 30, 60, 90, 120, 150].map((angle) => (
        <line key={angle} {...lineBetween(pointAt(angle, radius), pointAt(angle + 180, radius))} className="phasor-ring" />
      ))}
      {arrows.map((arrow, index) => (
        <Arrow key={arrow.name} arrow={arrow} label={labels[index] ?? { x: 0, y: 0 }} />
      ))}
    </svg>
  );
}

interface PhaseRow {
  phase: number;
  voltage: MeterPhasor;
  current: MeterPhasor | undefined;
  noise: number;
}

const rowsOf = ({ voltages, currents }: NonNullable<Metering["phasors"]>, noise: number): PhaseRow[] =>
  voltages.map((voltage, phase) => ({ phase, voltage, current: currents[phase], noise }));

const columns: readonly Column<PhaseRow>[] = [
  {
    label: "Phase",
    text: ({ phase }) => phase + 1,
    cell: ({ phase }) => <span style={{ color: colors[phase] }}>{phase + 1}</span>,
    isRowHead: true,
  },
  { label: "V L-N", text: ({ voltage }) => `${formatReading(voltage.magnitude)}∠${Math.round(voltage.angle)}°`, isRight: true },
  {
    label: "I",
    text: ({ current, noise }) => (current ? textOf(current, noise) : "–"),
    cell: ({ current, noise }) =>
      current ? <span className={isNoise(current, noise) ? "meter-faded" : undefined}>{textOf(current, noise)}</span> : "–",
    isRight: true,
  },
  {
    label: "Lag",
    text: ({ voltage, current, noise }) =>
      current && !isNoise(current, noise) ? `${Math.round(turn(voltage.angle - current.angle))}°` : "–",
    isRight: true,
  },
];

const isNoise = ({ magnitude }: MeterPhasor, noise: number): boolean => magnitude <= noise;
const textOf = (current: MeterPhasor, noise: number): string =>
  isNoise(current, noise)
    ? `${formatReading(current.magnitude)} no load`
    : `${formatReading(current.magnitude)}∠${Math.round(current.angle)}°`;

interface DrawnArrow extends LabelledPhasor {
  /** Such as V1. */
  name: string;
  color: string | undefined;
  isDashed: boolean;
}

function arrowsOf(kind: "V" | "I", phasors: readonly MeterPhasor[], length: number): DrawnArrow[] {
  const greatest = Math.max(...phasors.map(({ magnitude }) => magnitude));
  if (!(greatest > 0)) return [];
  return phasors
    .map(({ magnitude, angle }, phase) => ({
      name: `${kind}${phase + 1}`,
      angle,
      reach: (magnitude / greatest) * length,
      color: colors[phase],
      isDashed: kind === "I",
    }))
    .filter(({ reach }) => reach >= 1);
}

function Arrow({ arrow: { name, angle, reach, color, isDashed }, label }: { arrow: DrawnArrow; label: Point }) {
  const tip = pointAt(angle, reach);
  const isAway = Math.hypot(label.x - tip.x, label.y - tip.y) > 24;
  return (
    <g stroke={color} fill={color}>
      <line x1={0} y1={0} x2={tip.x} y2={tip.y} strokeWidth={isDashed ? 1.6 : 2.4} strokeDasharray={isDashed ? "5 3" : undefined} />
      <path d="M0 0 L-9 3.5 L-9 -3.5 Z" stroke="none" transform={`translate(${tip.x} ${tip.y}) rotate(${-angle})`} />
      {isAway && <line x1={tip.x} y1={tip.y} x2={label.x} y2={label.y} strokeWidth={0.5} className="phasor-leader" />}
      <text x={label.x} y={label.y} className="phasor-label" stroke="none">
        {name}
      </text>
    </g>
  );
}

const lineBetween = (a: { x: number; y: number }, b: { x: number; y: number }) => ({ x1: a.x, y1: a.y, x2: b.x, y2: b.y });

/** From -180 to 180. */
const turn = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

function describe({ voltages, currents }: NonNullable<Metering["phasors"]>, noise: number): string {
  const list = (name: string, unit: string, phasors: MeterPhasor[]) =>
    phasors
      .map(({ magnitude, angle }, phase) => `${name}${phase + 1} ${formatReading(magnitude)} ${unit} at ${Math.round(angle)}°`)
      .join(", ");
  const isIdle = currents.every((current) => isNoise(current, noise));
  return `${list("V", "V", voltages)}; ${isIdle ? "no load" : list("I", "A", currents)}`;
}
