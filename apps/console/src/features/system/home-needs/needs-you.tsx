import type { HomeNeed, HomeNeedKind } from "@busbar/contract/system/home-needs.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Anchor } from "@mantine/core";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { OwnTimeAgo } from "#ui/time-ago.tsx";
import { gravityShapes } from "#ui/verdict-words.tsx";
import { useHomeNeeds } from "./home-needs.queries.ts";
import "./needs-you.css";

const lines: Record<HomeNeedKind, { words: (count: number) => string; href: string }> = {
  platform: { words: () => "The platform does not listen to its nodes", href: "#/node-dashboard?verdict=unknown" },
  outages: {
    words: (count) => counted(count, "facility has an outage", "facilities have an outage"),
    href: "#/node-dashboard?verdict=outage&sort=gravity",
  },
  incidents: {
    words: (count) => counted(count, "open incident that no one has acknowledged", "open incidents that no one has acknowledged"),
    href: "#/incidents?state=new",
  },
  nodes: {
    words: (count) => counted(count, "node asks for action", "nodes ask for action"),
    href: "#/node-dashboard?verdict=refused,away,silent,sensor,alarm&sort=gravity",
  },
  services: { words: (count) => counted(count, "service fails", "services fail"), href: "#/system/services" },
  mail: { words: (count) => counted(count, "message could not be sent", "messages could not be sent"), href: "#/notifications" },
  trips: { words: (count) => counted(count, "trip in the last day", "trips in the last day"), href: "#/events?kind=trip" },
  deployments: { words: (count) => counted(count, "deployment has an issue", "deployments have an issue"), href: "#/nodes" },
  statusChanges: {
    words: (count) => counted(count, "node changes its status within a day", "nodes change their status within a day"),
    href: "#/nodes?show=Deployed,Pre-Deployment,Unassigned,Decommissioned&sort=awaiting",
  },
  bills: { words: (count) => counted(count, "bill is due", "bills are due"), href: "#/accounts/billing" },
};

export interface NeedsYouProps {
  /** Of the console, when it is newer than this one. */
  newVersion: number | undefined;
}

/** What needs the signed-in person, each a link; one sentence when nothing does. */
export function NeedsYou({ newVersion }: NeedsYouProps) {
  const asked = useHomeNeeds();
  const { data, error, dataUpdatedAt } = asked;
  return (
    <section aria-labelledby="needs-you">
      <h2 id="needs-you" className="needs-title">
        Needs you
      </h2>
      {!data && <Loaded of={asked} loading={<LoadingRows label="Loading what needs you" rows={3} height={28} />} />}
      {data && (data.length > 0 || newVersion !== undefined) && (
        <ul className="bare-list needs-list">
          {data.map((need) => (
            <NeedLine key={need.kind} need={need} />
          ))}
          {newVersion !== undefined && (
            <li>
              <span className="dim" aria-hidden="true">
                ○
              </span>{" "}
              <Anchor component="button" type="button" onClick={() => window.location.reload()}>
                Version {newVersion} of the console is there: load it
              </Anchor>
            </li>
          )}
        </ul>
      )}
      {data?.length === 0 && newVersion === undefined && <p>Nothing needs you.</p>}
      {data && (
        <p className="dim needs-time">
          Looked at <OwnTimeAgo ms={dataUpdatedAt} />
          {error && `, and not since then: ${error.message}`}
        </p>
      )}
    </section>
  );
}

function NeedLine({ need: { kind, gravity, count } }: { need: HomeNeed }) {
  const { shape, className } = gravityShapes[gravity];
  const { words, href } = lines[kind];
  return (
    <li>
      <span className={className} aria-hidden="true">
        {shape}
      </span>{" "}
      <Anchor href={href}>{words(count)}</Anchor>
    </li>
  );
}
