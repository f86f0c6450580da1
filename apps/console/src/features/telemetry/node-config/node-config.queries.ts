import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { getNodeConfig, getNodeConfigTypes, setNodeConfigValue, toPathPart } from "@busbar/contract/telemetry/node-config.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const keyOf = (serial: string) => ["node-config", serial];

export interface LoadedConfig {
  values: Record<string, string>;
  /** Of keys that are in no catalogue. */
  types: Record<string, ConfigDatatype>;
}

/** CFG-03: asked of the node itself, so only when somebody wants to know: it costs the node's work and up to 15 s. */
export function useNodeConfig(serial: string) {
  const call = useApi();
  return useQuery({
    queryKey: keyOf(serial),
    queryFn: async ({ signal }): Promise<LoadedConfig> => {
      // One after the other: the node reports both with its answer.
      const values = await call(getNodeConfig, { params: { serial } }, { signal });
      return { values, types: await call(getNodeConfigTypes, { params: { serial } }, { signal }) };
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export interface ConfigChange {
  key: string;
  newValue: string;
  oldValue: string;
  code: string;
}

/** CFG-04: answers the text to show. */
export function useSetConfigValue(serial: string) {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, newValue, oldValue, code }: ConfigChange) =>
      call(setNodeConfigValue, {
        params: { serial, key: toPathPart(key), newValue: toPathPart(newValue), code: toPathPart(code), oldValue: toPathPart(oldValue) },
      }),
    // The node confirmed this value; the others are as they were.
    onSuccess: (_text, { key, newValue }) =>
      queries.setQueryData<LoadedConfig>(keyOf(serial), (config) => config && { ...config, values: { ...config.values, [key]: newValue } }),
  });
}
