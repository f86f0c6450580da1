import type { FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { OpenIncidents } from "#features/alarms/incidents/open-incidents.tsx";
import { mutableFacility } from "#features/alarms/mutes/mutable.ts";
import { MuteButton, MuteNotices } from "#features/alarms/mutes/mute-control.tsx";
import { FacilityScreen } from "#features/directory/facility-page/facility-screen.tsx";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";

const FacilitySubscriptionsDialog = lazyPart(
  () => import("#features/alarms/subscriptions/facility-subscriptions-dialog.tsx"),
  "FacilitySubscriptionsDialog",
);

export function FacilityPage() {
  const { facilityId = "" } = useParams({ strict: false });
  return (
    <PageFrame title="Facility">
      <FacilityScreen
        key={facilityId}
        id={facilityId}
        renderVerbs={(facility) => (
          <>
            <SubscriptionsButton facility={facility} />
            <MuteButton {...mutableFacility(facility)} />
          </>
        )}
        renderNotices={(facility) => (
          <>
            <OpenIncidents of={{ facility: facilityId }} all={`#/incidents?facility=${facilityId}`} />
            <MuteNotices {...mutableFacility(facility)} />
          </>
        )}
      />
    </PageFrame>
  );
}

function SubscriptionsButton({ facility: { id, facilityName } }: { facility: FacilityOverview }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
        Subscriptions
      </Button>
      <DialogSlot onClose={close}>
        {isOpen && <FacilitySubscriptionsDialog facilityId={id} name={facilityName} onClose={close} />}
      </DialogSlot>
    </>
  );
}
