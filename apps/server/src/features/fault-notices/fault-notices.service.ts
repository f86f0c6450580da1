import type { FaultLibraryFlag } from "@busbar/contract/fault-library.ts";
import type { PoolClient } from "pg";
import type { Digests } from "#features/digests/digests.service.ts";
import type { Mail } from "#features/mail/mail.service.ts";
import { formatLocalTime } from "#lib/local-time.ts";
import { findNoticePlaces } from "./fault-notices.store.ts";
import type { NoticePlaceRow } from "./fault-notices.store.ts";

/** A fault that was found at a node. */
export interface FoundFault {
  serialNumber: number;
  /** Name of its fault-library flag. */
  kind: string;
  /** Epoch seconds. */
  at: number;
  /** Percent, or the number of the phase that was lost. */
  value: number | undefined;
  limit: number;
}

export interface FaultNoticesDependencies {
  mail: Pick<Mail, "enqueue">;
  digests: Digests;
  /** What a location that says nothing of a flag has. */
  defaultFlags: () => Promise<readonly FaultLibraryFlag[]>;
  /** Of this installation, such as `Production`. */
  environment: string;
}

/** Mail about faults: to the subscribers of the facility, where the location's flag is on; one message per fault. */
export function createFaultNotices({ mail, digests, defaultFlags, environment }: FaultNoticesDependencies) {
  return {
    /** Inside the transaction that stores the faults. */
    async notify(client: PoolClient, faults: readonly FoundFault[]): Promise<void> {
      const places = await findNoticePlaces(
        client,
        faults.map(({ serialNumber }) => serialNumber),
      );
      const flags = await defaultFlags();
      for (const fault of faults) {
        const place = places.get(fault.serialNumber);
        const flag = flags.find(({ name }) => name === fault.kind);
        if (!place || !flag || !(place.faultLibraryAlertFlags[fault.kind] ?? flag.value)) continue;
        const id = await mail.enqueue(client, {
          kind: `FAULT_${fault.kind}`,
          subject: `[${environment}] ${flag.display_name}: ${place.locationName}, ${place.facilityName} (${place.serialNumber})`,
          body: bodyOf(fault, flag, place),
          // A deployment issue keeps alerts from the customer; the provider's own people hear of them.
          to: place.deploymentIssue ? [] : place.to,
          bcc: place.bcc,
          dedupeKey: `FAULT ${fault.serialNumber} ${fault.kind} ${fault.at}`,
          ...heldBack(place),
        });
        if (id === undefined || place.pauseNotifications) continue;
        await digests.add(client, {
          facilityId: place.facilityId,
          wish: "receive_fault_library_notifications",
          isInternalOnly: place.deploymentIssue,
          at: fault.at,
          timezone: place.timezone,
          words: `${flag.display_name}: ${place.locationName} (${place.serialNumber})`,
        });
      }
    },
  };
}
export type FaultNotices = ReturnType<typeof createFaultNotices>;

function heldBack({ pauseNotifications, deploymentIssue, bcc }: NoticePlaceRow): { notSentReason?: string } {
  if (pauseNotifications) return { notSentReason: "Paused: notifications of this node are paused" };
  return deploymentIssue && bcc.length === 0 ? { notSentReason: "Deployment issue" } : {};
}

function bodyOf({ kind, at, value, limit }: FoundFault, flag: FaultLibraryFlag, place: NoticePlaceRow): string {
  return [
    `${flag.display_name} at ${place.locationName}, ${place.facilityName}.`,
    "",
    `Node: ${place.serialNumber}`,
    `Time: ${formatLocalTime(at, place.timezone)}`,
    ...(value === undefined ? [] : [kind === "lossOfPhase" ? `Phase: ${value}` : `Measured: ${value.toFixed(1)} %, limit ${limit} %`]),
    ...(place.deploymentIssue ? ["", `Deployment issue: ${place.deploymentIssueDetails || "yes"}. Customers were not told.`] : []),
    "",
  ].join("\n");
}
