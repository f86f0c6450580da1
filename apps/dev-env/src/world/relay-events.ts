import { gzipSync } from "node:zlib";
import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import { cevFile } from "@busbar/simulator/relay/cev-file.ts";
import { comtradeFiles } from "@busbar/simulator/relay/comtrade-files.ts";
import { makeRelayRecord, type RelayRecord, type RelaySite } from "@busbar/simulator/relay/relay-record.ts";
import { eventLog, eventReport } from "@busbar/simulator/relay/relay-reports.ts";
import type { DemoNode } from "./demo-world.ts";

/** A file that a relay's software uploaded. */
export interface RelayFile {
  serial: number;
  name: string;
  bytes: Uint8Array;
  /** Epoch seconds. */
  receivedAt: number;
  action: "POST_CUSTOMER_GP_EVENT" | "POST_CUSTOMER_GP_WAVEFORM";
  description: string;
}

const eventCount = 26;
const everySeconds = 97 * 60;
const newestAgo = 14;
const uploadDelay = 25;
const loggedBefore = 3;

/** Event files of the demo's relays over the last days, oldest first: a report of each event, and the waveform of every other one. */
export function makeRelayFiles(nodes: readonly DemoNode[], seed: number, now: number): RelayFile[] {
  const relays = nodes.filter(({ type, place }) => (type === "SEL" || type === "GERelay") && place);
  return Array.from({ length: eventCount }, (_, index) => index + 1).flatMap((number) =>
    relays.flatMap((node, place) => filesOf(node, number, number % 2 === place % 2, seed, now)),
  );
}

function filesOf(node: DemoNode, number: number, hasWaveform: boolean, seed: number, now: number): RelayFile[] {
  const { serial, type } = node;
  const location = node.place?.location ?? "";
  const site = siteOf(node, seed);
  const timeOf = (event: number) => now - (eventCount + newestAgo - event) * everySeconds;
  const at = timeOf(number);
  const record = makeRelayRecord(site, number, at);
  const file = (extension: string, bytes: string | Uint8Array, what: string, action: RelayFile["action"]): RelayFile => ({
    serial,
    name: dataFileName({ serial, timestamp: at, kind: "E", interval: 1, extension }),
    bytes: gzipSync(bytes),
    receivedAt: at + uploadDelay,
    action,
    description: `${what} of ${location} (${serial})`,
  });
  const waveform = (extension: string, bytes: string | Uint8Array, what = "Waveform") =>
    file(extension, bytes, what, "POST_CUSTOMER_GP_WAVEFORM");
  const report = (extension: string, text: string) => file(extension, text, "Event report", "POST_CUSTOMER_GP_EVENT");
  if (type === "SEL") return [report("eve", eventReport(record)), ...(hasWaveform ? [waveform("cev", cevFile(record))] : [])];
  const log: RelayRecord[] = [];
  for (let event = Math.max(1, number - loggedBefore); event <= number; event++) log.push(makeRelayRecord(site, event, timeOf(event)));
  const { cfg, dat } = comtradeFiles(record);
  return [report("txt", eventLog(site.relay, log)), ...(hasWaveform ? [waveform("cfg", cfg), waveform("dat", dat, "Waveform data")] : [])];
}

function siteOf({ serial, type, place, machine, timezone }: DemoNode, seed: number): RelaySite {
  return {
    seed,
    serial,
    relay: type === "SEL" ? "SEL-751-R401-V0-Z101100-D20240308" : "F60-H00-HCL-F8F-H6A",
    location: place?.location ?? "",
    volts: machine.npVoltage,
    amps: machine.npCurrent * 0.7,
    frequency: timezone === "Asia/Kolkata" ? 50 : 60,
  };
}
