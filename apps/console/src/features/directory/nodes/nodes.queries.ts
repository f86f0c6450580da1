import { createNode, getNode, getNodeContainers, getNodes, updateNode } from "@busbar/contract/directory/nodes.ts";
import type { NodePatch } from "@busbar/contract/directory/nodes.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import type { NewNodeInput } from "./node-form-values.ts";

const freshMs = 30_000;

/** Every node, 10,000 of them. */
export const useNodeList = () => useApiQuery(getNodes, {}, { staleTime: freshMs });

export const useNode = (serial: string | undefined) =>
  useApiQuery(getNode, { params: { serial: serial ?? "" } }, { enabled: serial !== undefined });

export const useNodeContainers = () => useApiQuery(getNodeContainers, {});

export function useSaveNode() {
  const call = useApi();
  return (change: { create: NewNodeInput } | { id: number; patch: NodePatch }) =>
    "create" in change
      ? call(createNode, { body: change.create })
      : call(updateNode, { params: { id: String(change.id) }, body: change.patch });
}
