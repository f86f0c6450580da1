// oxlint-disable-next-line no-control-regex -- they are what is made visible
const hidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\r(?!\n)/g;

/** A device's text as it may be shown: control and direction characters become symbols that can be seen, line ends of both kinds stay. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u2039U+${code.toString(16).toUpperCase().padStart(4, "0")}\u203A`;
  });
}
