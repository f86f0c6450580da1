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
  // It is said until something else is shown, from here or by another address; the address itself has it no longer.
  const shown = new URLSearchParams(searchOfView(criteria)).toString();
  const [dropped, setDropped] = useState({ words: found, of: shown });
  const isClean = found.length === 0;
  if (shown !== dropped.of || (!isClean && found.join() !== dropped.words.join())) setDropped({ words: found, of: shown });
  useEffect(() => {
    if (!isClean) goTo(criteria);
    // oxlint-disable-next-line react/exhaustive-deps -- once for an address
  }, [isClean]);
  return (
    <PageFrame title="Trends">
      <TrendScreen
        view={criteria}
        onView={change}
        dropped={dropped.words}
        views={<ListViews list="trends" path={path} search={searchOfView(criteria)} taken={taken} />}
      />
    </PageFrame>
  );
}
