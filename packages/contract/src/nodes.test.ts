import { expect, test } from "vitest";
import { newNodeDefaults } from "./node-fields.ts";
import { NewNode } from "./nodes.ts";

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
