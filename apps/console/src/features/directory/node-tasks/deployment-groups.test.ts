import type { Deployment } from "@busbar/contract/directory/deployments.ts";
import { expect, test } from "vitest";
import { byFacility, firstFacilities, matching, noDeploymentFilter } from "./deployment-groups.ts";

const deployment = (serialNumber: string, facilityId: number | null, change: Partial<Deployment> = {}) =>
  ({
    serialNumber,
    facilityId,
    facilityName: facilityId === null ? "" : `Works ${facilityId}`,
    customerName: "Alder Pumping",
    locationName: "Pump",
    taskTemplateId: 1,
    taskName: "Install",
    reason: "",
    deploymentTaskType: "NEW",
    turn: "site",
    movedBy: "kim",
    ...change,
  }) as Deployment;
const serials = (list: readonly Deployment[]) => list.map(({ serialNumber }) => serialNumber).join(" ");

test("facilities come in the order of the list, nodes without one by their customer", () => {
  const list = [deployment("1", 7), deployment("2", null), deployment("3", 7), deployment("4", null, { customerName: "Birch" })];
  expect(byFacility(list).map(({ facilityId, deployments }) => [facilityId, serials(deployments)])).toEqual([
    [7, "1 3"],
    [null, "2"],
    [null, "4"],
  ]);
});

test("whole facilities are shown until there are enough cards, one at least", () => {
  const facilities = byFacility(
    ["1", "2", "3", "4"].flatMap((serial, place) => [deployment(serial, place), deployment(`${serial}b`, place)]),
  );
  const shown = (most: number) => firstFacilities(facilities, most).length;
  expect([shown(1), shown(2), shown(3), shown(4), shown(100)]).toEqual([1, 1, 2, 2, 4]);
});

test("every filter must match, and every word somewhere", () => {
  const list = [deployment("10604", 7), deployment("10605", 8, { turn: "office", movedBy: "lee", locationName: "Fan" })];
  const found = (filter: Partial<typeof noDeploymentFilter>) => serials(matching(list, { ...noDeploymentFilter, ...filter }));
  expect(found({})).toBe("10604 10605");
  expect([found({ turn: "office" }), found({ person: "kim" }), found({ facility: "8" })]).toEqual(["10605", "10604", "10605"]);
  expect([found({ find: " works FAN " }), found({ find: "10604 fan" }), found({ turn: "office", person: "kim" })]).toEqual([
    "10605",
    "",
    "",
  ]);
});
