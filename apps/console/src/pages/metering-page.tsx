import { useParams } from "@tanstack/react-router";
import { usePlotNotes } from "#features/directory/location-notes/location-notes.queries.ts";
import { MeteringScreen } from "#features/telemetry/metering/metering.tsx";
import { PageFrame } from "./page-frame.tsx";

export function MeteringPage() {
  const { locationId = "", serialNumber = "" } = useParams({ strict: false });
  // What happens now is noted now.
  const notes = usePlotNotes(/^[1-9]\d{4}$/.test(serialNumber) ? serialNumber : undefined, { refetchMs: 10_000 });
  return (
    <PageFrame title={`Metering ${serialNumber}`}>
      <MeteringScreen key={`${locationId} ${serialNumber}`} locationId={locationId} serial={serialNumber} notes={notes} />
    </PageFrame>
  );
}
