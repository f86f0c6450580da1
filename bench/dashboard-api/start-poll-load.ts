import type { BenchContext } from "../lib/bench-context.ts";
import { startHelper, type Helper } from "../lib/helper-process.ts";
import type { PollLoad } from "./poll-load.ts";

/** People who poll, in a process of their own. */
export async function startPollLoad({ undo }: Pick<BenchContext, "undo">): Promise<Helper<PollLoad>> {
  const helper = await startHelper<PollLoad>(new URL("./poll-load-process.ts", import.meta.url));
  undo.add(() => helper.stop());
  return helper;
}
