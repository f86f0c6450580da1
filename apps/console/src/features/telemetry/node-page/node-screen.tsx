import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import type { ReactNode } from "react";
import { Loaded } from "#ui/loaded.tsx";
import { missingNode } from "#ui/missing-node.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { HappeningList, happeningsId } from "./happening-list.tsx";
import type { HappeningFilter } from "./happenings.ts";
import { ConfigFacts, OpenAlarms, Places, TaskFacts } from "./node-facts.tsx";
import { NodeHead, type NodeVerbs } from "./node-head.tsx";
import { useNodeOverview } from "./node-page.queries.ts";
import { VerdictPanel } from "./verdict-panel.tsx";
import { WeekStrip, type GapOf } from "./week-strip.tsx";
import type { Span } from "./week-gaps.ts";
import "#ui/status-badge.css";
import "./node-page.css";

export interface NodeScreenProps {
  serial: string;
  verbs: (node: NodeOverview) => NodeVerbs;
  filter: HappeningFilter | undefined;
  onFilter: (filter: HappeningFilter | undefined) => void;
  onGap: (node: NodeOverview, what: GapOf, gap: Span) => void;
  /** What it measures now. */
  renderNow: (node: NodeOverview) => ReactNode;
  /** What other features can do with it, and say about it. */
  renderVerbs: (node: NodeOverview) => ReactNode;
  renderNotices: (node: NodeOverview) => ReactNode;
}

/** All that is known of one node. */
export function NodeScreen({ serial, verbs, filter, onFilter, onGap, renderNow, renderVerbs, renderNotices }: NodeScreenProps) {
  const asked = useNodeOverview(serial);
  const { data: node } = asked;
  const answer = <Loaded of={asked} loading={<LoadingNode serial={serial} />} missing={missingNode} />;
  if (!node) {
    return (
      <>
        <h1 className="page-title">
          Node <span className="mono">{serial}</span>
        </h1>
        {answer}
      </>
    );
  }
  const acts = verbs(node);
  const showTried = () => {
    onFilter("tried");
    // On a phone the list is far below.
    document.getElementById(happeningsId)?.focus();
  };
  return (
    <>
      <NodeHead node={node} verbs={acts} otherVerbs={renderVerbs(node)} notices={renderNotices(node)} />
      {answer}
      <VerdictPanel node={node} onTried={showTried} />
      <div className="node-page">
        <div className="node-column">
          {renderNow(node)}
          <OpenAlarms node={node} />
          <ConfigFacts node={node} onOpenConfig={acts.onConfig} />
          <TaskFacts node={node} />
          <Places node={node} />
        </div>
        <div className="node-column">
          <WeekStrip
            serial={serial}
            timezone={node.timezone ?? "UTC"}
            dataInterval={node.dataInterval}
            onGap={(what, gap) => onGap(node, what, gap)}
          />
          <HappeningList node={node} filter={filter} onFilter={onFilter} />
        </div>
      </div>
    </>
  );
}

function LoadingNode({ serial }: { serial: string }) {
  return (
    <div className="node-page">
      <LoadingRows label={`Loading node ${serial}`} rows={10} height={40} frame="list" />
      <LoadingRows label="" rows={10} height={40} frame="list" />
    </div>
  );
}
