import { counted } from "@busbar/contract/values/counted.ts";
import { fetchDownload, maxDownloadJobs, type DownloadJob, type DownloadStatus } from "@busbar/contract/files/downloads.ts";
import { Button, Group, Progress } from "@mantine/core";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useApiBytes } from "#api/api-context.ts";
import { failureMessage } from "#lib/api-error.ts";
import { formatBytes, formatCount } from "#lib/format-number.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useDeleteDownload, useDownloads } from "./downloads.queries.ts";
import { saveStream } from "#api/save-stream.ts";
import "#ui/status-badge.css";
import "./downloads.css";

/** Packages of files that the signed-in person asked for. */
export function DownloadsList() {
  const asked = useDownloads();
  return (
    <Loaded of={asked} loading={<LoadingRows label="Loading the downloads" rows={3} height={64} />}>
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyState title="You have asked for no downloads. The tools above a node's files begin one." />
        ) : (
          <>
            <p className="dim">
              Packages are kept for 24 hours; {maxDownloadJobs} at a time. They are made while you do something else, and a mail says when
              one is ready.
            </p>
            <ul className="bare-list download-list">
              {jobs.map((job) => (
                <DownloadItem key={job.id} job={job} />
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}

const tones: Record<DownloadStatus, string> = { Waiting: "info", Packing: "info", Ready: "good", Failed: "bad", Expired: "plain" };

function DownloadItem({ job }: { job: DownloadJob }) {
  const remove = useDeleteDownload();
  const callBytes = useApiBytes();
  const [saved, setSaved] = useState<number | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const title = `${job.kind === "harmonics" ? "Harmonics files" : "Files"} of node ${job.serialNumber}`;
  const isOpen = job.status === "Waiting" || job.status === "Packing";
  const save = async () => {
    setProblem(undefined);
    setSaved(0);
    try {
      const response = await callBytes(fetchDownload, { params: { id: job.id } });
      await saveStream(response, `${job.serialNumber}-${job.kind}.zip`, setSaved);
    } catch (error) {
      setProblem(failureMessage(error));
    }
    setSaved(undefined);
  };
  return (
    <li aria-label={title}>
      <Group justify="space-between" gap="xs">
        <div>
          <strong>{title}</strong> <span className={`status-badge status-${tones[job.status]}`}>{job.status}</span>
          <div className="dim">
            {job.fromTimestamp === null ? "All" : <DateTime timestamp={job.fromTimestamp} timezone="UTC" />}
            {job.fromTimestamp !== null && " until "}
            {job.fromTimestamp !== null && (job.toTimestamp === null ? "now" : <DateTime timestamp={job.toTimestamp} timezone="UTC" />)},
            asked for <TimeAgo timestamp={job.createdTimestamp} />. {progressText(job)}
          </div>
          {job.failedReason && <div className="bad">{job.failedReason}</div>}
          {problem && <div className="bad">{problem}</div>}
        </div>
        <Group gap="xs">
          {job.status === "Ready" && (
            <Button
              disabled={saved !== undefined}
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() => void save()}
              aria-label={`Download ${title}`}
            >
              {saved === undefined ? "Download" : `${formatBytes(saved)} of ${formatBytes(job.size ?? 0)}`}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            loading={remove.isPending}
            onClick={() => remove.mutate(job.id)}
            aria-label={`Delete ${title}`}
          >
            Delete
          </Button>
        </Group>
      </Group>
      {isOpen && (
        <Progress
          mt={6}
          value={job.fileCount === 0 ? 0 : (100 * job.packedCount) / job.fileCount}
          aria-label={`Progress of ${title}`}
          animated={job.status === "Packing"}
        />
      )}
      {remove.error && <div className="bad">{failureMessage(remove.error)}</div>}
    </li>
  );
}

function progressText({ status, kind, fileCount, packedCount, size, serialNumber }: DownloadJob): string {
  const files = counted(fileCount, "file");
  if (status === "Ready") return `${files}, ${formatBytes(size ?? 0)}.`;
  if (status === "Packing") return `${formatCount(packedCount)} of ${files} packed.`;
  if (status !== "Waiting") return "";
  return kind === "harmonics" ? `Node ${serialNumber} has sent ${files} so far.` : "Begins soon.";
}
