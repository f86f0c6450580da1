import type { Node } from "@busbar/contract/directory/nodes.ts";
import { day, hour, worldStart } from "./world-times.ts";
import type { WorldSteps } from "./world-steps.ts";

/** Customers with facilities, locations and nodes in every state. */
export async function addPlaces(world: WorldSteps) {
  const { did, pool } = world;
  const alder = await did("createCustomer", {
    body: { code: "alder", name: "Alder Pumping", emailDomains: ["alder.example", "alder.test"], requireDivisionFacilityLocation: true },
  });
  const birch = await did("createCustomer", { body: { code: "birch", name: "Birch Mills", type: "Internal" } }, { as: "plain" });
  const cedar = await did("createCustomer", { body: { code: "cedar", name: "Cedar Yards", enableDataTransfer: true } });
  await did("updateCustomer", {
    params: { id: String(birch.id) },
    body: { name: "Birch Mills, Inc", enableDataTransfer: true, emailDomains: ["birch.example"], revision: birch.revision },
  });
  const north = await did("createFacility", {
    params: { id: String(alder.id) },
    body: {
      name: "North Works",
      siteName: "North",
      division: "OSB",
      groundingType: "Solid Ground",
      facilityLocation: "47.1,-122.3",
      customerXRefId: "N-1",
    },
  });
  const south = await did("createFacility", {
    params: { id: String(alder.id) },
    body: { name: "South Works", siteName: "South", division: "Lumber", facilityLocation: "30.5,-90.25", type: "Internal" },
  });
  const mill = await did(
    "createFacility",
    { params: { id: String(birch.id) }, body: { name: "Birch Mill", siteName: "Mill" } },
    { as: "plain" },
  );
  const yard = await did("createFacility", { params: { id: String(cedar.id) }, body: { name: "Cedar Yard", siteName: "Yard" } });
  const shed = await did("createFacility", {
    params: { id: String(cedar.id) },
    body: { name: "Cedar Shed", siteName: "Shed", type: "Revenue" },
  });
  await did("updateFacility", {
    params: { id: String(birch.id), facilityId: String(mill.id) },
    body: {
      siteName: "Old Mill",
      groundingType: "Ungrounded",
      division: "Plywood",
      facilityLocation: "35.6,139.7",
      revision: mill.revision,
    },
  });

  const nodes: Record<number, Node> = {};
  const addNode = async (serial: number, fields: object, as = "chief"): Promise<void> => {
    const body = { serialNumber: String(serial), container: `Box ${serial % 10}`, ...fields };
    nodes[serial] = await did("createNode", { body }, { as, isKept: serial < 11_002 || serial === 11_006 || as !== "chief" });
  };
  await addNode(11_001, { newDeploymentStatus: "Deployed", deploymentTaskType: "NL-NF", nodeHardwareVersion: null, notifyOnConnect: true });
  await addNode(11_002, { newDeploymentStatus: "Deployed", deploymentTaskType: "NL-EF", dataPointInterval: 600, overVoltageThreshold: 9 });
  await addNode(11_003, { type: "subNode", newDeploymentStatus: "Deployed", showRawPower: true });
  await addNode(11_004, { type: "SEL", newDeploymentStatus: "Deployed", monitorMissingData: false });
  await addNode(11_005, { newDeploymentStatus: "Deployed", deploymentTaskType: "RMA", activeVc: false }, "plain");
  await addNode(11_006, {
    newDeploymentStatus: "Unassigned",
    unassignedCustomer: "Alder Pumping",
    unassignedFacility: "North Works",
    unassignedLocation: "Shelf 4",
  });
  await addNode(11_007, { type: "GERelay", container: "Crate" });
  await addNode(11_008, { newDeploymentStatus: "Unassigned", container: "Scrap" });
  await addNode(11_009, { newDeploymentStatus: "Unassigned", poeEnabled: true, container: "Bench" });
  await addNode(11_010, { newDeploymentStatus: "Unassigned", container: "Crate", deploymentTaskType: "NL-EF" });
  await addNode(11_011, { newDeploymentStatus: "Unassigned", container: "Crate", notifyOnCurrentAboveNoise: true });
  await addNode(11_012, { newDeploymentStatus: "Unassigned", disableMonitoring: true });
  // As nodes report them.
  for (const { serialNumber } of Object.values(nodes))
    await pool.query("update node set mac_address = $2, ip_address = $3 where serial_number = $1", [
      serialNumber,
      `02:00:00:00:00:${serialNumber.slice(3)}`,
      `10.0.0.${Number(serialNumber.slice(3))}`,
    ]);

  const ofFacility = (customer: { id: number }, facility: { id: number }) => ({ id: String(customer.id), facilityId: String(facility.id) });
  const pump = await did("createLocation", {
    params: ofFacility(alder, north),
    body: {
      name: "Feed Pump 1",
      equipmentType: "InductionMotor",
      timezone: "America/Chicago",
      nodeSerialNumber: "11001",
      assetLocationNumber: "AL-1",
      customerXRefId: "X-1",
      billingStartDate: "2024-03-01",
      paidThruDate: "2025-12-31",
      npVoltage: 460,
      npCurrent: 60,
      npHp: 50,
      npRpm: 1_780,
      npPoles: 4,
      npRotorBars: 44,
      npServiceFactor: 1.15,
      starter: "",
      loadApplication: "Belt",
      voltageTapLocation: "Line side",
      ctLocation: "Motor Load",
      harmonicSignatures: [["Gear", "29.5;88.5"]],
      channels: "A, B",
      equipmentStartTimestamp: worldStart - 900 * day,
    },
  });
  const blower = await did("createLocation", {
    params: ofFacility(alder, north),
    body: {
      name: "Blower 2",
      equipmentType: "DCMotor",
      timezone: "America/New_York",
      nodeSerialNumber: "11002",
      secondaryNodeSerialNumber: "11003",
      billingStartDate: "2025-07-01",
      billingEndDate: "2027-06-30",
      npVoltage: 500,
      npCurrent: 80,
      notifyMissedData: false,
      faultLibraryAlertFlags: { underload: true, overVoltage: false },
    },
  });
  const crusher = await did("createLocation", {
    params: ofFacility(alder, south),
    body: {
      name: "Crusher 3",
      equipmentType: "UtilityMain",
      timezone: "America/Denver",
      nodeSerialNumber: "11004",
      billingStartDate: "2025-01-15",
      npVoltage: 4_160,
      npCurrent: 30,
      npHp: 250,
      npRpm: 890,
      npPoles: 8,
      npRotorBars: 60,
      npServiceFactor: 1,
    },
  });
  const saw = await did(
    "createLocation",
    {
      params: ofFacility(birch, mill),
      body: {
        name: "Saw 4",
        equipmentType: "InductionMotor",
        timezone: "Pacific/Honolulu",
        nodeSerialNumber: "11005",
        npVoltage: 480,
        npCurrent: 25,
        npHp: 20,
      },
    },
    { as: "plain" },
  );
  const lathe = await did("createLocation", {
    params: ofFacility(cedar, yard),
    body: { name: "Lathe 5", equipmentType: "InductionMotor", timezone: "America/Anchorage", nodeSerialNumber: "11012" },
  });
  const drill = await did("createLocation", {
    params: ofFacility(cedar, yard),
    body: { name: "Drill 6", equipmentType: "Rectifier", timezone: "America/Anchorage" },
  });
  const press = await did("createLocation", {
    params: ofFacility(cedar, shed),
    body: { name: "Press 7", equipmentType: "InductionMotor", timezone: "America/Anchorage" },
  });
  const spare = await did("createLocation", {
    params: ofFacility(alder, south),
    body: { name: "Spare Pump 8", equipmentType: "InductionMotor", timezone: "America/Chicago" },
  });
  const ofLocation = (customer: { id: number }, facility: { id: number }, location: { id: number }) => ({
    ...ofFacility(customer, facility),
    locationId: String(location.id),
  });
  await did("updateLocation", {
    params: ofLocation(birch, mill, saw),
    body: { assetLocationNumber: "S-4", billingStartDate: "2025-10-01", loadApplication: "Belt - Reducer", revision: saw.revision },
  });
  return {
    alder,
    birch,
    cedar,
    north,
    south,
    mill,
    yard,
    shed,
    nodes,
    pump,
    blower,
    crusher,
    saw,
    lathe,
    drill,
    press,
    spare,
    ofFacility,
    ofLocation,
  };
}

export type Places = Awaited<ReturnType<typeof addPlaces>>;

export async function changeDirectory(world: WorldSteps, places: Places): Promise<void> {
  const { did, now } = world;
  const { pump, saw } = places;
  const at = (location: { id: number }) => ({ id: String(location.id) });
  const noteAt = (location: { id: number }, note: { id: number }) => ({ id: String(location.id), noteId: String(note.id) });
  const first = await did("createLocationNote", {
    params: at(pump),
    body: { timestamp: now() - 2 * hour, note: "Belt replaced", details: "By Ann" },
  });
  const second = await did(
    "createLocationNote",
    { params: at(pump), body: { timestamp: now() - hour, note: "Belt slips", showInVoltagePlot: false } },
    { as: "plain" },
  );
  const third = await did(
    "createLocationNote",
    { params: at(saw), body: { timestamp: now() - 3 * hour, note: "New blade", showInAccumulatedAmpHoursPlot: false } },
    { as: "plain" },
  );
  await did("createLocationNote", { params: at(pump), body: { timestamp: now() - 3 * day, note: "Painted", showInCurrentPlot: false } });
  await did(
    "updateLocationNote",
    { params: noteAt(pump, first), body: { details: "By Ann and Art", revision: first.revision } },
    { as: "plain" },
  );
  await did("archiveLocationNote", { params: noteAt(pump, second) });
  await did("archiveLocationNote", { params: noteAt(saw, third) }, { as: "plain" });
  await did("unarchiveLocationNote", { params: noteAt(saw, third) });
  const view = (list: "nodes" | "users", name: string, isShared: boolean, query: string) => ({ body: { list, name, isShared, query } });
  const mine = await did("createView", view("nodes", "Mine", false, "type=SEL"));
  const ours = await did("createView", view("nodes", "Ours", true, "status=Deployed"), { as: "plain" });
  await did("createView", view("users", "People", true, "q=a"), { as: "plain" });
  const gone = await did("createView", view("nodes", "Gone", true, "q=b"), { as: "plain" });
  await did("updateView", {
    params: { id: String(mine.id) },
    body: { name: "My own", isShared: true, query: "type=Node", revision: mine.revision },
  });
  await did("updateView", { params: { id: String(ours.id) }, body: { isDefault: true } });
  await did("deleteView", { params: { id: String(gone.id) } });
}

/** What is moved and deleted, after all else came of it. */
export async function removePlaces(world: WorldSteps, places: Places): Promise<void> {
  const { did, passcode } = world;
  const { alder, birch, cedar, north, south, yard, shed, blower, lathe, ofFacility, ofLocation } = places;
  await did("moveFacility", { params: { ...ofFacility(cedar, shed), newCustomerId: String(birch.id) } });
  await did(
    "moveLocation",
    { params: { ...ofLocation(alder, north, blower), newCustomerId: String(alder.id), newFacilityId: String(south.id) } },
    { as: "keeper" },
  );
  await did("deleteLocation", { params: { ...ofLocation(cedar, yard, lathe), code: await passcode() } });
  await did("deleteFacility", { params: { ...ofFacility(birch, shed), code: await passcode() }, query: { confirm: "1" } });
  await did(
    "deleteCustomer",
    { params: { id: String(cedar.id), code: await passcode("plain") }, query: { confirm: "1,1" } },
    { as: "plain" },
  );
}
