import { lastOf, type WorldSteps } from "./world-steps.ts";
import { worldStart } from "./world-times.ts";
import type { Places } from "./places.ts";

const missing = 404;
const conflict = 409;

/** What is of someone or something else is not touched by an address that names the wrong one, nor by whoever it does not belong to. */
export async function refuseOthers(world: WorldSteps, places: Places, photoId: number): Promise<void> {
  const { did, pool, passcode } = world;
  const { alder, birch, cedar, north, mill, pump, saw, ofFacility, ofLocation } = places;
  const plain = { as: "plain", status: missing };
  const at = async (text: string) => String(await lastOf(pool, text));
  const noteOfPump = await at(`select min(id) as id from location_note where location_id = ${pump.id}`);
  const keyOfAnn = await at(
    "select min(k.id) as id from user_key k join app_user u on u.id = k.user_id where u.username = 'ann' and revoked_at is null",
  );
  const bob = await at("select id from app_user where username = 'bob'");
  const viewOfChief = await at("select min(v.id) as id from saved_view v join app_user u on u.id = v.owner_id where u.username = 'chief'");
  const jobOfChief = await at(
    "select id::text as id from download_job j where user_id = (select id from app_user where username = 'chief') limit 1",
  );
  const sessionOfChief = await at(
    "select id::text as id from session where user_id = (select id from app_user where username = 'chief') order by issued_at limit 1",
  );

  await did("updateFacility", { params: ofFacility(birch, north), body: { name: "Stolen Works" } }, plain);
  await did("setFacilityManagers", { params: ofFacility(birch, north), query: {}, body: [] }, plain);
  await did("moveFacility", { params: { ...ofFacility(birch, north), newCustomerId: String(cedar.id) } }, plain);
  await did("updateLocation", { params: ofLocation(birch, mill, pump), body: { name: "Stolen Pump" } }, plain);
  await did(
    "createLocation",
    { params: ofFacility(birch, north), body: { name: "Lost Pump", equipmentType: "InductionMotor", timezone: "America/Chicago" } },
    plain,
  );
  await did("deleteLocation", { params: { ...ofLocation(alder, north, saw), code: await passcode("plain") } }, plain);
  const note = { params: { id: String(saw.id), noteId: noteOfPump } };
  await did("updateLocationNote", { ...note, body: { note: "Changed" } }, plain);
  await did("archiveLocationNote", note, plain);
  await did("unarchiveLocationNote", note, plain);
  await did("deleteTaskPhoto", { params: { serial: "11010", id: "101", photoId: String(photoId) } }, plain);
  await did("deleteTaskPhoto", { params: { serial: "11001", id: "201", photoId: String(photoId) } }, plain);
  await did("deleteDecommissionedNode", { params: { id: String(birch.id), serial: "11008" } }, plain);
  await did("revokeUserKey", { params: { id: bob, keyId: keyOfAnn } }, plain);
  await did("updateView", { params: { id: viewOfChief }, body: { name: "Taken" } }, { as: "plain", status: 403 });
  await did("deleteView", { params: { id: viewOfChief } }, { as: "plain", status: 403 });
  await did("deleteDownload", { params: { id: jobOfChief } }, plain);
  await did("fetchDownload", { params: { id: jobOfChief } }, plain);
  await did("endOwnSession", { params: { sessionId: sessionOfChief } }, plain);
}

/** Nor by one that names another facility of the same customer. */
export async function refuseOtherFacility({ did }: WorldSteps, { alder, south, pump, ofLocation }: Places): Promise<void> {
  await did("updateLocation", { params: ofLocation(alder, south, pump), body: { name: "Lost Pump" } }, { as: "plain", status: missing });
}

/** What the state of the world does not allow, with its sentence and field. */
export async function refuseConflicts(world: WorldSteps, places: Places): Promise<void> {
  const { did } = world;
  const { alder, birch, north, south, mill, pump, blower, ofFacility, ofLocation } = places;
  const plain = { as: "plain", status: conflict };
  await did("createCustomer", { body: { code: "alder", name: "Alder Again" } }, plain);
  await did("updateCustomer", { params: { id: String(birch.id) }, body: { name: "Birch", revision: 1 } }, plain);
  await did(
    "createFacility",
    { params: { id: String(alder.id) }, body: { name: "North Works", siteName: "Again", division: "OSB", facilityLocation: "1,2" } },
    plain,
  );
  await did("updateFacility", { params: ofFacility(birch, mill), body: { siteName: "Late", revision: 1 } }, plain);
  const location = { equipmentType: "InductionMotor", timezone: "America/Chicago" } as const;
  await did(
    "createLocation",
    { params: ofFacility(alder, south), body: { ...location, name: "Feed Pump 9", nodeSerialNumber: "11001" } },
    plain,
  );
  await did(
    "createLocation",
    { params: ofFacility(alder, south), body: { ...location, name: "Feed Pump 9", nodeSerialNumber: "11008" } },
    plain,
  );
  await did(
    "createLocation",
    {
      params: ofFacility(alder, south),
      body: { ...location, equipmentType: "DCMotor", name: "Fan 9", nodeSerialNumber: "11020", secondaryNodeSerialNumber: "11003" },
    },
    plain,
  );
  await did("updateLocation", { params: ofLocation(alder, north, blower), body: { channels: "C", revision: 99 } }, plain);
  await did("createNode", { body: { serialNumber: "11001", container: "Box" } }, plain);
  await did("createNode", { body: { serialNumber: "11008", container: "Box" } }, plain);
  await did("takeFreePlace", { params: { serial: "11007" }, body: { locationId: pump.id } }, plain);
  await did(
    "createDecommissionedNode",
    { params: { id: String(birch.id) }, body: { serialNumber: "11001", facilityName: "Mill", siteName: "Mill" } },
    plain,
  );
  await did("patchNodeTask", { params: { serial: "11001", id: "102" }, body: { status: "COMPLETED", notes: "", revision: 7 } }, plain);
  await did("patchNodeTask", { params: { serial: "11010", id: "110" }, body: { status: "COMPLETED", notes: "" } }, plain);
  await did(
    "swapNode",
    { params: { serial: "11001" }, body: { newSerialNumber: "11002", isNew: false, oldNodeStatus: "Unassigned", reason: "Wrong" } },
    plain,
  );
  await did("requestDeployed", { params: { serial: "11001" }, body: { billingStartDate: "2026-05-01" } }, plain);
  await did("voidBill", { params: { number: "2" }, body: { reason: "Once more" } }, { status: conflict });
  await did(
    "createMute",
    { body: { kind: "node", objectId: 11_001, reason: "Too late", untilTimestamp: worldStart } },
    { as: "plain", status: 400 },
  );
}
