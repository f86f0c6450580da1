/** What one benchmark found. */
export interface Report {
  name: string;
  title: string;
  tables: ReportTable[];
  /** Cost against size. */
  plots?: Plot[];
  /** Raw figures for `--json`, by a name that says the unit. */
  facts: Record<string, number>;
  /** Sentences that say how to read the tables. */
  notes: string[];
  /** Errors of the product, never slowness: any of them makes the run fail. */
  failures: string[];
}

export interface ReportTable {
  columns: string[];
  rows: (string | number)[][];
}

/** One value of y for each of x. */
export interface Plot {
  title: string;
  xLabel: string;
  yLabel: string;
  x: string[];
  y: number[];
}

export function createReport(name: string, title: string): Report {
  return { name, title, tables: [], facts: {}, notes: [], failures: [] };
}

/** Counts as a failure unless it is zero. */
export function expectNone(report: Report, what: string, count: number): void {
  if (count !== 0) report.failures.push(`${what}: ${count}, must be 0`);
}

export function renderReport(report: Report): string {
  const lines = [`\n== ${report.name}: ${report.title} ==`];
  for (const table of report.tables) lines.push("", ...renderTable(table));
  if (report.notes.length > 0) lines.push("", ...report.notes.map((note) => `  ${note}`));
  for (const failure of report.failures) lines.push(`  FAILED ${failure}`);
  return `${lines.join("\n")}\n`;
}

function renderTable({ columns, rows }: ReportTable): string[] {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`;
  return [line(columns), `  ${widths.map((width) => "-".repeat(width)).join("  ")}`, ...cells.slice(1).map(line)];
}
