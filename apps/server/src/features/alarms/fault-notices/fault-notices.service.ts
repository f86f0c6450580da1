import { sharedAlarmKinds } from "@busbar/alarms/incidents/occurrences.ts";
import { measuredLine } from "@busbar/alarms/measured-line.ts";
import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import type { PoolClient } from "pg";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import type { Digests } from "#features/alarms/digests/digests.service.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import { findNoticePlaces, type NoticePlaceRow } from "./fault-notices.store.ts";

/** A fault that was found at a node. */
export interface FoundFault {
  serialNumber: number;
  /** Name of its fault-library flag, or a kind that has none. */
  kind: string;
  /** Epoch seconds. */
  at: number;
  /** Percent, but the number of the phase that was lost, starts in an hour, seconds of a start. */
  value: number | undefined;
  limit: number;
  /** Which one, where there are several. */
  name?: string;
  /** Lines of the message. */
  facts?: readonly string[];
}

export interface FaultNoticesDependencies {
  mail: Pick<Mail, "enqueue">;
  digests: Digests;
  /** What a location that says nothing of a flag has. */
  defaultFlags: () => Promise<readonly FaultLibraryFlag[]>;
  clock: Clock;
  /** Of this installation, such as `Production`. */
  environment: string;
}

/** What people are notified of whatever flags a location has. */
const unflagged = new Map([["RELAY_EVENT", "Relay event"]]);

/** Mail about faults: to the subscribers of the facility, where the location's flag is on; one message per fault. */
export function createFaultNotices({ mail, digests, defaultFlags, clock, environment }: FaultNoticesDependencies) {
  return {
    /** Inside the transaction that stores the faults. */
    async notify(client: PoolClient, faults: readonly FoundFault[]): Promise<void> {
      const places = await findNoticePlaces(
        client,
        faults.map(({ serialNumber }) => serialNumber),
        clock.now() / 1000,
      );
      const flags = await defaultFlags();
      for (const fault of faults) {
        const place = places.get(fault.serialNumber);
        const title = unflagged.get(fault.kind) ?? flaggedTitle(fault.kind, place, flags);
        if (!place || title === undefined) continue;
        const held = heldBack(place);
        const id = await mail.enqueue(client, {
          kind: unflagged.has(fault.kind) ? fault.kind : `FAULT_${fault.kind}`,
          subject: `[${environment}] ${title}: ${place.locationName}, ${place.facilityName} (${place.serialNumber})`,
          body: bodyOf(fault, title, place),
          // A deployment issue keeps alerts from the customer; the provider's own people hear of them.
          to: place.deploymentIssue ? [] : place.to,
          bcc: place.bcc,
          dedupeKey: dedupeKeyOf(fault, place, held.notSentReason !== undefined),
          subjects: [{ serialNumber: fault.serialNumber, topic: fault.kind, at: fault.at }],
          ...held,
        });
        if (id === undefined || place.pauseNotifications || place.muteReason !== null) continue;
        await digests.add(client, {
          facilityId: place.facilityId,
          preference: "receive_fault_library_notifications",
          isInternalOnly: place.deploymentIssue,
          at: fault.at,
          timezone: place.timezone,
          words: `${title}: ${place.locationName} (${place.serialNumber})`,
        });
      }
    },
  };
}
export type FaultNotices = ReturnType<typeof createFaultNotices>;

/** Undefined where the location does not want it, or no one knows the flag. */
function flaggedTitle(kind: string, place: NoticePlaceRow | undefined, flags: readonly FaultLibraryFlag[]): string | undefined {
  const flag = flags.find(({ name }) => name === kind);
  return flag && (place?.faultLibraryAlertFlags[kind] ?? flag.value) ? flag.display_name : undefined;
}

function heldBack({ pauseNotifications, muteReason, deploymentIssue, bcc }: NoticePlaceRow): { notSentReason?: string } {
  if (pauseNotifications) return { notSentReason: "Paused: notifications of this node are paused" };
  if (muteReason !== null) return { notSentReason: `Muted: ${muteReason}` };
  return deploymentIssue && bcc.length === 0 ? { notSentReason: "Deployment issue" } : {};
}

function dedupeKeyOf({ serialNumber, kind, at }: FoundFault, place: NoticePlaceRow, isHeld: boolean): string {
  // A message that is held back, or goes to our own people only, stands for its own node.
  const isForAll = sharedAlarmKinds.has(kind) && !isHeld && !place.deploymentIssue;
  return isForAll ? `FAULT facility ${place.facilityId} ${kind} ${Math.floor(at / 60)}` : `FAULT ${serialNumber} ${kind} ${at}`;
}

function bodyOf(fault: FoundFault, title: string, place: NoticePlaceRow): string {
  const measured = measuredLine(fault);
  return [
    `${title} at ${place.locationName}, ${place.facilityName}.`,
    "",
    `Node: ${place.serialNumber}`,
    `Time: ${formatLocalTime(fault.at, place.timezone)}`,
    ...(measured === undefined ? [] : [measured]),
    ...(fault.facts ?? []),
    ...(place.deploymentIssue ? ["", `Deployment issue: ${place.deploymentIssueDetails || "yes"}. Customers were not notified.`] : []),
    "",
  ].join("\n");
}
