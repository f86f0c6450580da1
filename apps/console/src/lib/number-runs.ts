import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";

/** Numbers as an address has them: those that follow each other as one, such as `10101-10120.10205`. */
export function addressOf(serials: Iterable<string>): string {
  const runs: [number, number][] = [];
  for (const serial of [...serials].map(Number).toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && serial <= last[1] + 1) last[1] = serial;
    else runs.push([serial, serial]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(".");
}

const largestRange = 100_000;

/** The numbers of such an address, and the parts of it that are none: serial numbers, or what matches. */
export function readNumbers(address: string, pattern = serialNumberPattern): { numbers: string[]; wrong: string[] } {
  const numbers: string[] = [];
  const wrong: string[] = [];
  for (const part of address.split(".").filter(Boolean)) {
    const [first = "", last = first] = part.split("-");
    const size = Number(last) - Number(first);
    if (!pattern.test(first) || !pattern.test(last) || size < 0 || size >= largestRange) wrong.push(part);
    else for (let number = Number(first); number <= Number(last); number++) numbers.push(String(number));
  }
  return { numbers, wrong };
}
