import { counted } from "@busbar/contract/values/counted.ts";
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { maxDownloadJobs, type DownloadJob } from "@busbar/contract/files/downloads.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Caller, PreparedAnswer } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, invalid, notFound, tooManyRequests } from "#lib/errors.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import type { DownloadsStore } from "./downloads.store.ts";
import type { PackageFolder } from "./package-folder.ts";

export interface DownloadsDependencies {
  pool: Pool;
  store: DownloadsStore;
  packages: PackageFolder;
  clock: Clock;
  /** Lets the packer begin at once. */
  wakePacker: () => Promise<unknown>;
}

export interface DownloadRequest {
  kind: DownloadJob["kind"];
  serial: number;
  from: number | null;
  to: number | null;
}

const lifeSeconds = 86_400;
const retryAfterSeconds = 600;

export type Downloads = ReturnType<typeof createDownloads>;

/** Packages of files that are made in the background; a mail says where each can be fetched. */
export function createDownloads({ pool, store, packages, clock, wakePacker }: DownloadsDependencies) {
  const nowSeconds = () => clock.now() / 1000;

  return {
    /** Begins a package. @returns the address that the link is sent to */
    async request({ kind, serial, from, to }: DownloadRequest, caller: Caller): Promise<string> {
      const now = nowSeconds();
      const address = await inTransaction(pool, async (client) => {
        const email = await store.lockUser(client, caller.userId);
        if (!(await store.nodeExists(client, serial))) throw notFound(`Node ${serial}`);
        if (!email) throw invalid("email", "your account has no e-mail address to send the link to");
        if ((await store.countLive(client, caller.userId, now)) >= maxDownloadJobs) {
          throw tooManyRequests(
            `You have ${counted(maxDownloadJobs, "download")} already. Delete one on the downloads page, or wait until it expires`,
            retryAfterSeconds,
          );
        }
        const id = randomUUID();
        await store.insert(client, {
          id,
          userId: caller.userId,
          kind,
          serial,
          from,
          to,
          address: email,
          createdAt: now,
          expiresAt: now + lifeSeconds,
        });
        if (kind === "harmonics") await store.insertRequest(client, serial, { kind: "H", from, to }, now);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: kind === "harmonics" ? "REQUEST_HARMONICS" : "DOWNLOAD_FILES",
          object: nodeObject(serial),
          description: `${caller.username} asked for ${kind === "harmonics" ? "harmonics files" : "files"} of node ${serial}`,
          after: { id, from, to },
        });
        return email;
      });
      await wakePacker();
      return address;
    },

    list: (caller: Caller): Promise<DownloadJob[]> => store.ofUser(caller.userId, nowSeconds()),

    /** The package itself: only for who requested it, as often as needed until it expires. */
    async fetch(id: string, caller: Caller): Promise<PreparedAnswer> {
      const job = await store.find(id, caller.userId, nowSeconds());
      if (!job) throw notFound("Download");
      if (job.status === "Expired") throw notFound("This download has expired; it");
      if (job.status !== "Ready") throw conflict(`This download is not ready: it is ${job.status}`);
      const path = packages.pathOf(id);
      const { size } = await stat(path).catch(() => {
        throw notFound("The package of this download");
      });
      return {
        status: 200,
        headers: {
          "content-type": "application/zip",
          "content-length": String(size),
          "content-disposition": `attachment; filename="${job.serialNumber}-${job.kind}.zip"`,
        },
        body: createReadStream(path),
      };
    },

    async remove(id: string, caller: Caller): Promise<{ id: string }> {
      await inTransaction(pool, async (client) => {
        if (!(await store.remove(client, id, caller.userId))) throw notFound("Download");
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_DOWNLOAD",
          object: id,
          description: `${caller.username} gave up a download`,
        });
      });
      await rm(packages.pathOf(id), { force: true });
      return { id };
    },
  };
}
