import type { StaffRole } from "@busbar/contract/option-lists.ts";
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useParams,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { currentSession, useSession } from "#features/session/current-session.ts";
import { parseSearch, stringifySearch } from "#lib/search-codec.ts";
import { AppFrame } from "./app-frame.tsx";
import { HomePage } from "#pages/home-page.tsx";
import { LoginPage } from "#pages/login-page.tsx";
import { NotFoundPage } from "#pages/not-found-page.tsx";
import { NotPermittedPage } from "#pages/not-permitted-page.tsx";
import { UpcomingPage } from "#pages/upcoming-page.tsx";
import { upcomingScreens } from "./screens.ts";
import type { Screen } from "./screens.ts";

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

const login = createRoute({ getParentRoute, path: loginPath, component: LoginPage });
const home = createRoute({ getParentRoute, path: "/home", component: HomePage });
const dashboard = createRoute({
  getParentRoute,
  path: "/node-dashboard",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("#pages/node-dashboard-page.tsx"), "NodeDashboardPage"),
});
const customers = createRoute({
  getParentRoute,
  path: "/customers",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("#pages/customers-page.tsx"), "CustomersPage"),
});
const nodeTasks = createRoute({
  getParentRoute,
  path: "/nodes/$serialNumber/tasks",
  component: lazyRouteComponent(() => import("#pages/node-tasks-page.tsx"), "NodeTasksPage"),
});
const nodeFiles = createRoute({
  getParentRoute,
  path: "/node-dashboard/$serialNumber/files",
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import("#pages/node-files-page.tsx"), "NodeFilesPage"),
});
const fileContents = createRoute({
  getParentRoute,
  path: "/node-dashboard/files/$fileName",
  component: lazyRouteComponent(() => import("#pages/file-contents-page.tsx"), "FileContentsPage"),
});
const sensorData = createRoute({
  getParentRoute,
  path: "/node-dashboard/$serialNumber/sensordata/$timestamp/$offset",
  component: lazyRouteComponent(() => import("#pages/sensor-data-page.tsx"), "SensorDataPage"),
});
const downloads = createRoute({
  getParentRoute,
  path: "/downloads",
  component: lazyRouteComponent(() => import("#pages/downloads-page.tsx"), "DownloadsPage"),
});
const activity = createRoute({
  getParentRoute,
  path: "/system/activity",
  component: lazyRouteComponent(() => import("#pages/live-activity-page.tsx"), "LiveActivityPage"),
});
const logout = createRoute({
  getParentRoute,
  path: "/logout",
  component: lazyRouteComponent(() => import("#pages/logout-page.tsx"), "LogoutPage"),
});

const upcoming = upcomingScreens.map((screen) =>
  createRoute({ getParentRoute, path: screen.path, validateSearch: anySearch, component: () => <UpcomingScreen screen={screen} /> }),
);

function UpcomingScreen({ screen }: { screen: Screen }) {
  const { serialNumber, fileName, eventFileName } = useParams({ strict: false }) as Record<string, string | undefined>;
  const subject = serialNumber ?? fileName ?? eventFileName;
  return (
    <RequireRole role={screen.role}>
      <UpcomingPage title={screen.title} {...(subject === undefined ? {} : { subject })} />
    </RequireRole>
  );
}

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
    customers,
    nodeTasks,
    nodeFiles,
    fileContents,
    sensorData,
    downloads,
    activity,
    logout,
    ...upcoming,
  ]),
  history: createHashHistory(),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 100,
  defaultNotFoundComponent: NotFoundPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
