import type { Service, WaitingWork } from "@busbar/contract/system/system-services.ts";
import type { Pool, PoolClient } from "#db/pool.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, notFound } from "#lib/errors.ts";
import type { ServiceStore } from "#services/service.store.ts";
import { recordActivity } from "#shared/activities.store.ts";
import type { WaitingWorkReadModel } from "./waiting-work.read-model.ts";

export interface SystemServicesDependencies {
  pool: Pool;
  store: ServiceStore;
  waitingWork: WaitingWorkReadModel;
  clock: Clock;
}

const runNowAbove = 5;

/** SYS-01, SYS-03: shows and steers the background services. */
export function createSystemServices({ pool, store, waitingWork, clock }: SystemServicesDependencies) {
  const record = (client: PoolClient, caller: Caller, verb: "ENABLE" | "DISABLE" | "RUN", name: string, description: string) =>
    recordActivity(client, { actorType: "User", actor: caller.username, action: `SERVICE_${verb}`, object: name, description });

  async function scheduled(name: string): Promise<{ interval: number }> {
    const kind = await store.findKind(name);
    if (!kind) throw notFound(`Service ${name}`);
    if (!kind.isScheduled) throw conflict(`${name} runs as long as the server and cannot be switched`);
    return kind;
  }

  return {
    async list(): Promise<Record<string, Service>> {
      const waiting = await waitingWork.counts();
      const services = [...(await store.listServices(clock.now() / 1000))];
      return Object.fromEntries(services.map(([name, service]) => [name, { ...service, waiting: waiting.get(name) ?? null }]));
    },

    async waiting(name: string): Promise<WaitingWork[]> {
      if (!(await store.findKind(name))) throw notFound(`Service ${name}`);
      return waitingWork.list(name);
    },

    async switchOne(caller: Caller, name: string, isEnabled: boolean): Promise<{ changed: number }> {
      await scheduled(name);
      return switchThem(caller, [name], isEnabled);
    },

    switchAll: (caller: Caller, isEnabled: boolean) => switchThem(caller, "all", isEnabled),

    async runNow(caller: Caller, name: string): Promise<{ changed: number }> {
      const { interval } = await scheduled(name);
      if (interval <= runNowAbove) throw conflict(`${name} runs every ${interval} s anyway`);
      await inTransaction(pool, async (client) => {
        await store.requestRun(name, client);
        await record(client, caller, "RUN", name, `Asked ${name} to run now`);
      });
      return { changed: 1 };
    },
  };

  async function switchThem(caller: Caller, names: readonly string[] | "all", isEnabled: boolean): Promise<{ changed: number }> {
    return inTransaction(pool, async (client) => {
      const changed = await store.setEnabled(names, isEnabled, client);
      const [verb, word] = isEnabled ? (["ENABLE", "Enabled"] as const) : (["DISABLE", "Disabled"] as const);
      if (changed.length > 0)
        await record(client, caller, verb, names === "all" ? "" : (changed[0] ?? ""), `${word} ${changed.join(", ")}`);
      return { changed: changed.length };
    });
  }
}
export type SystemServices = ReturnType<typeof createSystemServices>;
