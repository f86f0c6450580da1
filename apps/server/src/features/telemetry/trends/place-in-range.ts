import { zoneOrUtc } from "#lib/local-day.ts";
import type { TrendStayRow } from "./trends.read-model.ts";

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
): PlaceInRange | undefined {
  const own = customerId === undefined ? stays : stays.filter((stay) => stay.customerId === customerId);
  const last = own.findLast(({ startedAt, isFirst }) => startedAt < to || (isFirst && customerId === undefined)) ?? own[0];
  if (!last)
    return customerId === undefined
      ? {
          customerName: "",
          facilityName: "",
          locationName: "",
          locationId: null,
          timezone: "UTC",
          windows: [[-Infinity, Infinity]],
          placeId: 0,
          isProgram: false,
        }
      : undefined;
  const windows = windowsOf(
    own.filter(({ locationId }) => locationId === last.locationId),
    { from, to },
    customerId,
  );
  return {
    customerName: last.customerName,
    facilityName: last.facilityName,
    locationName: last.locationName,
    locationId: last.isPlaceThere ? last.locationId : null,
    timezone: zoneOrUtc(last.timezone),
    windows,
    placeId: last.locationId,
    isProgram: customerId !== undefined,
  };
}

/** When these stays were, each from one up to before another; those that touch the range, as far as a program may see them. */
export function windowsOf(
  stays: readonly TrendStayRow[],
  { from, to }: { from: number; to: number },
  customerId: number | undefined,
): [number, number][] {
  return stays
    .filter((stay) => customerId === undefined || stay.customerId === customerId)
    .map(({ startedAt, endedAt, isFirst }): [number, number] => [
      isFirst && customerId === undefined ? -Infinity : startedAt,
      endedAt ?? Infinity,
    ])
    .filter(([begin, end]) => begin < to && end > from);
}
