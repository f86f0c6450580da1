import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { DownloadsStore } from "./downloads.store.ts";
import type { PackageFolder } from "./package-folder.ts";

const name = "DownloadCleaner";
const rememberedSeconds = 30 * 86_400;

/** Removes packages that have expired or were given up. */
export function createDownloadCleaner(pool: Pool, store: DownloadsStore, packages: PackageFolder, clock: Clock): Task {
  return {
    name,
    intervalSeconds: 3_600,
    did: (count) => `Removed ${counted(count, "package")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const walk = startWalk({ pool, clock, service: name, signal });
      const kind = "download";
      const idOf = (id: string) => id;
      await walk.over({ kind, idOf, items: await store.findForgotten(now - rememberedSeconds), work: (ids) => store.forget(ids) });
      await walk.over({ kind, idOf, items: await store.findExpired(now), work: (ids) => store.expire(ids) });
      const strays = await packages.findOthers(await store.keptIds(now));
      return walk.end(await walk.over({ kind: "package", idOf, items: strays, work: (names) => packages.remove(names), batchSize: 1 }));
    },
  };
}
