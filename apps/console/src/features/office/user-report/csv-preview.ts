const previewLines = 200;

/** The beginning of a long CSV text: a browser that must lay out megabytes freezes. */
export function previewOf(csv: string): { text: string; isCut: boolean } {
  let end = -1;
  for (let line = 0; line <= previewLines; line++) {
    end = csv.indexOf("\n", end + 1);
    if (end === -1) return { text: csv, isCut: false };
  }
  return { text: csv.slice(0, end + 1), isCut: end + 1 < csv.length };
}
