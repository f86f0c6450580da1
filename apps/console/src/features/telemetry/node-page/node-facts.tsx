import { taskGroupLetters } from "@busbar/contract/directory/node-tasks.ts";
import type { NodeOverview, NodePlace } from "@busbar/contract/directory/node-overview.ts";
import { Button, Progress } from "@mantine/core";
import { counted } from "@busbar/contract/values/counted.ts";
import { DateTime } from "#ui/date-time.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Panel } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { eventName } from "./happenings.ts";

export function OpenAlarms({ node }: { node: NodeOverview }) {
  const { openAlarms, timezone, locationId } = node;
  return (
    <Panel title="Open alarms" aside={openAlarms.length > 0 ? openAlarms.length : undefined}>
      {openAlarms.length === 0 && <p className="panel-empty">No alarm is open.</p>}
      <ul className="bare-list panel-list">
        {openAlarms.map(({ kind, raisedTimestamp, measured }) => (
          <li key={kind}>
            <span className={`status-badge ${locationId === null ? "status-plain" : "status-bad"}`}>{eventName(kind)}</span>
            {locationId === null && " of its last place,"} since <DateTime timestamp={raisedTimestamp} timezone={timezone} /> (
            <TimeAgo timestamp={raisedTimestamp} />){measured !== null && <div className="dim">{measured}</div>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function ConfigFacts({ node, onOpenConfig }: { node: NodeOverview; onOpenConfig: () => void }) {
  const { configTimestamp, configValueCount, configChanges, timezone } = node;
  const last = configChanges.find(({ result }) => result === "confirmed");
  return (
    <Panel
      title="Configuration"
      aside={
        <Button variant="subtle" size="compact-xs" onClick={onOpenConfig}>
          Open
        </Button>
      }
    >
      {configTimestamp === null || configValueCount === null ? (
        <p className="panel-empty">The node has not reported its values yet.</p>
      ) : (
        <p className="node-fact">
          {counted(configValueCount, "value")}, reported <TimeAgo timestamp={configTimestamp} />
        </p>
      )}
      {last ? (
        <p className="node-fact">
          Last change: <span className="mono">{last.key}</span> {last.oldValue || "(empty)"} → {last.newValue || "(empty)"} by{" "}
          {last.username}, <DateTime timestamp={last.timestamp} timezone={timezone} />
        </p>
      ) : (
        <p className="panel-empty">Nothing was changed from here.</p>
      )}
    </Panel>
  );
}

export function TaskFacts({ node: { serialNumber, tasks } }: { node: NodeOverview }) {
  const { completed, total, taskTemplateId, name } = tasks;
  return (
    <Panel
      title="Deployment tasks"
      aside={
        <Button component="a" variant="subtle" size="compact-xs" href={`#/nodes/${serialNumber}/tasks`}>
          Open
        </Button>
      }
    >
      <p className="node-fact">
        {completed} of {total} completed
        {taskTemplateId !== null && `, next ${taskGroupLetters[Math.floor(taskTemplateId / 100)] ?? ""}${taskTemplateId % 100}: ${name}`}
      </p>
      <Progress value={(100 * completed) / Math.max(1, total)} size="sm" aria-label={`${completed} of ${total} tasks completed`} />
    </Panel>
  );
}

export function Places({ node }: { node: NodeOverview }) {
  const { places, nodesBeside, timezone } = node;
  return (
    <Panel title="Places">
      {places.length === 0 && <p className="panel-empty">The node was at no location yet.</p>}
      <ul className="bare-list panel-list">
        {places.map((place) => (
          <li key={`${place.locationId} ${place.fromTimestamp}`}>
            <Stay place={place} timezone={timezone} />
          </li>
        ))}
        {nodesBeside.map(({ serialNumber, isSecondary, connected }) => (
          <li key={serialNumber}>
            {isSecondary ? "Secondary" : "Primary"} node here: <NodeLink serial={serialNumber} />,{" "}
            {connected ? "connected" : "not connected"}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Stay({ place, timezone }: { place: NodePlace; timezone: string | null }) {
  const {
    customerName,
    facilityName,
    locationName,
    isSecondary,
    fromTimestamp,
    toTimestamp,
    nodeSerialNumberBefore,
    nodeSerialNumberAfter,
  } = place;
  return (
    <>
      {toTimestamp === null ? "Here" : [customerName, facilityName, locationName].join(" / ")}
      {isSecondary && " (secondary)"} {toTimestamp === null ? "since" : "from"} <DateTime timestamp={fromTimestamp} timezone={timezone} />
      {toTimestamp !== null && (
        <>
          {" "}
          to <DateTime timestamp={toTimestamp} timezone={timezone} />
        </>
      )}
      {(nodeSerialNumberBefore ?? nodeSerialNumberAfter) !== null && (
        <div className="dim">
          {nodeSerialNumberBefore !== null && (
            <>
              before it <NodeLink serial={nodeSerialNumberBefore} />
            </>
          )}
          {nodeSerialNumberBefore !== null && nodeSerialNumberAfter !== null && ", "}
          {nodeSerialNumberAfter !== null && (
            <>
              after it <NodeLink serial={nodeSerialNumberAfter} />
            </>
          )}
        </div>
      )}
    </>
  );
}
