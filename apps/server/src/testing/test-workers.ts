import { availableParallelism } from "node:os";

/** Test files that run at the same time. They wait for the database half of the time, so two cores bear two. */
export const testWorkers = Math.min(4, Math.max(2, availableParallelism() - 1));
