import type UPlot from "uplot";
import { formatReading } from "#lib/format-number.ts";
import { areJoined, columnsOf, inSight, type Columns, type Frame } from "./trend-columns.ts";
import { commonGaps, outside, type TrendLine, type TrendPanel } from "./trend-lines.ts";
import type { TimeSpan } from "./zone-time.ts";

export interface PaintColors {
  resolve: (color: string) => string;
  text: string;
  /** Of the page, around words that lie on lines. */
  ground: string;
  hatch: string;
  mark: string;
}

const bandAlpha = 0.2;
const lastingAlpha = 0.12;
const hatchRoom = 7;
/** Of the strip that says where one of several series has gaps. */
const stripHeight = 5;
const stripRoom = 4;
/** Of more rough lines than so many each column is two pixels wide: in a frame there is time for some ten thousand of them. */
const fewRough = 4;
/** Up and down, as a multiple of the width of the plot, for all lines together. */
const roughTravel = 10;
const font = "11px system-ui, sans-serif";

/** Draws the panel's gaps, limits, bands and lines; times and values go to pixels by the plot's scales. */
export function paintPanel(plot: UPlot, { lines, unit }: TrendPanel, colors: PaintColors): void {
  const { ctx, bbox } = plot;
  const frame = frameOf(plot);
  if (!frame) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paintGaps(ctx, bbox, frame, lines, colors);
  const words = paintLimits(ctx, bbox, frame, lines, unit, colors);
  ctx.lineJoin = "round";
  const rough = lines.filter((line) => isRough(line, frame, roughTravel / lines.length));
  const columnWidth = devicePixelRatio * (rough.length > fewRough ? 2 : 1);
  const drawn = lines.map((line) => ({ line, columns: rough.includes(line) ? columnsOf(line, frame, columnWidth) : undefined }));
  for (const { line, columns } of drawn)
    if (line.isEarlier) continue;
    else if (columns) paintBandColumns(ctx, columns, line, colors);
    else paintBand(ctx, frame, line, colors);
  for (const { line, columns } of drawn)
    if (columns) paintMeanColumns(ctx, columns, line, colors);
    else paintMean(ctx, frame, line, colors);
  paintWords(ctx, words, colors);
  ctx.restore();
}

export interface PaintedMark {
  timestamp: number;
  /** Of what lasted. */
  endTimestamp: number | null;
}

/** A thin line at each time at which something happened; what it was is over the plots. */
export function paintMarks(plot: UPlot, marks: readonly PaintedMark[], colors: PaintColors): void {
  const { ctx, bbox } = plot;
  const frame = frameOf(plot);
  if (!frame) return;
  const pixels = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colors.mark;
  ctx.fillStyle = colors.mark;
  ctx.lineWidth = pixels;
  ctx.setLineDash([2 * pixels, 3 * pixels]);
  ctx.beginPath();
  for (const { timestamp, endTimestamp } of marks) {
    if (endTimestamp !== null && endTimestamp > frame.from && timestamp < frame.to) {
      const left = frame.x(Math.max(timestamp, frame.from));
      ctx.globalAlpha = lastingAlpha;
      ctx.fillRect(left, bbox.top, frame.x(Math.min(endTimestamp, frame.to)) - left, bbox.height);
      ctx.globalAlpha = 1;
    }
    if (timestamp < frame.from || timestamp > frame.to) continue;
    const x = Math.round(frame.x(timestamp));
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

/** Whose time it is, before the ticks; two where the clocks change. */
export function paintLetters({ ctx, bbox }: UPlot, letters: readonly string[], colors: PaintColors): void {
  const pixels = devicePixelRatio;
  ctx.save();
  ctx.font = font.replace("11", `bold ${11 * pixels}`);
  ctx.fillStyle = colors.text;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  for (const [line, word] of letters.slice(0, 2).entries())
    ctx.fillText(word, 2 * pixels, bbox.top + bbox.height + (8 + line * 14) * pixels);
  ctx.restore();
}

function frameOf({ bbox, scales }: UPlot): Frame | undefined {
  const { min: from, max: to } = scales["x"] ?? {};
  const { min: low, max: high } = scales["y"] ?? {};
  if (typeof from !== "number" || typeof to !== "number" || typeof low !== "number" || typeof high !== "number") return undefined;
  const [perSecond, perUnit] = [bbox.width / (to - from), bbox.height / (high - low)];
  return { from, to, x: (time) => bbox.left + (time - from) * perSecond, y: (value) => bbox.top + (high - value) * perUnit };
}

/** Hatched where no series has a value; where some have, a hatched strip at the bottom in the colour of the one that has none. */
function paintGaps(ctx: CanvasRenderingContext2D, bbox: UPlot.BBox, frame: Frame, lines: readonly TrendLine[], colors: PaintColors): void {
  const current = lines.filter(({ isEarlier }) => !isEarlier);
  const pixels = devicePixelRatio;
  const common = commonGaps(current);
  paintHatch(ctx, frame, common, bbox, hatchRoom * pixels, colors.hatch);
  if (current.length < 2) return;
  const height = stripHeight * pixels;
  for (const [place, { gaps, color }] of current.entries()) {
    const strip = { ...bbox, top: bbox.top + bbox.height - (place + 1) * (height + pixels), height };
    paintHatch(ctx, frame, outside(gaps, common), strip, stripRoom * pixels, colors.resolve(color));
  }
}

function paintHatch(
  ctx: CanvasRenderingContext2D,
  frame: Frame,
  spans: readonly TimeSpan[],
  { left, top, width, height }: UPlot.BBox,
  room: number,
  color: string,
): void {
  const seen = spans.filter(({ from, to }) => to > frame.from && from < frame.to);
  if (seen.length === 0) return;
  ctx.save();
  ctx.beginPath();
  for (const { from, to } of seen) {
    const start = frame.x(Math.max(from, frame.from));
    ctx.rect(start, top, Math.max(devicePixelRatio, frame.x(Math.min(to, frame.to)) - start), height);
  }
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += room) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

const wordRows = [0, 1, 2, 3, 4];

/** Limits of one value are one line with all their names. */
function limitsOf(lines: readonly TrendLine[]) {
  const all = lines.flatMap(({ limits, color }) => limits.map((limit) => ({ ...limit, color })));
  return [...Map.groupBy(all, ({ value, kind }) => `${value} ${kind}`).values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, names: [...new Set(same.map(({ line }) => line))] }] : [];
  });
}

interface LimitWords {
  text: string;
  left: number;
  base: number;
  width: number;
}

/** @returns the names of the limits, which lie above all lines */
function paintLimits(
  ctx: CanvasRenderingContext2D,
  bbox: UPlot.BBox,
  frame: Frame,
  lines: readonly TrendLine[],
  unit: string,
  colors: PaintColors,
): LimitWords[] {
  const pixels = devicePixelRatio;
  ctx.font = font.replace("11", String(11 * pixels));
  ctx.lineWidth = pixels;
  // Words of limits that are close lie one after the other, or above each other where there is no room.
  const words: LimitWords[] = [];
  for (const { value, kind, names, color } of limitsOf(lines)) {
    const y = Math.round(frame.y(value));
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = colors.resolve(color);
    ctx.setLineDash(kind === "nameplate" ? [10 * pixels, 4 * pixels] : [4 * pixels, 4 * pixels]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const text = `${names.join(", ")} ${formatReading(value)} ${unit}`;
    const height = 13 * pixels;
    const first = bbox.left + 6 * pixels;
    // What is wider than the plot is narrowed.
    const width = Math.min(ctx.measureText(text).width, bbox.width - 12 * pixels);
    const freeAt = (at: number) =>
      words.reduce(
        (free, other) => (Math.abs(other.base - at) < height ? Math.max(free, other.left + other.width + 12 * pixels) : free),
        first,
      );
    const rows = y - height < bbox.top ? wordRows.map((row) => y + (row + 1) * height) : wordRows.map((row) => y - pixels - row * height);
    const base = rows.find((row) => row - height >= bbox.top && freeAt(row) + width <= bbox.left + bbox.width) ?? rows[0]!;
    words.push({ text, left: freeAt(base), base, width });
  }
  ctx.setLineDash([]);
  return words;
}

/** Lines that cross them end around each letter. */
function paintWords(ctx: CanvasRenderingContext2D, words: readonly LimitWords[], colors: PaintColors): void {
  if (words.length === 0) return;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.lineJoin = "round";
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.strokeStyle = colors.ground;
  ctx.fillStyle = colors.text;
  for (const { text, left, base, width } of words) {
    ctx.strokeText(text, left, base, width);
    ctx.fillText(text, left, base, width);
  }
}

/** How far a line and its band go up and down from one point to the next, in its unit: the mean of all. */
const travels = new WeakMap<TrendLine, number>();

function travelOf(line: TrendLine): number {
  const known = travels.get(line);
  if (known !== undefined) return known;
  const upAndDown = (values: readonly number[]) =>
    values.reduce((sum, value, index) => sum + (index > 0 ? Math.abs(value - (values[index - 1] ?? 0)) : 0), 0);
  const all = upAndDown(line.minimum) + upAndDown(line.mean) + upAndDown(line.maximum);
  const travel = all / Math.max(1, line.times.length);
  travels.set(line, travel);
  return travel;
}

/**
 * A line that goes up and down at every pixel has edges many times as long as the plot is wide, and a browser without a graphics card takes a
 * second for a dozen of them. It is drawn in upright columns, a pixel or two wide, which look the same.
 */
function isRough(line: TrendLine, frame: Frame, most: number): boolean {
  const [first, end] = inSight(line, frame);
  return travelOf(line) * (end - first) * (frame.y(0) - frame.y(1)) > most * (frame.x(frame.to) - frame.x(frame.from));
}

function paintBandColumns(
  ctx: CanvasRenderingContext2D,
  { width, left, top, bottom }: Columns,
  line: TrendLine,
  colors: PaintColors,
): void {
  ctx.fillStyle = colors.resolve(line.color);
  ctx.globalAlpha = bandAlpha;
  for (const [place, x] of left.entries()) ctx.fillRect(x, top[place]!, width, bottom[place]! - top[place]!);
  ctx.globalAlpha = 1;
}

function paintMeanColumns(ctx: CanvasRenderingContext2D, { width, left, from, to }: Columns, line: TrendLine, colors: PaintColors): void {
  const thickness = lineWidthOf(line);
  const [shown = 1, hidden = 0] = line.dash.map((part) => part * devicePixelRatio);
  ctx.fillStyle = colors.resolve(line.color);
  ctx.globalAlpha = alphaOf(line);
  for (const [place, x] of left.entries())
    if (x % (shown + hidden) < shown || hidden === 0)
      ctx.fillRect(x, from[place]! - thickness / 2, width, to[place]! - from[place]! + thickness);
  ctx.globalAlpha = 1;
}

const lineWidthOf = ({ isEarlier }: TrendLine): number => (isEarlier ? 1 : 1.5) * devicePixelRatio;
const alphaOf = ({ isEarlier }: TrendLine): number => (isEarlier ? 0.75 : 1);

function paintBand(ctx: CanvasRenderingContext2D, frame: Frame, line: TrendLine, colors: PaintColors): void {
  const { times, minimum, maximum, color } = line;
  const [first, end] = inSight(line, frame);
  ctx.fillStyle = colors.resolve(color);
  ctx.globalAlpha = bandAlpha;
  ctx.beginPath();
  for (let start = first; start < end;) {
    let stop = start + 1;
    while (stop < end && areJoined(line, stop)) stop++;
    for (let index = start; index < stop; index++) {
      const [x, y] = [frame.x(times[index] ?? 0), frame.y(maximum[index] ?? 0)];
      if (index === start) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    for (let index = stop - 1; index >= start; index--) ctx.lineTo(frame.x(times[index] ?? 0), frame.y(minimum[index] ?? 0));
    ctx.closePath();
    start = stop;
  }
  ctx.fill();
  ctx.globalAlpha = 1;
}

function paintMean(ctx: CanvasRenderingContext2D, frame: Frame, line: TrendLine, colors: PaintColors): void {
  const { times, mean, color, dash } = line;
  const pixels = devicePixelRatio;
  const [first, end] = inSight(line, frame);
  ctx.strokeStyle = colors.resolve(color);
  ctx.fillStyle = ctx.strokeStyle;
  ctx.lineWidth = lineWidthOf(line);
  ctx.globalAlpha = alphaOf(line);
  ctx.setLineDash(dash.map((part) => part * pixels));
  ctx.beginPath();
  for (let index = first; index < end; index++) {
    const [x, y] = [frame.x(times[index] ?? 0), frame.y(mean[index] ?? 0)];
    const isJoined = index > first && areJoined(line, index);
    if (isJoined) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    // A value by itself would be no line.
    if (!isJoined && (index + 1 >= end || !areJoined(line, index + 1)))
      ctx.fillRect(x - 1.5 * pixels, y - 1.5 * pixels, 3 * pixels, 3 * pixels);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}
