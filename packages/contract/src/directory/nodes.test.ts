import { expect, test } from "vitest";
import { deploymentStatuses } from "../values/option-lists.ts";
import { bulkFieldLabels } from "./bulk-changes.ts";
import { newNodeDefaults, nodeChoiceFields, nodePlainFields } from "./node-fields.ts";
import { nodeImportColumns } from "./node-import.ts";
import { NewNode, NodeListRow } from "./nodes.ts";

test("NOD-01 what the list of nodes has and staff may write is read back from its file, or passed by on purpose", () => {
  const written = Object.keys(nodePlainFields).filter((name) => name in NodeListRow.shape);
  expect(written).toContain("container");
  // The file does not have it either.
  const left = ["deploymentIssue"];
  expect(written.filter((name) => !(name in nodeImportColumns) && !left.includes(name))).toEqual([]);
});

test("A-63 no two fields of a node have the same label", () => {
  const labels = Object.values(bulkFieldLabels);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
});

test("NFM-06 a new node needs a serial number and a container; everything else has its default", () => {
  expect(NewNode.parse({ serialNumber: "12345", container: "Rack 1" })).toEqual({
    ...newNodeDefaults,
    serialNumber: "12345",
    container: "Rack 1",
    newDeploymentStatusUpdateTimestamp: null,
  });
  expect(newNodeDefaults).toMatchObject({
    dataPointInterval: 900,
    newDeploymentStatus: "Pre-Deployment",
    voltageImbalanceThreshold: 10,
    voltageThdThreshold: 10,
    currentImbalanceThreshold: 10,
    currentThdThreshold: 10,
    overVoltageThreshold: 8,
    shortTermOverCurrentThreshold: 15,
    shortTermOverCurrentAveragingPeriod: 5,
    longTermOverCurrentThreshold: 15,
    longTermOverCurrentAveragingPeriod: 5,
    underVoltageThreshold: 10,
    lossOfPhaseTransientThreshold: 500,
    stopEventOfInterestThreshold: 72,
    viMinimumVoltageThreshold: 0,
  });
});

test("NFM-01 a ticket link is a web address that carries no name and password", () => {
  const isAllowed = (url: string) =>
    NewNode.safeParse({ serialNumber: "12345", container: "Rack 1", pauseConnectivityNotificationsUrl: url }).success;
  for (const url of ["", "https://tickets.example/7", "http://tickets.example:8080/a?b=1#c"])
    expect([url, isAllowed(url)]).toEqual([url, true]);
  for (const url of [
    "javascript:alert(1)",
    "data:text/html,x",
    "//tickets.example",
    "https:tickets.example",
    "https://",
    "https://tickets.example@evil.example/",
    "https://root:secret@tickets.example/",
    "https://:secret@tickets.example/",
    "https://a b",
  ])
    expect([url, isAllowed(url)]).toEqual([url, false]);
});

test("NFM-10 what a node has stays allowed although no list knows it, and no node becomes Decommissioned by its form", () => {
  const unlisted = "Z9";
  const taken = (stored: Record<string, string>, value: string) =>
    Object.entries(nodeChoiceFields(stored)).flatMap(([name, field]) => (field.safeParse(value).success ? [name] : []));
  const free = ["type", "nodeHardwareVersion", "viModuleHardwareVersion", "deploymentTaskType"];
  expect(taken({}, unlisted)).toEqual([]);
  for (const name of free) expect(taken({ [name]: unlisted }, unlisted)).toEqual([name]);
  const statuses = (newDeploymentStatus: string) =>
    deploymentStatuses.filter((status) => taken({ newDeploymentStatus }, status).includes("newDeploymentStatus"));
  for (const status of deploymentStatuses)
    expect([status, statuses(status)]).toEqual([
      status,
      deploymentStatuses.filter((each) => each !== "Decommissioned" || status === "Decommissioned"),
    ]);
});
