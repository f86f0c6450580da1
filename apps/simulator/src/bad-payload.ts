import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { channels } from "./node-model/channels.ts";
import { hash32, uniform } from "./node-model/random.ts";
import type { SimNode } from "./node-model/sim-node.ts";

export const badPayloadKinds = ["truncated", "garbage", "skippedSeq", "unknownAlias", "unknownType", "notANumber"] as const;
export type BadPayloadKind = (typeof badPayloadKinds)[number];

/** How the scalar of a second goes out wrong; undefined for a sound one. A pure function of seed, quirks and time. */
export function badPayloadAt(seed: number, { serial, quirks }: SimNode, epochSeconds: number): BadPayloadKind | undefined {
  const share = quirks.badPayloads ?? 0;
  if (share === 0 || uniform(seed, serial, channels.badPayload, epochSeconds) >= share) return undefined;
  return badPayloadKinds[hash32(seed, serial, channels.badPayloadKind, epochSeconds) % badPayloadKinds.length];
}

/** Spoils an NDATA. `seq` is that of the sound message. */
export function spoil(kind: BadPayloadKind, sound: Uint8Array, seq: number, epochMs: number): Uint8Array {
  const single = (metric: { name?: string; alias?: number; datatype: number; value: number }) =>
    encodePayload({ timestamp: epochMs, seq, metrics: [{ ...metric, timestamp: epochMs }] });
  switch (kind) {
    case "truncated":
      return sound.slice(0, Math.floor(sound.length * 0.6));
    case "garbage":
      return Uint8Array.from({ length: 64 }, (_, i) => hash32(seq, epochMs, 0, i) & 255);
    case "unknownAlias":
      return single({ alias: 9999, datatype: DataType.Float, value: 1 });
    case "unknownType":
      return withDatatype(single({ name: metricNames.lineFrequency, datatype: DataType.Int32, value: 60 }));
    case "notANumber":
      return single({ alias: 1, datatype: DataType.Float, value: Number.NaN });
    case "skippedSeq":
      return sound.slice();
  }
}

// Field 4 of the metric says type 3; no type has the number 99
function withDatatype(payload: Uint8Array): Uint8Array {
  const at = payload.findIndex((byte, i) => byte === 32 && payload[i + 1] === DataType.Int32);
  payload[at + 1] = 99;
  return payload;
}
