import { EventInbox } from "#features/files/event-files/event-inbox.tsx";
import { EventTabs } from "#features/files/event-files/event-tabs.tsx";
import { eventChoices, eventFilterNames } from "#features/files/event-files/event-filter.ts";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { textsOf, useAddressTexts } from "./use-address-texts.ts";

const path = "/events";
const taken = (search: Record<string, string>) => textsOf(search, eventFilterNames, eventChoices);

export function EventsPage() {
  const [filter, change, goTo] = useAddressTexts(path, eventFilterNames, eventChoices);
  return (
    <PageFrame title="Events">
      <EventTabs current="/events" />
      <EventInbox
        filter={filter}
        onType={change}
        onFilter={goTo}
        views={<ListViews list="events" path={path} search={filter} taken={taken} />}
      />
    </PageFrame>
  );
}
