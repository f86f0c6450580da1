/** What is wrong with a picture, as the end of a sentence about it. */
export class JpegProblem extends Error {}

const isNone = "is not a JPEG";
const isCut = "is not whole: the JPEG ends too early";
/** A browser needs 4 bytes for each: a file of some hundred bytes can claim gigabytes. Phones make 12 million, and the console sends less than 3. */
const maxPixels = 16_000_000;

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Baseline, extended and progressive: what browsers show. */
const shownFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Quantisation and Huffman tables, number of lines, restart interval. */
const neededTables: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdc, 0xdd]);

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** Of APP0, APP2 and APP14 what the colours need: they also hold small pictures, or are lists of further ones. */
function isOfColours(marker: number, content: Uint8Array): boolean {
  const begins = (words: string) => Buffer.from(content.subarray(0, words.length)).toString("latin1") === words;
  if (marker === 0xe0) return begins("JFIF\0") && content.length === 14;
  return (marker === 0xe2 && begins("ICC_PROFILE\0")) || (marker === 0xee && begins("Adobe"));
}

/**
 * The picture without what else is in its file (ITU-T T.81, annex B): position, camera, times, comments, previews and whatever follows its end.
 * @throws JpegProblem for what is no whole JPEG that browsers show
 */
export function bareJpeg(file: Uint8Array): Uint8Array {
  if (file[0] !== 0xff || file[1] !== startOfImage || file[2] !== 0xff) throw new JpegProblem(isNone);
  const kept: Uint8Array[] = [file.subarray(0, 2)];
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; ;) {
    // Any number of fill bytes may come before a marker.
    while (file[at] === 0xff && file[at + 1] === 0xff) at++;
    const marker = file[at + 1];
    if (marker === undefined) throw new JpegProblem(isCut);
    if (file[at] !== 0xff) throw new JpegProblem("is a damaged JPEG");
    if (marker === endOfImage) {
      if (!hasScan) throw new JpegProblem(isCut);
      kept.push(file.subarray(at, at + 2));
      return Buffer.concat(kept);
    }
    const end = at + 2 + lengthAt(file, at + 2);
    if (end > file.length) throw new JpegProblem(isCut);
    const content = file.subarray(at + 4, end);
    const segment = file.subarray(at, end);
    at = end;
    if (isFrame(marker)) {
      if (hasFrame || !shownFrames.has(marker)) throw new JpegProblem("is a JPEG of a kind that browsers do not show");
      refuseSize(content);
      hasFrame = true;
    } else if (marker === startOfScan) {
      if (!hasFrame) throw new JpegProblem("is a damaged JPEG");
      at = endOfScan(file, end);
      kept.push(file.subarray(end - segment.length, at));
      hasScan ||= at > end;
      continue;
    } else if (!neededTables.has(marker) && !isOfColours(marker, content)) continue;
    kept.push(segment);
  }
}

function lengthAt(file: Uint8Array, at: number): number {
  const [high, low] = [file[at], file[at + 1]];
  if (high === undefined || low === undefined) throw new JpegProblem(isCut);
  const length = high * 256 + low;
  if (length < 2) throw new JpegProblem("is a damaged JPEG");
  return length;
}

function refuseSize(frame: Uint8Array): void {
  const [, heightHigh = 0, heightLow = 0, widthHigh = 0, widthLow = 0] = frame;
  const [height, width] = [heightHigh * 256 + heightLow, widthHigh * 256 + widthLow];
  if (height === 0 || width === 0) throw new JpegProblem("is a damaged JPEG");
  if (height * width > maxPixels)
    throw new JpegProblem(`is ${width} x ${height} pixels; at most ${maxPixels / 1_000_000} million are kept`);
}

/** Where the coded picture ends: at a marker that is no restart and no stuffed byte. */
function endOfScan(file: Uint8Array, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  throw new JpegProblem(isCut);
}
