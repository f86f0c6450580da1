import { formatReading } from "#lib/format-number.ts";

export interface MeterValue {
  label: string;
  value: number | null;
  unit?: string;
}

/** COM-07: readings with 0 to 2 decimals under their names. */
export function MeterValues({ values }: { values: readonly MeterValue[] }) {
  return (
    <dl className="meter-values">
      {values.map(({ label, value, unit }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="mono">
            {formatReading(value)} {unit && <span className="meter-unit">{unit}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
