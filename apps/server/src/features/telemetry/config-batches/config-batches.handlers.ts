import type { Handlers } from "#http/endpoints.ts";
import type { ConfigBatches } from "./config-batches.service.ts";

export function configBatchesHandlers(batches: ConfigBatches) {
  return {
    getBatches: ({ query }) => batches.list(query.before),
    getBatch: ({ params }) => batches.find(params.id),
    getBatchNodes: ({ params }) => batches.nodes(params.id),
    createBatch: ({ body }, { caller }) => batches.create(caller, body),
    createNextBatch: ({ params, body }, { caller }) => batches.createNext(caller, params.id, body),
    startBatch: ({ params, body }, { caller }) => batches.start(caller, params.id, body),
    steerBatch: ({ params, body }, { caller }) => batches.steer(caller, params.id, body),
  } satisfies Partial<Handlers>;
}
