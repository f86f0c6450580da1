import { displayTime } from "./display-time.ts";
import type { SystemFigures } from "./system-figures.ts";
import type { MessageKind } from "@busbar/contract/system/system-messages.ts";
import type { MessageCounts, StoredMessage } from "./system-messages.store.ts";

export interface ReportPart {
  kind: MessageKind;
  counts: MessageCounts;
  /** Newest first. */
  messages: StoredMessage[];
}

/** Subject and text of the debug mail: figures, then what came of each kind since the last one. */
export function debugReport(
  parts: readonly ReportPart[],
  figures: SystemFigures,
  by: string,
  now: number,
): { subject: string; body: string } {
  const lines = [
    `Sent by ${by} at ${displayTime(now)}`,
    `Memory: ${figures.memoryUsedMb} of ${figures.memoryAvailableMb} MB used`,
    `Disk: ${figures.diskUsedGb} of ${figures.diskAvailableGb} GB used, ${figures.minDiskFreePercent} % free at least`,
  ];
  for (const { kind, counts, messages } of parts) {
    const shown = newestOf(messages, counts.sinceNotice);
    lines.push("", `${kind.toUpperCase()}: ${counts.sinceNotice} since the last mail, ${counts.lifetime} in all`);
    lines.push(
      ...shown.map(({ at, source, message, count }) => `${displayTime(at)} [${source}] ${message}${count > 1 ? ` (${count} times)` : ""}`),
    );
    const listed = shown.reduce((sum, { count }) => sum + count, 0);
    if (counts.sinceNotice > listed) lines.push(`… and ${counts.sinceNotice - listed} before these`);
  }
  return { subject: `Busbar debug report ${displayTime(now)}`, body: `${lines.join("\n")}\n` };
}

/** As many of the newest as make up the count: an equal one that came often counts as often. */
function newestOf(messages: readonly StoredMessage[], count: number): StoredMessage[] {
  let before = 0;
  return messages.filter((message) => {
    const isWithin = before < count;
    before += message.count;
    return isWithin;
  });
}
