import { activitiesPerPage, firstLogins, gpActivitiesPerPage, gpEventAction, gpWaveformAction } from "@busbar/contract/feeds.ts";
import { ActivityFeed } from "#features/activities/activity-feed.tsx";
import { RecentLogins } from "#features/activities/recent-logins.tsx";
import { Notifications } from "#features/notifications/notifications.tsx";
import { readFrom } from "#lib/paging.ts";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

const written = (from: number): string => (from === 1 ? "" : String(from));

export function NotificationsPage() {
  const [search, , goTo] = useAddressTexts("/notifications", ["from", "id"]);
  return (
    <PageFrame title="Notifications">
      <Notifications
        from={readFrom(search.from)}
        onFrom={(from) => goTo({ from: written(from), id: "" })}
        selected={search.id}
        onSelect={(id) => goTo({ ...search, id })}
      />
    </PageFrame>
  );
}

export function AllActivitiesPage() {
  const [search, , goTo] = useAddressTexts("/activities/allactivities", ["from"]);
  return (
    <PageFrame title="Activities">
      <ActivityFeed
        title="Activities"
        count={activitiesPerPage}
        from={readFrom(search.from)}
        onFrom={(from) => goTo({ from: written(from) })}
        emptyTitle="Nothing has happened yet"
      />
    </PageFrame>
  );
}

export function GpNodeEventsPage() {
  const [search, setSearch, goTo] = useAddressTexts("/activities/gpnodeevents", ["from", "filterText"]);
  return (
    <PageFrame title="GP Node Events">
      <ActivityFeed
        title="GP Node Events"
        count={gpActivitiesPerPage}
        action={gpEventAction}
        from={readFrom(search.from)}
        onFrom={(from) => goTo({ ...search, from: written(from) })}
        node={{ serial: search.filterText, onSerial: (filterText) => setSearch({ from: "", filterText }) }}
        emptyTitle={search.filterText === "" ? "No event was uploaded yet" : `No event of node ${search.filterText} was uploaded`}
      />
    </PageFrame>
  );
}

export function GpNodeWaveformsPage() {
  const [search, , goTo] = useAddressTexts("/activities/gpnodewaveforms", ["from"]);
  return (
    <PageFrame title="GP Node Waveforms">
      <ActivityFeed
        title="GP Node Waveforms"
        count={gpActivitiesPerPage}
        action={gpWaveformAction}
        from={readFrom(search.from)}
        onFrom={(from) => goTo({ from: written(from) })}
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
