import { activitiesPerPage, firstLogins, gpActivitiesPerPage, gpEventAction, gpWaveformAction } from "@busbar/contract/system/feeds.ts";
import { EventTabs } from "#features/files/event-files/event-tabs.tsx";
import { ActivityFeed } from "#features/system/feeds/activity-feed.tsx";
import { RecentLogins } from "#features/system/feeds/recent-logins.tsx";
import { Notifications } from "#features/alarms/notifications/notifications.tsx";
import { readFrom } from "#lib/paging.ts";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

/** Whoever starts over sees what there is now; further pages are of what there was then. */
const written = (from: number, upTo: string) => (from === 1 ? { from: "", upTo: "" } : { from: String(from), upTo });
const readUpTo = (text: string): string => (/^\d{1,15}$/.test(text) ? text : "");

function useFeedAddress<Name extends string>(path: string, others: readonly Name[]) {
  const [search, setSearch, goTo] = useAddressTexts<"from" | "upTo" | Name>(path, ["from", "upTo", ...others]);
  const onFrom = (from: number, upTo: string) => goTo({ ...search, ...written(from, upTo) });
  return { search, setSearch, goTo, paging: { from: readFrom(search.from), upTo: readUpTo(search.upTo), onFrom } };
}

export function NotificationsPage() {
  const { search, goTo, paging } = useFeedAddress("/notifications", ["id"]);
  return (
    <PageFrame title="Notifications">
      <Notifications
        {...paging}
        onFrom={(from, upTo) => goTo({ ...written(from, upTo), id: "" })}
        selected={search.id}
        onSelect={(id) => goTo({ ...search, id })}
      />
    </PageFrame>
  );
}

export function AllActivitiesPage() {
  const { paging } = useFeedAddress("/activities/allactivities", []);
  return (
    <PageFrame title="Activities">
      <ActivityFeed title="Activities" count={activitiesPerPage} {...paging} emptyTitle="Nothing has happened yet" />
    </PageFrame>
  );
}

export function GpNodeEventsPage() {
  const { search, setSearch, paging } = useFeedAddress("/activities/gpnodeevents", ["filterText"]);
  return (
    <PageFrame title="GP Node Events">
      <EventTabs current="/activities/gpnodeevents" />
      <ActivityFeed
        title="GP Node Events"
        count={gpActivitiesPerPage}
        action={gpEventAction}
        {...paging}
        node={{ serial: search.filterText, onSerial: (filterText) => setSearch({ from: "", upTo: "", filterText }) }}
        emptyTitle={search.filterText === "" ? "No event was uploaded yet" : `No event of node ${search.filterText} was uploaded`}
      />
    </PageFrame>
  );
}

export function GpNodeWaveformsPage() {
  const { paging } = useFeedAddress("/activities/gpnodewaveforms", []);
  return (
    <PageFrame title="GP Node Waveforms">
      <EventTabs current="/activities/gpnodewaveforms" />
      <ActivityFeed
        title="GP Node Waveforms"
        count={gpActivitiesPerPage}
        action={gpWaveformAction}
        {...paging}
        emptyTitle="No waveform was uploaded yet"
      />
    </PageFrame>
  );
}

export function LoginsPage() {
  const [search, , goTo] = useAddressTexts("/activities/logins", ["count"]);
  const asked = readFrom(search.count);
  const count = search.count === "" ? firstLogins : Math.min(1_000, asked);
  return (
    <PageFrame title="User Logins">
      <RecentLogins count={count} onCount={(next) => goTo({ count: String(next) })} />
    </PageFrame>
  );
}
