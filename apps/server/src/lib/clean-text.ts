// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const control = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** A device's text as the database and people may have it: without control and direction characters, well-formed, cut to `maxLength`. */
export function cleanText(text: string, maxLength: number): string {
  return text.toWellFormed().replaceAll(control, "").slice(0, maxLength).toWellFormed().trim();
}
