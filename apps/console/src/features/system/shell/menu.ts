import type { StaffRole } from "@busbar/contract/values/option-lists.ts";
import {
  IconActivity,
  IconAlertTriangle,
  IconBell,
  IconBellOff,
  IconBug,
  IconBuilding,
  IconCalendarStats,
  IconChartLine,
  IconCpu,
  IconExclamationCircle,
  IconFileInvoice,
  IconGauge,
  IconHistory,
  IconHome,
  IconLogin2,
  IconLogout,
  IconMailForward,
  IconNetwork,
  IconProgressCheck,
  IconReportAnalytics,
  IconServerCog,
  IconSettings,
  IconStack2,
  IconUrgent,
  IconUsers,
  IconUsersGroup,
  IconWaveSine,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

export interface MenuItem {
  label: string;
  path: string;
  icon: ComponentType<{ size?: number }>;
}
export interface MenuGroup {
  /** Without a label the items are by themselves. */
  label?: string;
  role?: StaffRole;
  items: MenuItem[];
}

// NAV-03, NAV-04, NAV-05: the texts' groups and words
export const menuGroups: MenuGroup[] = [
  { items: [{ label: "Home", path: "/home", icon: IconHome }] },
  {
    label: "Manage",
    items: [
      { label: "Nodes", path: "/nodes", icon: IconCpu },
      { label: "Customers", path: "/customers", icon: IconBuilding },
      { label: "Users", path: "/users", icon: IconUsers },
    ],
  },
  { items: [{ label: "Real-time", path: "/node-dashboard", icon: IconGauge }] },
  {
    label: "Monitor",
    items: [
      { label: "User Logins", path: "/activities/logins", icon: IconLogin2 },
      { label: "Live Activity", path: "/system/activity", icon: IconActivity },
      { label: "Notifications", path: "/notifications", icon: IconBell },
      { label: "Network Config", path: "/networkconfig", icon: IconNetwork },
      { label: "Deployments", path: "/deployments", icon: IconProgressCheck },
      { label: "Batches", path: "/batches", icon: IconStack2 },
      { label: "Changes", path: "/changes", icon: IconHistory },
      { label: "Events", path: "/events", icon: IconWaveSine },
      { label: "Incidents", path: "/incidents", icon: IconUrgent },
      { label: "Muted", path: "/muted", icon: IconBellOff },
      { label: "Data Coverage", path: "/coverage", icon: IconCalendarStats },
      { label: "Trends", path: "/trends", icon: IconChartLine },
    ],
  },
  {
    label: "System",
    role: "systemAdministrator",
    items: [
      { label: "Service Management", path: "/system/services", icon: IconServerCog },
      { label: "Configure Application", path: "/system/config", icon: IconSettings },
    ],
  },
  {
    label: "Diagnose",
    role: "systemAdministrator",
    items: [
      { label: "Errors", path: "/system/errors", icon: IconExclamationCircle },
      { label: "Warnings", path: "/system/warnings", icon: IconAlertTriangle },
      { label: "Debug", path: "/system/debug", icon: IconBug },
    ],
  },
  {
    label: "Reports",
    role: "accountsAdministrator",
    items: [
      { label: "Billing", path: "/accounts/billing", icon: IconFileInvoice },
      { label: "Customer Summary", path: "/customersummary", icon: IconReportAnalytics },
      { label: "Subscription Report", path: "/subscriptionreport", icon: IconMailForward },
      { label: "User Report", path: "/reports/users", icon: IconUsersGroup },
    ],
  },
  { items: [{ label: "Logout", path: "/logout", icon: IconLogout }] },
];

export function menuFor(roles: readonly string[]): MenuGroup[] {
  return menuGroups.filter(({ role }) => role === undefined || roles.includes(role));
}
