import type { PoolClient } from "pg";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import type { NoticePreference } from "#shared/subscribers-sql.ts";
import type { Clock } from "#lib/clock.ts";
import { addDigestItems } from "./digests.store.ts";

/** Something that was reported at once to some, and is reported later to those who want it together. */
export interface DigestEvent {
  facilityId: number;
  preference: NoticePreference;
  /** Customers are not notified. */
  isInternalOnly: boolean;
  /** Epoch seconds, shown in the zone. */
  at: number;
  timezone: string;
  words: string;
}

/** What waits for the daily and weekly digests of subscribers. */
export function createDigests(clock: Clock) {
  return {
    /** Inside the transaction that reports the event. */
    async add(client: PoolClient, { at, timezone, words, ...event }: DigestEvent): Promise<void> {
      await addDigestItems(client, { ...event, at, line: `${formatLocalTime(at, timezone)}  ${words}` }, clock.now() / 1000);
    },
  };
}
export type Digests = ReturnType<typeof createDigests>;
