import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import { api } from "@busbar/contract/api.ts";
import type { EventFile } from "@busbar/contract/files/event-files.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { readSeriesText, type Trends } from "@busbar/contract/telemetry/trends.ts";
import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { vi } from "vitest";
import { userEvent } from "vitest/browser";
import { currentSession } from "#features/access/session/current-session.ts";
import { ApiError } from "#lib/api-error.ts";
import { followSession } from "../app.tsx";
import { router } from "../router.tsx";
import { fakeApi, fakeToken } from "./fake-api.ts";
import { whenDrawn } from "./drawn-renders.ts";
import { hurryTimers, isMoreToCome } from "./timers.ts";
import { inventAnswer, inventedNow, type Invention } from "./invented-answer.ts";
import { followPainting } from "./painted.ts";

/** By room, an address of every route: with its parameters, and with what its query may say. */
export const addresses = {
  access: {
    "/": ["/"],
    "/logout": ["/logout"],
    "/users": ["/users", "/users?columns=all"],
    "/users/$userId": ["/users/402"],
  },
  alarms: {
    "/notifications": ["/notifications"],
    "/incidents": ["/incidents?state=all"],
    "/incidents/$incidentId": ["/incidents/1"],
    "/muted": ["/muted"],
  },
  directory: {
    "/nodes": ["/nodes", "/nodes?columns=all&show=Deployed,Pre-Deployment,Unassigned,Decommissioned"],
    "/nodes/$serialNumber/tasks": ["/nodes/10001/tasks"],
    "/facilities/$facilityId": ["/facilities/101"],
    "/customers": ["/customers", "/customers?filterText=1000"],
    "/import": ["/import?of=places", "/import?of=nodes", "/import?of=users"],
    "/deployments": ["/deployments"],
    "/deployments/$serialNumber": ["/deployments/10001"],
    "/bulk/new": ["/bulk/new?nodes=10001.10003", "/bulk/new?locations=201-203", "/bulk/new?users=401-403"],
    "/bulk/$bulkId": ["/bulk/1"],
  },
  files: {
    "/activities/gpnodeevents": ["/activities/gpnodeevents"],
    "/activities/gpnodewaveforms": ["/activities/gpnodewaveforms"],
    "/activity/eventfiles/$eventFileName": ["/activity/eventfiles/E_1"],
    "/events": ["/events"],
    "/events/$eventName": ["/events/E_1"],
    "/node-dashboard/$serialNumber/files": ["/node-dashboard/10001/files"],
    "/node-dashboard/files/$fileName": ["/node-dashboard/files/10001_1778770000.txt"],
    "/downloads": ["/downloads"],
  },
  office: {
    "/accounts/billing": ["/accounts/billing"],
    "/customersummary": ["/customersummary"],
    "/subscriptionreport": ["/subscriptionreport"],
    "/reports/users": ["/reports/users"],
  },
  system: {
    "/home": ["/home"],
    "/system/activity": ["/system/activity"],
    "/system/services": ["/system/services"],
    "/system/errors": ["/system/errors"],
    "/system/warnings": ["/system/warnings"],
    "/system/debug": ["/system/debug"],
    "/system/config": ["/system/config"],
    "/activities/allactivities": ["/activities/allactivities"],
    "/activities/logins": ["/activities/logins"],
    "/changes": ["/changes", "/changes?object=node/10001"],
  },
  telemetry: {
    "/node-dashboard": [
      "/node-dashboard",
      "/node-dashboard?columns=all&show=deployed,preDeployment,unassigned,decommissioned,external",
      "/node-dashboard?history=10001",
    ],
    "/node-dashboard/$locationId/$serialNumber/metering": ["/node-dashboard/201/10001/metering"],
    "/nodes/$serialNumber": ["/nodes/10001"],
    "/networkconfig": ["/networkconfig"],
    "/batches": ["/batches"],
    "/batches/new": ["/batches/new?nodes=10001-10003"],
    "/batches/$batchId": ["/batches/1"],
    "/coverage": ["/coverage", "/coverage?kind=D&node=10001", "/coverage?kind=scalars&show=all"],
    "/trends": [
      "/trends?series=10001:current,10002:powerKw",
      "/trends?series=10001:current,10002:current&compare=week&table=1&clock=utc&range=1778630000-1778770000",
      ...["profile", "duration", "scatter&clock=own", "days"].map((show) => `/trends?show=${show}&series=10001:powerKw,10002:current`),
    ],
    "/node-dashboard/$serialNumber/sensordata/$timestamp/$offset": ["/node-dashboard/10001/sensordata/1778770000/0"],
  },
} satisfies Record<string, Record<string, readonly string[]>>;
export type Room = keyof typeof addresses;

const endpoints = Object.values<Endpoint>(api);

interface WaveformPart {
  from?: string;
  to?: string;
}
/** The record begins before its trigger, and of a part it has the samples of that part. */
function withPart({ waveform, ...file }: EventFile, { from = "-0.1", to = "0.3" }: WaveformPart): EventFile {
  if (!waveform) return { waveform, ...file };
  const part = { from: Number(from), to: Number(to) };
  const step = (part.to - part.from) / Math.max(1, waveform.times.length - 1);
  return {
    ...file,
    waveform: { ...waveform, start: -0.1, end: 0.3, ...part, times: waveform.times.map((_, index) => part.from + index * step) },
  };
}

/** Where an answer repeats what was asked, it does. */
function asAsked(endpoint: Endpoint, input: Record<string, unknown>, answer: unknown): unknown {
  // The one setting of which a form needs the shape.
  if (endpoint === api.getSystemConfigEntry) return defaultFaultLibraryFlags.slice(0, 3);
  if (endpoint === api.getNodeDashboard) return { ...(answer as NodeDashboard), isFull: true, removed: [] };
  if (endpoint === api.getEventFile) return withPart(answer as EventFile, input["query"] as WaveformPart);
  if (endpoint !== api.getTrends) return answer;
  const names = readSeriesText((input["query"] as { series: string }).series);
  const { series, ...times } = answer as Trends;
  return { ...times, series: series.map((each, index) => ({ ...each, ...names[index % names.length] })) };
}

/** A server whose every answer is invented. */
export function invented(invention: Invention) {
  const known = new Map<Endpoint, unknown>();
  const answerOf = (endpoint: Endpoint) => (input: Record<string, unknown>) => {
    if (!known.has(endpoint)) known.set(endpoint, inventAnswer(endpoint, invention));
    return asAsked(endpoint, input, known.get(endpoint));
  };
  return fakeApi(Object.fromEntries(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, answerOf(endpoint)])));
}
/** A server that refuses everything. */
export const refusing = () =>
  fakeApi(
    Object.fromEntries(
      endpoints.map(({ method, path }) => [
        `${method} ${path}`,
        () => {
          throw new ApiError(422, "REFUSED", `The server refuses ${method} ${path}`);
        },
      ]),
    ),
  );
/** A server that never answers. */
export const silent = () =>
  fakeApi(Object.fromEntries(endpoints.map(({ method, path }) => [`${method} ${path}`, () => new Promise<never>(() => undefined)])));

/** A part that is fetched when it is shown would come at any time. */
export async function fetchAllParts(): Promise<void> {
  for (const load of Object.values(import.meta.glob(["../**/*.tsx", "!../main.tsx", "!../**/*.test.tsx"]))) await load();
}

let stops: (() => void)[] = [];

/** The same moment at any time; what happens every few seconds does not. */
export async function beginWalk(): Promise<void> {
  vi.useFakeTimers({ now: inventedNow * 1000, toFake: ["Date", "setInterval", "clearInterval"] });
  stops = [followSession(), followPainting()];
  followRouter(true);
  hurryTimers(true);
  // What no one looks at is not painted, which is a tenth of the time.
  document.documentElement.style.opacity = "0";
  // Whoever used the keyboard last sees where the focus is; a test before may have used the mouse.
  await userEvent.keyboard("{F9}");
}

export async function endWalk(): Promise<void> {
  hurryTimers(false);
  document.documentElement.removeAttribute("style");
  currentSession.clear();
  location.hash = "#/";
  await whenRouter(() => (router.state.resolvedLocation?.pathname ?? "/") === "/");
  for (const stop of stops) stop();
  vi.useRealTimers();
}

export const signInForAll = (): void => currentSession.set(fakeToken(), ["systemAdministrator", "accountsAdministrator"]);

const withoutScreen = ["/", "/logout"];
/** Whoever is signed in goes past the first, and the last signs out. */
export const screensOf = (routes: Record<string, readonly string[]>): string[] =>
  Object.entries(routes).flatMap(([path, each]) => (withoutScreen.includes(path) ? [] : each));

/** Where nothing is. */
export const elsewhere = "/nowhere";

export async function goTo(address: string): Promise<void> {
  const [path] = address.split("?");
  const isAt = (wanted: string | undefined) => router.state.location.pathname === wanted;
  // What another address of the same screen shows would be taken for it.
  if (isAt(path)) await goTo(elsewhere);
  location.hash = `#${address}`;
  await whenRouter(() => isAt(path));
}

/** Unlike Vitest's own waits it leaves the clock where it is. */
async function whenRouter(hasArrived: () => boolean): Promise<void> {
  while (!hasArrived()) await drawnFrame();
}

/** A frame, and whatever is still drawn then. */
const drawnFrame = () => new Promise((frame) => void requestAnimationFrame(frame)).then(whenDrawn);

let hasRouter = true;
/** A router that nothing shows stays where its last screen left it. */
export const followRouter = (isShown: boolean): void => {
  hasRouter = isShown;
};

const quietTurns = 3;
/** What has not come by then does not come: it is missing in what is compared. */
const mostTurns = 100;

/** Goes on when the screen has not changed for some frames, and nothing on it is loading. */
export async function settle(isLoading = false): Promise<void> {
  let changes = 0;
  const observer = new MutationObserver(() => changes++);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let turns = 0, quiet = 0; quiet < quietTurns && turns < mostTurns; turns++) {
    const before = changes;
    await drawnFrame();
    const isReady =
      !isMoreToCome() &&
      (!hasRouter || router.state.status === "idle") &&
      (isLoading || document.querySelector("main [aria-busy=true]") === null);
    quiet = isReady && changes === before ? quiet + 1 : 0;
  }
  observer.disconnect();
}
