/** Takes the place in a table of rows that are not drawn. */
export function GapRow({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null;
}
