import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { configDatatypes, type ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { configRule, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType, isInt64FieldType, isStringType } from "@busbar/sparkplug/datatypes.ts";
import { inTransaction } from "#db/transaction.ts";
import type { CommandMetric, CommandOutcome } from "#features/telemetry/node-commands/node-command.ts";
import type { NodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { judgeOutcome, notConnected, notSent, silent, writeUnderWay, type ConfigChange, type ConfigVerdict } from "./config-answer.ts";
import { createNodeConfigStore, type ConfigNode, type NewAuditEntry } from "./node-config.store.ts";

export interface NodeValuesDependencies {
  pool: Pool;
  nodeCommands: NodeCommands;
  clock: Clock;
  /** How long a node may take to answer. */
  answerTimeoutMs: number;
}

/** Who changes a value, and what else is written down with it. */
export interface ConfigWriter {
  username: string;
  batchId?: number;
  commandId?: string;
  /** Runs in the transaction that hands the change over: both happen or neither. */
  handOver?: (client: PoolClient, auditId: number) => Promise<void>;
  /** Runs in the transaction that writes down how it ended. */
  settle?: (client: PoolClient, verdict: ConfigVerdict) => Promise<void>;
}

/** Reads values of nodes, and writes them by compare-and-set, each attempt with its row in the audit log. */
export function createNodeValues({ pool, nodeCommands, clock, answerTimeoutMs }: NodeValuesDependencies) {
  const store = createNodeConfigStore(pool);

  const find = (serial: string): Promise<ConfigNode | undefined> => store.findNode(Number(serial));

  /** CFG-03: the node with its values as it reports them now. */
  async function read(serial: string): Promise<ConfigNode> {
    const node = await find(serial);
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
    return (await find(serial)) ?? node;
  }

  /** Nothing was sent: the attempt is in the audit log all the same. */
  async function refuse(
    writer: ConfigWriter,
    change: ConfigChange,
    node: ConfigNode | undefined,
    refusal: AppError,
  ): Promise<ConfigVerdict> {
    const verdict: ConfigVerdict = { result: "refused", refusal };
    await inTransaction(pool, async (client) => {
      await store.insertAudit(client, { ...auditOf(writer, change, node), detail: refusal.message });
      await writer.settle?.(client, verdict);
    });
    return verdict;
  }

  async function settle(writer: ConfigWriter, { serial, key }: ConfigChange, auditId: number, verdict: ConfigVerdict): Promise<void> {
    const { result } = verdict;
    await inTransaction(pool, async (client) => {
      await writer.settle?.(client, verdict);
      await store.settleAudit(client, auditId, result, "refusal" in verdict ? verdict.refusal.message : "");
      if (result === "confirmed" || result === "unanswered") {
        await recordActivity(client, {
          actorType: "User",
          actor: writer.username,
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
  }

  return {
    find,
    read,
    refuse,
    isWriteUnderWay: (serial: string) => nodeCommands.isWriteUnderWay(Number(serial)),

    /** Sends a change and follows it to its end (CFG-06). */
    async write(writer: ConfigWriter, change: ConfigChange, node: ConfigNode): Promise<ConfigVerdict> {
      const id = writer.commandId ?? randomUUID();
      let auditId: number | undefined;
      const outcome = await nodeCommands.send({
        id,
        serialNumber: Number(change.serial),
        metrics: [writeMetric(id, writer.username, change, clock.now() + answerTimeoutMs + node.clockSkewMs)],
        awaitsAnswer: true,
        isExclusive: true,
        timeoutMs: answerTimeoutMs,
        alongside: async (client) => {
          const entry = await store.insertAudit(client, { ...auditOf(writer, change, node), result: "sent" });
          await writer.handOver?.(client, entry);
          auditId = entry;
        },
      });
      // Someone else was faster: nothing was handed over, so nothing is in the audit log yet.
      if (auditId === undefined) return refuse(writer, change, node, writeUnderWay(change.serial));
      const verdict = judgeOutcome(change, outcome);
      await settle(writer, change, auditId, verdict);
      return verdict;
    },

    /**
     * Settles a change that was handed over by a process that ended before it saw the outcome: from its command, or, where no answer
     * arrived, by reading the node again.
     */
    async resume(writer: ConfigWriter, change: ConfigChange, commandId: string, auditId: number): Promise<ConfigVerdict> {
      const outcome: CommandOutcome = (await nodeCommands.settle(commandId)) ?? { state: "unanswered" };
      const verdict = judgeOutcome(change, outcome);
      const found = verdict.result === "unanswered" && (await hasValue(change)) ? foundThere(change) : verdict;
      await settle(writer, change, auditId, found);
      return found;
    },
  };

  /** Whether the node says of itself that it has the new value. */
  async function hasValue({ serial, key, newValue, datatype }: ConfigChange): Promise<boolean> {
    try {
      const value = (await read(serial)).values?.[key];
      return value !== undefined && isSameConfigValue(key, value, newValue, datatype);
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
export type NodeValues = ReturnType<typeof createNodeValues>;

const foundThere = ({ serial, key }: ConfigChange): ConfigVerdict => ({
  result: "confirmed",
  text: `${key} of node ${serial} was changed: it was read again`,
});

// What came in may be anything: cut to what a reader of the log can use.
function auditOf(
  writer: ConfigWriter,
  { serial, key, newValue, typedValue = newValue, oldValue }: ConfigChange,
  node: ConfigNode | undefined,
): NewAuditEntry {
  return {
    username: writer.username,
    serialNumber: Number(serial),
    locationId: node?.locationId ?? null,
    locationName: node?.locationName ?? "",
    timezone: node?.timezone ?? "UTC",
    key: cleanText(key, 64),
    oldValue: cleanText(oldValue, 300),
    newValue: cleanText(typedValue, 300),
    result: "refused",
    detail: "",
    batchId: writer.batchId ?? null,
  };
}

/** Compare-and-set: the node writes only while the value is the one that the person saw, and only until `expiresAtMs` of its own clock. */
function writeMetric(requestId: string, username: string, change: ConfigChange, expiresAtMs: number): CommandMetric {
  const { key, newValue, oldValue, datatype } = change;
  const type = configRule(key, datatype)?.wireType ?? "String";
  return {
    name: `Config/${key}`,
    datatype: DataType[type],
    value: wireValue(type, newValue),
    properties: {
      requestId: { type: DataType.String, value: requestId },
      previous: { type: DataType.String, value: oldValue },
      user: { type: DataType.String, value: username },
      expires: { type: DataType.DateTime, value: Math.round(expiresAtMs) },
    },
  };
}

function wireValue(type: ConfigDatatype, text: string): CommandMetric["value"] {
  if (isStringType(DataType[type]) || isInt64FieldType(DataType[type])) return text;
  return type === "Boolean" ? text === "1" : Number(text);
}

/** The datatype in which a node reported a value; a text where it did not say. None for a value that it did not report. */
export function datatypeOf(node: ConfigNode | undefined, key: string): ConfigDatatype | undefined {
  if (!node?.values || !Object.hasOwn(node.values, key)) return undefined;
  const number = node.types && Object.hasOwn(node.types, key) ? node.types[key] : DataType.String;
  return configDatatypes.find((name) => DataType[name] === number);
}
