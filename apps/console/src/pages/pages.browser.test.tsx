import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { currentSession } from "#features/access/session/current-session.ts";
import { App, followSession } from "../app.tsx";
import { router } from "../router.tsx";
import { fakeApi, fakeToken } from "../testing/fake-api.ts";

let stopFollowing: () => void;
beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
  currentSession.set(fakeToken(), ["systemAdministrator", "accountsAdministrator"]);
});
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

/** Each address with its title, its heading where it is known before anything is answered, and what is asked for it, among other calls. */
const pages: [address: string, title: string, heading: string, asked: string[]][] = [
  ["/home", "Home", "Welcome", ["GET /home/needs"]],
  ["/batches", "Batches", "Batches", ["GET /batches"]],
  ["/batches/12", "Batch 12", "Batch 12", ['GET /batches/{id} {"id":"12"}']],
  ["/batches/new?nodes=10001-3", "Change many nodes", "Change many nodes", []],
  ["/bulk/12", "Bulk change 12", "Bulk change 12", ['GET /bulk-changes/{id} {"id":"12"}']],
  ["/bulk/new?nodes=10001,10003", "Edit many", "Edit many nodes", []],
  [
    "/bulk/new?locations=4-5",
    "Edit many",
    "Edit many locations",
    ["GET /nodes", 'GET /system/config/{name} {"name":"Location_faultLibraryAlertDefault"}'],
  ],
  ["/bulk/new?users=7", "Edit many", "Subscriptions of many users", ["GET /users", "GET /locations/movetargets"]],
  [
    "/changes?object=node/10001",
    "Changes",
    "Changes",
    ["GET /changes/people", 'GET /views {"list":"changes"}', 'GET /changes {"object":"node/10001","limit":"25"}'],
  ],
  ["/coverage?kind=D&node=10001", "Data coverage", "Data coverage", []],
  ["/customersummary", "Customer Summary", "Customer Summary", ["GET /customers/summary"]],
  ["/reports/users", "User Report", "Download User List", ["GET /customers/names"]],
  ["/subscriptionreport?filterText=a&facilityFilterText=b", "Subscription Report", "Subscription Report", ["GET /subscriptions/report"]],
  ["/accounts/billing", "Billing", "Generate a Bill", ["GET /billing/bills", "GET /billing/organizations"]],
  ["/customers?filterText=x", "Customers", "ALL CUSTOMERS", ["GET /customers"]],
  ["/deployments", "Deployments", "Deployments", ["GET /deployments"]],
  ["/deployments/10001", "Deployment of 10001", "Deployment of 10001", ['GET /nodes/{serial}/tasks {"serial":"10001"}']],
  ["/downloads", "Downloads", "Downloads", ["GET /downloads"]],
  [
    "/activity/eventfiles/E_1?from=5&to=9",
    "Event File",
    "Event File",
    ['GET /activities/events/files/{eventFileName} {"eventFileName":"E_1","columns":"1000"}'],
  ],
  ["/events/E_1?kind=trip&begin=5&end=9", "Event E_1", "", ['GET /events/{eventName} {"eventName":"E_1","kind":"trip"}']],
  ["/events?kind=trip", "Events", "Events", ['GET /views {"list":"events"}', 'GET /events {"kind":"trip","limit":"25"}']],
  ["/facilities/12", "Facility", "Facility", ['GET /facilities/{id}/overview {"id":"12"}']],
  ["/notifications?from=11&upTo=77", "Notifications", "Notifications", ['GET /notifications {"from":"11","count":"10","upTo":"77"}']],
  ["/activities/allactivities?from=21&upTo=77", "Activities", "Activities", ['GET /activities {"from":"21","count":"10","upTo":"77"}']],
  [
    "/activities/gpnodeevents?from=11&filterText=10001",
    "GP Node Events",
    "GP Node Events",
    ['GET /activities {"from":"11","count":"20","action":"POST_CUSTOMER_GP_EVENT","actor":"10001"}'],
  ],
  [
    "/activities/gpnodewaveforms?from=11",
    "GP Node Waveforms",
    "GP Node Waveforms",
    ['GET /activities {"from":"11","count":"20","action":"POST_CUSTOMER_GP_WAVEFORM"}'],
  ],
  ["/activities/logins?count=2000", "User Logins", "Login Events", ['GET /sessions/history/recent {"count":"1000"}']],
  ["/activities/logins", "User Logins", "Login Events", ['GET /sessions/history/recent {"count":"20"}']],
  [
    "/node-dashboard/files/10001_5.txt",
    "File Contents",
    "File Contents",
    ['GET /node-dashboard/files/{fileName} {"fileName":"10001_5.txt"}'],
  ],
  ["/import?of=users", "Import", "Import users", []],
  ["/import?of=nonsense", "Import", "Import customers, facilities and locations", []],
  ["/incidents?state=all", "Incidents", "Incidents", ["GET /incidents/people", "GET /incidents"]],
  ["/incidents/12", "Incident", "Incident", ['GET /incidents/{id} {"id":"12"}']],
  ["/system/activity", "Live Activity", "Live Activity", ["GET /system/activities"]],
  ["/muted", "Muted", "Muted", ["GET /mutes", "GET /mutes/pauses", "GET /system/messages/muted"]],
  ["/networkconfig?filter=x", "Network Config", "Network Config", ['GET /auditlog/networkconfig {"limit":"200","filter":"x"}']],
  ["/nodes/10001/tasks", "10001 tasks", "10001 tasks", ['GET /nodes/{serial}/tasks {"serial":"10001"}']],
  ["/nodes/10001", "Node 10001", "", ['GET /nodes/{serial}/overview {"serial":"10001"}']],
  ["/nodes?filterText=a", "Nodes", "Nodes", ["GET /nodes"]],
  [
    "/node-dashboard/10001/files?kinds=S&dataInterval=60&scrollPos=0",
    "Files 10001",
    "",
    ['GET /node-dashboard/{serial}/files/summary {"serial":"10001"}'],
  ],
  ["/system/services", "Service State", "", ["GET /system/services"]],
  ["/system/errors", "Service State", "", ["GET /system/errors"]],
  ["/system/warnings", "Service State", "", ["GET /system/warnings"]],
  ["/system/debug", "Service State", "", ["GET /system/debug"]],
  ["/system/config", "Configure Application", "", ["GET /system/config"]],
  ["/users?filterText=a", "Users", "Users", ["GET /users"]],
  ["/no/such", "Not found", "This page does not exist", []],
];

test("each address has its title and its heading, and asks for what it is about", async () => {
  const fake = fakeApi({});
  await render(<App call={fake.call} styleNonce="" />);
  for (const [address, title, heading, calls] of pages) {
    fake.asked.length = 0;
    location.hash = `#${address}`;
    await expect.poll(() => document.title, { message: address }).toMatch(new RegExp(` - ${title}$`));
    const known = new RegExp(heading === "" ? "" : `^${heading}$`);
    await expect.poll(() => document.querySelector("h1")?.textContent ?? "", { message: address }).toMatch(known);
    const asked = () =>
      fake.asked.map(({ endpoint, input: { params, query } }) => {
        const said = JSON.stringify({ ...(params as object), ...(query as object) });
        return said === "{}" ? endpoint : `${endpoint} ${said}`;
      });
    await expect.poll(asked, { message: address }).toEqual(expect.arrayContaining(calls));
  }
});
