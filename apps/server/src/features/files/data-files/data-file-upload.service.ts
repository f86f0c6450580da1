import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { DataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { StoredUpload } from "@busbar/contract/files/node-files.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Person, Program } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import { AppError, invalid, notFound, outOfSpace } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import type { FileStore } from "#lib/file-store.ts";
import { recordActivity } from "#shared/activities.store.ts";
import type { DataFilesStore } from "./data-files.store.ts";

export interface DataFileUploadDependencies {
  pool: Pool;
  store: DataFilesStore;
  fileStore: FileStore;
  clock: Clock;
  /** Says why there is no room for files. */
  disk: Pick<DiskGuard, "check">;
}

export interface Upload {
  serial: number;
  fileName: string;
  parsed: DataFileName;
  bytes: Uint8Array;
  contentType: string;
  /** The uploader's digest of the bytes, when it sent one. */
  md5: string | undefined;
}

const pack = promisify(gzip);

export type DataFileUpload = ReturnType<typeof createDataFileUpload>;

/** Files that come by HTTP: of external nodes, and of relays whose software reads them out. */
export function createDataFileUpload({ pool, store, fileStore, clock, disk }: DataFileUploadDependencies) {
  return {
    /** Resolves after COMMIT. @throws AppError 404 for a node that is not there, or not the uploader's; 507 when there is no room */
    async upload(upload: Upload, { caller, apiClient }: Person | Program): Promise<StoredUpload> {
      const { serial, fileName, parsed, bytes } = upload;
      if (parsed.serial !== serial) throw invalid("fileName", say`is a file of node ${parsed.serial}, not of node ${serial}`);
      const customer = apiClient?.customerId;
      const node = await store.findUploadNode(serial, customer);
      if (!node) throw notFound(say`Node ${serial}`);
      if (node.isDecommissioned) throw invalid("serial", say`Node is decommissioned`);
      if (bytes.length === 0) throw invalid("body", say`Empty file`);
      if (bytes.length > maxFileBytes[parsed.kind]) throw new AppError(413, "TOO_LARGE", say`File too large (${bytes.length} bytes)`);
      const md5 = createHash("md5").update(bytes).digest("hex");
      if (upload.md5 !== undefined && upload.md5.toLowerCase() !== md5) throw invalid("x-content-md5", say`Checksum mismatch`);
      const noRoom = await disk.check();
      if (noRoom !== undefined) throw outOfSpace(noRoom);
      const isGzip = upload.contentType.startsWith("application/gzip");
      const content = isGzip ? bytes : await pack(bytes);
      const [hash] = await fileStore.putAll([content]);
      const outcome = await inTransaction(pool, async (client) => {
        const row = { parsed, hash: hash!, md5, storedBytes: content.length, isGzip: true, receivedAtMs: clock.now() };
        const [stored] = await store.store(client, [{ ...row, source: "upload" }]);
        const actor = apiClient ? `key ${apiClient.keyName} of ${apiClient.username}` : caller.username;
        await recordActivity(client, {
          actorType: apiClient ? "ApiKey" : "User",
          // The feeds of relay events and waveforms are requested by the node's serial number.
          actor: apiClient && parsed.kind === "E" ? String(serial) : actor,
          action: actionOf(parsed),
          object: fileName,
          description: `File ${fileName} was uploaded by ${actor}`,
          after: { bytes: bytes.length, md5, outcome: stored },
        });
        return stored!;
      });
      return { fileName, outcome, size: content.length };
    },
  };
}

function actionOf({ kind, extension }: DataFileName): ActivityAction {
  if (kind !== "E") return "POST_NODE_FILE";
  return ["cff", "cfg", "dat", "cev"].includes(extension) ? "POST_CUSTOMER_GP_WAVEFORM" : "POST_CUSTOMER_GP_EVENT";
}
