import { peakOf, type RelayRecord } from "./relay-record.ts";

const largest = 32_000;

/** A COMTRADE record of 1999: configuration, and 16-bit binary data. */
export function comtradeFiles(record: RelayRecord): { cfg: string; dat: Uint8Array } {
  const { relay, location, frequency, samplesPerCycle, triggeredAtMs, triggerIndex, analogs, digitals } = record;
  const count = analogs[0]?.values.length ?? 0;
  const rate = frequency * samplesPerCycle;
  const multipliers = analogs.map(({ values }) => Math.max(1e-9, peakOf(values)) / largest);
  const cfg = [
    `${location},${relay},1999`,
    `${analogs.length + digitals.length},${analogs.length}A,${digitals.length}D`,
    ...analogs.map(
      ({ name, phase, unit }, index) =>
        `${index + 1},${name},${phase},,${unit},${multipliers[index]!.toExponential(9)},0,0,-32767,32767,1,1,P`,
    ),
    ...digitals.map(({ name }, index) => `${index + 1},${name},,,0`),
    String(frequency),
    "1",
    `${rate},${count}`,
    wallTime(triggeredAtMs * 1000 - (triggerIndex * 1e6) / rate),
    wallTime(triggeredAtMs * 1000),
    "BINARY",
    "1",
    "",
  ].join("\r\n");

  const words = Math.ceil(digitals.length / 16);
  const rowBytes = 8 + 2 * analogs.length + 2 * words;
  const dat = Buffer.alloc(count * rowBytes);
  for (let index = 0; index < count; index++) {
    const at = index * rowBytes;
    dat.writeUInt32LE(index + 1, at);
    dat.writeUInt32LE(Math.round((index * 1e6) / rate), at + 4);
    for (const [place, { values }] of analogs.entries())
      dat.writeInt16LE(Math.round(values[index]! / multipliers[place]!), at + 8 + 2 * place);
    for (let word = 0; word < words; word++) {
      const bits = digitals.slice(word * 16, word * 16 + 16).reduce((sum, { states }, bit) => sum | (states[index]! << bit), 0);
      dat.writeUInt16LE(bits, at + 8 + 2 * analogs.length + 2 * word);
    }
  }
  return { cfg, dat };
}

/** `dd/mm/yyyy,hh:mm:ss.ssssss` */
function wallTime(microseconds: number): string {
  const whole = Math.floor(microseconds / 1e6);
  const [date = "", time = ""] = new Date(whole * 1000).toISOString().slice(0, 19).split("T");
  const [year, month, day] = date.split("-");
  return `${day}/${month}/${year},${time}.${String(Math.round(microseconds - whole * 1e6)).padStart(6, "0")}`;
}
