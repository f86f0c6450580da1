import { DownloadsList } from "#features/files/downloads/downloads-list.tsx";
import { PageFrame } from "./page-frame.tsx";

export function DownloadsPage() {
  return (
    <PageFrame title="Downloads">
      <h1 className="page-title">Downloads</h1>
      <DownloadsList />
    </PageFrame>
  );
}
