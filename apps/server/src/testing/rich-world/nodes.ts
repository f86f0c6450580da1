import { testJpeg } from "#testing/test-jpeg.ts";
import { day, quarter } from "./world-times.ts";
import { confirming, type WorldSteps } from "./world-steps.ts";
import { imported } from "./imported.ts";
import type { Places } from "./places.ts";

export async function changeNodes(world: WorldSteps, places: Places): Promise<readonly number[]> {
  const { did, ran, now, passcode } = world;
  const { nodes, alder, drill, spare } = places;
  const node = nodes[11_006]!;
  await did("updateNode", {
    params: { id: String(node.id) },
    body: {
      container: "Shelf",
      dataPointInterval: 300,
      pauseNotifications: true,
      deploymentIssue: true,
      deploymentIssueDetails: "No door",
      revision: node.revision,
    },
  });
  await did(
    "updateNode",
    {
      params: { id: String(nodes[11_001]!.id) },
      body: {
        voltageThdThreshold: 12,
        pauseConnectivityNotifications: true,
        pauseConnectivityNotificationsReason: "Cable",
        pauseConnectivityNotificationsUrl: "https://tickets.example/1",
      },
    },
    { as: "plain" },
  );
  await did("updateNode", {
    params: { id: String(nodes[11_005]!.id) },
    body: { newDeploymentStatus: "Pre-Deployment", newDeploymentStatusUpdateTimestamp: now() + day },
  });
  const task = (serial: number, id: number) => ({ serial: String(serial), id: String(id) });
  for (const [serial, id, status, notes, as] of [
    [11_010, 101, "COMPLETED", "", "plain"],
    [11_010, 102, "NOT_COMPLETED", "Waits for a cable", "chief"],
    [11_010, 103, "COMPLETED", "Both ends", "chief"],
    [11_001, 101, "COMPLETED", "Looked", "plain"],
  ] as const)
    await did("patchNodeTask", { params: task(serial, id), body: { status, notes } }, { as });
  const first = await did("addTaskPhoto", { params: task(11_010, 201), bytes: { bytes: testJpeg(), type: "image/jpeg" } });
  const third = await did(
    "addTaskPhoto",
    { params: task(11_001, 201), bytes: { bytes: testJpeg({ quantum: 2 }), type: "image/jpeg" } },
    { as: "plain" },
  );
  const second = await did(
    "addTaskPhoto",
    { params: task(11_010, 201), bytes: { bytes: testJpeg({ quantum: 3 }), type: "image/jpeg" } },
    { as: "plain" },
  );
  await did("deleteTaskPhoto", { params: { ...task(11_010, 201), photoId: String(second.id) } });
  await did("takeFreePlace", { params: { serial: "11010" }, body: { locationId: spare.id } }, { as: "plain" });
  await did("requestDeployed", { params: { serial: "11010" }, body: { billingStartDate: "2026-04-01", wiringReason: "Seen by eye" } });
  await did("takeFreePlace", { params: { serial: "11011" }, body: { locationId: drill.id, deploymentTaskType: "NL-NF" } });

  const seen = async (...serials: string[]) =>
    (await world.ask("getNodeCredentials", { query: { serials: serials.join(",") } })).map(({ serialNumber, version }) => ({
      serialNumber,
      version,
    }));
  const issued = await did("createNodeCredentials", { body: { nodes: await seen("11001", "11002", "11009"), code: await passcode() } });
  await did("revokeNodeCredentials", { body: { nodes: await seen("11002"), code: await passcode("plain") } }, { as: "plain" });
  await did("createCredentialSheet", {
    body: { credentials: issued.slice(0, 1).map(({ serialNumber, password }) => ({ serialNumber, password })) },
  });

  await did("createDecommissionedNode", {
    params: { id: String(alder.id) },
    body: { serialNumber: "11008", facilityName: "North Works", siteName: "North" },
  });
  await did(
    "createDecommissionedNode",
    { params: { id: String(alder.id) }, body: { serialNumber: "11006", facilityName: "South Works", siteName: "South" } },
    { as: "plain" },
  );
  await did("deleteDecommissionedNode", { params: { id: String(alder.id), serial: "11006" } });

  await did(
    "setNodeConfigValue",
    { params: { serial: "11001", key: "v_noise", newValue: "6", code: await passcode(), oldValue: "1" } },
    { nodes: confirming },
  );
  await did(
    "setNodeConfigValue",
    { params: { serial: "11002", key: "v_noise", newValue: "7", code: await passcode("plain"), oldValue: "3" } },
    { nodes: confirming, as: "plain", status: 409 },
  );
  await did("swapNode", {
    params: { serial: "11005" },
    body: { newSerialNumber: "11009", isNew: false, oldNodeStatus: "Pre-Deployment", reason: "Broken display" },
  });
  await did(
    "copySwapConfig",
    { params: { serial: "11009" }, body: { code: await passcode("plain") } },
    { as: "plain", nodes: confirming, ends: "(select copying_until is null from node_swap)" },
  );
  await did("leaveSwapConfig", { params: { serial: "11009" } });

  const batch = await did("createBatch", {
    body: {
      serialNumbers: ["11001", "11002", "11005"],
      values: [
        { key: "v_noise", value: "8" },
        { key: "i_noise", value: "2" },
        { key: "np_current", value: "61" },
      ],
    },
  });
  await ran("ConfigBatches", confirming);
  const { hash } = await world.ask("getBatch", { params: { id: String(batch.id) } });
  await did("startBatch", {
    params: { id: String(batch.id) },
    body: { hash, code: await passcode(), atOnce: 1, perMinute: 10, firstWave: 1, stopPercent: 20, startLocal: "" },
  });
  await did("steerBatch", { params: { id: String(batch.id) }, body: { order: "pause" } }, { as: "plain" });
  await did("steerBatch", { params: { id: String(batch.id) }, body: { order: "resume" } });
  for (let run = 0; run < 4; run++) {
    await world.advance(61);
    await ran("ConfigBatches", confirming);
  }
  const next = await did("createNextBatch", { params: { id: String(batch.id) }, body: { kind: "putBack" } }, { as: "plain" });
  await did("steerBatch", { params: { id: String(next.id) }, body: { order: "cancel" } });

  const values = { nodes: { serialNumbers: ["11001", "11002", "11012"], values: { dataPointInterval: 600, disableMonitoring: true } } };
  const plan = await did("planBulkChange", { body: values });
  const bulk = await did("runBulkChange", { body: { ...values, digests: plan.rows.map(({ digest }) => digest) } });
  const undo = await did("planBulkChange", { body: { undo: bulk.id } });
  await did("runBulkChange", { body: { undo: bulk.id, digests: undo.rows.map(({ digest }) => digest) } }, { as: "plain" });
  const ofPlaces = { locations: { locationIds: [places.pump.id, places.saw.id], values: { notifyMissedData: false } } };
  const placePlan = await did("planBulkChange", { body: ofPlaces }, { as: "plain" });
  await did("runBulkChange", { body: { ...ofPlaces, digests: placePlan.rows.map(({ digest }) => digest) } }, { as: "plain" });

  await imported(
    world,
    "planNodeImport",
    "runNodeImport",
    "Serial Number,Type,Container,Status,Interval (s)\n11020,Node,Pallet,Unassigned,300\n11011,Node,Pallet 2,,\n",
  );
  await imported(
    world,
    "planPlaceImport",
    "runPlaceImport",
    "Customer code,Customer,Facility,Site,Location,Equipment type,Time zone\nelm,Elm Works,Elm Hall,Hall,Fan 9,InductionMotor,America/Phoenix\n",
  );
  await did("askForFiles", { params: { serial: "11001" }, body: { kind: "D", fromTimestamp: quarter(30), toTimestamp: quarter(1) } });
  await did("resetMetering", { params: { serial: "11002" } }, { as: "plain", nodes: confirming });
  return [first.id, third.id];
}
