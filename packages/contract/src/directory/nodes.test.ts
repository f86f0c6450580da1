import { expect, test } from "vitest";
import { newNodeDefaults, nodePlainFields } from "./node-fields.ts";
import { nodeImportColumns } from "./node-import.ts";
import { NewNode, NodeListRow } from "./nodes.ts";

test("NOD-01 what the list of nodes has and staff may write is read back from its file, or passed by on purpose", () => {
  const written = Object.keys(nodePlainFields).filter((name) => name in NodeListRow.shape);
  expect(written).toContain("container");
  // The file does not have it either.
  const left = ["deploymentIssue"];
  expect(written.filter((name) => !(name in nodeImportColumns) && !left.includes(name))).toEqual([]);
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
    "https://a b",
  ])
    expect([url, isAllowed(url)]).toEqual([url, false]);
});
