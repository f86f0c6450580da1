import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import { isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import type { NetworkConfigResult } from "@busbar/contract/telemetry/network-config-log.ts";
import type { CommandOutcome } from "#features/telemetry/node-commands/node-command.ts";
import { AppError, conflict } from "#lib/errors.ts";
import { say, type Sentence } from "#lib/sentence.ts";

export interface ConfigChange {
  serial: string;
  key: string;
  oldValue: string;
  newValue: string;
  /** How a person typed the new value, for the audit log. */
  typedValue?: string;
  /** As the node reported it, for a key that is in no catalogue. */
  datatype?: ConfigDatatype | undefined;
}

/** How a change ended: what the audit log says, and what the person reads or why it failed. */
export type ConfigVerdict = { result: NetworkConfigResult } & ({ text: string } | { refusal: AppError });

/** A value as it is shown in a sentence. */
const shown = (value: string): string => (value === "" ? "(empty)" : value);

export function judgeOutcome(change: ConfigChange, outcome: CommandOutcome): ConfigVerdict {
  const { serial } = change;
  switch (outcome.state) {
    case "answered":
      return judgeAnswer(change, outcome.answer.result, outcome.answer.value);
    case "unanswered":
    case "sent":
      return {
        result: "unanswered",
        refusal: silent("The node did not answer; the value may or may not have changed. Refresh to see it."),
      };
    default:
      return { result: "refused", refusal: notSent(serial, outcome.reason) };
  }
}

function judgeAnswer(change: ConfigChange, result: string, current: string | null): ConfigVerdict {
  const { serial, key, oldValue, newValue, datatype } = change;
  const isNow = (value: string) => current !== null && isSameConfigValue(key, current, value, datatype);
  const refusedByNode = (refusal: AppError): ConfigVerdict => ({ result: "refusedByNode", refusal });
  const actual = current === null ? "" : `; it is ${shown(current)} there`;
  switch (result) {
    // A node that says yes but shows another value has not done it.
    case "OK":
      if (!isNow(newValue))
        return contradiction(`Node ${serial} said that it changed ${key}, but did not${actual}. Refresh to see its values.`);
      return { result: "confirmed", text: `${key} changed from ${shown(oldValue)} to ${shown(newValue)} on node ${serial}` };
    case "UNCHANGED":
      if (!isNow(newValue))
        return contradiction(`Node ${serial} said that ${key} was already so, but it is not${actual}. Refresh to see its values.`);
      return { result: "unchanged", text: `${key} was already ${shown(newValue)} on node ${serial}` };
    case "CONFLICT":
      if (isNow(oldValue))
        return contradiction(
          `Node ${serial} refused: it said that ${key} is not ${shown(oldValue)} any more, but it is${actual}. Refresh to see its values.`,
        );
      return refusedByNode(
        nodeConflict(`${key} on node ${serial} is not ${shown(oldValue)} any more${actual}. Refresh to see its values.`),
      );
    case "INVALID":
      return refusedByNode(refused(`Node ${serial} does not allow ${shown(newValue)} for ${key}${actual}`));
    case "READONLY":
      return refusedByNode(refused(`Node ${serial} does not let ${key} be changed${actual}`));
    case "UNKNOWN":
      return refusedByNode(refused(`Node ${serial} does not know ${key}`));
    case "BUSY":
      return refusedByNode(nodeConflict(`Node ${serial} is busy. Nothing was changed; try again in a moment`));
    default:
      return contradiction(`Node ${serial} answered in a way that is not known here${actual}. Refresh to see its values.`);
  }
}

const nodeConflict = (message: string) => new AppError(409, errorCodes.nodeConflict, message);
const refused = (message: string) => new AppError(422, errorCodes.nodeRefused, message);
const contradiction = (message: string): ConfigVerdict => ({
  result: "contradicted",
  refusal: new AppError(502, errorCodes.nodeContradicts, message),
});

export const silent = (message: string | Sentence) => new AppError(504, errorCodes.nodeSilent, message);
export const notConnected = (serial: string) => new AppError(503, errorCodes.nodeNotConnected, say`Node ${serial} is not connected`);
export const writeUnderWay = (serial: string) =>
  conflict(say`Another change is on its way to node ${serial}. Nothing was changed; try again in a moment`);

export function notSent(serial: string, reason: "busy" | "not-connected" | "no-ingest"): AppError {
  if (reason === "busy") return writeUnderWay(serial);
  if (reason === "not-connected") return notConnected(serial);
  return new AppError(
    503,
    errorCodes.nodeNotConnected,
    say`Node ${serial} cannot be reached from the platform at the moment. Nothing was sent`,
  );
}
