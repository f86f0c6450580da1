import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import type { PoolClient } from "pg";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import type { Clock } from "#lib/clock.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { clearAlerts, findAlertPlaces, raiseAlerts, type FoundAlert } from "./data-point-alerts.store.ts";
import { findDataPointIssues, type DataPointValues } from "./data-point-issues.ts";

/** A data point that is newer than all that were looked at before. */
export interface DataPointReview {
  serialNumber: number;
  /** End of its interval, epoch seconds. */
  at: number;
  values: DataPointValues;
  settings: AlarmSettings;
}

export interface DataPointAlertsDependencies {
  mail: Pick<Mail, "enqueue">;
  internalRecipients: () => Promise<readonly string[]>;
  clock: Clock;
  /** Of this installation, such as `Production`. */
  environment: string;
}

const words: Record<FoundAlert["kind"], string> = {
  late: "Data points are late",
  incomplete: "A data point is incomplete",
  implausible: "A data point holds values that cannot be",
  deadChannel: "A channel measures nothing",
};

/** Internal notices about data points that are late or cannot be right: one per node and kind until it is over. */
export function createDataPointAlerts({ mail, internalRecipients, clock, environment }: DataPointAlertsDependencies) {
  /** Those that are there already are not reported again. */
  const raise = async (client: PoolClient, found: readonly FoundAlert[]): Promise<number> => {
    const added = await raiseAlerts(client, found);
    if (added.length === 0) return 0;
    const places = await findAlertPlaces(
      client,
      added.map(({ serialNumber }) => serialNumber),
      clock.now() / 1000,
    );
    const to = await internalRecipients();
    for (const { serialNumber, kind, at, detail } of added) {
      const place = places.get(serialNumber);
      const where = place?.locationName ? `${place.locationName}, ${place.facilityName}` : "no location";
      await mail.enqueue(client, {
        kind: "DATA_POINT_ALERT",
        subject: `[${environment}] Data point alert: ${where} (${serialNumber})`,
        body: [
          `${words[kind]}: node ${serialNumber} at ${where}.`,
          "",
          `Since: ${formatLocalTime(at, place?.timezone ?? "UTC")}`,
          `What: ${detail}`,
          "",
          "This is not reported again until it is over.",
          "",
        ].join("\n"),
        to,
        dedupeKey: `DATA_POINT_ALERT ${serialNumber} ${kind} ${at}`,
        ...(place?.heldReason ? { notSentReason: place.heldReason } : {}),
      });
    }
    return added.length;
  };

  /** Newest data points against physics; inside the transaction that marks them. */
  const review = async (client: PoolClient, reviews: readonly DataPointReview[]): Promise<void> => {
    const judged = reviews.map((review) => ({ ...review, issues: findDataPointIssues(review.values, review.settings) }));
    // In their order, so that what an earlier one shows and a later one does not is reported and over.
    for (const turn of turnsOf(judged)) {
      await clearAlerts(
        client,
        turn.map(({ serialNumber, issues }) => ({ serialNumber, kinds: issues.map(({ kind }) => kind) })),
      );
      const found = turn.flatMap(({ serialNumber, at, issues }) => issues.map((issue) => ({ ...issue, serialNumber, at })));
      if (found.length > 0) await raise(client, found);
    }
  };

  return { raise, review };
}
export type DataPointAlerts = ReturnType<typeof createDataPointAlerts>;

/** The first data point of every node, then the second, and so on. */
function turnsOf<T extends { serialNumber: number }>(list: readonly T[]): T[][] {
  const turns: T[][] = [];
  const seen = new Map<number, number>();
  for (const item of list) {
    const nth = seen.get(item.serialNumber) ?? 0;
    seen.set(item.serialNumber, nth + 1);
    (turns[nth] ??= []).push(item);
  }
  return turns;
}
