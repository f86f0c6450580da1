import { createHash } from "node:crypto";
import type { PreparedAnswer } from "#http/endpoints.ts";
import type { Encoding } from "#http/compression.ts";
import { answerPrepared, type PreparedBody } from "#http/prepared-body.ts";
import type { ListPosition, ListRow, NodeListReadModel } from "./node-list.read-model.ts";

interface PreparedList extends PreparedBody {
  position: ListPosition;
  rows: ListRow[];
}

/**
 * All nodes, made ready once per change and sent to everyone until the next one. Each caller sees at least what was committed
 * before it asked: whether something is new is one small query, read before the rows.
 */
export function createNodeList(readModel: NodeListReadModel) {
  let list: PreparedList | undefined;
  const preparing = new Map<string, Promise<PreparedList>>();

  async function current(): Promise<PreparedList> {
    const position = await readModel.position();
    if (list && isSame(list.position, position)) return list;
    const key = `${position.version} ${position.connected}`;
    let work = preparing.get(key);
    if (!work) {
      work = prepare(position).finally(() => preparing.delete(key));
      preparing.set(key, work);
    }
    list = await work;
    return list;
  }

  async function prepare(position: ListPosition): Promise<PreparedList> {
    const rows = list?.position.version === position.version ? list.rows : await readModel.rows();
    const body = Buffer.from(render(rows, new Set(position.connected.split(","))));
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    return { position, rows, hash, body, encoded: list?.hash === hash ? list.encoded : new Map() };
  }

  return {
    async answer(encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> {
      return await answerPrepared(await current(), encoding, ifNoneMatch);
    },
  };
}
export type NodeList = ReturnType<typeof createNodeList>;

const isSame = (a: ListPosition, b: ListPosition) => a.version === b.version && a.connected === b.connected;

function render(rows: readonly ListRow[], connected: ReadonlySet<string>): string {
  return `{"data":[${rows.map(({ serial, json }) => `${json},"connected":${connected.has(serial)}}`).join(",")}]}`;
}
