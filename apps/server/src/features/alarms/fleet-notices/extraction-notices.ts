import { counted } from "@busbar/contract/values/counted.ts";
import type { PoolClient } from "pg";
import { countReported, takeUnreported } from "#shared/reported-notices.store.ts";
import { findFailedFiles, type FailedFilesRow } from "./extraction-notices.store.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";

/** More failed files of a node in a day than this are reported. */
const tolerableFailures = 3;
/** So many nodes in a day have something in common, which more messages do not show. */
const mostNodesADay = 50;
const daySeconds = 86_400;
const kind = "FILE_EXTRACTION_FAILED";

export type NotifyExtractionFailures = (client: PoolClient, serials: readonly number[], now: number) => Promise<void>;

/** An internal notice about nodes whose files fail again and again, once a node and local day. */
export function createExtractionNotices({
  mail,
  internalRecipients,
  environment,
}: Pick<FleetNoticesDependencies, "mail" | "internalRecipients" | "environment">): NotifyExtractionFailures {
  return async (client, serials, now) => {
    for (const node of await findFailedFiles(client, serials, now, tolerableFailures)) {
      const reported = await countReported(client, kind, now - daySeconds);
      if (reported >= mostNodesADay) return;
      if ((await takeUnreported(client, kind, [{ objectId: node.serialNumber, period: node.dayStart }], now)).size === 0) continue;
      const where = node.locationName === null ? "no location" : `${node.locationName}, ${node.facilityName}`;
      await mail.enqueue(client, {
        kind,
        subject: `[${environment}] File extraction failed: ${where} (${node.serialNumber})`,
        body: bodyOf(node, reported + 1 === mostNodesADay),
        to: await internalRecipients(),
      });
    }
  };
}

function bodyOf({ serialNumber, count, examples }: FailedFilesRow, isLast: boolean): string {
  return [
    `${counted(count, "file")} of node ${serialNumber} could not be read today. The newest:`,
    "",
    ...examples.map(({ fileName, reason }) => `${fileName}  ${reason}`),
    "",
    isLast
      ? `Files of ${counted(mostNodesADay, "node")} failed in a day: no more nodes are reported until tomorrow.`
      : "More of this node are not reported today.",
    "",
  ].join("\n");
}
