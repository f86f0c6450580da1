import { mostCredentials } from "@busbar/contract/directory/node-credentials.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";

/** Serial numbers as they are scanned, pasted or typed, with any separators and in ranges such as `10101-10120`; or why they are none. */
export function readSerials(text: string): { serials: string[] } | { problem: string } {
  const parts = text
    .replaceAll(/\s*[-–]\s*/g, "-")
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (parts.length === 0) return { problem: "Enter at least one serial number" };
  const serials = new Set<string>();
  for (const part of parts) {
    const [first = "", last = first, ...rest] = part.split("-");
    if (rest.length > 0 || !serialNumberPattern.test(first) || !serialNumberPattern.test(last))
      return { problem: `${part} is no serial number: it has 5 digits, the first not 0` };
    if (last < first) return { problem: `${part} ends before it begins` };
    if (serials.size + Number(last) - Number(first) >= mostCredentials) return { problem: `At most ${mostCredentials} nodes at once` };
    for (let serial = Number(first); serial <= Number(last); serial++) {
      if (serials.has(String(serial))) return { problem: `${serial} is listed twice` };
      serials.add(String(serial));
    }
  }
  return { serials: [...serials] };
}
