import type { StaffRole } from "@busbar/contract/option-lists.ts";

export interface Screen {
  /** Path with parameters as `$name`. */
  path: string;
  title: string;
  role?: StaffRole;
}

/** NAV-01: every other route of the texts, with its title and who may open it (NAV-04, NAV-05, NAV-06). */
export const upcomingScreens: Screen[] = [
  { path: "/node-dashboard/$locationId/$serialNumber/metering", title: "Metering" },
  { path: "/nodes", title: "Nodes" },
  { path: "/users", title: "Users" },
  { path: "/notifications", title: "Notifications" },
  { path: "/activities/gpnodeevents", title: "GP Node Events" },
  { path: "/activities/gpnodewaveforms", title: "GP Node Waveforms" },
  { path: "/activities/allactivities", title: "Activities" },
  { path: "/activities/logins", title: "User Logins" },
  { path: "/activity/eventfiles/$eventFileName", title: "Event File" },
  { path: "/networkconfig", title: "Network Config" },
  { path: "/system/services", title: "Service Management", role: "systemAdministrator" },
  { path: "/system/errors", title: "Errors", role: "systemAdministrator" },
  { path: "/system/warnings", title: "Warnings", role: "systemAdministrator" },
  { path: "/system/debug", title: "Debug", role: "systemAdministrator" },
  { path: "/system/config", title: "Configure Application", role: "systemAdministrator" },
  { path: "/customersummary", title: "Customer Summary", role: "accountsAdministrator" },
  { path: "/reports/users", title: "User Report", role: "accountsAdministrator" },
  { path: "/subscriptionreport", title: "Subscription Report", role: "accountsAdministrator" },
  { path: "/accounts/billing", title: "Billing", role: "accountsAdministrator" },
];
