import { useParams } from "@tanstack/react-router";
import { MeteringScreen } from "#features/metering/metering.tsx";
import { PageFrame } from "./page-frame.tsx";

export function MeteringPage() {
  const { locationId = "", serialNumber = "" } = useParams({ strict: false });
  return (
    <PageFrame title={`Metering ${serialNumber}`}>
      <MeteringScreen key={`${locationId} ${serialNumber}`} locationId={locationId} serial={serialNumber} />
    </PageFrame>
  );
}
