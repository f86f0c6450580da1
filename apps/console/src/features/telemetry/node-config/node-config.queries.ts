import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { getNodeConfig, getNodeConfigTypes, setNodeConfigValue, toPathPart } from "@busbar/contract/telemetry/node-config.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery, usePutAnswer } from "#api/use-api-query.ts";
import { saveTogether, type StagedValue, type TogetherOptions } from "./save-together.ts";

export interface LoadedConfig {
  values: Record<string, string>;
  /** Of keys that are in no catalogue. */
  types: Record<string, ConfigDatatype>;
}

/** CFG-03: asked of the node itself, so only when someone wants to know: it costs the node's work and up to 15 s. */
export function useNodeConfig(serial: string) {
  const input = { params: { serial } };
  const put = usePutAnswer();
  const { data: types } = useApiQuery(getNodeConfigTypes, input, { enabled: false, gcTime: 0 });
  const { data: values, ...query } = useApiQuery(getNodeConfig, input, {
    // One after the other: the node reports both with its answer.
    onAnswer: async (_values, call, signal) => {
      const reported = await call(getNodeConfigTypes, input, { signal });
      put(getNodeConfigTypes, input, () => reported);
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const data: LoadedConfig | undefined = values && types && { values, types };
  return { ...query, data };
}

export interface ConfigChange extends StagedValue {
  code: string;
}

/** What the node confirmed; its other values are as they were. */
function usePutConfirmed(serial: string) {
  const put = usePutAnswer();
  return (confirmed: readonly (readonly [key: string, value: string])[]) =>
    put(getNodeConfig, { params: { serial } }, (values) => values && { ...values, ...Object.fromEntries(confirmed) });
}

/** CFG-04: answers the text to show. */
export function useSetConfigValue(serial: string) {
  const putConfirmed = usePutConfirmed(serial);
  return useApiMutation(async (call, { key, newValue, oldValue, code }: ConfigChange) => {
    const text = await call(setNodeConfigValue, {
      params: { serial, key: toPathPart(key), newValue: toPathPart(newValue), code: toPathPart(code), oldValue: toPathPart(oldValue) },
    });
    putConfirmed([[key, newValue]]);
    return text;
  });
}

export function useSaveTogether(serial: string) {
  const putConfirmed = usePutConfirmed(serial);
  return useApiMutation(async (call, options: Omit<TogetherOptions, "serial">) => {
    const outcome = await saveTogether(call, { serial, ...options });
    putConfirmed(options.values.filter(({ key }) => outcome.marks.get(key) === "changed").map(({ key, newValue }) => [key, newValue]));
    return outcome;
  });
}
