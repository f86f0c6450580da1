import { metricAliases, metricNames, phasePowers, scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createNdataTemplate, type NdataTemplate } from "@busbar/sparkplug/ndata-template.ts";
import { deviceTopic, groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { badPayloadAt, spoil } from "./bad-payload.ts";
import type { Device } from "./device/device.ts";
import { isIntegerScalar, scalarMetricNames, scalarValues } from "./device/metrics.ts";
import type { EdgeLink } from "./edge-link.ts";
import type { FleetCounters } from "./fleet-counters.ts";
import { scalarField, type ScalarRow } from "./node-model/scalar-row.ts";

/** What of a scalar a node sends. */
type Content = "whole" | "partial" | "withoutPowers";
const isSent: Record<Content, (name: string) => boolean> = {
  whole: () => true,
  partial: (name) => name !== metricNames.current3 && name !== metricNames.voltage3,
  withoutPowers: (name) => !powers.has(name),
};
const powers: ReadonlySet<string> = new Set(phasePowers);

interface Layout {
  template: NdataTemplate;
  /** Places among all values of a scalar. */
  places: number[];
}

// One layout of a content for the whole fleet (and one for each place of a subNode): all nodes send the same metrics, and the transport
// copies what it is given.
const layouts = new Map<string, Layout>();

function layoutOf({ aliasBase, plantNode }: Device, epochSeconds: number): Layout {
  const { isScalarPartial, isMeterSilent } = plantNode.link.at(epochSeconds);
  const content = isScalarPartial ? "partial" : isMeterSilent ? "withoutPowers" : "whole";
  const key = `${aliasBase} ${content}`;
  const known = layouts.get(key);
  if (known) return known;
  const places = [...scalarMetricNames.keys()].filter((place) => isSent[content](scalarMetricNames[place]!));
  const template = createNdataTemplate(
    places.map((place) => {
      const name = scalarMetricNames[place]!;
      return { alias: metricAliases[name]! + aliasBase, datatype: isIntegerScalar(name) ? DataType.Int32 : DataType.Float };
    }),
  );
  const made = { template, places };
  layouts.set(key, made);
  return made;
}

const allValues = new Float64Array(scalarMetricNames.length);
const values = new Float64Array(scalarMetricNames.length);

export interface ScalarSenderOptions {
  seed: number;
  edgeSerial: number;
  link: EdgeLink;
  counters: FleetCounters;
  qos: 0 | 1;
}

export interface OutgoingScalar {
  device: Device;
  row: ScalarRow;
  epochSeconds: number;
  clockOffsetMs: number;
  publishedAtMs: number;
  isHistorical: boolean;
}

/** Sends scalars of one edge node and its devices, the bad ones of a bad node among them. */
export function createScalarSender({ seed, edgeSerial, link, counters, qos }: ScalarSenderOptions) {
  const edge = String(edgeSerial);
  const group = groupOf(edgeSerial);
  const topicOf = ({ node }: Device) =>
    node.serial === edgeSerial ? nodeTopic("NDATA", group, edge) : deviceTopic("DDATA", group, edge, String(node.serial));

  return {
    send({ device, row, epochSeconds, clockOffsetMs, publishedAtMs, isHistorical }: OutgoingScalar): void {
      const { node, plantNode } = device;
      const flag =
        row[scalarField.flag]! |
        (plantNode.link.isClockUnlocked ? scalarFlagBits.isClockUnlocked : 0) |
        (isHistorical ? scalarFlagBits.isHistorical : 0) |
        (epochSeconds < device.configChangedUntil ? scalarFlagBits.isConfigChanged : 0);
      scalarValues(row, flag, allValues);
      const bad = isHistorical ? undefined : badPayloadAt(seed, node, epochSeconds);
      if (bad === "skippedSeq") link.session.nextSeq();
      const seq = link.session.nextSeq();
      const acquiredAtMs = Math.max(0, epochSeconds * 1000 + clockOffsetMs);
      const { template, places } = layoutOf(device, epochSeconds);
      for (let index = 0; index < places.length; index++) values[index] = allValues[places[index]!]!;
      template.patch(seq, acquiredAtMs, Math.max(0, publishedAtMs), values, isHistorical);
      if (isHistorical) counters.historical++;
      if (bad) counters.malformed++;
      link.sendBytes(topicOf(device), bad ? spoil(bad, template.bytes, seq, acquiredAtMs) : template.bytes, qos);
    },
  };
}
export type ScalarSender = ReturnType<typeof createScalarSender>;
