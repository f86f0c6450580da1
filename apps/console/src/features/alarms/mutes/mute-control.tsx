import type { Mute } from "@busbar/contract/alarms/mutes.ts";
import { Button } from "@mantine/core";
import { IconBellOff } from "@tabler/icons-react";
import { useState } from "react";
import { visibleText } from "#lib/visible-text.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { DateTime } from "#ui/date-time.tsx";
import { EndNowButton } from "#ui/end-now-button.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import type { Mutable } from "./mute-dialog.tsx";
import { useEndMute, useMutes } from "./mutes.queries.ts";

const MuteDialog = lazyPart(() => import("./mute-dialog.tsx"), "MuteDialog");

export interface MuteControlProps {
  /** What the page is about, then what contains it. */
  objects: readonly [Mutable, ...Mutable[]];
  timezone: string;
}

const isOf =
  (objects: readonly Mutable[]) =>
  ({ kind, objectId }: Mute): boolean =>
    objects.some((each) => each.kind === kind && each.objectId === objectId);

/** Mutes what a page is about. */
export function MuteButton({ objects, timezone }: MuteControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="default" size="compact-sm" leftSection={<IconBellOff size={14} aria-hidden />} onClick={() => setIsOpen(true)}>
        Mute
      </Button>
      <DialogSlot onClose={close}>{isOpen && <MuteDialog objects={objects} timezone={timezone} onClose={close} />}</DialogSlot>
    </>
  );
}

/** A line for each mute that covers it. */
export function MuteNotices({ objects, timezone }: MuteControlProps) {
  const { data = [] } = useMutes();
  return data.filter(isOf(objects)).map((mute) => (
    <Notice key={mute.id} kind="validation" action={<EndMuteButton mute={mute} />}>
      {objects[0].kind === mute.kind ? "Muted" : `Muted with its ${mute.kind}`} until{" "}
      <DateTime timestamp={mute.untilTimestamp} timezone={timezone} /> by {mute.username}: {visibleText(mute.reason)}
    </Notice>
  ));
}

export function EndMuteButton({ mute }: { mute: Mute }) {
  const ending = useEndMute();
  return <EndNowButton name={nameOf(mute)} ending={ending} onEnd={() => ending.mutate(mute.id)} />;
}

export const nameOf = ({ kind, objectId, facilityName, locationName }: Mute): string =>
  kind === "node" ? `node ${objectId}` : kind === "location" ? `location ${locationName}` : `facility ${facilityName}`;
