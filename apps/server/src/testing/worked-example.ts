import { metricAliases, metricNames, metricTypes } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { commandMessage } from "#features/telemetry/node-commands/command-message.ts";
import { scalarNames } from "#src/admin/node-check/scalar-names.ts";
import { annotatePayload } from "./annotate-payload.ts";

/** The messages of the worked example of docs/node-protocol.md, as that file shows them. */
export function workedExample(): string {
  const start = Date.UTC(2026, 0, 6, 14, 30);
  const edge = createEdgeSession({ group: "n58", edge: "10234" });
  const will = edge.connect(start);
  const typed = (name: string, value: MetricInput["value"]): MetricInput => ({
    name,
    alias: metricAliases[name as keyof typeof metricAliases],
    datatype: DataType[metricTypes[name as keyof typeof metricTypes]],
    value: value ?? null,
    timestamp: start,
  });
  const birth = edge.birth([...scalarNames.map((name) => typed(name, null)), typed(metricNames.protocol, 1)], start);
  const at = start + 10_000;
  const values = [60, 101.5, 100.25, 99.75, 480, 476, 472, 1, 1];
  const scalar = edge.data(
    scalarNames.map((name, index) => ({ ...typed(name, values[index]), name: undefined, timestamp: at })),
    at,
  );
  const past = at - 60_000;
  const historical = edge.data([{ alias: 1, datatype: DataType.Float, value: 60, timestamp: past, isHistorical: true }], at);
  const command = { serialNumber: 10_234, parentSerialNumber: null };
  const rebirth = commandMessage(
    { ...command, born: {}, metrics: [{ name: metricNames.rebirth, datatype: DataType.Boolean, value: true }] },
    at,
  );
  const requestId = "6f1c1f0e-1c55-4a57-9a40-0d8a4c6f2b11";
  const write = commandMessage(
    {
      ...command,
      born: { "Config/np_voltage": [106, DataType.Double] },
      metrics: [
        {
          name: "Config/np_voltage",
          datatype: DataType.Double,
          value: 480,
          properties: {
            requestId: { type: DataType.String, value: requestId },
            previous: { type: DataType.String, value: "460" },
            user: { type: DataType.String, value: "jane" },
            expires: { type: DataType.DateTime, value: at + 15_000 },
          },
        },
      ],
    },
    at,
  );
  const answer = edge.data(
    [
      {
        alias: 106,
        datatype: DataType.Double,
        value: 480,
        timestamp: at,
        properties: new Map([
          ["requestId", { type: DataType.String, value: requestId }],
          ["result", { type: DataType.String, value: "OK" }],
        ]),
      },
    ],
    at,
  );
  const steps: [title: string, message: { topic: string; payload: Uint8Array }][] = [
    ["The last will, in CONNECT", will],
    ["Birth", birth],
    ["A scalar", scalar],
    ["A line frequency of a minute ago, as history", historical],
    ["The platform asks for the birth", rebirth],
    ["It changes np_voltage", write],
    ["The node's answer", answer],
  ];
  return steps
    .map(([title, { topic, payload }]) => `### ${title}\n\n\`${topic}\`\n\n\`\`\`\n${annotatePayload(payload)}\n\`\`\`\n`)
    .join("\n");
}
