import { parentPort, threadId } from "node:worker_threads";

/** A thread that does what it is asked to: what its callers must bear. */
parentPort?.on("message", (order: string) => {
  if (order === "hang") for (;;);
  if (order === "throw") throw new Error("broken on purpose");
  if (order === "leave") process.exit(0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(order === "id" ? String(threadId) : `did ${order}`);
});
