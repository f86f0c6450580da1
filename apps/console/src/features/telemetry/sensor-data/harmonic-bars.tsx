import { useState } from "react";
import { formatReading } from "#lib/format-number.ts";
import { evenTicks } from "#ui/even-ticks.ts";
import { NativeSelect } from "#ui/native-select.tsx";
import type { HarmonicOrder } from "./sensor-groups.ts";

const [width, height, left, bottom, top] = [720, 200, 48, 22, 8];

/** Magnitudes by order of one channel; the fundamental is in the table and would hide the others. */
export function HarmonicBars({ channels, harmonics }: { channels: string[]; harmonics: HarmonicOrder[] }) {
  const [chosen, setChannel] = useState("");
  // Not every record has every channel.
  const channel = channels.includes(chosen) ? chosen : (channels[0] ?? "");
  const bars = harmonics.flatMap(({ suffix, values }) => {
    const value = values.get(channel);
    return Number(suffix) > 1 && typeof value === "number" ? [{ order: Number(suffix), value }] : [];
  });
  const unit = channel.startsWith("V") ? "% of the fundamental" : "A";
  const ticks = evenTicks(0, Math.max(...bars.map(({ value }) => value), 1e-9));
  const largest = ticks.at(-1) ?? 1;
  const step = (width - left) / Math.max(bars.length, 1);
  const y = (value: number) => height - bottom - (value / largest) * (height - bottom - top);
  const strongest = bars.toSorted((a, b) => b.value - a.value)[0];
  const words = strongest
    ? `Harmonics of ${channel} by order in ${unit}; the largest is order ${strongest.order} with ${formatReading(strongest.value)}`
    : `No harmonics of ${channel}`;
  return (
    <figure className="harmonic-bars">
      <figcaption>
        <NativeSelect
          size="xs"
          label="Channel"
          data={channels}
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value)}
          className="no-print"
        />
        <span className="dim">Order 2 and above, in {unit}</span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img> */}
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} className="bar-line" />
            <text x={left - 6} y={y(tick) + 4} textAnchor="end">
              {formatReading(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ order, value }, index) => (
          <g key={order}>
            <rect
              x={left + index * step + step * 0.15}
              width={step * 0.7}
              y={y(value)}
              height={height - bottom - y(value)}
              className={channel.startsWith("V") ? "bar-volts" : "bar-amps"}
            >
              <title>{`Order ${order}: ${formatReading(value)}`}</title>
            </rect>
            <text x={left + index * step + step / 2} y={height - 6} textAnchor="middle">
              {order}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
