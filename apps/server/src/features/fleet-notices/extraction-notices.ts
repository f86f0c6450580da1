import type { PoolClient } from "pg";
import { takeUntold } from "#db/notice-told.store.ts";
import { findFailedFiles } from "./extraction-notices.store.ts";
import type { FailedFilesRow } from "./extraction-notices.store.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";

/** More failed files of a node in a day than this are told. */
const tolerableFailures = 3;

export type TellExtractionFailures = (client: PoolClient, serials: readonly number[], now: number) => Promise<void>;

/** An internal notice about nodes whose files fail again and again, once a node and local day. */
export function createExtractionNotices({
  mail,
  internalRecipients,
  environment,
}: Pick<FleetNoticesDependencies, "mail" | "internalRecipients" | "environment">): TellExtractionFailures {
  return async (client, serials, now) => {
    for (const node of await findFailedFiles(client, serials, now, tolerableFailures)) {
      const key = { objectId: node.serialNumber, period: node.dayStart };
      if ((await takeUntold(client, "FILE_EXTRACTION_FAILED", [key], now)).size === 0) continue;
      const where = node.locationName === null ? "no location" : `${node.locationName}, ${node.facilityName}`;
      await mail.enqueue(client, {
        kind: "FILE_EXTRACTION_FAILED",
        subject: `[${environment}] File extraction failed: ${where} (${node.serialNumber})`,
        body: bodyOf(node),
        to: await internalRecipients(),
      });
    }
  };
}

function bodyOf({ serialNumber, count, examples }: FailedFilesRow): string {
  return [
    `${count} files of node ${serialNumber} could not be read today. The newest of them:`,
    "",
    ...examples.map(({ fileName, reason }) => `${fileName}  ${reason}`),
    "",
    "More of this node are not told today.",
    "",
  ].join("\n");
}
