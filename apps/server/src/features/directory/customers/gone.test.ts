import { api } from "@busbar/contract/api.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDirectoryServer, type DirectoryServer } from "./directory.fixture.ts";

let directory: DirectoryServer;
beforeAll(async () => {
  directory = await createDirectoryServer();
});
afterAll(() => directory.stop());

/** Numbers that nothing has, by the name of the part; places above exist unless they are the ones that are gone. */
const noId = "987654";
const parts: Record<string, string> = {
  code: "123456",
  newCustomerId: noId,
  newFacilityId: noId,
  serial: "98765",
};
const bodies: Record<string, object> = {
  createFacility: { name: "Works", siteName: "North" },
  createLocation: { name: "Pump", equipmentType: "InductionMotor", timezone: "America/Chicago" },
  createDecommissionedNode: { serialNumber: "98765", facilityName: "Works", siteName: "North" },
  createLocationNote: { timestamp: 1_790_000_000, note: "x" },
  setFacilityManagers: [],
};

test("A-28 a place that is gone is said to be so without numbers that no one knows, by every call that names one", async () => {
  const customer = await directory.addCustomer();
  const facility = await directory.addFacility(customer);
  const sentences = new Set<string>();
  const calls = Object.entries(api).filter(([, { path }]) => /^\/(customers|locations)\/\{id\}/.test(path));
  expect(calls.length).toBeGreaterThan(15);
  for (const [name, { method, path, versions }] of calls) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, part = ""]) => part);
    // Once with nothing there at all, once with all but the last place.
    for (const known of [{}, { id: String(customer) }, { id: String(customer), facilityId: String(facility) }] as Record<
      string,
      string
    >[]) {
      const filled = names.reduce((text, part) => text.replace(`{${part}}`, known[part] ?? parts[part] ?? noId), path);
      if (!filled.includes(noId)) continue;
      const answer = await directory.server.call({
        method,
        url: `/api${versions[0] === "v2" ? "/v2" : ""}${filled}`,
        token: directory.token,
        ...(method === "GET" || method === "DELETE" ? {} : { payload: bodies[name] ?? {} }),
      });
      if (answer.status !== 404) continue;
      const sentence = String(answer.json["errorMessage"]);
      sentences.add(sentence);
      expect([name, sentence, /987654|\b\d+\b of (facility|customer)/.test(sentence)]).toEqual([name, sentence, false]);
      expect([name, sentence]).toEqual([name, expect.stringMatching(/was not found: it may have been deleted/)]);
    }
  }
  expect([...sentences].toSorted()).toEqual([
    "This customer was not found: it may have been deleted",
    "This facility was not found: it may have been deleted, or moved to another customer",
    "This location was not found: it may have been deleted",
    "This location was not found: it may have been deleted, or moved to another facility",
  ]);
});
