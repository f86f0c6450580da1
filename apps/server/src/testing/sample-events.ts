import { bytesOf, sampleAscii, sampleBinary, sampleConfig } from "@busbar/waveform/testing/sample-comtrade.ts";
import { cevChecksum } from "@busbar/waveform/cev-lines.ts";

export interface CevOptions {
  event?: string;
  targets?: string;
  /** Cycles of 16 samples. */
  cycles?: number;
  /** Hex word of TRIP 52A ALARM 51P from the trigger on. */
  word?: string;
  fid?: string;
}

export const cevLine = (body: string): string => `${body}"${cevChecksum(body).toString(16).toUpperCase().padStart(4, "0")}"`;

/** A relay's event: a sine that steps up at its trigger, in the middle. */
export function sampleCev({
  event = "AG T",
  targets = "TRIP 51P",
  cycles = 4,
  word = "C0",
  fid = "SEL-751-R401",
}: CevOptions = {}): string {
  const count = cycles * 16;
  const trigger = count / 2;
  const rows = Array.from({ length: count }, (_, index) => {
    const sine = Math.sin((index * Math.PI) / 8);
    const amps = Math.round(sine * (index < trigger ? 100 : 900));
    const digitals = index % 4 > 0 ? "" : index < trigger ? "40" : word;
    return cevLine(`${amps},${-amps},${(sine * 480).toFixed(1)},60.00,"${index === trigger ? ">" : " "}","${digitals}",`);
  });
  return [
    cevLine('"FID","CEV_VER","PART_NUM","SER_NUM",'),
    cevLine(`"FID=${fid}","1.0","0751","123",`),
    cevLine('"MONTH","DAY","YEAR","HOUR","MIN","SEC","MSEC",'),
    cevLine("3,8,2024,9,5,7,42,"),
    cevLine('"REF_NUM","FREQ","SAM/CYC_A","SAM/CYC_D","NUM_OF_CYC","PRIM_VAL","EVENT","TARGETS",'),
    cevLine(`10012,60.00,16,4,${cycles},"YES","${event}","${targets}",`),
    cevLine('"IA(A)","IB(A)","VAB(V)","FREQ","TRIG","TRIP 52A ALARM 51P",'),
    ...rows,
    cevLine('"SETTINGS",'),
    "PHROT := ABC",
  ].join("\r\n");
}

/** A pair of configuration and data, three currents and voltages and a TRIP that comes on. */
export const samplePair = {
  cfg: (options: Parameters<typeof sampleConfig>[0] = {}): Uint8Array => bytesOf(sampleConfig(options)),
  ascii: (): Uint8Array => bytesOf(sampleAscii()),
  binary: (format: Parameters<typeof sampleBinary>[0] = "BINARY"): Uint8Array => sampleBinary(format),
};

export const sampleEve =
  "\u0002\r\nFID=SEL-351-5-R107\r\nFEEDER 1   Date: 03/08/2024   Time: 12:01:02.345\r\n\r\nEvent: AG T  Location: 2.36\r\nTargets: 51\r\n";
