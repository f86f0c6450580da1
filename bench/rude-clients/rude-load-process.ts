import { serveJobs } from "../lib/helper-process.ts";
import { createRudeLoad } from "./rude-load.ts";

serveJobs({ ...createRudeLoad() });
