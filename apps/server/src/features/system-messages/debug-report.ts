import { displayTime } from "./display-time.ts";
import type { SystemFigures } from "./system-figures.ts";
import type { MessageCounts, MessageKind, StoredMessage } from "./system-messages.store.ts";

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
    const shown = messages.slice(0, counts.sinceNotice);
    lines.push("", `${kind.toUpperCase()}: ${counts.sinceNotice} since the last mail, ${counts.lifetime} in all`);
    lines.push(...shown.map(({ at, source, message }) => `${displayTime(at)} [${source}] ${message}`));
    if (counts.sinceNotice > shown.length) lines.push(`… and ${counts.sinceNotice - shown.length} before these`);
  }
  return { subject: `Busbar debug report ${displayTime(now)}`, body: `${lines.join("\n")}\n` };
}
