import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { formatCount } from "#lib/format-number.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Panel } from "#ui/panel.tsx";
import { happeningFilters, happeningLabels, happeningsOf, isShownBy, type HappeningFilter } from "./happenings.ts";
import { useNodeWeek } from "./node-page.queries.ts";

export interface HappeningListProps {
  node: NodeOverview;
  /** What the list is limited to; undefined for all. */
  filter: HappeningFilter | undefined;
  onFilter: (filter: HappeningFilter | undefined) => void;
}

/** Of the list, for who leads there. */
export const happeningsId = "what-happened";

const atFirst = 12;

/** What happened to the node and at its place. */
export function HappeningList({ node, filter, onFilter }: HappeningListProps) {
  const { data: week } = useNodeWeek(node.serialNumber);
  const [isWhole, setIsWhole] = useState(false);
  const all = useMemo(() => happeningsOf(node, week), [node, week]);
  const ofKind = all.filter(({ kind }) => isShownBy(filter, kind));
  const shown = isWhole ? ofKind : ofKind.slice(0, atFirst);
  return (
    <Panel id={happeningsId} title="What happened" aside={`${formatCount(shown.length)} of ${formatCount(all.length)}`}>
      <fieldset className="happening-kinds" aria-label="Show">
        {[undefined, ...happeningFilters].map((each) => (
          <Button
            key={each ?? "all"}
            size="compact-xs"
            variant={each === filter ? "light" : "subtle"}
            aria-pressed={each === filter}
            onClick={() => onFilter(each)}
          >
            {each === undefined ? "All" : each === "tried" ? "What was tried" : happeningLabels[each]}
          </Button>
        ))}
      </fieldset>
      {shown.length === 0 && (
        <p className="panel-empty">{filter === undefined ? "Nothing is recorded yet." : "Nothing of this kind is recorded."}</p>
      )}
      <ol className="bare-list panel-list">
        {shown.map(({ at, kind: own, text, detail, link }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two of the same second may read alike
          <li key={`${at} ${own} ${index}`} className="happening">
            <span className="tabular dim">
              <DateTime timestamp={at} timezone={node.timezone} />
            </span>
            <span className="dim">{happeningLabels[own]}</span>
            <span className="happening-text">
              {text}
              {detail !== undefined && <span className="dim"> {detail}</span>} {link && <a href={link.href}>{link.label}</a>}
            </span>
          </li>
        ))}
      </ol>
      {ofKind.length > atFirst && (
        <Button variant="subtle" size="compact-xs" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${formatCount(ofKind.length)}`}
        </Button>
      )}
    </Panel>
  );
}
