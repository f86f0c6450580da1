import type { FacilitySubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { SubscriptionList, type SubscriptionRow } from "./subscription-list.tsx";
import { wantedWords } from "./subscription-words.ts";
import { useFacilitySubscriptions } from "./subscriptions.queries.ts";

const rowsOf = ({ users }: FacilitySubscriptions): SubscriptionRow[] =>
  users.map(({ userId, username, firstName, lastName, isOwnCustomer, autoSubscribeAllFacilities, frequency, ...wanted }) => ({
    id: userId,
    name: `${firstName} ${lastName} (${username})`.trim(),
    about: `${wantedWords(wanted)}${isOwnCustomer ? "" : "; internal user"}`,
    isAutomatic: autoSubscribeAllFacilities && isOwnCustomer,
    frequency,
  }));

/** Who is notified of a facility. */
export function FacilitySubscriptionsDialog({ facilityId, name, onClose }: { facilityId: number; name: string; onClose: () => void }) {
  const asked = useFacilitySubscriptions(facilityId);
  const { data, save } = asked;
  return (
    <Dialog title={`Subscriptions to ${name}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the subscriptions" rows={5} height={34} />} />
      {data?.users.length === 0 && (
        <EmptyState title={`${data.customerName} has no user`}>
          <a href="#/users">Add one under Users</a>
        </EmptyState>
      )}
      {data && data.users.length > 0 && (
        <SubscriptionList
          rows={rowsOf(data)}
          noun="user"
          label="Subscriptions to the facility"
          aboutLabel="Is sent"
          onSave={async (changes) => rowsOf(await save(changes))}
        />
      )}
    </Dialog>
  );
}
