import { createNode, getNode, getNodeContainers, getNodes, updateNode } from "@busbar/contract/directory/nodes.ts";
import type { NodeListRow, NodePatch } from "@busbar/contract/directory/nodes.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NewNodeInput } from "./node-form-values.ts";
import { useApi } from "#api/api-context.ts";

const freshMs = 30_000;
const listKey = ["nodes"];
// What a saved node may show in: lists, trees and forms of others too.
const touchedKeys = ["nodes", "node", "node-containers", "node-tasks", "customers", "location", "available-nodes"];

/** Every node, 10,000 of them: compared by tag, not by contents. */
export function useNodeList() {
  const call = useApi();
  const queries = useQueryClient();
  return useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => call(getNodes, {}, { signal, known: queries.getQueryData<NodeListRow[]>(listKey) }),
    structuralSharing: false,
    staleTime: freshMs,
  });
}

export function useNode(serial: string | undefined) {
  const call = useApi();
  return useQuery({
    queryKey: ["node", serial],
    queryFn: ({ signal }) => call(getNode, { params: { serial: serial ?? "" } }, { signal }),
    enabled: serial !== undefined,
  });
}

export function useNodeContainers() {
  const call = useApi();
  return useQuery({ queryKey: ["node-containers"], queryFn: ({ signal }) => call(getNodeContainers, {}, { signal }) });
}

export function useSaveNode() {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { create: NewNodeInput } | { id: number; patch: NodePatch }) =>
      "create" in change
        ? call(createNode, { body: change.create })
        : call(updateNode, { params: { id: String(change.id) }, body: change.patch }),
    // After a refusal too: somebody else may have been first.
    onSettled: () => {
      for (const name of touchedKeys) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
}
