import { createServicesContext } from "./services-context.ts";
import { runRole } from "./role-program.ts";
import { createServiceTasks } from "./service-tasks.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { systemClock as clock } from "#lib/clock.ts";
import { createScheduler } from "#services/scheduler.ts";

// The services with an event loop of their own: one that judges the fleet or reads a large file holds up no call of a person.
runRole("services", async ({ config, log, drainMs, undo, openPool }, { consoleUrl = "" }) => {
  const pool = openPool("services", { max: 10 });
  const systemConfig = createSystemConfig({ pool, store: createSystemConfigStore(pool), log });
  const context = createServicesContext({ pool, config, log, clock, systemConfig, consoleUrl: () => consoleUrl });
  const tasks = createServiceTasks({ pool, config, log, clock, context });
  const scheduler = createScheduler({ pool, tasks, clock, log, report: context.reportServiceIssue, stopMs: drainMs });
  undo.add(() => scheduler.stop());
  scheduler.start();
  return { problem: () => undefined };
});
