const [frequencyAt, currentAt, voltageAt, phases] = [3, 4, 7, 3];

/**
 * `28.4 A · 478 V · 60.0 Hz`: what the last scalar says, phases as their mean; empty where it says nothing. A line that is too short for all
 * breaks between two of them only.
 */
export function readingsOf(lastScalarData: string): string {
  const parts = lastScalarData.split(",");
  const meanOf = (from: number, count: number) => {
    const values = parts.slice(from, from + count).flatMap((part) => (part !== "" && Number.isFinite(Number(part)) ? [Number(part)] : []));
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const shown = [
    [meanOf(currentAt, phases), 1, "A"],
    [meanOf(voltageAt, phases), 0, "V"],
    [meanOf(frequencyAt, 1), 1, "Hz"],
  ] as const;
  return shown
    .flatMap(([value, decimals, unit]) => (value === undefined ? [] : [`${value.toFixed(decimals)}\u00a0${unit}`]))
    .join(" ·\u00a0");
}
