export type CsvCell = string | number | null;

/** CSV after RFC 4180, each row with its line end. A text that a spreadsheet would run as a formula begins with an apostrophe (ASVS 1.2.10). */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string => rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");

function cellText(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless = /^[=+\-@\t\r\n|%]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
