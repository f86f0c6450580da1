import { createHash } from "node:crypto";
import type { PreparedAnswer } from "#http/endpoints.ts";
import { compress } from "#http/compression.ts";
import type { Encoding } from "#http/compression.ts";
import type { CustomerTreeReadModel, TreePosition } from "./customer-tree.read-model.ts";
import { joinTree } from "./customer-tree.view.ts";

interface PreparedTree {
  position: TreePosition;
  hash: string;
  body: Buffer;
  /** Compressed once per encoding that somebody asked for. */
  encoded: Map<Encoding, Promise<Uint8Array>>;
}

/**
 * The whole tree, made ready once per change of the directory and sent to everybody until the next one. Each caller sees at
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
      const { hash, body, encoded } = await current();
      const etag = `"${hash}-${encoding}"`;
      const headers: Record<string, string> = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-cache",
        vary: "accept-encoding, origin",
        etag,
      };
      if (ifNoneMatch === etag) return { status: 304, headers, body: "" };
      if (encoding === "identity") return { status: 200, headers, body };
      let bytes = encoded.get(encoding);
      if (!bytes) {
        bytes = compress(body, encoding);
        encoded.set(encoding, bytes);
      }
      headers["content-encoding"] = encoding;
      return { status: 200, headers, body: await bytes };
    },
  };
}
export type CustomerTree = ReturnType<typeof createCustomerTree>;
