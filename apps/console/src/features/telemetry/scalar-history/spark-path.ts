export interface SparkSize {
  width: number;
  height: number;
}

const edge = 2;

/**
 * The path of an SVG line over time; it breaks where a value is missing.
 * @param range of all lines of the drawing; lines that hardly move stay near the middle
 */
export function sparkPath(
  times: readonly number[],
  values: readonly (number | null)[],
  { low, high }: { low: number; high: number },
  { width, height }: SparkSize,
): string {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const room = Math.max(high - low, Math.abs(high) / 50, 0.1);
  const bottom = (low + high - room) / 2;
  let isDrawing = false;
  return times
    .map((time, index) => {
      const value = values[index] ?? null;
      if (value === null) {
        isDrawing = false;
        return "";
      }
      const x = last === first ? width / 2 : ((time - first) / (last - first)) * width;
      const y = height - edge - ((value - bottom) / room) * (height - 2 * edge);
      const step = `${isDrawing ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      isDrawing = true;
      return step;
    })
    .join("");
}
