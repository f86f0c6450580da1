import { isObjectId } from "./object-id.ts";

/** FEE-03: which rows of a list are shown, counted from 1. */
export interface Page {
  from: number;
  count: number;
  total: number;
}

/** The next page begins here; nothing happens when the last row is shown. */
export const nextFrom = ({ from, count, total }: Page): number => (from + count >= total ? from : from + count);

/** The page before begins here; nothing happens at the first row, and it is never below it. */
export const previousFrom = ({ from, count }: Page): number => Math.max(1, from - count);

/** Of an address, where anyone may write anything. */
export function readFrom(text: string): number {
  return isObjectId(text) ? Number(text) : 1;
}
