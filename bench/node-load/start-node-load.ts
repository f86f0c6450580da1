import type { BenchContext } from "../lib/bench-context.ts";
import { startHelper, type Helper } from "../lib/helper-process.ts";
import type { NodeLoad } from "./node-load.ts";

export async function startNodeLoad({ undo }: BenchContext): Promise<Helper<NodeLoad>> {
  const helper = await startHelper<NodeLoad>(new URL("./node-load-process.ts", import.meta.url));
  undo.add(() => helper.stop());
  return helper;
}

/** Host and port of an address such as `mqtt://127.0.0.1:1883`. */
export function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
