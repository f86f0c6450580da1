import { join } from "node:path";
import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { createDataFileUpload } from "#features/files/data-files/data-file-upload.service.ts";
import { dataFilesHandlers } from "#features/files/data-files/data-files.handlers.ts";
import { createDataFilesStore, filePart } from "#features/files/data-files/data-files.store.ts";
import { downloadAdminHandlers } from "#features/files/download-admin/download-admin.handlers.ts";
import { createDownloadService } from "#features/files/download-admin/download-admin.service.ts";
import { createDownloadStore } from "#features/files/download-admin/download-admin.store.ts";
import { downloadsHandlers } from "#features/files/downloads/downloads.handlers.ts";
import { createDownloads } from "#features/files/downloads/downloads.service.ts";
import { createDownloadsStore } from "#features/files/downloads/downloads.store.ts";
import { createPackageFolder } from "#features/files/downloads/package-folder.ts";
import { eventFilesHandlers } from "#features/files/event-files/event-files.handlers.ts";
import { createEventFiles } from "#features/files/event-files/event-files.service.ts";
import { createEventReader } from "#features/files/event-files/event-reader.ts";
import { recordedEventsHandlers } from "#features/files/event-files/recorded-events.handlers.ts";
import { createRecordedEventsReadModel } from "#features/files/event-files/recorded-events.read-model.ts";
import { nodeFilesHandlers } from "#features/files/node-files/node-files.handlers.ts";
import { createNodeFilesReadModel } from "#features/files/node-files/node-files.read-model.ts";
import { createNodeFiles } from "#features/files/node-files/node-files.service.ts";
import { presentContents } from "#features/files/node-files/node-files.view.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import type { Authenticate } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { Log } from "#lib/log.ts";
import { createServiceStore } from "#services/service.store.ts";

export interface FilesDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  fileStore: FileStore;
  disk: DiskGuard;
  systemConfig: SystemConfig;
  authenticate: Authenticate;
  eventPatienceMs: number | undefined;
}

/** Files of nodes and relays, packages of them, and what a person may fetch once. */
export function createFiles(dependencies: FilesDependencies) {
  const { pool, config, log, clock, fileStore, disk, systemConfig, authenticate, eventPatienceMs } = dependencies;
  const nodeFilesReadModel = createNodeFilesReadModel(pool);
  const dataFilesStore = createDataFilesStore(pool);
  const keptDays = (kind: DataFileKind) => systemConfig.get(kind === "E" ? "Retention_eventDays" : "Retention_fileDays");
  const nodeFiles = createNodeFiles({ readModel: nodeFilesReadModel, fileStore, filePart, keptDays, clock });
  const downloads = createDownloads({
    pool,
    store: createDownloadsStore(pool),
    packages: createPackageFolder(join(config.dataDir, "downloads")),
    clock,
    wakePacker: () => createServiceStore(pool).requestRun("HarmonicsPackager"),
  });
  const privateFiles = createDownloadService(createDownloadStore(pool), clock);
  return {
    privateFiles,
    handlers: {
      ...nodeFilesHandlers(nodeFilesReadModel, nodeFiles),
      ...eventFilesHandlers(
        createEventFiles({ files: nodeFiles, read: createEventReader(fileStore, log, eventPatienceMs) }),
        presentContents,
      ),
      ...recordedEventsHandlers(createRecordedEventsReadModel(pool), clock),
      ...dataFilesHandlers(createDataFileUpload({ pool, store: dataFilesStore, fileStore, clock, disk }), dataFilesStore),
      ...downloadsHandlers(downloads),
      ...downloadAdminHandlers(privateFiles, authenticate),
    },
  };
}
