import { linkedScreens } from "@busbar/contract/values/console-links.ts";
import type { StaffRole } from "@busbar/contract/values/option-lists.ts";
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { currentSession, useSession } from "#features/access/session/current-session.ts";
import { createCountedHistory } from "#lib/counted-history.ts";
import { lazyScreen } from "#lib/lazy-screen.ts";
import { parseSearch, stringifySearch } from "#lib/search-codec.ts";
import { AppFrame } from "./app-frame.tsx";
import { ErrorPage } from "#pages/error-page.tsx";
import { HomePage } from "#pages/home-page.tsx";
import { NotFoundPage } from "#pages/not-found-page.tsx";
import { NotPermittedPage } from "#pages/not-permitted-page.tsx";

const loginPath = "/";

const root = createRootRoute({
  component: AppFrame,
  notFoundComponent: NotFoundPage,
  // LOG-01: also for addresses that do not exist
  beforeLoad: ({ location }) => {
    const isSignedIn = currentSession.get() !== undefined;
    if (isSignedIn && location.pathname === loginPath) throw redirect({ to: "/home", replace: true });
    if (!isSignedIn && location.pathname !== loginPath) throw redirect({ to: loginPath, replace: true });
  },
});

const anySearch = (search: Record<string, unknown>): Record<string, unknown> => search;
const getParentRoute = () => root;

const login = createRoute({
  getParentRoute,
  path: loginPath,
  component: lazyScreen(() => import("#pages/login-page.tsx"), "LoginPage"),
});
const home = createRoute({ getParentRoute, path: "/home", component: HomePage });
const dashboard = createRoute({
  getParentRoute,
  path: "/node-dashboard",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/node-dashboard-page.tsx"), "NodeDashboardPage"),
});
const customers = createRoute({
  getParentRoute,
  path: "/customers",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/customers-page.tsx"), "CustomersPage"),
});
const placeImport = createRoute({
  getParentRoute,
  path: "/import",
  component: lazyScreen(() => import("#pages/import-page.tsx"), "ImportPage"),
});
const metering = createRoute({
  getParentRoute,
  path: "/node-dashboard/$locationId/$serialNumber/metering",
  component: lazyScreen(() => import("#pages/metering-page.tsx"), "MeteringPage"),
});
const nodeTasks = createRoute({
  getParentRoute,
  path: "/nodes/$serialNumber/tasks",
  component: lazyScreen(() => import("#pages/node-tasks-page.tsx"), "NodeTasksPage"),
});
const networkConfig = createRoute({
  getParentRoute,
  path: "/networkconfig",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/network-config-page.tsx"), "NetworkConfigPage"),
});
const nodes = createRoute({
  getParentRoute,
  path: "/nodes",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/nodes-page.tsx"), "NodesPage"),
});
const facility = createRoute({
  getParentRoute,
  path: "/facilities/$facilityId",
  component: lazyScreen(() => import("#pages/facility-page.tsx"), "FacilityPage"),
});
const node = createRoute({
  getParentRoute,
  path: "/nodes/$serialNumber",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/node-page.tsx"), "NodePage"),
});
const nodeFiles = createRoute({
  getParentRoute,
  path: "/node-dashboard/$serialNumber/files",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/node-files-page.tsx"), "NodeFilesPage"),
});
const fileContents = createRoute({
  getParentRoute,
  path: "/node-dashboard/files/$fileName",
  component: lazyScreen(() => import("#pages/file-contents-page.tsx"), "FileContentsPage"),
});
const sensorData = createRoute({
  getParentRoute,
  path: "/node-dashboard/$serialNumber/sensordata/$timestamp/$offset",
  component: lazyScreen(() => import("#pages/sensor-data-page.tsx"), "SensorDataPage"),
});
const downloads = createRoute({
  getParentRoute,
  path: linkedScreens.downloads,
  component: lazyScreen(() => import("#pages/downloads-page.tsx"), "DownloadsPage"),
});
const activity = createRoute({
  getParentRoute,
  path: "/system/activity",
  component: lazyScreen(() => import("#pages/live-activity-page.tsx"), "LiveActivityPage"),
});
const users = createRoute({
  getParentRoute,
  path: "/users",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/users-page.tsx"), "UsersPage"),
});
const user = createRoute({
  getParentRoute,
  path: "/users/$userId",
  validateSearch: anySearch,
  component: lazyScreen(() => import("#pages/users-page.tsx"), "UsersPage"),
});
const logout = createRoute({
  getParentRoute,
  path: "/logout",
  component: lazyScreen(() => import("#pages/logout-page.tsx"), "LogoutPage"),
});

type LazyScreen = ReturnType<typeof lazyScreen>;

/** A screen that only a role may open (NAV-06). */
function createRoleRoute(path: string, role: StaffRole, Screen: LazyScreen) {
  const component = () => (
    <RequireRole role={role}>
      <Screen />
    </RequireRole>
  );
  return createRoute({
    getParentRoute,
    path,
    validateSearch: anySearch,
    component: Screen.preload ? Object.assign(component, { preload: Screen.preload }) : component,
  });
}

const reports = [
  createRoleRoute(
    linkedScreens.billing,
    "accountsAdministrator",
    lazyScreen(() => import("#pages/billing-page.tsx"), "BillingPage"),
  ),
  createRoleRoute(
    "/customersummary",
    "accountsAdministrator",
    lazyScreen(() => import("#pages/customer-summary-page.tsx"), "CustomerSummaryPage"),
  ),
  createRoleRoute(
    "/subscriptionreport",
    "accountsAdministrator",
    lazyScreen(() => import("#pages/subscription-report-page.tsx"), "SubscriptionReportPage"),
  ),
  createRoleRoute(
    "/reports/users",
    "accountsAdministrator",
    lazyScreen(() => import("#pages/user-report-page.tsx"), "UserReportPage"),
  ),
];

const systemPages = () => import("#pages/system-pages.tsx");
const system = [
  createRoleRoute("/system/services", "systemAdministrator", lazyScreen(systemPages, "ServicesPage")),
  createRoleRoute("/system/errors", "systemAdministrator", lazyScreen(systemPages, "ErrorsPage")),
  createRoleRoute("/system/warnings", "systemAdministrator", lazyScreen(systemPages, "WarningsPage")),
  createRoleRoute("/system/debug", "systemAdministrator", lazyScreen(systemPages, "DebugPage")),
  createRoleRoute("/system/config", "systemAdministrator", lazyScreen(systemPages, "SystemConfigPage")),
];

const feedPages = () => import("#pages/feed-pages.tsx");
const createFeedRoute = (path: string, component: LazyScreen) =>
  createRoute({ getParentRoute, path, validateSearch: anySearch, component });
const feeds = [
  createFeedRoute("/notifications", lazyScreen(feedPages, "NotificationsPage")),
  createFeedRoute("/activities/allactivities", lazyScreen(feedPages, "AllActivitiesPage")),
  createFeedRoute(
    "/changes",
    lazyScreen(() => import("#pages/changes-page.tsx"), "ChangesPage"),
  ),
  createFeedRoute(
    "/events",
    lazyScreen(() => import("#pages/events-page.tsx"), "EventsPage"),
  ),
  createFeedRoute(
    "/events/$eventName",
    lazyScreen(() => import("#pages/event-page.tsx"), "EventPage"),
  ),
  createFeedRoute(
    "/incidents",
    lazyScreen(() => import("#pages/incidents-page.tsx"), "IncidentsPage"),
  ),
  createFeedRoute(
    "/incidents/$incidentId",
    lazyScreen(() => import("#pages/incident-page.tsx"), "IncidentPage"),
  ),
  createFeedRoute(
    "/batches",
    lazyScreen(() => import("#pages/batches-page.tsx"), "BatchesPage"),
  ),
  createFeedRoute(
    "/batches/new",
    lazyScreen(() => import("#pages/new-batch-page.tsx"), "NewBatchPage"),
  ),
  createFeedRoute(
    "/batches/$batchId",
    lazyScreen(() => import("#pages/batch-page.tsx"), "BatchPage"),
  ),
  createFeedRoute(
    "/deployments",
    lazyScreen(() => import("#pages/deployments-page.tsx"), "DeploymentsPage"),
  ),
  createFeedRoute(
    "/bulk/new",
    lazyScreen(() => import("#pages/new-bulk-page.tsx"), "NewBulkPage"),
  ),
  createFeedRoute(
    "/bulk/$bulkId",
    lazyScreen(() => import("#pages/bulk-page.tsx"), "BulkPage"),
  ),
  createFeedRoute(
    "/deployments/$serialNumber",
    lazyScreen(() => import("#pages/deployment-page.tsx"), "DeploymentPage"),
  ),
  createFeedRoute(
    "/muted",
    lazyScreen(() => import("#pages/muted-page.tsx"), "MutedPage"),
  ),
  createFeedRoute(
    "/coverage",
    lazyScreen(() => import("#pages/coverage-page.tsx"), "CoveragePage"),
  ),
  createFeedRoute(
    "/trends",
    lazyScreen(() => import("#pages/trends-page.tsx"), "TrendsPage"),
  ),
  createFeedRoute("/activities/gpnodeevents", lazyScreen(feedPages, "GpNodeEventsPage")),
  createFeedRoute("/activities/gpnodewaveforms", lazyScreen(feedPages, "GpNodeWaveformsPage")),
  createFeedRoute("/activities/logins", lazyScreen(feedPages, "LoginsPage")),
  createFeedRoute(
    "/activity/eventfiles/$eventFileName",
    lazyScreen(() => import("#pages/event-file-page.tsx"), "EventFilePage"),
  ),
];

/** NAV-06: the screen, or a page that says which role it needs. The server refuses the calls whatever is shown. */
function RequireRole({ role, children }: { role: StaffRole | undefined; children: ReactNode }) {
  const session = useSession();
  if (role === undefined || session?.roles.includes(role)) return children;
  return <NotPermittedPage role={role} />;
}

/** A query before the hash belongs to no screen, and the router would take it for the end of the hash's own. */
function dropPageQuery(): void {
  if (location.search) history.replaceState(history.state, "", location.pathname + location.hash);
}
dropPageQuery();

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    home,
    dashboard,
    metering,
    nodes,
    node,
    facility,
    nodeTasks,
    customers,
    placeImport,
    users,
    user,
    networkConfig,
    activity,
    logout,
    ...reports,
    ...system,
    ...feeds,
    nodeFiles,
    fileContents,
    sensorData,
    downloads,
  ]),
  history: createCountedHistory(),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 100,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ErrorPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
