/** A record of a CSV file, and the line of the file on which it begins, counted from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** What was read before the problem, if there is one. */
export interface ReadCsv {
  records: CsvRecord[];
  problem?: { line: number; message: string };
}

const separators = [",", ";", "\t"];

/** A file of 20 MB can be millions of cells, and reading them lets nothing else in between. Of a line, and in all lines that are empty. */
const mostCells = 100;
const mostEmptyCells = 200_000;

/**
 * Reads CSV after RFC 4180, with comma, semicolon or tab between (whichever the first line has most of), any line ends and an optional byte order
 * mark. Empty lines are passed by. The apostrophe before what a spreadsheet would run as a formula, as our own files have it, is taken off.
 */
export function readCsv(text: string, mostRecords: number): ReadCsv {
  let at = text.startsWith("\u{feff}") ? 1 : 0;
  let line = 1;
  const firstLine = /[^\r\n]*/y;
  firstLine.lastIndex = at;
  const head = (firstLine.exec(text)?.[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const separator = separators.toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!;
  const plain = separator === "\t" ? /[^\t\r\n]*/y : new RegExp(`[^${separator}\\r\\n]*`, "y");
  const records: CsvRecord[] = [];
  let emptyCells = 0;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (;;) {
      if (record.cells.length === mostCells) return { records, problem: { line, message: `At most ${mostCells} cells in a line` } };
      if (text[at] === '"') {
        const end = endOfQuoted(text, at);
        if (end === -1) return { records, problem: { line, message: "A quotation mark is not closed" } };
        const inside = text.slice(at + 1, end);
        const opened = line;
        line += inside.split(/\r\n|\r|\n/).length - 1;
        record.cells.push(harmless(inside.replaceAll('""', '"')));
        at = end + 1;
        if (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n")
          return { records, problem: { line: opened, message: notClosedRight(opened, line) } };
      } else {
        plain.lastIndex = at;
        const cell = plain.exec(text)?.[0] ?? "";
        record.cells.push(harmless(cell));
        at += cell.length;
      }
      if (text[at] !== separator) break;
      at++;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at++;
    at++;
    line++;
    if (record.cells.every((cell) => cell.trim() === "")) {
      emptyCells += record.cells.length;
      if (emptyCells > mostEmptyCells) return { records: [], problem: { line: record.line, message: "Too many empty lines: delete them" } };
      continue;
    }
    if (records.length === mostRecords)
      return {
        records: [],
        problem: { line: record.line, message: `At most ${mostRecords.toLocaleString("en-US")} lines with the heading` },
      };
    records.push(record);
  }
  return { records };
}

/** The one that closes may be the next cell's own: then the one that opens was never closed. */
const notClosedRight = (opened: number, closed: number): string =>
  `The quotation mark is closed${opened === closed ? "" : ` on line ${closed}`} by one that has neither a separator nor the end of the line after it`;

/** Where the quotation mark is that closes the one at `start`; -1 without one. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

const harmless = (cell: string): string => (/^'[=+\-@\t\r\n|%]/.test(cell) ? cell.slice(1) : cell);
