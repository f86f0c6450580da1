import { lastQuarter } from "#testing/sample-files.ts";

export const hour = 3_600;
export const day = 86_400;

/** A Tuesday, two days after clocks went forward in America. */
export const worldStart = Date.UTC(2026, 2, 10, 17, 20) / 1000;

/** The beginning of a quarter of an hour before nodes sent what they did. */
export const quarter = (ago: number): number => lastQuarter(ago, (worldStart + 2 * day) * 1000);
