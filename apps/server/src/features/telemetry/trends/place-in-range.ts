import { zoneOrUtc } from "#lib/local-day.ts";
import type { TrendNodeRow, TrendStayRow } from "./trends.read-model.ts";

/** Where a node is or was last in a range, and when in it. */
export interface PlaceInRange {
  customerName: string;
  facilityName: string;
  locationName: string;
  locationId: number | null;
  timezone: string;
  /** When it is or was there, epoch seconds, each from one up to before another; those that touch the range. */
  windows: (readonly [number, number])[];
  /** Of what is stored by place; 0 for none. */
  placeId: number;
  /** Seen by a customer's program. */
  isProgram: boolean;
}

/** Ratings and thresholds are of the place: of one where the node is no more they are those that it had there. */
export function asSetIn(stay: TrendStayRow | undefined, now: TrendNodeRow): TrendNodeRow {
  if (!stay || stay.endedAt === null) return now;
  return stay.settings ?? { ...now, npVoltage: null, npCurrent: null, npHp: null, thresholds: null };
}

/**
 * A node's series is of one place: what the node sent from others belongs to those. What came before its first stay counts for that,
 * unless another node was there before.
 * @param stays of the node, the oldest first
 * @param customerId of a program, which sees nothing but what came from its customer's places
 * @returns undefined when a program may see nothing of the node
 */
export function placeInRange(
  stays: readonly TrendStayRow[],
  { from, to }: { from: number; to: number },
  customerId: number | undefined,
): { place: PlaceInRange; stay: TrendStayRow | undefined } | undefined {
  const own = seenBy(stays, customerId);
  const stay = own.findLast(({ startedAt, isFirst }) => startedAt < to || (isFirst && customerId === undefined)) ?? own[0];
  if (!stay) return customerId === undefined ? { place: nowhere, stay } : undefined;
  const place = {
    customerName: stay.customerName,
    facilityName: stay.facilityName,
    locationName: stay.locationName,
    locationId: stay.isPlaceThere ? stay.locationId : null,
    timezone: zoneOrUtc(stay.timezone),
    windows: windowsOf(
      own.filter(({ locationId }) => locationId === stay.locationId),
      { from, to },
      customerId,
    ),
    placeId: stay.locationId,
    isProgram: customerId !== undefined,
  };
  return { place, stay };
}

/** Of a node that never was at a place. */
const nowhere: PlaceInRange = {
  customerName: "",
  facilityName: "",
  locationName: "",
  locationId: null,
  timezone: "UTC",
  windows: [[-Infinity, Infinity]],
  placeId: 0,
  isProgram: false,
};

/** Those that are a customer's, as far as a program asks, and all for others. */
export const seenBy = (stays: readonly TrendStayRow[], customerId: number | undefined) =>
  stays.filter((stay) => customerId === undefined || stay.customerId === customerId);

/** When these stays were, each from one up to before another; those that touch the range. */
export function windowsOf(
  stays: readonly TrendStayRow[],
  { from, to }: { from: number; to: number },
  customerId: number | undefined,
): [number, number][] {
  return stays
    .map(({ startedAt, endedAt, isFirst }): [number, number] => [
      isFirst && customerId === undefined ? -Infinity : startedAt,
      endedAt ?? Infinity,
    ])
    .filter(([begin, end]) => begin < to && end > from);
}
