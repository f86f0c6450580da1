import { serveJobs } from "../lib/helper-process.ts";
import { createNodeLoad } from "./node-load.ts";

// Load comes from a process of its own, as it does in the field.
serveJobs({ ...createNodeLoad() });
