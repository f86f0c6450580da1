import { gzipSync } from "node:zlib";
import { dataPoint, nameOf } from "#testing/sample-files.ts";
import { day, quarter } from "./world-times.ts";
import type { WorldSteps } from "./world-steps.ts";
import type { Places } from "./places.ts";

export async function changeAlarms(world: WorldSteps, { north, crusher }: Places): Promise<void> {
  const { did, now } = world;
  const [first, second] = await world.ask("getIncidents");
  await did("updateIncident", { params: { id: String(first!.id) }, body: { owner: "plain", revision: first!.revision } });
  await did("updateIncident", { params: { id: String(second!.id) }, body: { isAcknowledged: true } }, { as: "plain" });
  await did("addIncidentNote", { params: { id: String(first!.id) }, body: { note: "Looked at\nit" } }, { as: "plain" });
  await did("addIncidentNote", { params: { id: String(first!.id) }, body: { note: "Called the site" } });
  await did("createMute", { body: { kind: "node", objectId: 11_005, reason: "Rewinding", untilTimestamp: now() + 5 * day } });
  const over = await did(
    "createMute",
    { body: { kind: "location", objectId: crusher.id, reason: "Moving it", untilTimestamp: now() + 3 * day } },
    { as: "plain" },
  );
  await did("createMute", { body: { kind: "facility", objectId: north.id, reason: "Inspection week", untilTimestamp: now() + 2 * day } });
  await did("endMute", { params: { id: String(over.id) } });
  await world.advance(60);
  for (const name of ["NodeVerdicts", "Incidents"]) await world.ran(name);
}

export async function changeOffice(world: WorldSteps): Promise<void> {
  const { did } = world;
  const params = { id: "1" };
  const bill = await world.ask("getBill", {
    params,
    query: { billDate: "2026-12-31", paidThruDate: "2025-12-31", terms: "30 days", invoiceNumber: "I-1" },
  });
  await did("createBillPdf", { body: bill }, { as: "books" });
  const other = await world.ask("getBill", {
    params,
    query: { billDate: "2026-06-30", paidThruDate: "2025-12-31", voltaEnergy: "true", vendorId: "V-2" },
  });
  await did("createBillPdf", { body: other });
  const token = await did("createRegisteredBillPdf", { params: { number: "1" } }, { as: "books" });
  await did("downloadAdmin", { params: { token } }, { as: "books" });
  await did("voidBill", { params: { number: "2" }, body: { reason: "Wrong period" } });
}

export async function changeFiles(world: WorldSteps): Promise<void> {
  const { did, now } = world;
  const name = nameOf(11_001, quarter(9), "D");
  const upload = { bytes: Buffer.from(dataPoint(11_001, quarter(9))), type: "application/octet-stream" };
  await did("uploadNodeFile", { params: { serial: "11001", fileName: name }, bytes: upload });
  await did("uploadNodeFile", { params: { serial: "11001", fileName: name }, bytes: upload }, { as: "plain" });
  // The same name again, packed, and other bytes.
  const packed = { bytes: gzipSync("time,volts\n3,4\n"), type: "application/gzip" };
  const external = nameOf(11_005, quarter(4), "X", "csv");
  await did("uploadNodeFile", { params: { serial: "11005", fileName: external }, bytes: packed }, { as: "plain" });
  await did("extractFileAgain", { params: { fileName: nameOf(11_002, quarter(7), "D") } }, { as: "plain" });
  await world.ran("FileExtraction");
  await did("requestFilesDownload", { params: { serial: "11001" }, query: { since: String(quarter(4)) } });
  await did("requestFilesDownload", { params: { serial: "11002" } }, { as: "plain" });
  await did("requestHarmonics", {
    params: { serial: "11002" },
    query: { startTimestamp: String(now() - day), endTimestamp: String(now()) },
  });
  await world.ran("HarmonicsPackager");
  const [newest, oldest] = await world.ask("getDownloads");
  await did("fetchDownload", { params: { id: oldest!.id } });
  await did("deleteDownload", { params: { id: newest!.id } });
}
