import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pdfmake, { type Content } from "pdfmake";
import { openTypeOf } from "./woff.ts";

const packageFile = (name: string) => fileURLToPath(import.meta.resolve(name));
const robotoFolder = join(dirname(packageFile("pdfmake/package.json")), "fonts", "Roboto");
const unifontFile = packageFile("@fontsource/unifont/files/unifont-latin-400-normal.woff");
/** Where pdfmake looks for files before it looks on the disk; its types do not know it. */
const files = (pdfmake as unknown as { virtualfs: { writeFileSync: (name: string, bytes: Buffer) => void } }).virtualfs;
let isReady = false;

// The fonts come with the libraries; a document never makes it read another file or call anyone.
export function prepareFonts(): void {
  if (isReady) return;
  isReady = true;
  const roboto = (name: string) => join(robotoFolder, `Roboto-${name}.ttf`);
  const [normal, bold] = [roboto("Regular"), roboto("Medium")];
  const unifont = "Unifont.ttf";
  files.writeFileSync(unifont, openTypeOf(readFileSync(unifontFile)));
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => path === normal || path === bold);
  pdfmake.setFonts({ Roboto: { normal, bold }, Unifont: { normal: unifont, bold: unifont } });
}

// What both cuts of Roboto have a glyph for. Unifont has one for everything else of Unicode's first plane.
const robotoRuns =
  /[\u0020-\u007e\u00a0-\u017f\u0384-\u038a\u038e-\u03a1\u03a3-\u03ce\u0400-\u0486\u0488-\u0513\u1ea0-\u1ef9\u2013\u2014\u2018-\u201d\u2026\u20ac]+/g;

/** Text that people wrote, each letter in a font that has it; what neither font has becomes U+FFFD. */
export function free(text: string): Extract<Content, { text: unknown }> {
  const printable = text
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .replaceAll(/[\u{10000}-\u{10ffff}]/gu, "\u{fffd}");
  const runs: { text: string; font: string }[] = [];
  let end = 0;
  const others = (to: number) => to > end && runs.push({ text: printable.slice(end, to), font: "Unifont" });
  for (const { 0: run, index } of printable.matchAll(robotoRuns)) {
    others(index);
    runs.push({ text: run, font: "Roboto" });
    end = index + run.length;
  }
  others(printable.length);
  return { text: runs };
}
