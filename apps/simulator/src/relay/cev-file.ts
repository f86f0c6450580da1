import { peakOf, type RelayRecord } from "./relay-record.ts";

/** SEL's compressed ASCII: every line ends with the sum of its bytes, modulo 65536, as four hexadecimal digits. */
export function cevFile(record: RelayRecord): string {
  const { relay, triggeredAtMs, frequency, samplesPerCycle, triggerIndex, number, fault, analogs, digitals } = record;
  const at = new Date(triggeredAtMs);
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}",`).join("");
  const count = analogs[0]?.values.length ?? 0;
  const moment = [
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCFullYear(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    at.getUTCMilliseconds(),
  ];
  // Relays write words of eight bits, unused ones as a star.
  const names = [...digitals.map(({ name }) => name), ...Array.from({ length: (8 - (digitals.length % 8)) % 8 }, () => "*")];
  const rows = Array.from({ length: count }, (_, index) => {
    const values = analogs.map(({ unit, values: list }) => list[index]!.toFixed(unit === "A" ? 0 : 3));
    return `${values.join(",")},${frequency.toFixed(2)},"${index === triggerIndex ? ">" : " "}","${wordOf(digitals, names.length, index)}",`;
  });
  return [
    '"FID","CEV_VER","PART_NUM","SER_NUM",',
    `"FID=${relay}","1.2","0751A61ACA0X7185101","${300_000 + (number % 1000)}",`,
    '"MONTH","DAY","YEAR","HOUR","MIN","SEC","MSEC",',
    `${moment.join(",")},`,
    '"REF_NUM","FREQ","SAM/CYC_A","SAM/CYC_D","NUM_OF_CYC","PRIM_VAL","EVENT","TARGETS","IA(A)","IB(A)","IC(A)",',
    `${10_000 + number},${frequency.toFixed(2)},${samplesPerCycle},${samplesPerCycle / 4},${count / samplesPerCycle},"YES","${fault.event}","${fault.targets}",${peaks(record)},`,
    `${quoted(analogs.map(({ name, unit }) => `${name}(${unit})`))}"FREQ","TRIG","${names.join(" ")}",`,
    ...rows,
    '"SETTINGS",',
  ]
    .map(sealed)
    .concat([`"RID := ${record.location}`, "CTR := 120", "PTR := 120", "50P1P := 12.00", "51P1P := 5.00", '"'])
    .join("\r\n")
    .concat("\r\n");
}

const peaks = ({ analogs }: RelayRecord): string =>
  analogs
    .slice(0, 3)
    .map(({ values }) => Math.round(peakOf(values) / Math.SQRT2))
    .join(",");

/** Digital channels are written four times a cycle; between, the field is blank. */
function wordOf(digitals: RelayRecord["digitals"], width: number, index: number): string {
  if (index % 4 !== 0) return "";
  const bits = digitals
    .map(({ states }) => states[index])
    .join("")
    .padEnd(width, "0");
  return bits.replaceAll(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16).toUpperCase());
}

function sealed(line: string): string {
  let sum = 0;
  for (const byte of Buffer.from(line, "latin1")) sum = (sum + byte) & 0xffff;
  return `${line}"${sum.toString(16).toUpperCase().padStart(4, "0")}"`;
}
