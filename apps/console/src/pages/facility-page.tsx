import { useParams } from "@tanstack/react-router";
import { FacilityScreen } from "#features/directory/facility-page/facility-screen.tsx";
import { PageFrame } from "./page-frame.tsx";

export function FacilityPage() {
  const { facilityId = "" } = useParams({ strict: false });
  return (
    <PageFrame title="Facility">
      <FacilityScreen key={facilityId} id={facilityId} />
    </PageFrame>
  );
}
