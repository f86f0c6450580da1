import { counted } from "@busbar/contract/values/counted.ts";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useFleetFacts, type Fleet } from "./use-fleet.ts";

/** DSH-01 */
export function FleetHeading({ fleet }: { fleet: Fleet }) {
  const facts = useFleetFacts(fleet);
  if (!facts) return <h1 className="page-title">Dashboard</h1>;
  return (
    <h1 className="page-title">
      Server started <TimeAgo timestamp={facts.serverStartUpTime} /> / {counted(facts.requestsServed, "API request")} served
    </h1>
  );
}
