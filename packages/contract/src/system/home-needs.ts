import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { Gravity } from "../values/gravity.ts";
import type { StaffRole } from "../values/option-lists.ts";

/** What may need a person, in the order in which it is shown, and the role that it concerns. */
export const homeNeeds = {
  platform: { gravity: "act" },
  outages: { gravity: "act" },
  incidents: { gravity: "act" },
  nodes: { gravity: "act" },
  services: { gravity: "act", role: "systemAdministrator" },
  mail: { gravity: "act" },
  trips: { gravity: "look" },
  deployments: { gravity: "look" },
  statusChanges: { gravity: "note" },
  bills: { gravity: "note", role: "accountsAdministrator" },
} as const satisfies Record<string, { gravity: Gravity; role?: StaffRole }>;
export type HomeNeedKind = keyof typeof homeNeeds;
export const homeNeedKinds = Object.keys(homeNeeds) as HomeNeedKind[];

export const HomeNeed = z.object({ kind: z.enum(homeNeedKinds), gravity: Gravity, count: z.int() });
export type HomeNeed = z.infer<typeof HomeNeed>;

export const getHomeNeeds = endpoint("GET /api/home/needs", {
  access: "staff",
  summary: "What needs the signed-in person: only what there is, the gravest first",
  data: z.array(HomeNeed),
});
