import { peakOf, type RelayRecord } from "./relay-record.ts";

/** A printed SEL event report (EVE): head, four samples a cycle, summary. */
export function eventReport(record: RelayRecord): string {
  const { relay, location, triggeredAtMs, samplesPerCycle, triggerIndex, frequency, fault, analogs, digitals } = record;
  const iso = new Date(triggeredAtMs).toISOString();
  const date = `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`;
  const step = samplesPerCycle / 4;
  const count = analogs[0]?.values.length ?? 0;
  const rows = Array.from({ length: count / step }, (_, row) => {
    const index = row * step;
    const values = analogs.map(({ unit, values: list }) => list[index]!.toFixed(unit === "A" ? 0 : 2).padStart(7));
    const states = digitals.map(({ states: list }) => (list[index] === 1 ? "*" : ".")).join(" ");
    const line = `${values.join("")}  ${frequency.toFixed(2)}${index === triggerIndex ? ">" : " "} ${states}`;
    return row % 4 === 0 ? `[${row / 4 + 1}]\r\n${line}` : line;
  });
  return [
    "\u0002",
    `${location.padEnd(32)} Date: ${date}    Time: ${iso.slice(11, 23)}`,
    "STATION A",
    "",
    `FID=${relay}        CID=1D4A`,
    "",
    "        Currents (Amps Pri)            Voltages (kV Pri)",
    `${analogs.map(({ name }) => name.padStart(7)).join("")}   Freq   ${digitals.map(({ name }) => name).join(" ")}`,
    ...rows,
    "",
    `Event: ${fault.event}    Location: $$$$$$    Shot: 0    Frequency: ${frequency.toFixed(2)}`,
    `Targets: ${fault.targets || "none"}`,
    `Currents (A Pri), ABCN: ${analogs
      .slice(0, 4)
      .map(({ values }) => Math.round(peakOf(values) / Math.SQRT2))
      .join(" ")}`,
    "\u0003",
    "",
  ].join("\r\n");
}

const causes: Record<RelayRecord["fault"]["kind"], readonly string[]> = {
  trip: ["OSCILLOGRAPHY TRIGGERED", "PHASE IOC1 PKP", "PHASE IOC1 OP", "TRIP BUS 1 OP", "BREAKER 1 OPEN"],
  alarm: ["OSCILLOGRAPHY TRIGGERED", "SELF-TEST ERROR: UNIT NOT CALIBRATED"],
  recording: ["OSCILLOGRAPHY TRIGGERED", "PHASE TOC1 PKP", "PHASE TOC1 DPO"],
};
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A GE relay's event recorder (EVT.TXT): the log with what belongs to these records, the newest last. */
export function eventLog(relay: string, records: readonly RelayRecord[]): string {
  const rows = records.flatMap(({ number, triggeredAtMs, fault }) =>
    causes[fault.kind].map((cause, place) => {
      const at = new Date(triggeredAtMs + place * 17);
      const time = `${at.toISOString().slice(11, 23)}${String((number * 131) % 1000).padStart(3, "0")}`;
      const date = `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2, "0")} ${at.getUTCFullYear()}`;
      return `${number * 10 + place}, ${date} ${time}, ${cause}`;
    }),
  );
  return ["EVENT RECORDER", `Device: ${relay}`, "Firmware: 7.60", "", "Event Number, Date/Time, Cause", ...rows, ""].join("\r\n");
}
