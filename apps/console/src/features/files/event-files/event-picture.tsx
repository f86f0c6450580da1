import { readPicture, type PictureColumn } from "@busbar/contract/files/event-picture.ts";
import { useMemo } from "react";

const size = { width: 160, height: 44 };
const half = size.height / 2;
const middles = [half / 2, half + half / 2];
const reach = half / 2 - 1;

/** Currents above, voltages below, phases in their colours: what the list shows of a waveform. */
export function EventPicture({ picture, label }: { picture: string; label: string }) {
  const paths = useMemo(() => readPicture(picture).map((columns, channel) => pathOf(columns, middles[channel < 3 ? 0 : 1]!)), [picture]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img>
    <svg className="event-picture" role="img" aria-label={label} viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none">
      {paths.map((path, channel) => path !== "" && <path key={channel} d={path} stroke={`var(--phase-${(channel % 3) + 1})`} />)}
    </svg>
  );
}

/** Down and up through each column: every peak is in it. */
function pathOf(columns: readonly (PictureColumn | null)[], middle: number): string {
  const x = (column: number) => ((column + 0.5) / columns.length) * size.width;
  const y = (value: number) => (middle - value * reach).toFixed(1);
  let isDrawing = false;
  return columns
    .map((column, index) => {
      if (column === null) {
        isDrawing = false;
        return "";
      }
      const [first, second] = index % 2 === 0 ? [column.low, column.high] : [column.high, column.low];
      const text = `${isDrawing ? "L" : "M"}${x(index).toFixed(1)} ${y(first)}${first === second ? "" : `V${y(second)}`}`;
      isDrawing = true;
      return text;
    })
    .join("");
}
