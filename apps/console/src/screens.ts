import type { StaffRole } from "@busbar/contract/option-lists.ts";

export interface Screen {
  /** Path with parameters as `$name`. */
  path: string;
  title: string;
  role?: StaffRole;
}

/** NAV-01: every other route of the texts, with its title and who may open it (NAV-04, NAV-05, NAV-06). */
export const upcomingScreens: Screen[] = [{ path: "/activity/eventfiles/$eventFileName", title: "Event File" }];
