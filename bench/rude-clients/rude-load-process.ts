import { constants, setPriority } from "node:os";
import { serveJobs } from "../lib/helper-process.ts";
import { createRudeLoad } from "./rude-load.ts";

// Elsewhere they have processors of their own: here they must not take those of the people whose waiting is measured.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
serveJobs({ ...createRudeLoad() });
