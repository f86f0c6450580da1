import { parentPort } from "node:worker_threads";
import type { NumberedRequest } from "#src/role-thread.ts";

/** A role that breaks when it is started, and answers nothing: what its process must bear. */
parentPort?.on("message", (request: NumberedRequest) => {
  if (request.ask === "start") throw new Error("broken on purpose");
});
