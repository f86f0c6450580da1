import { getDocumentProxy, getResolvedPDFJS } from "unpdf";

/** One run of glyphs as it is drawn; positions in points from the lower left corner of the page. */
export interface PdfPiece {
  text: string;
  page: number;
  left: number;
  right: number;
  y: number;
  /** Glyphs that the font does not have: they print as empty boxes. */
  missingGlyphs: number;
}

interface Glyph {
  unicode: string;
  width: number;
  originalCharCode: number;
}

/** Every piece of text of a finished PDF, with where its first glyph of ink begins and its last one ends. */
export async function pdfPieces(pdf: Uint8Array): Promise<{ title: string; pages: number; pieces: PdfPiece[] }> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const pieces: PdfPiece[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { fnArray, argsArray } = await (await document.getPage(page)).getOperatorList();
    let [left, y, size] = [0, 0, 0];
    fnArray.forEach((operator, index) => {
      const args = argsArray[index] as unknown[];
      if (operator === OPS.setFont) size = args[1] as number;
      if (operator === OPS.setTextMatrix) [left = 0, y = 0] = Object.values(args[0] as Record<string, number>).slice(4);
      if (operator !== OPS.showText) return;
      const drawn = args[0] as (Glyph | number)[];
      const isInk = (part: Glyph | number) => typeof part === "object" && part.unicode.trim() !== "";
      const widthOf = (parts: (Glyph | number)[]) =>
        (parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? -part : part.width), 0) * size) / 1000;
      // Blanks at both ends of a line hang over its edges.
      const first = drawn.findIndex(isInk);
      if (first === -1) return;
      const inked = drawn.slice(first, drawn.findLastIndex(isInk) + 1);
      const glyphs = inked.filter((part) => typeof part === "object");
      const inkLeft = left + widthOf(drawn.slice(0, first));
      pieces.push({
        text: glyphs.map(({ unicode }) => unicode).join(""),
        page,
        left: inkLeft,
        right: inkLeft + widthOf(inked),
        y,
        missingGlyphs: glyphs.filter(({ originalCharCode }) => originalCharCode === 0).length,
      });
    });
  }
  const { info } = await document.getMetadata();
  return { title: (info as { Title?: string }).Title ?? "", pages: document.numPages, pieces };
}
