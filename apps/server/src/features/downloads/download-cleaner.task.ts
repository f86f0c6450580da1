import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import type { DownloadsStore } from "./downloads.store.ts";
import type { PackageFolder } from "./package-folder.ts";

const rememberedSeconds = 30 * 86_400;

/** Removes packages that have expired or were given up. */
export function createDownloadCleaner(store: DownloadsStore, packages: PackageFolder, clock: Clock): Task {
  return {
    name: "DownloadCleaner",
    intervalSeconds: 3_600,
    async run() {
      const now = clock.now() / 1000;
      await store.expire(now, now - rememberedSeconds);
      return packages.removeOthers(await store.keptIds(now));
    },
  };
}
