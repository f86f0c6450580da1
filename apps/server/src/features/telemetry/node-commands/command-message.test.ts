import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { expect, test } from "vitest";
import { commandMessage } from "./command-message.ts";

const metric = (value: string | number | boolean, datatype: number) => ({ name: "Config/np_hp", datatype, value });
function typeOf(value: string | number | boolean, datatype: number, bornType: number): [number | undefined, unknown] {
  const command = { serialNumber: 10_234, parentSerialNumber: null, metrics: [metric(value, datatype)] };
  const { payload } = commandMessage({ ...command, born: { "Config/np_hp": [100, bornType] } }, 1_790_000_000_000);
  const sent = decodePayload(payload).metrics[0];
  return [sent?.datatype, sent?.value];
}

test("a value goes in the type of the birth as far as it fits, and never as UInt32", () => {
  expect(typeOf(50, DataType.Double, DataType.Int32)).toEqual([DataType.Int32, 50]);
  expect(typeOf(50.5, DataType.Double, DataType.Int32)).toEqual([DataType.Double, 50.5]);
  expect(typeOf(50, DataType.Int32, DataType.UInt32)).toEqual([DataType.Int64, 50]);
  expect(typeOf(50.5, DataType.Double, DataType.Float)).toEqual([DataType.Float, 50.5]);
  expect(typeOf(50, DataType.Int32, DataType.String)).toEqual([DataType.String, "50"]);
  expect(typeOf("ac", DataType.String, DataType.Int32)).toEqual([DataType.String, "ac"]);
  expect(typeOf(true, DataType.Boolean, DataType.Boolean)).toEqual([DataType.Boolean, true]);
});

test("a node gets it on its own topic, a sub node on its parent's, without a sequence number", () => {
  const command = { serialNumber: 10_235, metrics: [metric(1, DataType.Int32)], born: {} };
  const own = commandMessage({ ...command, parentSerialNumber: null }, 1_790_000_000_000);
  expect(own.topic).toBe("spBv1.0/n59/NCMD/10235");
  expect(commandMessage({ ...command, parentSerialNumber: 10_234 }, 1_790_000_000_000).topic).toBe("spBv1.0/n58/DCMD/10234/10235");
  expect(decodePayload(own.payload)).toMatchObject({ timestamp: 1_790_000_000_000, seq: undefined, metrics: [{ name: "Config/np_hp" }] });
});
