import { WaveformError } from "./waveform.ts";

// Recorders write the marker in many ways: without a colon or dashes at its end, in other case, with more dashes, with a length after a
// space. Bounded spaces: runs of them side by side would otherwise be tried in every way.
const opening = String.raw`-{2,12}[ \t]{0,9}file[ \t_-]{0,3}type[ \t]{0,9}[:=]?[ \t]{0,9}`;
const lineEnd = String.raw`[ \t]{0,9}(?:\r\n|\n|\r|$)`;
const marker = new RegExp(
  String.raw`${opening}(CFG|INF|HDR|DAT)(?:[ \t:=]{1,9}(?:ASCII|BINARY32|BINARY|FLOAT32))?(?:[ \t:=]{1,9}(\d{1,12})(?:[ \t]{0,9}bytes)?)?[ \t:]{0,9}(?:-{2,12}(?:${lineEnd})?|${lineEnd})`,
  "gi",
);
const anyMarker = new RegExp(opening, "i");

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
    const [, kind = "", length] = match;
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
  const next = text.slice(start).search(anyMarker);
  return next === -1 ? text.length : start + next;
}
