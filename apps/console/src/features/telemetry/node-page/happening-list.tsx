import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { formatCount } from "#lib/format-number.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Panel } from "#ui/panel.tsx";
import { happeningKinds, happeningLabels, happeningsOf } from "./happenings.ts";
import type { HappeningKind } from "./happenings.ts";
import { useNodeWeek } from "./node-page.queries.ts";

export interface HappeningListProps {
  node: NodeOverview;
  /** The kind that is shown alone; undefined for all. */
  kind: HappeningKind | undefined;
  onKind: (kind: HappeningKind | undefined) => void;
}

const atFirst = 12;

/** What happened to the node and at its place. */
export function HappeningList({ node, kind, onKind }: HappeningListProps) {
  const { data: week } = useNodeWeek(node.serialNumber);
  const [isWhole, setIsWhole] = useState(false);
  const all = useMemo(() => happeningsOf(node, week), [node, week]);
  const ofKind = kind === undefined ? all : all.filter((each) => each.kind === kind);
  const shown = isWhole ? ofKind : ofKind.slice(0, atFirst);
  return (
    <Panel title="What happened" aside={`${formatCount(shown.length)} of ${formatCount(all.length)}`}>
      <fieldset className="happening-kinds" aria-label="Show">
        {[undefined, ...happeningKinds].map((each) => (
          <Button
            key={each ?? "all"}
            size="compact-xs"
            variant={each === kind ? "light" : "subtle"}
            aria-pressed={each === kind}
            onClick={() => onKind(each)}
          >
            {each === undefined ? "All" : happeningLabels[each]}
          </Button>
        ))}
      </fieldset>
      {shown.length === 0 && (
        <p className="panel-empty">{kind === undefined ? "Nothing is recorded yet." : "Nothing of this kind is recorded."}</p>
      )}
      <ol className="panel-list">
        {shown.map(({ at, kind: own, text, detail, link }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two of the same second may read alike
          <li key={`${at} ${own} ${index}`} className="happening">
            <span className="happening-time tabular dim">
              <DateTime timestamp={at} timezone={node.timezone} />
            </span>
            <span className="happening-kind dim">{happeningLabels[own]}</span>
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
