import type { BatchValue } from "@busbar/contract/telemetry/config-batches.ts";
import type { Pool } from "pg";
import { systemSecret } from "#db/system-secret.store.ts";
import type { SecretsKey } from "#db/secrets-key.ts";
import { openSealedText, sealText } from "#lib/sealed-text.ts";
import type { NodePlan } from "./batch-plan.ts";

/** Values of configuration are in the clear in the audit log only (SEC-03): a batch keeps its own sealed, each node's bound to its row. */
export interface BatchSeal {
  sealValues: (values: readonly BatchValue[]) => string;
  openValues: (sealed: string) => BatchValue[];
  sealPlan: (batchId: number, serial: number, plan: NodePlan) => string;
  openPlan: (batchId: number, serial: number, sealed: string) => NodePlan;
}

const valuesOwner = "values of a config batch";
const planOwner = (batchId: number, serial: number) => `config batch ${batchId} node ${serial}`;

/** The key is read at first use. */
export function createBatchSeal(pool: Pool, secretsKey: SecretsKey): () => Promise<BatchSeal> {
  let seal: BatchSeal | undefined;
  return async () => (seal ??= sealWith(await systemSecret(pool, "config-batches", secretsKey)));
}

function sealWith(key: Uint8Array): BatchSeal {
  return {
    sealValues: (values) => sealText(JSON.stringify(values), key, valuesOwner),
    openValues: (sealed) => JSON.parse(openSealedText(sealed, key, valuesOwner)) as BatchValue[],
    sealPlan: (batchId, serial, plan) => sealText(JSON.stringify(plan), key, planOwner(batchId, serial)),
    openPlan: (batchId, serial, sealed) => JSON.parse(openSealedText(sealed, key, planOwner(batchId, serial))) as NodePlan,
  };
}
