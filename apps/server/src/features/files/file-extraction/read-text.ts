import { UnreadableFile } from "#lib/unreadable-file.ts";

/** @throws UnreadableFile when it is empty, holds a NUL byte or is not UTF-8 */
export function readText(content: Buffer): string {
  if (content.length === 0) throw new UnreadableFile("Empty file");
  const nul = content.indexOf(0);
  if (nul >= 0) throw new UnreadableFile(`NUL byte at ${nul}`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new UnreadableFile("Not UTF-8 text");
  }
}
