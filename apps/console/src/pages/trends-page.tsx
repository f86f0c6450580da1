import { useEffect, useState } from "react";
import { droppedOf, searchOfView, viewOfSearch } from "#features/telemetry/trends/trend-address.ts";
import { TrendScreen } from "#features/telemetry/trends/trend-screen.tsx";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressCriteria } from "./use-address-criteria.ts";

const path = "/trends";

const taken = (search: Record<string, string>) => searchOfView(viewOfSearch(search));

export function TrendsPage() {
  const { criteria, search, change, goTo } = useAddressCriteria({ path, criteriaOf: viewOfSearch, searchOf: searchOfView });
  const found = droppedOf(search);
  // It is said until something else is shown; the address has it no longer.
  const [dropped, setDropped] = useState(found);
  if (found.length > 0 && found.join() !== dropped.join()) setDropped(found);
  const isClean = found.length === 0;
  useEffect(() => {
    if (!isClean) goTo(criteria);
    // oxlint-disable-next-line react/exhaustive-deps -- once for an address
  }, [isClean]);
  return (
    <PageFrame title="Trends">
      <TrendScreen
        view={criteria}
        onView={(view) => {
          setDropped([]);
          change(view);
        }}
        dropped={dropped}
        views={<ListViews list="trends" path={path} search={searchOfView(criteria)} taken={taken} />}
      />
    </PageFrame>
  );
}
