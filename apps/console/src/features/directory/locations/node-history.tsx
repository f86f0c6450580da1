import type { PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { DateTime } from "#ui/date-time.tsx";
import { NodeLink } from "#ui/node-link.tsx";

/** Who was in a place of the location before, also the present node while the location was elsewhere; none, nothing. */
export function NodeHistory({ location, isSecondary }: { location: PlacedLocation; isSecondary: boolean }) {
  const earlier = location.nodeHistory.filter((stay) => stay.isSecondary === isSecondary && stay.toTimestamp !== null);
  if (earlier.length === 0) return null;
  return (
    <>
      <h4 className="section-title">Earlier nodes</h4>
      <ul className="bare-list node-history">
        {earlier.map(({ serialNumber, customerName, facilityName, fromTimestamp, toTimestamp }) => (
          <li key={`${serialNumber} ${fromTimestamp}`}>
            <NodeLink serial={serialNumber} /> from <DateTime timestamp={fromTimestamp} timezone={location.timezone} /> to{" "}
            <DateTime timestamp={toTimestamp ?? fromTimestamp} timezone={location.timezone} />
            {(customerName !== location.customerName || facilityName !== location.facilityName) && ` at ${customerName} / ${facilityName}`}
          </li>
        ))}
      </ul>
    </>
  );
}
