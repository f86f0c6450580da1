import type { EndpointName } from "@busbar/contract/api.ts";
import { nameOf } from "#testing/sample-files.ts";
import { day, hour, quarter } from "./world-times.ts";
import type { Places } from "./places.ts";
import { confirming, type WorldRead } from "./world-steps.ts";

interface Found {
  places: Places;
  personId: (username: string) => number;
  now: number;
  /** At which as much as possible happened. */
  moment: number;
  photoIds: readonly number[];
}

/** What is asked of the world, of every call that only reads: the whole, and with every filter that it has. */
export function worldReads({ places, personId, now, moment, photoIds }: Found): Partial<Record<EndpointName, readonly WorldRead[]>> {
  const serials = (...numbers: number[]) => numbers.map((serial) => ({ params: { serial } }));
  const queries = (...texts: string[]) => texts.map((query) => ({ query }));
  const range = `from=${quarter(30)}&to=${quarter(-2)}`;
  const late = `from=${quarter(3)}&to=${quarter(0)}`;
  const at = (kind: string, from: string, to = from) => `kind=${kind}&from=${from}&to=${to}`;
  const whoAsks = [{}, { as: "plain" }];
  return {
    getNodeDashboard: [{}],
    getScalarHistory: [
      ...serials(11_006),
      { params: { serial: 11_001 }, query: "limit=10" },
      { params: { serial: 11_002 }, query: "limit=3" },
      { params: { serial: 11_003 }, query: `limit=2&before=${quarter(2)}` },
    ],
    getTrends: [
      ...queries(
        `series=11001:current,11002:voltage,11005:powerKw&${range}&points=20`,
        `series=11001:current1&${late}&points=10`,
        `series=11001:current&from=${quarter(500)}&to=${quarter(0)}`,
      ),
      { query: `series=11001:voltage&${range}&points=5`, key: "ann" },
      { query: `series=11001:voltage&${range}&points=5`, key: "bob" },
    ],
    getTrendMarks: queries(
      `nodes=11001,11002,11004,11005&from=${quarter(200)}&to=${quarter(-4)}`,
      `nodes=11002&${late}`,
      ...[-1, 0, 1, 60, 300, 600].map((after) => `nodes=11001,11002&from=${moment + after}&to=${moment + after + 1}`),
      `nodes=11005,11007,11012&from=${quarter(500)}&to=${quarter(-4)}`,
    ),
    getTrendProfile: [
      { query: `series=11001:current&${range}` },
      { query: `series=11002:voltage&${range}`, key: "ann" },
      { query: `series=11002:voltage&${range}`, key: "bob" },
    ],
    getTrendDuration: [
      { query: `series=11001:current&${range}` },
      { query: `series=11003:voltage&${late}`, key: "ann" },
      { query: `series=11003:voltage&${late}`, key: "bob" },
    ],
    getTrendScatter: [
      { query: `x=11001:current&y=11002:current&${late}` },
      { query: `x=11001:current&y=11001:voltage&${range}`, key: "ann" },
      { query: `x=11001:current&y=11001:voltage&${range}`, key: "bob" },
    ],
    getTrendDays: [
      { query: `node=11001&${range}` },
      { query: `node=11002&${range}`, key: "ann" },
      { query: `node=11002&${range}`, key: "bob" },
    ],
    getNodeOverview: serials(11_001, 11_002, 11_003, 11_004, 11_005, 11_006, 11_007, 11_008, 11_009, 11_012, 11_020),
    getFacilityOverview: [places.north, places.south, places.mill].map(({ id }) => ({ params: { id } })),
    getDeployments: [{}],
    getNodeWeek: serials(11_001, 11_002, 11_004, 11_005),
    getNodeVerdict: serials(11_001, 11_002, 11_005, 11_006, 11_012),
    getCoverage: queries(at("D", "2026-03-10", "2026-03-13"), at("S", "2026-03-12"), at("scalars", "2026-03-11", "2026-03-12")),
    getNodeCoverage: [
      { params: { serial: 11_001 }, query: at("D", "2026-03-10", "2026-03-13") },
      { params: { serial: 11_002 }, query: at("scalars", "2026-03-12") },
    ],
    getNodeTasks: serials(11_010, 11_001),
    getTaskPhoto: [{ params: { serial: 11_001, id: 201, photoId: photoIds[1]! } }],
    getLocation: [places.pump, places.blower, places.crusher, places.saw, places.spare].map(({ id }) => ({ params: { id } })),
    getAvailableNodes: [{}],
    getMoveTargets: [{}],
    getLocationNotes: [places.pump, places.saw].flatMap(({ id }) => [
      { params: { id } },
      { params: { id }, query: "include_archived=true" },
    ]),
    getNodePlotNotes: [...serials(11_001, 11_009), { params: { serial: 11_001 }, query: `from=${now - day}&to=${now}` }],
    getSystemConfigEntry: [{ params: { name: "Location_faultLibraryAlertDefault" }, as: "plain" }],
    getCustomers: [{}],
    getBulkChange: [1, 2, 3].map((id) => ({ params: { id } })),
    getNodeCredentials: queries("serials=11001,11002,11003,11008,11009"),
    getFreePlaces: queries("", "text=south", "text=pump"),
    getSwapPlan: [
      ...serials(11_001),
      { params: { serial: 11_001 }, query: "newSerialNumber=11007" },
      { params: { serial: 11_002 }, query: "newSerialNumber=11006" },
    ],
    getNodeSwap: serials(11_009, 11_001, 11_003),
    getNodeConfig: [{ params: { serial: 11_001 }, nodes: confirming }],
    getNodeConfigTypes: serials(11_001, 11_005),
    getBatches: queries("", "before=2"),
    getBatch: [1, 2].map((id) => ({ params: { id } })),
    getBatchNodes: [1, 2].map((id) => ({ params: { id } })),
    getNetworkConfigLog: queries("", "limit=2", "before=3", "filter=v_noise plain", "filter=11002"),
    getBillingOrganizations: [{ as: "books" }],
    getBill: [
      { params: { id: 1 }, query: "billDate=2026-12-31&paidThruDate=2025-12-31", as: "books" },
      {
        params: { id: 1 },
        query: "billDate=2027-02-28&paidThruDate=2026-01-31&voltaEnergy=true&vendorId=V&purchaseOrder=P&terms=T&invoiceNumber=I",
      },
    ],
    getRegisteredBills: queries("", "before=2"),
    getBilledMonth: ["2026-03", "2024-01"].map((month) => ({ params: { month } })),
    getCustomerSummary: [{}],
    getSubscriptionReport: [{ as: "books" }],
    getUserReport: queries(
      "",
      "customer_code=birch",
      "include_internal_users=true",
      "include_inactive_users=true",
      "include_internal_users=true&include_inactive_users=true&customer_code=birch",
    ),
    getMetering: [
      { params: { id: places.pump.id } },
      { params: { id: places.blower.id }, query: "doLineToNeutral=true&string=true&watch=false" },
      { params: { id: places.crusher.id }, query: "watch=false" },
    ],
    getRawMetering: serials(11_001, 11_003),
    getNodeWiring: serials(11_001, 11_002, 11_005),
    getNodes: [{}],
    getNode: serials(11_001, 11_002, 11_003, 11_004, 11_006, 11_007, 11_008, 11_009, 11_010),
    getNodeContainers: [{}],
    getUsers: [{}],
    getUserSessions: ["chief", "ann"].map((name) => ({ params: { id: personId(name) } })),
    getUserAnalyticsUrl: [{ params: { id: personId("art") } }],
    getApiKeys: ["ann", "bob"].map((name) => ({ params: { id: personId(name) } })),
    getUserKeys: ["ann", "bob"].map((name) => ({ params: { id: personId(name) } })),
    getCustomerNames: [{}],
    getCustomerLocations: [{ key: "ann" }, { key: "bob" }],
    getAccount: whoAsks,
    getOwnSessions: whoAsks,
    getServices: [{}],
    getWaitingWork: ["FileExtraction", "EventFileParser", "ConfigBatches", "NotificationSender", "NodeVerdicts"].map((name) => ({
      params: { name },
    })),
    getErrors: [{}, { as: "keeper" }],
    getWarnings: [{}, { as: "keeper" }],
    getDebugs: [{}],
    getMutedMessages: [{}],
    getSystemConfig: [{}],
    find: queries(
      "text=alder",
      "text=1100",
      "text=pump",
      "text=ann",
      "text=11001_202603",
      "text=11001_20260312T16",
      "text=roll",
      "text=billing",
    ),
    getActivities: queries("", "from=3&count=4", "actor=plain", "action=PATCH_NODE", "count=5&upTo=20"),
    getChangePeople: [{}],
    getChanges: [
      ...queries(
        "",
        "kind=users&limit=500",
        "kind=bills",
        "kind=settings",
        "action=PATCH_NODE",
        "actor=plain&limit=50",
        "object=node/11001",
        `from=${now - 3 * hour}&limit=3`,
        `to=${now - day}&limit=3`,
        "before=30&limit=5",
      ),
      { query: "kind=bills", as: "plain" },
    ],
    getNotifications: queries("", "from=2&count=3", "count=2&upTo=4"),
    getHomeNeeds: [{}, { as: "plain" }],
    getIncidents: queries(
      "",
      "state=open",
      "state=new",
      "state=ended",
      "kind=alarm",
      "serial=11001",
      `facility=${places.north.id}`,
      "owner=plain",
      `from=${now - hour}`,
      `to=${now - day}`,
      ...[0, 1].flatMap((after) => [`kind=outage&from=${moment + 600 + after}`, `kind=outage&to=${moment + after}`]),
      "before=3",
    ),
    getIncidentPeople: [{}],
    getIncident: [1, 2, 3, 11, 12, 13].map((id) => ({ params: { id } })),
    getUserSubscriptions: ["ann", "art", "bob"].map((name) => ({ params: { id: personId(name) } })),
    getFacilitySubscriptions: [places.north, places.mill].map(({ id }) => ({ params: { id } })),
    getMutes: [{}],
    getPauses: [{}],
    getRecentLogins: queries("", "count=3"),
    getLiveActivity: [{ as: "plain" }],
    getNodeFiles: [
      ...serials(11_001, 11_002, 11_004, 11_005),
      { params: { serial: 11_001 }, query: `before=${quarter(3)}` },
      { params: { serial: 11_001 }, query: `after=${quarter(3)}&limit=1` },
      { params: { serial: 11_002 }, query: "kinds=HS" },
    ],
    getNodeFilesSummary: serials(11_001, 11_005, 11_006),
    getFileContents: [nameOf(11_001, quarter(2), "D"), nameOf(11_002, quarter(7), "D"), nameOf(11_005, quarter(4), "X", "csv")].map(
      (fileName) => ({ params: { fileName } }),
    ),
    getRawFile: [{ params: { fileName: nameOf(11_005, quarter(4), "X", "csv") } }],
    getSensorData: ["current", "previous", "next"].flatMap((type) => [
      { params: { serial: 11_001, type }, query: `offset=${quarter(3)}` },
      { params: { serial: 11_001, type }, query: `offset=${quarter(5)}` },
      { params: { serial: 11_005, type }, query: `offset=${quarter(3)}` },
    ]),
    getDownloads: whoAsks,
    getEventFile: [
      { params: { eventFileName: nameOf(11_004, quarter(5) + 7, "E", "cev") }, query: "columns=20" },
      { params: { eventFileName: nameOf(11_004, quarter(9) + 7, "E", "cev") }, query: "from=0&to=0.02&columns=5&text=no" },
      { params: { eventFileName: nameOf(11_004, quarter(12) + 1, "E", "cfg") } },
    ],
    getEvent: [nameOf(11_004, quarter(5) + 7, "E", "cev"), nameOf(11_004, quarter(9) + 7, "E", "cev")].map((name) => ({
      params: { eventName: name.slice(0, 28) },
    })),
    getEvents: queries(
      "",
      "text=crusher",
      "node=11007",
      `location=${places.crusher.id}`,
      `facility=${places.south.id}`,
      `customer=${places.alder.id}`,
      "kind=trip",
      "kind=event",
      "status=failed",
      "status=read&limit=1",
      "amperes=500",
      "span=today",
      "span=lastNight",
      "span=week",
      "span=month",
      "span=yesterday",
      "from=2026-03-11&to=2026-03-11",
      `before=${nameOf(11_004, quarter(5) + 7, "E", "cev").slice(0, 28)}`,
    ),
    getViews: [{ query: "list=nodes" }, { query: "list=nodes", as: "plain" }, { query: "list=users" }],
  };
}
