import { serveJobs } from "../lib/helper-process.ts";
import { createPollLoad } from "./poll-load.ts";

serveJobs({ ...createPollLoad() });
