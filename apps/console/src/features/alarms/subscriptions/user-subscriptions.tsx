import type { UserSubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { SubscriptionList, type SubscriptionRow } from "./subscription-list.tsx";
import { wantedWords } from "./subscription-words.ts";
import { useUserSubscriptions } from "./subscriptions.queries.ts";

const rowsOf = ({ facilities, autoSubscribeAllFacilities }: UserSubscriptions): SubscriptionRow[] =>
  facilities.map(({ facilityId, facilityName, customerName, isOwnCustomer, frequency }) => ({
    id: facilityId,
    name: facilityName,
    about: customerName,
    isAutomatic: autoSubscribeAllFacilities && isOwnCustomer,
    frequency,
  }));

/** Of which facilities a user is notified, in that user's dialog. */
export function UserSubscriptionList({ userId }: { userId: number }) {
  const asked = useUserSubscriptions(userId);
  const { data, save } = asked;
  return (
    <section aria-label="Subscriptions">
      <h3>Subscriptions</h3>
      <Loaded of={asked} loading={<LoadingRows label="Loading the subscriptions" rows={3} height={34} />} />
      {data?.facilities.length === 0 && <p className="dim">There is no facility that this user could subscribe to.</p>}
      {data && data.facilities.length > 0 && (
        <>
          <p>What is sent of them: {wantedWords(data)}. The boxes above choose it.</p>
          <SubscriptionList
            rows={rowsOf(data)}
            noun="facility"
            label="Subscriptions of the user"
            aboutLabel="Customer"
            onSave={async (changes) => rowsOf(await save(changes))}
          />
        </>
      )}
    </section>
  );
}
