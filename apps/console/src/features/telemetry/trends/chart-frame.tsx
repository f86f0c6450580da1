import type { ReactNode } from "react";
import { formatReading } from "#lib/format-number.ts";
import { evenTicks } from "#ui/even-ticks.ts";

export interface ChartFrameProps {
  /** What it shows, in words. */
  words: string;
  low: number;
  high: number;
  /** Shares of the width, with what is written there. */
  ticks: readonly { place: number; label: string }[];
  /** What is along the axes, with its unit. */
  across?: string;
  up?: string;
  /** Drawn with the places of shares of the width and of values. */
  children: (x: (share: number) => number, y: (value: number) => number) => ReactNode;
}

const [width, plotHeight, right, top] = [720, 230, 24, 10];
/** Of the words along an axis. */
const nameRoom = 18;

/** A drawing with an axis of round values and one of shares. */
export function ChartFrame({ words, low, high, ticks, across, up, children }: ChartFrameProps) {
  const left = 52 + (up === undefined ? 0 : nameRoom);
  const bottom = 22 + (across === undefined ? 0 : nameRoom);
  const height = plotHeight + (across === undefined ? 0 : nameRoom);
  const values = evenTicks(low, high);
  const [least, most] = [values[0] ?? 0, values.at(-1) ?? 1];
  const x = (share: number) => left + share * (width - left - right);
  const y = (value: number) => height - bottom - ((value - least) / (most - least)) * (height - bottom - top);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img>
    <svg className="trend-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      {values.map((value) => (
        <g key={value}>
          <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} className="trend-chart-line" />
          <text x={left - 6} y={y(value) + 4} textAnchor="end">
            {formatReading(value)}
          </text>
        </g>
      ))}
      {ticks.map(({ place, label }) => (
        <text key={place} x={x(place)} y={height - bottom + 16} textAnchor="middle">
          {label}
        </text>
      ))}
      {across !== undefined && (
        <text x={x(0.5)} y={height - 5} textAnchor="middle">
          {across}
        </text>
      )}
      {up !== undefined && (
        <text transform={`translate(12 ${top + (height - bottom - top) / 2}) rotate(-90)`} textAnchor="middle">
          {up}
        </text>
      )}
      {children(x, y)}
    </svg>
  );
}
