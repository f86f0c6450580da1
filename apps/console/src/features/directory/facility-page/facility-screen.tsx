import { counted } from "@busbar/contract/values/counted.ts";
import type { FacilityNode, FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { mostTrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useClock } from "#lib/clock.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Panel } from "#ui/panel.tsx";
import { StatusBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { VerdictSentence, gravityShapes } from "#ui/verdict-words.tsx";
import { trendsOf } from "#ui/trends-link.ts";
import { gravityLabels, nodesByGravity, verdictOf } from "./facility-nodes.ts";
import { useFacilityOverview } from "./facility-page.queries.ts";
import "#ui/status-badge.css";
import "./facility-page.css";

export interface FacilityScreenProps {
  id: string;
  /** What other features can do with it, and say about it. */
  renderVerbs: (facility: FacilityOverview) => ReactNode;
  renderNotices: (facility: FacilityOverview) => ReactNode;
}

/** All that is known of one facility: its nodes by what is wrong with them, its outages, and its people. */
export function FacilityScreen({ id, renderVerbs, renderNotices }: FacilityScreenProps) {
  const asked = useFacilityOverview(id);
  const { data: facility } = asked;
  const answer = (
    <Loaded
      of={asked}
      loading={<LoadingRows label="Loading the facility" rows={10} height={40} frame="list" />}
      missing={{ what: "facility: it ends with a number", others: <a href="#/customers">All customers</a> }}
    />
  );
  if (!facility) {
    return (
      <>
        <h1 className="page-title">Facility</h1>
        {answer}
      </>
    );
  }
  return (
    <>
      <Head facility={facility} others={renderVerbs(facility)} />
      {renderNotices(facility)}
      {answer}
      <div className="page-sides">
        <Nodes nodes={facility.nodes} />
        <div className="page-side">
          <Outages facility={facility} />
          <People facility={facility} />
        </div>
      </div>
    </>
  );
}

function Head({ facility, others }: { facility: FacilityOverview; others: ReactNode }) {
  const { id, facilityName, siteName, division, customerName, timezones, locationCount, nodes } = facility;
  const facts = [
    ...(siteName === facilityName ? [] : [siteName]),
    ...(division === "" ? [] : [division]),
    counted(locationCount, "location"),
    counted(nodes.length, "node"),
  ];
  const link = (label: string, href: string) => (
    <Button component="a" variant="default" size="compact-sm" href={href}>
      {label}
    </Button>
  );
  const filter = `?filterText=${encodeURIComponent(facilityName)}`;
  return (
    <>
      <h1 className="page-title">Facility {facilityName}</h1>
      <p>
        <a href={`#/customers?filterText=${encodeURIComponent(customerName)}`}>{customerName}</a>{" "}
        <span className="dim">{facts.join(", ")}</span>
      </p>
      <p className="tabular">
        {timezones.length === 0
          ? "Local time is not known: there is no location yet."
          : timezones.map(({ timezone }) => <LocalTime key={timezone} timezone={timezone} />)}
      </p>
      <Group gap={6} mb={10} className="no-print">
        {link("Dashboard", `#/node-dashboard${filter}`)}
        {nodes.length > 0 && link("Trends", trendsOf(nodes.slice(0, mostTrendSeries).map(({ serialNumber }) => serialNumber)))}
        {link("Customers", `#/customers${filter}`)}
        {link("Incidents", `#/incidents?state=all&facility=${id}`)}
        {link("Changes", `#/changes?object=facility/${id}`)}
        {others}
      </Group>
    </>
  );
}

function LocalTime({ timezone }: { timezone: string }) {
  const time = useClock((now) => formatDateTime(now, timezone));
  return (
    <span className="local-time">
      Local time {time} <span className="dim">{timezone}</span>
    </span>
  );
}

function Nodes({ nodes }: { nodes: readonly FacilityNode[] }) {
  const groups = nodesByGravity(nodes);
  return (
    <Panel
      title="Nodes by verdict"
      aside={groups.map(({ gravity, nodes: { length } }) => (
        <span key={gravity} className={`facility-count ${gravityShapes[gravity].className}`}>
          <span aria-hidden="true">{gravityShapes[gravity].shape}</span> {length} {gravityLabels[gravity].toLowerCase()}
        </span>
      ))}
    >
      {nodes.length === 0 && <p className="panel-empty">No node is at a location of this facility.</p>}
      {groups.map((group) => (
        <section key={group.gravity} aria-label={gravityLabels[group.gravity]}>
          <h3 className="facility-group">{gravityLabels[group.gravity]}</h3>
          <ul className="bare-list panel-list">
            {group.nodes.map((node) => (
              <li key={node.serialNumber}>
                <NodeLine node={node} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

function NodeLine({ node }: { node: FacilityNode }) {
  const { serialNumber, locationName, isSecondary, currentDeploymentStatus, connected, lastScalarTimestamp, openAlarmCount } = node;
  const verdict = verdictOf(node);
  const { shape, className } = gravityShapes[verdict?.gravity ?? "note"];
  return (
    <>
      <span className={className} aria-hidden="true">
        {shape}
      </span>{" "}
      <NodeLink serial={serialNumber} /> {locationName}
      {isSecondary && <span className="dim"> secondary</span>}
      {currentDeploymentStatus !== "Deployed" && (
        <>
          {" "}
          <StatusBadge status={currentDeploymentStatus} />
        </>
      )}
      {openAlarmCount > 0 && <span className="bad"> {counted(openAlarmCount, "open alarm")}</span>}
      <div className="facility-verdict">
        {verdict ? <VerdictSentence verdict={verdict} /> : "Not judged yet."}{" "}
        <span className="dim">
          {connected ? "connected" : "not connected"}
          {lastScalarTimestamp !== null && (
            <>
              , last scalar <TimeAgo timestamp={lastScalarTimestamp} />
            </>
          )}
        </span>
      </div>
    </>
  );
}

function Outages({ facility: { outages, timezones } }: { facility: FacilityOverview }) {
  const timezone = timezones[0]?.timezone ?? null;
  return (
    <Panel title="Outages" aside="last 30 days">
      {outages.length === 0 && <p className="panel-empty">No nodes were lost together.</p>}
      <ul className="bare-list panel-list">
        {outages.map(({ fromTimestamp, toTimestamp, nodeCount }) => (
          <li key={fromTimestamp}>
            {counted(nodeCount, "node")}, <DateTime timestamp={fromTimestamp} timezone={timezone} />{" "}
            {toTimestamp === null ? (
              <span className="bad">not over</span>
            ) : (
              <>
                to <DateTime timestamp={toTimestamp} timezone={timezone} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function People({ facility: { managers, subscribers } }: { facility: FacilityOverview }) {
  const managing = new Set(managers.map(({ userId }) => userId));
  const others = managers.filter(({ userId }) => !subscribers.some((subscriber) => subscriber.userId === userId));
  return (
    <Panel title="People who are notified" aside={subscribers.length > 0 ? subscribers.length : undefined}>
      {subscribers.length === 0 && <p className="panel-empty">No one subscribes to this facility.</p>}
      <ul className="bare-list panel-list">
        {subscribers.map((person) => (
          <li key={person.userId}>
            <a href={`#/users/${person.userId}`}>{nameOf(person)}</a> <span className="dim">{person.frequency}</span>
            {managing.has(person.userId) && <span className="dim">, manager</span>}
          </li>
        ))}
        {others.map((person) => (
          <li key={person.userId}>
            <a href={`#/users/${person.userId}`}>{nameOf(person)}</a> <span className="dim">manager, not subscribed</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const nameOf = ({ firstName, lastName, username }: { firstName: string; lastName: string; username: string }): string =>
  `${firstName} ${lastName}`.trim() || username;
