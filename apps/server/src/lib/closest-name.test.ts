import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

const names = ["DATA_DIR", "PORT", "MQTT_URL", "TWO"];
test.each([
  ["data-dir", "DATA_DIR"],
  ["DATADIR", "DATA_DIR"],
  ["DATA_DIRS", "DATA_DIR"],
  ["DATA_DI", "DATA_DIR"],
  ["DATA_DIT", "DATA_DIR"],
  ["ATA_DIR", "DATA_DIR"],
  ["XDATA_DIR", "DATA_DIR"],
  ["DAAT_DIR", "DATA_DIR"],
  ["POTR", "PORT"],
  ["POR", undefined],
  ["PORTXX", undefined],
  ["PROTX", undefined],
  ["TRPO", undefined],
  ["MTQT_ULR", undefined],
  ["DXTA_DXR", undefined],
  ["two", "TWO"],
  ["TWX", undefined],
  ["", undefined],
])("%j is meant as %j", (text, name) => expect(closestName(text, names)).toBe(name));
