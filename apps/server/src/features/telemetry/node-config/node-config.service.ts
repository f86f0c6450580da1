import { findConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { canonicalConfigValue, configProblem, configRule, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { Passcode } from "@busbar/contract/access/passcode.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { cleanText } from "#lib/clean-text.ts";
import { AppError, conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { notConnected, writeUnderWay, type ConfigChange } from "./config-answer.ts";
import type { ConfigNode } from "./node-config.store.ts";
import { datatypeOf, type NodeValues } from "./node-values.ts";

export interface NodeConfigDependencies {
  values: NodeValues;
  twoFactor: TwoFactor;
}

export interface ConfigChangeRequest extends ConfigChange {
  code: string;
}

/** A change whose passcode was used for several together. */
export type AllowedConfigChange = Pick<ConfigChange, "serial" | "key" | "newValue" | "oldValue">;

/** Reads and changes the configuration of nodes: real equipment in the field, so the node itself has the last word (CFG-03, CFG-06). */
export function createNodeConfig({ values: nodes, twoFactor }: NodeConfigDependencies) {
  /** Everything that can refuse a change before it leaves; the passcode last, because a code spent is spent. */
  const checkChange = async (
    caller: Caller,
    change: ConfigChange & { code?: string },
    node: ConfigNode | undefined,
  ): Promise<ConfigNode> => {
    const { serial, key, newValue, oldValue, code, datatype } = change;
    const values = new Map(Object.entries(node?.values ?? {}));
    if (!configRule(key, datatype)) throw invalid("key", `${cleanText(key, 64) || "(empty)"} is no parameter that can be changed`);
    const problem = configProblem(key, newValue, values, datatype);
    if (problem) throw invalid("newValue", `${key} ${problem}`);
    if (code === "") throw invalid("code", "Missing 2FA Passcode"); // CFG-05
    if (code !== undefined && !Passcode.safeParse(code).success) throw invalid("code", "A 2FA code is letters and digits only");
    if (!node) throw notFound(say`Node ${serial}`);
    if (!node.isConnected) throw notConnected(serial);
    if (await nodes.isWriteUnderWay(serial)) throw writeUnderWay(serial);
    const current = values.get(key);
    if (current !== undefined && !isSameConfigValue(key, current, oldValue, datatype)) {
      throw conflict(
        `${key} on node ${serial} is now ${current || "(empty)"}, no longer ${cleanText(oldValue, 300) || "(empty)"}. Refresh to see its values.`,
      );
    }
    if (code !== undefined) await twoFactor.usePasscode(caller, code);
    return node;
  };

  const apply = async (caller: Caller, request: AllowedConfigChange & { code?: string }): Promise<string> => {
    const found = await nodes.find(request.serial);
    const datatype = datatypeOf(found, request.key);
    const { serial, key, oldValue } = request;
    const writer = { username: caller.username };
    const node = await checkChange(caller, { ...request, datatype }, found).catch(async (error: unknown) => {
      if (error instanceof AppError) await nodes.refuse(writer, request, found, error);
      throw error;
    });
    const newValue = canonicalConfigValue(key, request.newValue, datatype) ?? request.newValue;
    // The log has it as it was typed.
    const verdict = await nodes.write(writer, { serial, key, oldValue, newValue, datatype, typedValue: request.newValue }, node);
    if ("refusal" in verdict) throw verdict.refusal;
    return verdict.text;
  };

  return {
    /** CFG-03: the values as the node reports them now. */
    async read(serial: string): Promise<Record<string, string>> {
      return (await nodes.read(serial)).values ?? {};
    },

    /** Of keys that are in no catalogue: what they may hold, as far as anyone but the node knows. */
    async readTypes(serial: string): Promise<Record<string, ConfigDatatype>> {
      const node = await nodes.find(serial);
      if (!node) throw notFound(say`Node ${serial}`);
      const foreign = Object.keys(node.values ?? {}).filter((key) => !findConfigParameter(key));
      return Object.fromEntries(
        foreign.flatMap((key) => {
          const datatype = datatypeOf(node, key);
          return datatype ? [[key, datatype]] : [];
        }),
      );
    },

    /** CFG-04, CFG-06: answers what the node confirmed. Every attempt is in the audit log. */
    change: (caller: Caller, request: ConfigChangeRequest): Promise<string> => apply(caller, request),

    /** The same for one of several values that one passcode allowed together. */
    changeAllowed: (caller: Caller, { serial, key, newValue, oldValue }: AllowedConfigChange): Promise<string> =>
      apply(caller, { serial, key, newValue, oldValue }),
  };
}
export type NodeConfig = ReturnType<typeof createNodeConfig>;
