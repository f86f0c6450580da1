import type { Handlers } from "#http/endpoints.ts";
import type { BulkChanges } from "./bulk-changes.service.ts";

export function bulkChangesHandlers(bulk: BulkChanges) {
  return {
    planBulkChange: ({ body }, { caller }) => bulk.plan(caller, body),
    runBulkChange: ({ body: { digests, ...order } }, { caller }) => bulk.run(caller, order, digests),
    getBulkChange: ({ params }) => bulk.find(params.id),
  } satisfies Partial<Handlers>;
}
