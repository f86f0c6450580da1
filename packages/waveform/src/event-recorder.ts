import { splitLines } from "./decode-text.ts";
import { labelsOf, nothingSaid, type RecordHead } from "./record-head.ts";

const readLength = 1_048_576;
const mostHeadLines = 12;
const newestRows = 8;

interface RecorderRow {
  number: number;
  /** Date and time as the relay writes them. */
  at: string;
  cause: string;
}

/**
 * Reads a relay's text log (GE UR family: EVT.TXT): `name: value` lines, then rows of number, date and time, cause. What is newest has
 * the highest number, wherever it is.
 */
export function readEventRecorder(text: string): RecordHead {
  const lines = splitLines(text.slice(0, readLength));
  const rows = lines.flatMap((line) => readRow(line) ?? []);
  const head = lines
    .slice(0, 60)
    .filter((line) => readRow(line) === undefined)
    .flatMap((line): [string, string][] => {
      const [, name, value] =
        /^[ \t"#]{0,10}([A-Za-z][A-Za-z0-9 _/.-]{0,39}?)[ \t]{0,40}[:=][ \t]{0,40}"?([^\s"][^"]{0,199})/.exec(line) ?? [];
      return name && value ? [[name, value.trim()]] : [];
    })
    .slice(0, mostHeadLines);
  const newest = rows.toSorted((a, b) => b.number - a.number).slice(0, newestRows);
  const last = newest[0];
  if (!last) return head.length === 0 ? nothingSaid : { labels: labelsOf(head), triggeredAt: undefined, event: "" };
  // What belongs together happened within a minute.
  const together = newest.filter(({ at }) => minuteOf(at) === minuteOf(last.at));
  return {
    labels: labelsOf([...head, ["Events in the log", rows.length], ["Newest event", last.cause], ["Time of the newest event", last.at]]),
    triggeredAt: last.at,
    event: together.map(({ cause }) => cause).join(", "),
  };
}

const minuteOf = (at: string): string => at.replace(/:\d{2}(?:\.\d+)?$/, "");

function readRow(line: string): RecorderRow | undefined {
  const match =
    /^[ \t"]{0,20}(\d{1,9})[ \t",]{1,40}([A-Za-z0-9 ,/-]{6,24}? \d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?)[ \t",]{1,40}([^\s"][^"]{0,99})/.exec(
      line,
    );
  const [, number = "", at = "", cause = ""] = match ?? [];
  return match ? { number: Number(number), at: at.trim(), cause: cause.trim() } : undefined;
}
