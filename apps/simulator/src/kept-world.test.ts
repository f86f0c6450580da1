import { gunzipSync } from "node:zlib";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { expect, test } from "vitest";
import { badPayloadKinds, spoil } from "./bad-payload.ts";
import { createBirths } from "./births.ts";
import { createDevice } from "./device/device.ts";
import { addSample } from "./device/meter.ts";
import { makeDataFile } from "./files/data-file.ts";
import { md5Of } from "./files/data-file-text.ts";
import { makeFleet } from "./make-fleet.ts";
import { facilityFaultKinds, nodeFaultKinds, type Fault, type FaultKind, type FaultParams } from "./node-model/fault.ts";
import { createPlant } from "./node-model/plant.ts";
import { createScalarRow } from "./node-model/scalar-row.ts";
import type { SimNode } from "./node-model/sim-node.ts";
import { cevFile } from "./relay/cev-file.ts";
import { comtradeFiles } from "./relay/comtrade-files.ts";
import { makeRelayRecord } from "./relay/relay-record.ts";
import { eventLog, eventReport } from "./relay/relay-reports.ts";
import { truthBetween } from "./scenarios/truth-log.ts";
import { sampleNode } from "./testing/sample-node.ts";

/** A Tuesday, 12:00 in Chicago. */
const noon = 1_770_141_600;
const seed = 5;

const nodes: readonly SimNode[] = [
  sampleNode({ quirks: { badPayloads: 0.02, hasResonance: true } }),
  sampleNode({
    serial: 10_235,
    shift: "day",
    loadProfile: "crusher",
    starter: "Soft Starter",
    quirks: { flappingLink: true, badFiles: 0.5 },
  }),
  sampleNode({ serial: 10_236, equipmentType: "DCMotor", npFrequency: 0, starter: "DC Armature", quirks: { clockOffsetSeconds: 7_200 } }),
  sampleNode({
    serial: 10_237,
    facilityKey: "quarry",
    starter: "VFD",
    timezone: "Asia/Kolkata",
    npFrequency: 50,
    quirks: { isClockUnlocked: true },
  }),
  sampleNode({ serial: 10_238, loadProfile: "workCycle", shift: "twoShift", quirks: { dropScalars: 0.05, wiring: { cts: [2, -1, 3] } } }),
  sampleNode({ serial: 10_239, role: "field", equipmentType: "DCMotor", npFrequency: 0, starter: "DC Field", machineSerial: 10_236 }),
  sampleNode({
    serial: 10_240,
    type: "subNode",
    parentSerial: 10_234,
    equipmentType: "SyncMotor",
    hp: 900,
    npVoltage: 4_160,
    npCurrent: 105,
  }),
  sampleNode({
    serial: 10_241,
    hp: 0,
    equipmentType: "Main",
    loadProfile: "feeder",
    npCurrent: 800,
    starter: "",
    quirks: { isSensorBroken: true },
  }),
];

/** What is kept of a run of numbers: seven digits of each. */
const short = (values: Iterable<number>): string => [...values].map((value) => Number(value.toPrecision(7))).join(" ");

test("A-63 a machine, its link and its files are what is kept of them, second by second", async () => {
  const plant = createPlant({ seed, nodes, faultScale: 20, script: [] });
  const row = createScalarRow();
  const lines: string[] = [];
  for (const { serial } of nodes) {
    const { model, link } = plant.nodes.get(serial)!;
    for (const hours of [0, 0.01, 1, 5, 13, 24.5, 50, 101]) {
      const at = noon + hours * 3_600;
      model.scalarAt(at, row);
      const { isLinkUp, isPowered, isScalarDropped, clockOffsetMs } = link.at(at);
      lines.push(`${serial} +${hours} h: ${short(row)} ${[isLinkUp, isPowered, isScalarDropped].map(Number).join("")} ${clockOffsetMs}`);
    }
  }
  for (const plantNode of plant.nodes.values())
    for (const kind of ["D", "S", "H"] as const) {
      const file = makeDataFile({ seed, plantNode, kind, timestamp: noon, faultScale: 20 });
      if (!file) continue;
      const text = gunzipSync(file.bytes).toString().split("\n");
      const first = kind === "D" ? text : [...text.slice(0, 8), `(${text.length} lines, digest ${md5Of(text.join("\n"))})`];
      lines.push(`\n${file.name} ${JSON.stringify(file.fault ?? "sound")}`, ...first);
    }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-machines.txt");
});

const params: Partial<Record<FaultKind, FaultParams>> = {
  sag: { voltage: 0.5, sagType: "C", phase: 2 },
  swell: { voltage: 1.2 },
  overload: { load: 1.4 },
  underload: { load: 0.1 },
  imbalance: { voltageLossPercent: 6, phase: 3 },
  jam: { tripSeconds: 8, repairSeconds: 120 },
  singlePhasing: { phase: 1, tripSeconds: 12, repairSeconds: 90 },
  dropScalars: { share: 0.5 },
  clockOffset: { offsetSeconds: 86_400 },
  miswired: { wiring: { taps: [2, 1, 3], cts: [1, -2, 3], ctRatios: [1, 2, 1], voltageRatio: 10 } },
};

test("A-63 every fault does to a machine and to its link what is kept of it", async () => {
  const row = createScalarRow();
  const lines = [...facilityFaultKinds, ...nodeFaultKinds].flatMap((kind) => {
    const ofFacility = (facilityFaultKinds as readonly string[]).includes(kind);
    const fault: Fault = {
      kind,
      start: noon,
      durationSeconds: 60,
      facilityKey: ofFacility ? "mill" : undefined,
      serial: ofFacility ? undefined : 10_239,
      params: params[kind] ?? {},
      source: "script",
    };
    return [nodes[0]!, nodes[5]!].flatMap((node) => {
      const victim = ofFacility ? fault : { ...fault, serial: node.serial };
      const { model, link } = createPlant({ seed, nodes: [{ ...node, quirks: {} }], faultScale: 0, script: [victim] }).nodes.get(
        node.serial,
      )!;
      return [0, 5, 40, 75].map((offset) => {
        model.scalarAt(noon + offset, row);
        const state = Object.entries(link.at(noon + offset)).flatMap(([name, value]) =>
          value === true ? [name] : value === false ? [] : [value],
        );
        return `${kind} ${node.serial} ${offset} s: ${short(row)} ${state.join(" ")}`;
      });
    });
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-faults.txt");
});

const shown = ({ name, alias, datatype, value, isHistorical, timestamp }: Metric): string => {
  const said =
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return `${name ?? ""}#${alias ?? ""}:${datatype}=${said}${isHistorical ? " old" : ""} @${timestamp}`;
};

test("A-63 a fleet, its births, its mistakes and its truth are what is kept of them", async () => {
  const fleet = makeFleet({ seed, count: 40, firstSerial: 40_000 });
  const lines = fleet.map((node) => JSON.stringify(node));
  const plant = createPlant({ seed, nodes: [...nodes, ...fleet.slice(0, 4)], faultScale: 40, script: [] });
  lines.push("", ...truthBetween(plant, seed, noon, noon + 3 * 3_600).map((entry) => JSON.stringify(entry)));
  for (const group of [[nodes[0]!, nodes[6]!], [nodes[5]!], [sampleNode({ serial: 10_700, type: "SEL" })]]) {
    const all = createPlant({ seed, nodes: group, faultScale: 0, script: [] });
    const devices = group.map(({ serial }, place) => createDevice(all.nodes.get(serial)!, place));
    for (const device of devices)
      for (let at = noon; at < noon + 100; at += 10) {
        device.plantNode.model.scalarAt(at, device.row);
        addSample(device.meter, device.row, at, device.node.scalarIntervalSeconds, device.isDirect);
      }
    const session = createEdgeSession({ group: "group", edge: String(group[0]!.serial) });
    // A relay has a clock that nothing leads: how far it is off it cannot know.
    const isClockLocked = group[0]!.type !== "SEL";
    const statusOf = () => ({ uptimeSeconds: 77, clockOffsetMs: 3, isClockLocked, isSensorOk: isClockLocked, liveLeaseSeconds: 9 });
    const moment = { epochSeconds: noon + 100, nodeTimeMs: noon * 1000 + 100_003, clockOffsetMs: 3, statusOf };
    for (const { topic, payload } of createBirths(session, devices, moment))
      lines.push("", topic, ...decodePayload(payload).metrics.map(shown));
  }
  const sound = Uint8Array.from({ length: 40 }, (_, index) => index);
  lines.push("", ...badPayloadKinds.map((kind) => `${kind}: ${Buffer.from(spoil(kind, sound, 7, noon * 1000)).toString("hex")}`));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-fleet.txt");
});

test("A-63 what a relay records and reports is what is kept of it", async () => {
  const site = { seed: 3, serial: 10_701, relay: "SEL-751-R401", location: "Main", volts: 4_160, amps: 300, frequency: 60 };
  const records = Array.from({ length: 12 }, (_, number) => makeRelayRecord(site, number, noon + number * 60));
  const kinds = ["trip", "alarm", "recording"] as const;
  const lines = kinds.flatMap((kind) => {
    const record = records.find(({ fault }) => fault.kind === kind)!;
    const { cfg, dat } = comtradeFiles(record);
    const cev = cevFile(record).split("\r\n");
    return [...cev.slice(0, 12), md5Of(cev.join()), cfg, md5Of(dat), kind === "trip" ? eventReport(record) : md5Of(eventReport(record))];
  });
  lines.push(...records.map(({ fault, triggeredAtMs }) => `${triggeredAtMs} ${JSON.stringify(fault)}`), eventLog("F60", records));
  await expect(`${lines.join("\n").replaceAll("\r\n", "\n")}\n`).toMatchFileSnapshot("testing/kept-records.txt");
});
