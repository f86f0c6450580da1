import type UPlot from "uplot";

/** A moment on a plot's time axis with what is to be read there. */
export interface PlotAnnotation {
  /** On the time axis of the plot: mostly epoch seconds. */
  timestamp: number;
  /** Empty: only the line. */
  text: string;
}

export interface AnnotationColors {
  line: string;
  text: string;
  ground: string;
}

const rows = 3;
const rowHeight = 15;
const padding = 4;
const font = "11px system-ui, sans-serif";

/**
 * Draws annotations over a plot: a dashed line with its text at the top, in as many rows as keep them apart. Texts go to the
 * canvas as they are, so that nothing in them is ever markup.
 * @param annotations asked at every drawing, so that they may change without a new plot
 */
export function plotAnnotations(annotations: () => readonly PlotAnnotation[], colors: AnnotationColors): UPlot.Plugin {
  return { hooks: { draw: (plot) => drawAnnotations(plot, annotations(), colors) } };
}

function drawAnnotations(plot: UPlot, annotations: readonly PlotAnnotation[], colors: AnnotationColors): void {
  const { ctx, bbox } = plot;
  const { min, max } = plot.scales["x"] ?? {};
  if (typeof min !== "number" || typeof max !== "number") return;
  const pixels = devicePixelRatio;
  const ends = Array.from({ length: rows }, () => -Infinity);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = font.replace(/^\d+/, (size) => String(Number(size) * pixels));
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { timestamp, text } of annotations) {
    if (timestamp < min || timestamp > max) continue;
    const x = Math.round(plot.valToPos(timestamp, "x", true));
    ctx.strokeStyle = colors.line;
    ctx.lineWidth = pixels;
    ctx.setLineDash([4 * pixels, 3 * pixels]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();

    if (text === "") continue;
    const words = shortened(ctx, text, bbox.width / 2);
    const width = ctx.measureText(words).width + 2 * padding * pixels;
    // To the right of its line, or to the left where the plot ends.
    const left = x + width <= bbox.left + bbox.width ? x : x - width;
    const row = Math.max(
      0,
      ends.findIndex((end) => end <= left),
    );
    ends[row] = left + width;
    const top = bbox.top + row * rowHeight * pixels;
    ctx.fillStyle = colors.ground;
    ctx.fillRect(left, top, width, rowHeight * pixels);
    ctx.setLineDash([]);
    ctx.strokeRect(left, top, width, rowHeight * pixels);
    ctx.fillStyle = colors.text;
    ctx.fillText(words, left + padding * pixels, top + (rowHeight * pixels) / 2);
  }
  ctx.restore();
}

/** The text on one line, cut where it would be wider than `most`. */
function shortened(ctx: CanvasRenderingContext2D, text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (ctx.measureText(line).width <= most) return line;
  let length = Math.min(line.length, 80);
  while (length > 1 && ctx.measureText(`${line.slice(0, length)}…`).width > most) length--;
  return `${line.slice(0, length).trimEnd()}…`;
}
