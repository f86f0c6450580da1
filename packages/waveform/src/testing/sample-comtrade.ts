/** A small record: three analog channels, two status channels, 8 samples at 960 Hz, the trigger at the third sample. */
export interface SampleOptions {
  revision?: "1991" | "1999" | "2013";
  format?: "ASCII" | "BINARY" | "BINARY32" | "FLOAT32";
  /** Replaces whole lines of the configuration, by their number from 0. */
  lines?: Record<number, string>;
  lineEnd?: string;
  rates?: string[];
}

export const sampleRaw = [
  [10, -20, 30],
  [20, -40, 60],
  [30, -60, 90],
  [40, -80, 120],
  [50, -100, 150],
  [60, -120, 180],
  [70, -140, 210],
  [80, -160, 240],
];
const statusOf = (index: number): [number, number] => [index >= 2 ? 1 : 0, index % 2];

export function sampleConfig(options: SampleOptions = {}): string {
  const { revision = "1999", format = "ASCII", lines = {}, lineEnd = "\r\n", rates = ["1", "960,8"] } = options;
  const isOld = revision === "1991";
  const tail = isOld ? "" : ",1000,5,S";
  const all = [
    isOld ? "Alder Substation,RL-7" : `Alder Substation,RL-7,${revision}`,
    "5,3A,2D",
    `1,IA,A,,A,0.5,1,0,-32767,32767${tail}`,
    `2,IB,B,,A,0.5,0,0,-32767,32767${tail}`,
    `3,VA,A,,V,2,0,,-32767,32767${isOld ? "" : ",1,1,P"}`,
    isOld ? "4,TRIP,0" : "1,TRIP,,,0",
    isOld ? "5,BRKR,1" : "2,BRKR,,,1",
    "60",
    ...rates,
    isOld ? "03/08/24,12:00:00.000000" : "08/03/2024,12:00:00.000000",
    isOld ? "03/08/24,12:00:00.002083" : "08/03/2024,12:00:00.002083",
    format,
    ...(isOld ? [] : ["1"]),
    ...(revision === "2013" ? ["-5h30,-5h30", "B,3"] : []),
  ];
  for (const [number, line] of Object.entries(lines)) all[Number(number)] = line;
  return all.join(lineEnd) + lineEnd;
}

export function sampleAscii(
  rows = sampleRaw,
  stampOf: (index: number) => string = (index) => String(Math.round((index * 1e6) / 960)),
): string {
  return rows.map((analogs, index) => [index + 1, stampOf(index), ...analogs, ...statusOf(index)].join(",")).join("\r\n");
}

export function sampleBinary(format: "BINARY" | "BINARY32" | "FLOAT32", rows = sampleRaw): Uint8Array {
  const size = format === "BINARY" ? 2 : 4;
  const rowBytes = 8 + 3 * size + 2;
  const view = new DataView(new ArrayBuffer(rowBytes * rows.length));
  for (const [index, analogs] of rows.entries()) {
    const at = index * rowBytes;
    view.setUint32(at, index + 1, true);
    view.setUint32(at + 4, Math.round((index * 1e6) / 960), true);
    for (const [channel, value] of analogs.entries()) {
      const place = at + 8 + channel * size;
      if (format === "BINARY") view.setInt16(place, value, true);
      else if (format === "BINARY32") view.setInt32(place, value, true);
      else view.setFloat32(place, value, true);
    }
    const [trip, breaker] = statusOf(index);
    view.setUint16(at + 8 + 3 * size, trip | (breaker << 1), true);
  }
  return new Uint8Array(view.buffer);
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
