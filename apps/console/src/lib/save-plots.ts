import { downloadFile } from "./download.ts";

/** One picture of all plots below `container`, one under the other, on the page's ground. */
export function savePlotsAsPng(container: HTMLElement, name: string): void {
  const canvases = [...container.querySelectorAll("canvas")];
  const picture = document.createElement("canvas");
  picture.width = Math.max(...canvases.map(({ width }) => width));
  picture.height = canvases.reduce((sum, { height }) => sum + height, 0);
  const context = picture.getContext("2d");
  if (!context) return;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  let top = 0;
  for (const canvas of canvases) {
    context.drawImage(canvas, 0, top);
    top += canvas.height;
  }
  picture.toBlob((blob) => blob && downloadFile(name, blob), "image/png");
}
