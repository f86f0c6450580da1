import { changesPerPage } from "@busbar/contract/system/changes.ts";
import type { Call, Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { ActivityFeed } from "./activity-feed.read-model.ts";
import { shownChange, type Changes } from "./changes.read-model.ts";
import type { LoginFeed } from "./login-feed.read-model.ts";
import type { NotificationFeed } from "./notification-feed.read-model.ts";

export interface FeedsDependencies {
  activities: ActivityFeed;
  changes: Changes;
  notifications: NotificationFeed;
  logins: LoginFeed;
  /** The nodes as the dashboard knows them. */
  countNodes: () => { connected: number; all: number };
  clock: Clock;
}

const liveActivities = 50;

export function feedsHandlers({ activities, changes, notifications, logins, countNodes, clock }: FeedsDependencies) {
  /** Who is shown under this name to who reads other names; null is none. */
  async function findShownActor(actor: string, asShown: NonNullable<Call["asShown"]>): Promise<string | null> {
    const isShown = (real: string) => asShown({ actor: real }).actor === actor;
    if (isShown(actor)) return actor;
    for (let page = await activities.actorsAfter(""); page.length > 0; page = await activities.actorsAfter(page.at(-1)!)) {
      const found = page.find(isShown);
      if (found !== undefined) return found;
    }
    return null;
  }

  return {
    async getActivities({ query: { from, count, actor: requested, action, upTo } }, { asShown }) {
      const actor = requested !== undefined && asShown ? await findShownActor(requested, asShown) : requested;
      return { ...(await activities.page({ actor, action, upTo }, from, count)), from, count };
    },
    async getChanges({ query: { actor: requested, limit = changesPerPage, ...filter } }, { caller, asShown }) {
      const actor = requested !== undefined && asShown ? await findShownActor(requested, asShown) : requested;
      const { kind, action, object, from, to, before } = filter;
      const found = await changes.list({ kind, action, object, from, to, before, actor, limit });
      return found.map((change) => shownChange(change, caller.roles));
    },
    getChangePeople: () => changes.people(),
    async getNotifications({ query: { from, count, upTo } }) {
      return { ...(await notifications.page(from, count, upTo)), from, count };
    },
    getRecentLogins: ({ query }) => logins.latest(query.count),
    async getLiveActivity() {
      const [latest, activeSessionCount] = await Promise.all([
        activities.latest(liveActivities),
        activities.activeSessions(clock.now() / 1000),
      ]);
      const { connected, all } = countNodes();
      return { activities: latest, connectedNodeCount: connected, nodeCount: all, activeSessionCount };
    },
  } satisfies Partial<Handlers>;
}
