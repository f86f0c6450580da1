import type { EvidenceKind } from "@busbar/contract/directory/deployments.ts";
import { expect, test } from "vitest";
import { deploymentState, type DeploymentSignals } from "./deployment-state.ts";
import { taskTemplates } from "./task-order.ts";
import { evidenceFor, type EvidenceMoment } from "./task-evidence.ts";
import { templateId } from "./task-template.ts";

const now = 1_790_000_000;
/** Of a node of which nothing is missing. */
const well: DeploymentSignals = {
  type: "Node",
  isConnected: true,
  connectionChangedAt: now - 90,
  lastSeenAt: now - 1,
  lastScalarAt: now - 2,
  scalarIntervalSeconds: 10,
  clockAheadSeconds: 0,
  lastDataFileAt: now - 900,
  lastSecondFileAt: now - 900,
  wiringOutcome: "right",
  wiringSentence: "As it should be.",
  wiringAt: now - 60,
  hasPhases: true,
  deploymentTaskType: "NL-NF",
  isPlaced: true,
  ratedVoltage: 460,
  ratedCurrent: 80,
  equipmentType: "ACMotor",
  heldVoltage: "460",
  heldCurrent: "80",
  heldSupply: "ac",
  configReportedAt: now - 70,
  nameplateValid: true,
  currentDeploymentStatus: "Assigned",
  newDeploymentStatus: "Assigned",
  newStatusAt: now - 80,
  locationId: 1,
  deploymentIssue: false,
  deploymentIssueDetails: "",
};
const deployed = { currentDeploymentStatus: "Deployed", newDeploymentStatus: "Deployed" };
const wrong = { wiringOutcome: "wrong", wiringSentence: "Two phases are exchanged." } as const;
const unplaced = { locationId: null, isPlaced: false };

const stateOf = (id: number, signals: Partial<DeploymentSignals>) => {
  const next = taskTemplates.find((template) => templateId(template) === id)!;
  const { state, reason } = deploymentState(next, { ...well, ...signals }, { now, installedAt: now - 86_400 });
  return [state, reason];
};

test.each<[number, Partial<DeploymentSignals>, string, string]>([
  [101, {}, "turn", ""],
  [101, { deploymentIssue: true, deploymentIssueDetails: " No ladder \n" }, "blocked", "No ladder"],
  [101, { deploymentIssue: true, deploymentIssueDetails: " " }, "blocked", "It has a deployment issue."],
  [107, unplaced, "turn", ""],
  [108, unplaced, "blocked", "It is at no location."],
  [202, { wiringOutcome: "wrong" }, "turn", ""],
  [203, wrong, "blocked", "Wiring: Two phases are exchanged."],
  [203, { ...wrong, wiringSentence: null }, "blocked", "Wiring: "],
  [203, { ...wrong, ...unplaced }, "blocked", "It is at no location."],
  [203, { ...wrong, deploymentIssue: true, deploymentIssueDetails: "Flooded" }, "blocked", "Flooded"],
  [206, { newDeploymentStatus: "Deployed" }, "evidence", "Deployed is awaited."],
  [206, { lastScalarAt: null }, "turn", ""],
  [205, { lastScalarAt: null }, "evidence", "No values have come from it yet."],
  [205, { lastScalarAt: null, currentDeploymentStatus: "Removed" }, "evidence", "Assigned is awaited."],
  // What someone has to do is asked for where it is done.
  [207, { nameplateValid: false }, "turn", ""],
  [209, {}, "approval", ""],
  [209, { isConnected: false }, "evidence", "It is not connected."],
  [209, { lastDataFileAt: null, lastSecondFileAt: null }, "evidence", expect.stringMatching(/file/)],
  [209, { clockAheadSeconds: 7_200 }, "evidence", expect.stringMatching(/clock/i)],
  [209, { wiringOutcome: null, wiringSentence: null }, "approval", "No wiring verdict: Deployed asks for a reason."],
  [
    209,
    { wiringOutcome: "idle", wiringSentence: "It stood still." } as never,
    "approval",
    "Wiring: It stood still. Deployed asks for a reason.",
  ],
  [209, { wiringOutcome: null, wiringSentence: null, hasPhases: false }, "approval", ""],
  [209, { ...deployed, isConnected: false }, "turn", ""],
])("A-63 of task %i a deployment with %j is %s: %s", (id, signals, state, reason) => {
  expect(stateOf(id, signals)).toEqual([state, reason]);
});

const installedAt = now - 2_000;
test.each<[EvidenceKind, Partial<DeploymentSignals>, boolean, string, number | null]>([
  ["registered", {}, true, "It is registered as Node.", null],
  ["place", {}, true, "It is at a location.", null],
  ["place", unplaced, false, "It is at no location.", null],
  ["nameplate", {}, true, "The location has 460 V and 80 A.", null],
  ["nameplate", { ratedVoltage: 0 }, false, "The location has no voltage and full-load current yet.", null],
  ["nameplate", { ratedCurrent: null }, false, "The location has no voltage and full-load current yet.", null],
  ["connected", {}, true, "It is connected.", now - 90],
  ["connected", { isConnected: false }, false, "It is not connected.", now - 90],
  ["connected", { isConnected: false, connectionChangedAt: null }, false, "It has not connected yet.", null],
  ["configuration", {}, true, "It holds the supply, voltage and full-load current of its location.", now - 70],
  ["configuration", { ratedCurrent: null }, false, "The location has no voltage and full-load current to compare with.", null],
  ["configuration", { configReportedAt: null }, false, "It has not reported its configuration yet.", null],
  ["configuration", { heldVoltage: "460.2", heldCurrent: "79.97" }, true, expect.any(String) as never, now - 70],
  ["configuration", { heldVoltage: "460.3" }, false, "Its np_voltage is not what its location says.", now - 70],
  [
    "configuration",
    { heldVoltage: null, heldCurrent: "79.9" },
    false,
    "Its np_voltage, np_current are not what its location says.",
    now - 70,
  ],
  ["configuration", { heldSupply: "dc" }, false, "Its eq_type is not what its location says.", now - 70],
  ["configuration", { heldSupply: "dc", equipmentType: "DCMotor" }, true, expect.any(String) as never, now - 70],
  ["metering", { lastScalarAt: now - 30 }, true, "Its values arrive.", now - 30],
  ["metering", { lastScalarAt: now - 30.5 }, false, "Its values have stopped.", now - 31],
  ["metering", { isConnected: false }, false, "Its values have stopped.", now - 2],
  ["metering", { lastScalarAt: now - 180, scalarIntervalSeconds: 60 }, true, "Its values arrive.", now - 180],
  ["clock", {}, true, "Its clock is right.", now - 1],
  ["clock", { isConnected: false }, false, "Its clock was right before it lost the connection.", now - 1],
  ["clock", { clockAheadSeconds: null }, false, "Nothing has come that shows its clock.", null],
  ["files", {}, true, "15-minute and one-second files arrive.", now - 900],
  ["files", { lastDataFileAt: now - 1_800 }, true, "15-minute and one-second files arrive.", now - 1_800],
  ["files", { lastDataFileAt: installedAt - 1 }, false, "No 15-minute file of this place has been read yet.", installedAt - 1],
  ["files", { lastSecondFileAt: installedAt - 1 }, false, "No one-second file of this place has been read yet.", installedAt - 1],
  ["wiring", {}, true, "As it should be.", now - 60],
  ["wiring", wrong, false, "Two phases are exchanged.", now - 60],
  ["wiring", { wiringOutcome: null }, false, "No wiring verdict has been taken here yet.", null],
  ["wiring", { wiringOutcome: null, hasPhases: false }, true, "It has no phases that could be exchanged.", null],
  ["nameplateValid", {}, true, "Nameplate valid is set.", null],
  ["nameplateValid", { nameplateValid: false }, false, "Nameplate valid is not set yet.", null],
  ["deployed", {}, false, "Deployed is not requested yet.", null],
  ["deployed", { newDeploymentStatus: "Deployed" }, false, "Deployed is requested and awaited.", null],
  ["deployed", deployed, true, "Deployed is in effect.", now - 80],
])("A-63 what is seen of %s with %j: %s, %s", (kind, signals, isSeen, sentence, timestamp) => {
  const [template] = taskTemplates;
  const found = evidenceFor({ ...template!, evidence: [kind] }, { ...well, ...signals }, { now, installedAt });
  expect(found).toEqual([{ kind, isSeen, sentence, timestamp }]);
});

test("A-63 what is asked for is what is known of such a node, and notes where the task or its kind of deployment asks for them", () => {
  const [template] = taskTemplates;
  const asked = (asksForNotes: true | "RMA" | undefined, signals: Partial<DeploymentSignals>, moment: Partial<EvidenceMoment> = {}) =>
    evidenceFor(
      { ...template!, evidence: ["wiring", "deployed"], ...(asksForNotes === undefined ? {} : { asksForNotes }) },
      { ...well, ...signals },
      { now, installedAt, ...moment },
    ).map(({ kind, isSeen }) => [kind, isSeen]);
  expect(asked(true, {})).toEqual([
    ["wiring", true],
    ["deployed", false],
    ["notes", false],
  ]);
  expect(asked("RMA", { deploymentTaskType: "RMA", type: "repeater" }, { notes: " x " })).toEqual([["deployed", false]]);
  expect(asked("RMA", { deploymentTaskType: "RMA", currentDeploymentStatus: "Decommissioned" }, { notes: " x " })).toEqual([
    ["wiring", true],
    ["notes", true],
  ]);
  expect(asked("RMA", {}, { notes: " \n" })).toEqual([
    ["wiring", true],
    ["deployed", false],
  ]);
  expect(asked(undefined, {})).toHaveLength(2);
});
