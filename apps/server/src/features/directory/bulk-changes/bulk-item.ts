import type { BulkObject, BulkValue } from "@busbar/contract/directory/bulk-changes.ts";
import type { PoolClient } from "pg";
import type { Db } from "#db/statement.ts";
import { inSavepoint } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { AppError } from "#lib/errors.ts";

export type BulkValues = Record<string, BulkValue>;

/** What is to become of an object. */
export interface BulkRequest {
  id: number;
  values: BulkValues;
  /** Of an undo: what the change left it with. */
  left?: BulkValues;
}

/** An object of a change. */
export interface BulkItem extends Omit<BulkObject, "changes"> {
  /** What a field is called, where it is not called so everywhere. */
  labelOf?: (field: string) => string | undefined;
}

/** What of an object counts, before and after. */
export interface BulkOutcome {
  before: BulkValues;
  after: BulkValues;
}

/** How objects of a kind are changed. */
export interface BulkRules<Order, Item extends BulkItem = BulkItem> {
  requests: (order: Order) => Promise<BulkRequest[]>;
  items: (db: Db, requests: readonly BulkRequest[]) => Promise<Item[]>;
  /**
   * Each by the single change, with its rules and its activity; with no values it only reads. Of what is refused nothing stays, and why comes back in
   * its place.
   */
  change(client: PoolClient, caller: Caller, wanted: readonly { item: Item; values: BulkValues }[]): Promise<(BulkOutcome | AppError)[]>;
  /** What is stored of a change, also of values that stayed. */
  stored?: (changed: readonly string[]) => readonly string[];
}

/** For a single change that takes one at a time. */
export const oneByOne =
  <Item extends BulkItem>(
    change: (client: PoolClient, caller: Caller, item: Item, values: BulkValues) => Promise<BulkOutcome>,
  ): BulkRules<never, Item>["change"] =>
  async (client, caller, wanted) => {
    const outcomes: (BulkOutcome | AppError)[] = [];
    for (const { item, values } of wanted) {
      try {
        outcomes.push(await inSavepoint(client, () => change(client, caller, item, values)));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push(error);
      }
    }
    return outcomes;
  };
