import type { Metering } from "@busbar/contract/telemetry/metering.ts";

/** Whether a current is noise: the machine is stopped, whatever the last digits say. */
export const isNoise = ({ limits }: Metering, current: number | null): boolean =>
  current !== null && Math.abs(current) <= (limits?.currentNoise ?? 0);

/** Whether every measured current is. */
export function hasNoLoad(metering: Metering): boolean {
  const known = [metering.current1, metering.current2, metering.current3].filter((current) => current !== null);
  return known.length > 0 && known.every((current) => isNoise(metering, current));
}
