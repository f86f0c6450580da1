import { firstFrom, type TrendLine } from "./trend-lines.ts";

/** Times and values as places on a canvas. */
export interface Frame {
  from: number;
  to: number;
  x: (time: number) => number;
  y: (value: number) => number;
}

/** Upright columns of one width from left to right, each by its places on the canvas; where there is a gap, there is none. */
export interface Columns {
  width: number;
  left: number[];
  /** Where the largest and the smallest value are. */
  top: number[];
  bottom: number[];
  /** Between which heights the line of the means goes. */
  from: number[];
  to: number[];
}

/** The places of the points in sight and one on each side. */
export function inSight({ times }: TrendLine, { from, to }: Frame): [number, number] {
  return [Math.max(0, firstFrom(times, from) - 1), Math.min(times.length, firstFrom(times, to) + 1)];
}

export const areJoined = ({ times, step }: TrendLine, index: number): boolean =>
  (times[index] ?? 0) - (times[index - 1] ?? 0) <= step * 1.5;

/** A line and its band as columns, what is between two points that belong together included. @param width pixels of the canvas */
export function columnsOf(line: TrendLine, frame: Frame, width: number): Columns {
  const { times, minimum, mean, maximum } = line;
  const columns: Columns = { width, left: [], top: [], bottom: [], from: [], to: [] };
  const [first, end] = inSight(line, frame);
  const [start, stop] = [frame.x(frame.from), frame.x(frame.to)];
  let place = -1;
  const add = (column: number, low: number, middle: number, high: number) => {
    const left = column * width;
    if (columns.left[place] !== left) {
      place++;
      columns.left.push(left);
      columns.top.push(high);
      columns.bottom.push(low);
      columns.from.push(middle);
      columns.to.push(middle);
      return;
    }
    if (high < columns.top[place]!) columns.top[place] = high;
    if (low > columns.bottom[place]!) columns.bottom[place] = low;
    if (middle < columns.from[place]!) columns.from[place] = middle;
    if (middle > columns.to[place]!) columns.to[place] = middle;
  };
  let [x, low, middle, high] = [0, 0, 0, 0];
  for (let index = first; index < end; index++) {
    const [fromX, fromLow, fromMiddle, fromHigh] = [x, low, middle, high];
    x = frame.x(times[index]!);
    low = frame.y(minimum[index]!);
    middle = frame.y(mean[index]!);
    high = frame.y(maximum[index]!);
    const column = Math.floor(x / width);
    if (index > first && areJoined(line, index))
      for (let edge = Math.floor(Math.max(fromX, start) / width) + 1; edge <= Math.floor(Math.min(x, stop) / width); edge++) {
        // Both columns beside an edge reach to where the line crosses it.
        const share = (edge * width - fromX) / (x - fromX);
        const [atLow, atMiddle, atHigh] = [
          fromLow + share * (low - fromLow),
          fromMiddle + share * (middle - fromMiddle),
          fromHigh + share * (high - fromHigh),
        ];
        add(edge - 1, atLow, atMiddle, atHigh);
        add(edge, atLow, atMiddle, atHigh);
      }
    add(column, low, middle, high);
  }
  return columns;
}
