import { downloadFile } from "./download.ts";

/** Pixels of the page; canvases have their own. */
const textSize = 13;
const lineHeight = 20;
const gap = 14;
const swatchWidth = 18;

/** One picture of all plots below `container`, one under the other, on the page's ground, each below what its caption says. */
export function savePlotsAsPng(container: HTMLElement, name: string): void {
  const canvases = [...container.querySelectorAll("canvas")];
  const picture = document.createElement("canvas");
  picture.width = Math.max(...canvases.map(({ width }) => width));
  const context = picture.getContext("2d");
  if (!context) return;
  const scale = (canvases[0]?.width ?? 1) / (canvases[0]?.clientWidth || 1);
  const font = `${textSize * scale}px ${getComputedStyle(document.body).fontFamily}`;
  context.font = font;
  const captions = canvases.map((canvas) => placeEntries(captionOf(canvas), context, picture.width / scale, scale));
  const heights = captions.map((entries) => (Math.max(-1, ...entries.map(({ line }) => line)) + 1) * lineHeight * scale);
  picture.height = canvases.reduce((sum, { height }, index) => sum + height + (heights[index] ?? 0), 0);
  // A new size has put the pen away.
  Object.assign(context, {
    font,
    textBaseline: "middle",
    lineWidth: 2.5 * scale,
    fillStyle: getComputedStyle(document.body).backgroundColor,
  });
  context.fillRect(0, 0, picture.width, picture.height);
  let top = 0;
  for (const [index, canvas] of canvases.entries()) {
    for (const entry of captions[index] ?? []) drawEntry(context, entry, top, scale);
    top += heights[index] ?? 0;
    context.drawImage(canvas, 0, top);
    top += canvas.height;
  }
  picture.toBlob((blob) => blob && downloadFile(name, blob), "image/png");
}

interface Entry {
  text: string;
  color: string;
  /** Of the line that it names. */
  swatch: { color: string; dash: number[] } | undefined;
}
type PlacedEntry = Entry & { left: number; line: number };

/** The parts of the caption of a canvas's figure, as they look in the page. */
function captionOf(canvas: HTMLCanvasElement): Entry[] {
  const caption = canvas.closest("figure")?.querySelector("figcaption");
  if (!caption) return [];
  const parts = caption.children.length > 0 ? [...caption.children] : [caption];
  return parts.flatMap((part) => {
    const text = (part.textContent ?? "").trim();
    const line = part.querySelector("line");
    if (text === "") return [];
    const dash = (line?.getAttribute("stroke-dasharray") ?? "").split(/[ ,]+/).filter(Boolean).map(Number);
    return [{ text, color: getComputedStyle(part).color, swatch: line ? { color: getComputedStyle(line).stroke, dash } : undefined }];
  });
}

/** One beside the other, on as many lines as they need. */
function placeEntries(entries: readonly Entry[], context: CanvasRenderingContext2D, width: number, scale: number): PlacedEntry[] {
  let [left, line] = [gap, 0];
  return entries.map((entry) => {
    const length = context.measureText(entry.text).width / scale + (entry.swatch ? swatchWidth + 6 : 0);
    if (left > gap && left + length > width) [left, line] = [gap, line + 1];
    const placed = { ...entry, left, line };
    left += length + gap;
    return placed;
  });
}

function drawEntry(context: CanvasRenderingContext2D, { text, color, swatch, left, line }: PlacedEntry, top: number, scale: number): void {
  const middle = top + (line + 0.5) * lineHeight * scale;
  if (swatch) {
    context.strokeStyle = swatch.color;
    context.setLineDash(swatch.dash.map((length) => length * scale));
    context.beginPath();
    context.moveTo(left * scale, middle);
    context.lineTo((left + swatchWidth) * scale, middle);
    context.stroke();
  }
  context.fillStyle = color;
  context.fillText(text, (left + (swatch ? swatchWidth + 6 : 0)) * scale, middle);
}
