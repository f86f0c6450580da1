import type { BilledMonth } from "@busbar/contract/office/billing.ts";
import type { BilledLine } from "./bill-register.store.ts";
import { dayBefore, type Day } from "./bill-period.ts";

type BilledLocation = BilledMonth["organizations"][number]["locations"][number];

/** A location of an organisation with its time of a month that is to be billed: the days after `paidThruDate`, up to `billThruDate`. */
export type DueLine = Omit<BilledLine, "billNumber">;

/** The days of a month, written as a bill writes them. */
export function monthTerms(month: string): { paidThruDate: Day; billToDate: Day } {
  const [year = 0, index = 1] = month.split("-").map(Number);
  const next = new Date(Date.UTC(year, index, 1)).toISOString().slice(0, 10);
  return { paidThruDate: dayBefore(`${month}-01`), billToDate: dayBefore(next) };
}

/** How often each location's days of a month are billed: those that are to be billed, and those that are without need. */
export function billedLocations(month: string, due: readonly DueLine[], billed: readonly BilledLine[]): BilledLocation[] {
  const days = daysOf(month);
  const locations = new Map([...billed, ...due].map((line) => [line.locationId, line]));
  return [...locations.values()].map(({ locationId, customerName, facilityName, locationName }) => {
    const isOfIt = (line: { locationId: number }) => line.locationId === locationId;
    const lines = billed.filter(isOfIt);
    const dueLine = due.find(isOfIt);
    const times = days.map((day) => lines.filter((line) => covers(line, day)).length);
    const missing = days.filter((day, index) => dueLine !== undefined && covers(dueLine, day) && times[index] === 0);
    return {
      locationId,
      customerName,
      facilityName,
      locationName,
      status: times.some((count) => count > 1) ? "more than once" : missing.length === 0 ? "once" : lines.length === 0 ? "not" : "in part",
      bills: lines.map(({ billNumber }) => billNumber),
    };
  });
}

const covers = (line: { paidThruDate: Day; billThruDate: Day }, day: Day): boolean => line.paidThruDate < day && day <= line.billThruDate;

function daysOf(month: string): Day[] {
  const last = Number(monthTerms(month).billToDate.slice(8));
  return Array.from({ length: last }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`);
}
