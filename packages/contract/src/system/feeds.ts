import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

// FEE-02
export const activitiesPerPage = 10;
export const gpActivitiesPerPage = 20;
export const notificationsPerPage = 10;
export const firstLogins = 20;
export const gpEventAction = "POST_CUSTOMER_GP_EVENT";
export const gpWaveformAction = "POST_CUSTOMER_GP_WAVEFORM";

const wholeNumber = (name: string, fallback: number, most: number) =>
  z.pipe(
    z
      ._default(z.string(), String(fallback))
      .check(
        z.refine(
          (text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most,
          `${name} is a whole number from 1 to ${most}`,
        ),
      ),
    z.transform(Number),
  );
/**
 * The first row of a page, counted from 1 at the newest, and how many. `upTo` is the `newest` of the page where the reader began: what
 * came since is left out, so that no row moves to another page.
 */
const paging = {
  from: wholeNumber("from", 1, 999_999_999),
  count: wholeNumber("count", 10, 100),
  upTo: z.optional(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, "upTo is the newest of another page, a whole number")), z.transform(Number)),
  ),
};
const pageFields = { from: z.int(), count: z.int(), total: z.int(), newest: z.int() };

export const Activity = z.object({
  timestamp: EpochSeconds,
  description: z.string(),
  actorType: z.string(),
  actor: z.string(),
  action: z.string(),
  object: z.string(),
});
export type Activity = z.infer<typeof Activity>;

export const ActivityPage = z.object({ activities: z.array(Activity), ...pageFields });
export type ActivityPage = z.infer<typeof ActivityPage>;

export const getActivities = endpoint("GET /api/activities", {
  access: "staff",
  summary: "What happened, newest first, of one actor or one action if asked; from counts from 1",
  query: z.strictObject({
    ...paging,
    actor: z.optional(z.string().check(z.regex(/^\P{Cc}{1,64}$/u, "actor has 1 to 64 characters"))),
    action: z.optional(z.string().check(z.regex(/^[A-Z_]{1,64}$/, "action is capital letters and _"))),
  }),
  data: ActivityPage,
});

export const Notification = z.object({
  id: z.number(),
  timestamp: EpochSeconds,
  kind: z.string(),
  subject: z.string(),
  recipientsTo: z.array(z.string()),
  recipientsCc: z.array(z.string()),
  recipientsBcc: z.array(z.string()),
  body: z.string(),
  sentSuccess: z.boolean(),
  /** Null with sentSuccess false: it waits to be sent. */
  sentFailedReason: z.nullable(z.string()),
});
export type Notification = z.infer<typeof Notification>;

export const NotificationPage = z.object({ notifications: z.array(Notification), ...pageFields });
export type NotificationPage = z.infer<typeof NotificationPage>;

export const getNotifications = endpoint("GET /api/notifications", {
  access: "staff",
  summary: "Messages that were sent or should have been, newest first; from counts from 1",
  query: z.strictObject(paging),
  data: NotificationPage,
});

export const LoginEvent = z.object({
  timestamp: EpochSeconds,
  /** Of the user's customer; null for staff and for names that are no one's. */
  customerCode: z.nullable(z.string()),
  administrator: z.boolean(),
  username: z.string(),
  success: z.boolean(),
  description: z.string(),
});
export type LoginEvent = z.infer<typeof LoginEvent>;

export const getRecentLogins = endpoint("GET /api/sessions/history/recent", {
  access: "staff",
  summary: "The latest sign-ins, refused ones too, newest first",
  query: z.strictObject({ count: wholeNumber("count", firstLogins, 1_000) }),
  data: z.array(LoginEvent),
});

/** SYS-06 */
export const LiveActivity = z.object({
  activities: z.array(Activity),
  connectedNodeCount: z.int(),
  nodeCount: z.int(),
  activeSessionCount: z.int(),
});
export type LiveActivity = z.infer<typeof LiveActivity>;

export const getLiveActivity = endpoint("GET /api/system/activities", {
  access: "staff",
  summary: "What happened last, and who and what is connected now",
  data: LiveActivity,
});
