/** Columns of a one-second file that a plot shows. */
const panels = [
  { title: "Current", unit: "A", columns: ["i1", "i2", "i3"] },
  { title: "Voltage, line to line", unit: "V", columns: ["v1", "v2", "v3"] },
  { title: "Power", unit: "kW", columns: ["p1", "p2", "p3"] },
  { title: "Line frequency", unit: "Hz", columns: ["lf"] },
] as const;

export interface OneSecondSeries {
  times: number[];
  panels: { title: string; unit: string; series: { label: string; color: string; values: (number | null)[] }[] }[];
}

/** What an S file holds as series, oldest first; empty cells and what is no number leave gaps. Undefined for a text that is none. */
export function oneSecondSeries(text: string): OneSecondSeries | undefined {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => line.startsWith("t,lf,"));
  if (head < 0) return undefined;
  const names = lines[head]!.split(",");
  const rows = lines.slice(head + 1).flatMap((line) => {
    const cells = line.split(",");
    return cells.length === names.length && /^\d+$/.test(cells[0]!) ? [cells] : [];
  });
  const valuesOf = (name: string) => {
    const place = names.indexOf(name);
    return rows.map((cells) => numberOf(cells[place]));
  };
  return {
    times: rows.map((cells) => Number(cells[0])),
    panels: panels.map(({ title, unit, columns }) => ({
      title,
      unit,
      series: columns.map((name, index) => ({
        label: name.toUpperCase(),
        color: name === "lf" ? "var(--phase-lf)" : `var(--phase-${index + 1})`,
        values: valuesOf(name),
      })),
    })),
  };
}

function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
