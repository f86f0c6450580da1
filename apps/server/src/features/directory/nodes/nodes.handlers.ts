import { chooseEncoding } from "#http/compression.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { NodeList } from "./node-list.ts";
import type { Nodes } from "./nodes.service.ts";

export function nodesHandlers(nodes: Nodes, list: NodeList) {
  return {
    getNodes: (_input, { headers }) =>
      list.answer(chooseEncoding(headers["accept-encoding"]), headers["if-none-match"] as string | undefined),
    getNode: ({ params }) => nodes.find(Number(params.serial)),
    getNodeContainers: () => nodes.containers(),
    createNode: ({ body }, { caller }) => nodes.create(caller, body),
    updateNode: ({ params, body }, { caller }) => nodes.update(caller, params.id, body),
  } satisfies Partial<Handlers>;
}
