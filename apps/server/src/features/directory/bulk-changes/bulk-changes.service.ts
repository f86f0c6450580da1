import { createHash } from "node:crypto";
import {
  bulkFieldLabels,
  type BulkChange,
  type BulkKind,
  type BulkObject,
  type BulkOrder,
  type BulkPlanRow,
} from "@busbar/contract/directory/bulk-changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import type { Db } from "#db/statement.ts";
import { inSavepoint, inTransaction, isDeadlock, rolledBack } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { AppError, conflict, gone } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { bulkObject, recordActivity } from "#shared/activities.store.ts";
import type { BulkItem, BulkRules, BulkValues, BulkRequest } from "./bulk-item.ts";
import { findBulkChange, insertBulkChange, lastActors } from "./bulk-changes.store.ts";

export interface BulkChangesDependencies {
  pool: Pool;
  log: Log;
  rules: { [Kind in BulkKind]: BulkRules<NonNullable<BulkOrder[Kind]>> };
}

/** Objects that are changed together, and that a dry run holds at the same time: others that wait for one of them wait a moment only. */
const together = 50;
const namedAtMost = 5;

interface Outcome extends BulkPlanRow {
  stored: BulkObject;
}

interface Work {
  kind: BulkKind;
  undoes: number | null;
  items: readonly (BulkItem & BulkRequest)[];
}

/** Decision 0046. Many single changes in one transaction; a dry run is the same, rolled back. */
export function createBulkChanges({ pool, log, rules }: BulkChangesDependencies) {
  async function workOf(db: Db, { undo, ...order }: BulkOrder): Promise<Work> {
    if (undo !== undefined) {
      const done = await find(db, undo);
      return { kind: done.kind, undoes: undo, items: await itemsOf(db, rules[done.kind], done.objects.map(backOf)) };
    }
    const of = async <Kind extends BulkKind>(kind: Kind, part: NonNullable<BulkOrder[Kind]>): Promise<Work> => ({
      kind,
      undoes: null,
      items: await itemsOf(db, rules[kind], await rules[kind].requests(part)),
    });
    if (order.nodes) return await of("nodes", order.nodes);
    if (order.locations) return await of("locations", order.locations);
    return await of("subscriptions", order.subscriptions!);
  }

  async function find(db: Db, id: number): Promise<BulkChange> {
    const found = await findBulkChange(db, id);
    if (!found) throw gone("This change of many");
    return found;
  }

  /** Changes objects, or leaves some as they are and says why. */
  async function changeAll(client: PoolClient, caller: Caller, kind: BulkKind, items: Work["items"]): Promise<Outcome[]> {
    try {
      return await inSavepoint(client, () => performAll(client, caller, kind, items));
    } catch (error) {
      if (isDeadlock(error)) throw error;
      const [item, ...others] = items;
      // One of them is why: those before and after it are to be changed all the same.
      if (item && others.length > 0) {
        const outcomes: Outcome[] = [];
        for (const each of items) outcomes.push(...(await changeAll(client, caller, kind, [each])));
        return outcomes;
      }
      log.error({ err: error, object: item?.object }, "a change of many failed on an object");
      return items.map((each) => outcomeOf(each, [], "The platform failed on it. Its log says why"));
    }
  }

  async function performAll(client: PoolClient, caller: Caller, kind: BulkKind, items: Work["items"]): Promise<Outcome[]> {
    const of = rules[kind];
    const refused = new Map<Work["items"][number], AppError>();
    const undone = items.filter(({ left }) => left !== undefined);
    const present =
      undone.length === 0
        ? []
        : await of.change(
            client,
            caller,
            undone.map((item) => ({ item, values: {} })),
          );
    for (const [index, item] of undone.entries()) {
      const now = present[index]!;
      const refusal = now instanceof AppError ? now : changedSince(item, item.left!, now.before);
      if (refusal) refused.set(item, refusal);
    }
    const going = items.filter((item) => !refused.has(item));
    const changed =
      going.length === 0
        ? []
        : await of.change(
            client,
            caller,
            going.map((item) => ({ item, values: item.values })),
          );
    const outcomes = new Map(going.map((item, index) => [item, changed[index]!]));
    return items.map((item) => {
      const outcome = refused.get(item) ?? outcomes.get(item)!;
      if (outcome instanceof AppError) return outcomeOf(item, [], withoutField(outcome));
      const { before, after } = outcome;
      const fields = Object.keys(after).filter((field) => before[field] !== after[field]);
      const changesOf = (names: readonly string[]): BulkObject["changes"] =>
        names.map((field) => ({ field, label: labelIn(item, field), before: before[field] ?? null, after: after[field] ?? null }));
      return outcomeOf(item, changesOf(fields), fields.length === 0 ? "The same already" : "", changesOf(of.stored?.(fields) ?? fields));
    });
  }

  const partsOf = (items: Work["items"]): Work["items"][] =>
    Array.from({ length: Math.ceil(items.length / together) }, (_, part) => items.slice(part * together, (part + 1) * together));

  return {
    find: (id: number): Promise<BulkChange> => find(pool, id).then(shown),

    async plan(caller: Caller, order: BulkOrder): Promise<{ kind: BulkKind; rows: BulkPlanRow[] }> {
      const { kind, items } = await workOf(pool, order);
      const rows: BulkPlanRow[] = [];
      for (const part of partsOf(items))
        await rolledBack(pool, async (client) => {
          for (const { stored: _, ...row } of await changeAll(client, caller, kind, part)) rows.push(row);
        });
      return { kind, rows };
    },

    async run(caller: Caller, order: BulkOrder, digests: readonly string[]): Promise<{ id: number; changed: number }> {
      try {
        return await inTransaction(pool, async (client) => {
          const { kind, undoes, items } = await workOf(client, order);
          const outcomes: Outcome[] = [];
          for (const part of partsOf(items)) outcomes.push(...(await changeAll(client, caller, kind, part)));
          const others = outcomes.filter(({ digest }, index) => digest !== digests[index]);
          if (others.length > 0 || digests.length !== outcomes.length) throw new NotAsShown(others);
          const done = outcomes.filter(({ reason }) => reason === "");
          if (done.length === 0) throw conflict("Nothing would be changed");
          const id = await insertBulkChange(client, { kind, undoes, madeBy: caller.username, objects: done.map(({ stored }) => stored) });
          const labels = namesOf([...new Set(done.flatMap(({ changes }) => changes.map(({ label }) => label)))]);
          await recordActivity(client, {
            actorType: "User",
            actor: caller.username,
            action: undoes === null ? "BULK_CHANGE" : "UNDO_BULK_CHANGE",
            object: bulkObject(id),
            description: `${undoes === null ? "Changed" : `Put back, of bulk change ${undoes},`} ${counted(done.length, nouns[kind])}: ${labels}`,
          });
          return { id, changed: done.length };
        });
      } catch (error) {
        if (error instanceof NotAsShown) throw conflict(await notAsShown(error.rows));
        if (isDeadlock(error)) throw conflict("Someone else changed one of these at the same moment. Nothing was changed");
        throw error;
      }
    },
  };

  async function notAsShown(rows: readonly BulkPlanRow[]): Promise<string> {
    const actors = await lastActors(
      pool,
      rows.slice(0, namedAtMost).map(({ object }) => object),
    );
    const names = rows.map(({ name, object }) => {
      const actor = actors.get(object);
      return actor === undefined ? name : `${name} (last changed by ${actor})`;
    });
    return `This is not what was shown${names.length === 0 ? "" : `: ${namesOf(names)}`}. Nothing was changed; look at it again`;
  }
}
export type BulkChanges = ReturnType<typeof createBulkChanges>;

const nouns: Record<BulkKind, string> = { nodes: "node", locations: "location", subscriptions: "user" };

/** In an order in which everyone locks them who locks several. */
async function itemsOf(db: Db, { items }: Pick<BulkRules<never>, "items">, requests: readonly BulkRequest[]): Promise<Work["items"]> {
  const sorted = requests.toSorted((a, b) => a.id - b.id);
  return (await items(db, sorted)).map((item, index) => ({ ...item, ...sorted[index]! }));
}

const valuesOf = (changes: BulkObject["changes"], side: "before" | "after"): BulkValues =>
  Object.fromEntries(changes.map((change) => [change.field, change[side]]));
const backOf = ({ object, changes }: BulkObject): BulkRequest => ({
  id: Number(object.split("/")[1]),
  values: valuesOf(changes, "before"),
  left: valuesOf(changes, "after"),
});

const namesOf = (names: readonly string[]): string =>
  names.length > namedAtMost ? `${names.slice(0, namedAtMost).join(", ")} and ${names.length - namedAtMost} more` : names.join(", ");

const labelIn = ({ labelOf }: BulkItem, field: string): string => labelOf?.(field) ?? bulkFieldLabels[field] ?? field;

/** There is no input that it marks. */
const withoutField = ({ field, message }: AppError): string => (field === undefined ? message : message.replace(`${field}: `, ""));

class NotAsShown extends Error {
  rows: readonly BulkPlanRow[];
  constructor(rows: readonly BulkPlanRow[]) {
    super("not as shown");
    this.rows = rows;
  }
}

function outcomeOf(
  { object, name, place, timezone }: BulkItem,
  changes: BulkObject["changes"],
  reason: string,
  storedChanges: BulkObject["changes"] = [],
): Outcome {
  const values = changes.map(({ field, before, after }) => [field, before, after]);
  const digest = createHash("sha256")
    .update(JSON.stringify([object, values]))
    .digest("base64url")
    .slice(0, 22);
  const row = { object, name, place, timezone, changes };
  return { ...row, reason, digest, stored: { ...row, changes: storedChanges } };
}

function changedSince(item: BulkItem, left: BulkValues, present: BulkValues): AppError | undefined {
  const since = Object.keys(left).filter((field) => present[field] !== left[field]);
  return since.length > 0 ? conflict(`Changed since: ${since.map((field) => labelIn(item, field)).join(", ")}`) : undefined;
}

/** Without the values that stayed. */
const shown = (change: BulkChange): BulkChange => ({
  ...change,
  objects: change.objects.map((object) => ({ ...object, changes: object.changes.filter(({ before, after }) => before !== after) })),
});
