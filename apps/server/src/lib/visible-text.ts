// oxlint-disable-next-line no-control-regex -- control characters are what it makes visible
const hidden = /[\u0000-\u001F\u007F-\u009F\u200B\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** Text of anyone as one line that shows all that is in it: control and direction characters become symbols or codes. Cut to `maxLength`. */
export function visibleText(text: string, maxLength: number): string {
  return text
    .toWellFormed()
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(hidden, (char) => {
      const code = char.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x24_00 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
    });
}
