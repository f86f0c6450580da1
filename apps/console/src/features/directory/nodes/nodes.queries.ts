import { requestDeployed } from "@busbar/contract/directory/deployment-requests.ts";
import { getFreePlaces, takeFreePlace } from "@busbar/contract/directory/free-places.ts";
import { createNode, getNode, getNodeContainers, getNodes, updateNode, type NodePatch } from "@busbar/contract/directory/nodes.ts";
import { getLocation } from "@busbar/contract/directory/locations.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import type { NewNodeInput } from "./node-form-values.ts";

const freshMs = 30_000;

/** Every node, 10,000 of them. */
export const useNodeList = () => useApiQuery(getNodes, {}, { staleTime: freshMs });

export const useNode = (serial: string | undefined) =>
  useApiQuery(getNode, { params: { serial: serial ?? "" } }, { enabled: serial !== undefined });

export const useNodeContainers = () => useApiQuery(getNodeContainers, {});

/** Those of a text that was typed, else the first. */
export const useFreePlaces = (text: string) =>
  useApiQuery(getFreePlaces, { query: { text: text.slice(0, 120) } }, { isPreviousKept: true });

export function usePlaceNode(serial: string) {
  const call = useApi();
  return (body: CallInput<typeof takeFreePlace>["body"]) => call(takeFreePlace, { params: { serial }, body });
}

export const useLocationOf = (locationId: number) => useApiQuery(getLocation, { params: { id: String(locationId) } });

export function useRequestDeployed(serial: string) {
  const call = useApi();
  return (body: CallInput<typeof requestDeployed>["body"]) => call(requestDeployed, { params: { serial }, body });
}

export function useSaveNode() {
  const call = useApi();
  return (change: { create: NewNodeInput } | { id: number; patch: NodePatch }) =>
    "create" in change
      ? call(createNode, { body: change.create })
      : call(updateNode, { params: { id: String(change.id) }, body: change.patch });
}
