import { useParams } from "@tanstack/react-router";
import { EventFile } from "#features/files/event-files/event-file.tsx";
import { readRange, writeRange } from "#features/files/event-files/time-range.ts";
import { FileActions } from "#features/files/file-contents/file-actions.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function EventFilePage() {
  const { eventFileName = "" } = useParams({ strict: false }) as { eventFileName?: string };
  const [search, , goTo] = useAddressTexts(`/activity/eventfiles/${eventFileName}`, ["from", "to"]);
  return (
    <PageFrame title="Event File">
      <h1 className="page-title">Event File</h1>
      <EventFile
        key={eventFileName}
        fileName={eventFileName}
        range={readRange(search.from, search.to)}
        onRange={(range) => goTo(range ? writeRange(range) : { from: "", to: "" })}
        actions={<FileActions fileName={eventFileName} />}
      />
    </PageFrame>
  );
}
