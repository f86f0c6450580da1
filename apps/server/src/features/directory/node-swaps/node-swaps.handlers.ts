import type { Handlers } from "#http/endpoints.ts";
import type { NodeSwaps } from "./node-swaps.service.ts";

export function nodeSwapsHandlers(swaps: NodeSwaps) {
  return {
    getSwapPlan: ({ params, query }) => swaps.plan(params.serial, query.newSerialNumber ?? ""),
    getNodeSwap: ({ params }) => swaps.find(params.serial),
    swapNode: ({ params, body }, { caller }) => swaps.swap(caller, params.serial, body),
    copySwapConfig: ({ params, body }, { caller }) => swaps.copyOn(caller, params.serial, body.code),
    leaveSwapConfig: ({ params }, { caller }) => swaps.leave(caller, params.serial),
  } satisfies Partial<Handlers>;
}
