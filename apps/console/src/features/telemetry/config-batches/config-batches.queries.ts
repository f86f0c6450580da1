import {
  batchesPerPage,
  batchNodeStates,
  createBatch,
  createNextBatch,
  getBatch,
  getBatches,
  getBatchNodes,
  startBatch,
  steerBatch,
  type Batch,
  type BatchNode,
} from "@busbar/contract/telemetry/config-batches.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiPages, useApiQuery } from "#api/use-api-query.ts";
import { isOnItsWay } from "./batch-words.ts";

const liveMs = 1_000;
const calmMs = 10_000;
/** The rows of a large batch weigh more than what they show anew. */
const largeCount = 500;
const largeMs = 4_000;

/** The newest; older ones page by page. */
export function useBatches() {
  return useApiPages(
    getBatches,
    (before: number | undefined) => ({ query: before === undefined ? {} : { before: String(before) } }),
    (last) => (last.length < batchesPerPage ? undefined : last.at(-1)?.id),
    { refetchInterval: calmMs },
  );
}

export const useBatch = (id: string) =>
  useApiQuery(getBatch, { params: { id } }, { refetchInterval: ({ state }) => (state.data && isOnItsWay(state.data) ? liveMs : calmMs) });

/** Whether the rows are older than the counts. */
const isBehind = (nodes: readonly BatchNode[], counts: Batch["counts"]): boolean =>
  batchNodeStates.some((state) => nodes.filter((node) => node.state === state).length !== counts[state]);

/** Asked again as long as something changes. */
export function useBatchNodes({ id, state, nodeCount, counts }: Batch) {
  const everyMs = nodeCount > largeCount ? largeMs : liveMs;
  return useApiQuery(
    getBatchNodes,
    { params: { id: String(id) } },
    {
      refetchInterval: ({ state: { data } }) => (isOnItsWay({ state, counts }) || (data && isBehind(data, counts)) ? everyMs : calmMs),
    },
  );
}

export const useCreateBatch = () => useApiMutation((call, body: CallInput<typeof createBatch>["body"]) => call(createBatch, { body }));

export function useBatchOrders(id: number) {
  const params = { id: String(id) };
  return {
    start: useApiMutation((call, body: CallInput<typeof startBatch>["body"]) => call(startBatch, { params, body })),
    steer: useApiMutation((call, body: CallInput<typeof steerBatch>["body"]) => call(steerBatch, { params, body })),
    next: useApiMutation((call, body: CallInput<typeof createNextBatch>["body"]) => call(createNextBatch, { params, body })),
  };
}
