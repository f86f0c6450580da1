/** A time as the wire has it. */
export const wholeSeconds = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : Math.floor(seconds);
