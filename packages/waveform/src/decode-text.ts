/** Text of a recorder: UTF-8 where it is that, ISO 8859-1 where it is not. A byte order mark and DOS end-of-file bytes (1Ah) are dropped. */
export function decodeText(bytes: Uint8Array): string {
  return utf8Or8859(bytes)
    .replace(/^\uFEFF/, "")
    .replaceAll("\u001A", "");
}

function utf8Or8859(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  }
}

/** Lines without their ends, whether those are CRLF, LF or CR. */
export const splitLines = (text: string): string[] => text.split(/\r\n|\n|\r/);

/** A relay's serial port puts what it sends between STX and ETX. */
export const withoutFrame = (text: string): string => text.replaceAll("\u0002", "").replaceAll("\u0003", "");
