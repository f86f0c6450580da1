import { Notice, NoticeButton } from "#ui/notice.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useFleetFacts, usePollState, type Fleet } from "./use-fleet.ts";

/** Says that what is below is old, and why. */
export function StaleMark({ fleet }: { fleet: Fleet }) {
  const { failure, hasLoaded, updatedAt } = usePollState(fleet);
  const facts = useFleetFacts(fleet);
  if (!hasLoaded || !facts) return null;
  if (failure !== undefined) {
    return (
      <Notice kind="warning" action={<NoticeButton onClick={fleet.poller.pollNow}>Try again</NoticeButton>}>
        {failure}{" "}
        {updatedAt !== undefined && (
          <>
            Last updated <TimeAgo timestamp={updatedAt} />.
          </>
        )}
      </Notice>
    );
  }
  if (!facts.isStale) return null;
  return (
    <Notice kind="warning">
      The server cannot reach its database. Last updated <TimeAgo timestamp={facts.asOf} />.
    </Notice>
  );
}
