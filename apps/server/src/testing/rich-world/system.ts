import { createServiceStore } from "#services/service.store.ts";
import type { WorldSteps } from "./world-steps.ts";

export async function changeSystem(world: WorldSteps): Promise<void> {
  const { did, tasks, pool, now } = world;
  const services = createServiceStore(pool);
  for (const [index, task] of tasks.entries()) {
    await services.register(task, now() - 60);
    await services.finish(task.name, now() - index, now() + task.intervalSeconds, {
      durationSeconds: index / 4,
      processedCount: index,
      did: index % 3 ? task.did(index) : "",
      logEntry: index % 4 ? "" : `Line ${index}`,
      hasFailed: index % 9 === 1,
    });
  }
  await did("updateSystemConfig", {
    query: {},
    body: { Billing_noticeDays: "45", Notices_internalRecipients: '["desk@busbar.example"]', Billing_vendorName: "Busbar, Inc" },
  });
  await did("updateSystemConfig", { query: {}, body: { underloadPercent: "35" } }, { as: "keeper" });
  await did("reloadSystemConfig");
  const ownPage = { headers: { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" } };
  const name = (service: string) => ({ params: { name: service } });
  await did("disableService", name("DemandRollup"), ownPage);
  await did("disableServiceByPatch", name("CoverageFill"), { as: "keeper" });
  await did("enableService", name("DemandRollup"), { ...ownPage, as: "keeper" });
  await did("enableServiceByPatch", name("CoverageFill"));
  await did("disableAllServices");
  await did("enableAllServices", {}, { as: "keeper" });
  await did("disableServiceByPatch", name("ActivityTally"));
  await did("runService", name("RetentionPruner"));
  await did("postError", { body: { message: "Node 11001 is hot" } });
  await did("postError", { body: { message: "Something else" } }, { as: "keeper" });
  await did("postError", { body: { message: "Node 11001 is hot" } }, { as: "keeper" });
  const warning = await did("postWarning", { body: { message: "Getting warm" } });
  await did("postWarning", { body: { message: "Getting warmer" } }, { as: "keeper" });
  await did("postDebug", { body: { message: "Trace 1" } }, { as: "keeper" });
  await did("postDebug", { body: { message: "Trace 2" } });
  await did("markMessagesSeen", { body: { kind: "warning", id: warning.id } });
  await did("muteSystemMessage", { params: { id: String(warning.id) }, body: { hours: 5 } }, { as: "keeper" });
  await did("reportConsoleError", { body: { id: "4F7A91C2", message: "x is undefined", screen: "/home", trace: "at y" } }, { as: "plain" });
  await did("sendDebug");
}
