import { withoutFrame } from "./decode-text.ts";
import { labelsOf, nothingSaid, type RecordHead } from "./record-head.ts";

/** The head of a report is within its first lines. */
const headLength = 65_536;

/** Reads the head of a printed SEL event report (EVE); its samples stay text. */
export function readEve(text: string): RecordHead {
  const head = withoutFrame(text.slice(0, headLength));
  const find = (pattern: RegExp) => pattern.exec(head)?.[1]?.trim();
  const fid = find(/^[ \t]{0,40}FID=(\S{1,100})/m);
  const date = find(/\bDate:[ \t]{0,40}(\d{1,4}[/-]\d{1,2}[/-]\d{1,4})/);
  const time = find(/\bTime:[ \t]{0,40}(\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?)/);
  const event = find(/^[ \t]{0,40}Event:[ \t]{0,40}(\S{1,40}(?: \S{1,40}){0,4})/m);
  const targets = find(/^[ \t]{0,40}Targets:[ \t]{0,40}(\S.{0,99})/m);
  if (fid === undefined && event === undefined) return nothingSaid;
  const triggeredAt = date === undefined ? undefined : [date, time].join(" ").trim();
  return {
    labels: labelsOf([
      ["Relay", fid],
      ["Event", event],
      ["Targets", targets],
      ["Fault location", find(/\bLocation:[ \t]{0,40}(\S{1,40})/)],
      ["Shot", find(/\bShot:[ \t]{0,40}(\S{1,20})/)],
      ["Frequency", find(/\bFrequency:[ \t]{0,40}(\S{1,20})/)],
      ["Trigger", triggeredAt],
    ]),
    triggeredAt,
    event: [event, targets].filter(Boolean).join(" "),
  };
}
