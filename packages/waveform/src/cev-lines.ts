import { withoutFrame } from "./decode-text.ts";
import { WaveformError } from "./waveform.ts";

/** A field of a line of compressed ASCII: its text without quotes and spaces around it. */
export interface CevLine {
  number: number;
  fields: string[];
}

/** Sum of all bytes modulo 65536: the checksum of SEL's compressed ASCII, over a line up to and including the comma before it. */
export function cevChecksum(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index) & 0xff;
  return sum & 0xffff;
}

/**
 * Reads one line whose last field is its checksum.
 * @returns undefined for a line without one, such as those of the settings
 * @throws WaveformError when the checksum does not fit
 */
export function readCevLine(text: string, number: number): CevLine | undefined {
  const match = /^(.*,)\s*"([0-9A-Fa-f]{4})"$/.exec(withoutFrame(text).trim());
  if (!match) return undefined;
  const [, body = "", checksum = ""] = match;
  if (cevChecksum(body) !== Number.parseInt(checksum, 16)) throw new WaveformError(`CEV line ${number}: checksum mismatch`);
  return { number, fields: splitFields(body.slice(0, -1)) };
}

function splitFields(body: string): string[] {
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (const character of body) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) {
      fields.push(field.trim());
      field = "";
    } else field += character;
  }
  fields.push(field.trim());
  return fields;
}
