import { WaveformError } from "./waveform.ts";

// Bounded spaces: three runs side by side would otherwise be tried in every way.
const marker =
  /---\s{0,9}file type:\s{0,9}(CFG|INF|HDR|DAT)\s{0,9}(ASCII|BINARY32|BINARY|FLOAT32)?\s{0,9}(?::\s{0,9}(\d{1,12}))?\s{0,9}---\r?\n?/gi;

/**
 * Sections of a combined COMTRADE file (CFF, C37.111-2013), as bytes: its data may be binary.
 * @throws WaveformError when the configuration or the data is missing, or shorter than its marker says
 */
export function splitCff(bytes: Uint8Array): { cfg: Uint8Array; dat: Uint8Array } {
  // One character per byte, so that positions in the text are positions in the file.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const sections = new Map<string, Uint8Array>();
  marker.lastIndex = 0;
  for (let match = marker.exec(text); match; match = marker.exec(text)) {
    const [, kind = "", , length] = match;
    const start = match.index + match[0].length;
    const end = sectionEnd(text, start, length === undefined ? 0 : Number(length));
    if (!sections.has(kind.toUpperCase())) sections.set(kind.toUpperCase(), bytes.subarray(start, end));
    // What looks like a marker within counted bytes is data.
    marker.lastIndex = end;
  }
  const [cfg, dat] = [sections.get("CFG"), sections.get("DAT")];
  if (!cfg) throw new WaveformError("CFF: the section of the configuration (CFG) is missing");
  if (!dat) throw new WaveformError("CFF: the section of the data (DAT) is missing");
  return { cfg, dat };
}

function sectionEnd(text: string, start: number, length: number): number {
  if (length > 0) {
    if (start + length > text.length) throw new WaveformError(`CFF: the data has ${text.length - start} of ${length} bytes`);
    return start + length;
  }
  const next = text.slice(start).search(/---\s{0,9}file type:/i);
  return next === -1 ? text.length : start + next;
}
