import { expect, test } from "vitest";
import type { CommandOutcome } from "#features/telemetry/node-commands/node-command.ts";
import { judgeOutcome } from "./config-answer.ts";

const change = { serial: "10001", key: "np_voltage", oldValue: "460", newValue: "480" };

/** What the audit log says, and what the person reads or why it failed. */
function verdictOn(outcome: CommandOutcome): unknown[] {
  const verdict = judgeOutcome(change, outcome);
  if ("text" in verdict) return [verdict.result, verdict.text];
  const { status, errorCode, message } = verdict.refusal;
  return [verdict.result, status, errorCode, message];
}

test.each<[result: string, value: string | null, verdict: unknown[]]>([
  ["OK", "480", ["confirmed", "np_voltage changed from 460 to 480 on node 10001"]],
  ["OK", "480.0", ["confirmed", "np_voltage changed from 460 to 480 on node 10001"]],
  ["OK", "460", contradiction("Node 10001 said that it changed np_voltage, but did not; it is 460 there")],
  ["OK", null, contradiction("Node 10001 said that it changed np_voltage, but did not")],
  ["UNCHANGED", "480", ["unchanged", "np_voltage was already 480 on node 10001"]],
  ["UNCHANGED", "460", contradiction("Node 10001 said that np_voltage was already so, but it is not; it is 460 there")],
  [
    "CONFLICT",
    "470",
    ["refusedByNode", 409, "NODE_CONFLICT", "np_voltage on node 10001 is not 460 any more; it is 470 there. Refresh to see its values."],
  ],
  ["CONFLICT", "460", contradiction("Node 10001 refused: it said that np_voltage is not 460 any more, but it is; it is 460 there")],
  ["INVALID", "", ["refusedByNode", 422, "NODE_REFUSED", "Node 10001 does not allow 480 for np_voltage; it is (empty) there"]],
  ["READONLY", "460", ["refusedByNode", 422, "NODE_REFUSED", "Node 10001 does not let np_voltage be changed; it is 460 there"]],
  ["UNKNOWN", null, ["refusedByNode", 422, "NODE_REFUSED", "Node 10001 does not know np_voltage"]],
  ["BUSY", "460", ["refusedByNode", 409, "NODE_CONFLICT", "Node 10001 is busy. Nothing was changed; try again in a moment"]],
  ["MAYBE", "460", contradiction("Node 10001 answered in a way that is not known here; it is 460 there")],
])("CFG-06 a node's answer %s, its value %j", (result, value, verdict) => {
  expect(verdictOn({ state: "answered", answer: { metric: "Config/np_voltage", result, value } })).toEqual(verdict);
});

function contradiction(sentence: string): unknown[] {
  return ["contradicted", 502, "NODE_CONTRADICTS_ITSELF", `${sentence}. Refresh to see its values.`];
}

const unknownNow = "The node did not answer; the value may or may not have changed. Refresh to see it.";

test.each<[outcome: CommandOutcome, verdict: unknown[]]>([
  [{ state: "unanswered" }, ["unanswered", 504, "NODE_DID_NOT_ANSWER", unknownNow]],
  [{ state: "sent" }, ["unanswered", 504, "NODE_DID_NOT_ANSWER", unknownNow]],
  [{ state: "not-sent", reason: "not-connected" }, ["refused", 503, "NODE_NOT_CONNECTED", "Node 10001 is not connected"]],
  [
    { state: "not-sent", reason: "busy" },
    ["refused", 409, "CONFLICT", "Another change is on its way to node 10001. Nothing was changed; try again in a moment"],
  ],
  [
    { state: "not-sent", reason: "no-ingest" },
    ["refused", 503, "NODE_NOT_CONNECTED", "Node 10001 cannot be reached from the platform at the moment. Nothing was sent"],
  ],
])("CFG-06 a change that no answer came to: %j", (outcome, verdict) => {
  expect(verdictOn(outcome)).toEqual(verdict);
});
