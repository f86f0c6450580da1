import { createHash } from "node:crypto";
import type { PreparedAnswer } from "#http/endpoints.ts";
import type { Encoding } from "#http/compression.ts";
import { answerPrepared, type PreparedBody } from "#http/prepared-body.ts";
import type { CustomerTreeReadModel, TreePosition } from "./customer-tree.read-model.ts";
import { joinTree } from "./customer-tree.view.ts";

interface PreparedTree extends PreparedBody {
  position: TreePosition;
}

/**
 * The whole tree, made ready once per change of the directory and sent to everyone until the next one. Each caller sees at
 * least what was committed before it asked: whether something is new is one small query.
 */
export function createCustomerTree(readModel: CustomerTreeReadModel) {
  let tree: PreparedTree | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const rows = await readModel.read();
    const body = Buffer.from(joinTree(rows));
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    // What changed may not show in the tree: the same contents keep what was compressed, and clients their copy.
    tree = tree?.hash === hash ? { ...tree, position: rows.position } : { position: rows.position, hash, body, encoded: new Map() };
  }

  function startReading(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function isCurrent(): Promise<boolean> {
    if (!tree) return false;
    const { xid, changes } = tree.position;
    return (await readModel.changesSince(xid)) === changes;
  }

  async function current(): Promise<PreparedTree> {
    if (!(await isCurrent())) {
      // A reading that was under way before this call may be too old for it; one that begins now is not.
      const earlier = reading;
      await startReading();
      if (earlier && !(await isCurrent())) await startReading();
    }
    return tree!;
  }

  return {
    async answer(encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> {
      return await answerPrepared(await current(), encoding, ifNoneMatch);
    },
  };
}
export type CustomerTree = ReturnType<typeof createCustomerTree>;
