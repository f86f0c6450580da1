import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { findConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import { configDatatypes } from "@busbar/contract/telemetry/config-rules.ts";
import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { canonicalConfigValue, configProblem, configRule, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { Passcode } from "@busbar/contract/access/passcode.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType, isInt64FieldType, isStringType } from "@busbar/sparkplug/datatypes.ts";
import { inTransaction } from "#db/transaction.ts";
import type { CommandMetric } from "#features/telemetry/node-commands/node-command.ts";
import type { NodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { judgeOutcome, notConnected, notSent, silent, writeUnderWay } from "./config-answer.ts";
import type { ConfigChange } from "./config-answer.ts";
import { createNodeConfigStore } from "./node-config.store.ts";
import type { ConfigNode, NewAuditEntry } from "./node-config.store.ts";

export interface NodeConfigDependencies {
  pool: Pool;
  nodeCommands: NodeCommands;
  twoFactor: TwoFactor;
  clock: Clock;
  /** How long a node may take to answer. */
  answerTimeoutMs: number;
}

export interface ConfigChangeRequest extends ConfigChange {
  code: string;
}

/** Reads and changes the configuration of nodes: real equipment in the field, so the node itself has the last word (CFG-03, CFG-06). */
export function createNodeConfig(dependencies: NodeConfigDependencies) {
  const { pool, nodeCommands, twoFactor, clock, answerTimeoutMs } = dependencies;
  const store = createNodeConfigStore(pool);

  /** Everything that can refuse a change before it leaves; the passcode last, because a code spent is spent. */
  const checkChange = async (caller: Caller, change: ConfigChangeRequest, node: ConfigNode | undefined): Promise<ConfigNode> => {
    const { serial, key, newValue, oldValue, code, datatype } = change;
    const values = new Map(Object.entries(node?.values ?? {}));
    if (!configRule(key, datatype)) throw invalid("key", `${cleanText(key, 64) || "(empty)"} is no parameter that can be changed`);
    const problem = configProblem(key, newValue, values, datatype);
    if (problem) throw invalid("newValue", `${key} ${problem}`);
    if (code === "") throw invalid("code", "Missing 2FA Passcode"); // CFG-05
    if (!Passcode.safeParse(code).success) throw invalid("code", "A 2FA code is letters and digits only");
    if (!node) throw notFound(say`Node ${serial}`);
    if (!node.isConnected) throw notConnected(serial);
    if (await nodeCommands.isWriteUnderWay(Number(serial))) throw writeUnderWay(serial);
    const current = values.get(key);
    if (current !== undefined && !isSameConfigValue(key, current, oldValue, datatype)) {
      throw conflict(
        `${key} on node ${serial} is now ${current || "(empty)"}, no longer ${cleanText(oldValue, 300) || "(empty)"}. Refresh to see its values.`,
      );
    }
    await twoFactor.usePasscode(caller, code);
    return node;
  };

  const refuse = async (audit: NewAuditEntry, error: unknown): Promise<never> => {
    if (error instanceof AppError) await store.insertAudit(pool, { ...audit, result: "refused", detail: error.message });
    throw error;
  };

  const sendChange = async (caller: Caller, change: ConfigChange, node: ConfigNode, audit: NewAuditEntry): Promise<string> => {
    const id = randomUUID();
    let auditId: number | undefined;
    const outcome = await nodeCommands.send({
      id,
      serialNumber: Number(change.serial),
      metrics: [writeMetric(id, caller, change, clock.now() + answerTimeoutMs + node.clockSkewMs)],
      awaitsAnswer: true,
      isExclusive: true,
      timeoutMs: answerTimeoutMs,
      alongside: async (client) => {
        auditId = await store.insertAudit(client, { ...audit, result: "sent" });
      },
    });
    const verdict = judgeOutcome(change, outcome);
    const failure = "refusal" in verdict ? verdict.refusal : undefined;
    // Someone else was faster: nothing was handed over, so nothing is in the audit log yet.
    if (auditId === undefined) return refuse(audit, writeUnderWay(change.serial));
    await settle(caller, change, auditId, verdict.result, failure?.message ?? "");
    if (failure) throw failure;
    return "text" in verdict ? verdict.text : "";
  };

  const settle = async (
    caller: Caller,
    { serial, key }: ConfigChange,
    auditId: number,
    result: NewAuditEntry["result"],
    detail: string,
  ) => {
    await inTransaction(pool, async (client) => {
      await store.settleAudit(client, auditId, result, detail);
      if (result === "confirmed" || result === "unanswered") {
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_NODE_CONFIG",
          object: nodeObject(serial),
          description:
            result === "confirmed"
              ? `${key} of node ${serial} was changed`
              : `${key} of node ${serial} may have been changed: the node did not answer`,
          // Values are in the audit log only.
          after: { auditId },
        });
      }
    });
  };

  return {
    /** CFG-03: the values as the node reports them now. */
    async read(serial: string): Promise<Record<string, string>> {
      const node = await store.findNode(Number(serial));
      if (!node) throw notFound(say`Node ${serial}`);
      if (!node.isConnected) throw notConnected(serial);
      const id = randomUUID();
      const outcome = await nodeCommands.send({
        id,
        serialNumber: Number(serial),
        metrics: [{ name: metricNames.configRefresh, datatype: DataType.String, value: id }],
        awaitsAnswer: true,
        timeoutMs: answerTimeoutMs,
      });
      if (outcome.state === "not-sent") throw notSent(serial, outcome.reason);
      if (outcome.state !== "answered") throw silent(say`Node ${serial} did not answer within ${Math.ceil(answerTimeoutMs / 1000)} s`);
      return (await store.findNode(Number(serial)))?.values ?? {};
    },

    /** Of keys that are in no catalogue: what they may hold, as far as anyone but the node knows. */
    async readTypes(serial: string): Promise<Record<string, ConfigDatatype>> {
      const node = await store.findNode(Number(serial));
      if (!node) throw notFound(say`Node ${serial}`);
      const foreign = Object.keys(node.values ?? {}).filter((key) => !findConfigParameter(key));
      return Object.fromEntries(foreign.flatMap((key) => datatypeOf(node, key).map((datatype) => [key, datatype])));
    },

    /** CFG-04, CFG-06: answers what the node confirmed. Every attempt is in the audit log. */
    async change(caller: Caller, request: ConfigChangeRequest): Promise<string> {
      const found = await store.findNode(Number(request.serial));
      const audit = auditOf(caller, request, found);
      const [datatype] = datatypeOf(found, request.key);
      const node = await checkChange(caller, { ...request, datatype }, found).catch((error: unknown) => refuse(audit, error));
      const { serial, key, oldValue } = request;
      const newValue = canonicalConfigValue(key, request.newValue, datatype) ?? request.newValue;
      return await sendChange(caller, { serial, key, oldValue, newValue, datatype }, node, audit);
    },
  };
}
export type NodeConfig = ReturnType<typeof createNodeConfig>;

// What came in may be anything: cut to what a reader of the log can use.
function auditOf(caller: Caller, { serial, key, newValue, oldValue }: ConfigChangeRequest, node: ConfigNode | undefined): NewAuditEntry {
  return {
    username: caller.username,
    serialNumber: Number(serial),
    locationId: node?.locationId ?? null,
    locationName: node?.locationName ?? "",
    timezone: node?.timezone ?? "UTC",
    key: cleanText(key, 64),
    oldValue: cleanText(oldValue, 300),
    newValue: cleanText(newValue, 300),
    result: "refused",
    detail: "",
  };
}

/** Compare-and-set: the node writes only while the value is the one that the person saw, and only until `expiresAtMs` of its own clock. */
function writeMetric(requestId: string, caller: Caller, change: ConfigChange, expiresAtMs: number): CommandMetric {
  const { key, newValue, oldValue, datatype } = change;
  const type = configRule(key, datatype)?.wireType ?? "String";
  return {
    name: `Config/${key}`,
    datatype: DataType[type],
    value: wireValue(type, newValue),
    properties: {
      requestId: { type: DataType.String, value: requestId },
      previous: { type: DataType.String, value: oldValue },
      user: { type: DataType.String, value: caller.username },
      expires: { type: DataType.DateTime, value: Math.round(expiresAtMs) },
    },
  };
}

function wireValue(type: ConfigDatatype, text: string): CommandMetric["value"] {
  if (isStringType(DataType[type]) || isInt64FieldType(DataType[type])) return text;
  return type === "Boolean" ? text === "1" : Number(text);
}

/** The datatype in which a node reported a value; a text where it did not say. None for a value that it did not report. */
function datatypeOf(node: ConfigNode | undefined, key: string): ConfigDatatype[] {
  if (!node?.values || !Object.hasOwn(node.values, key)) return [];
  const number = node.types && Object.hasOwn(node.types, key) ? node.types[key] : DataType.String;
  return configDatatypes.filter((name) => DataType[name] === number);
}
