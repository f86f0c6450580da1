import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Location } from "@busbar/contract/directory/locations.ts";
import type { NodeSwap, SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Found } from "@busbar/contract/system/find.ts";
import type { TrendMark } from "@busbar/contract/telemetry/trends.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { Metric, MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createSecretsKey } from "#db/secrets-key.ts";
import { inTransaction } from "#db/transaction.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { totpCode } from "#lib/totp.ts";
import { openTotpSecret, readTotpKey } from "#shared/totp-secret.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addOrganization } from "#testing/test-bills.ts";
import { createTestIngest, startTestNode, testSecret, type TestIngest } from "#testing/test-ingest.ts";
import { addPlace as addRawPlace, setLive } from "#testing/test-world.ts";
import { copyTaskNotes, createSwapCopyStore, findSwap, findSwapNode, leaveValues, reopenTasks } from "./node-swaps.store.ts";

let server: TestApp;
let ingest: TestIngest;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestApp();
  ingest = await createTestIngest({}, server.database);
  for (const [name, roles] of [
    ["ada", ["accountsAdministrator"]],
    ["bo", []],
    ["cy", []],
  ] as const)
    tokens[name] = await server.login(await server.addAdministrator(name, [...roles]));
});
afterAll(async () => {
  await ingest.stop();
  await server.stop();
});

type Method = "GET" | "POST" | "PATCH" | "DELETE";
const send = (method: Method, path: string, payload?: object, who = "ada") =>
  server.call({ method, url: `/api${path}`, token: tokens[who] ?? "", ...(payload ? { payload } : {}) });
const data = async <T>(method: Method, path: string, payload?: object): Promise<T> => {
  const { status, json, text } = await send(method, path, payload);
  expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return json["data"] as T;
};

let numbers = 40_000;
const addNode = async (fields: object = {}): Promise<Node> =>
  await data<Node>("POST", "/nodes", { serialNumber: String(numbers++), container: "Rack", newDeploymentStatus: "Unassigned", ...fields });

interface Place {
  customer: number;
  facility: number;
  location: Location;
}
/** A customer, a facility and a location with this node. */
async function addPlace(nodeSerialNumber: string, fields: object = {}): Promise<Place> {
  const code = `swap${String.fromCharCode(97 + (numbers % 26), 97 + (Math.floor(numbers++ / 26) % 26))}`;
  const { id: customer } = await data<{ id: number }>("POST", "/customers", { code, name: `Customer ${code}` });
  const { id: facility } = await data<{ id: number }>("POST", `/customers/${customer}/facilities`, {
    name: "North Works",
    siteName: "North",
  });
  const location = await data<Location>("POST", `/customers/${customer}/facilities/${facility}/locations`, {
    name: `Pump ${code}`,
    equipmentType: "InductionMotor",
    timezone: "America/Chicago",
    nodeSerialNumber,
    ...fields,
  });
  return { customer, facility, location };
}

const swapOf = (newSerialNumber: string, fields: object = {}) => ({
  newSerialNumber,
  isNew: false,
  oldNodeStatus: "Unassigned",
  reason: "No voltage on phase B",
  ...fields,
});
const swap = (old: string, next: string, fields: object = {}, who = "ada") => send("POST", `/nodes/${old}/swap`, swapOf(next, fields), who);
const details = (serial: string) => data<Node>("GET", `/nodes/${serial}/details`);
const lastSwap = async (serial: string) => (await data<{ swap: NodeSwap | null }>("GET", `/nodes/${serial}/swap`)).swap;
const said = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];

const oldValues = {
  np_voltage: "480",
  np_frequency: "60",
  np_poles: "2",
  np_running_speed: "3550",
  i_noise: "0.7",
  node_name: "PUMP",
  Motor: "",
};
const freshValues = {
  np_voltage: "460",
  np_frequency: "60",
  np_poles: "4",
  np_running_speed: "1750",
  i_noise: "0.5",
  node_name: "X",
  Motor: "",
};

const textOf = ({ value }: Metric): string => (typeof value === "string" ? value : JSON.stringify(value));

interface FakeNode {
  heard: Metric[];
  values: Record<string, string>;
  /** It answers what it gets while this is so. */
  answers: boolean;
  leave(): void;
}

/** A connected node of these values that says OK to everything, but for what `refuses` says. */
async function connectNode(serial: number, start: Record<string, string>, refuses: Record<string, string> = {}): Promise<FakeNode> {
  await server.database.pool.query("insert into node_credential (serial_number, secret_hash) values ($1, $2)", [
    serial,
    hashNodeSecret(testSecret),
  ]);
  const node = await startTestNode(ingest, serial);
  const fake: FakeNode = { heard: [], values: { ...start }, answers: true, leave: () => node.client.end(true) };
  const metricOf = (key: string): MetricInput => ({
    name: `Config/${key}`,
    datatype: DataType.String,
    value: fake.values[key] ?? "",
    timestamp: Date.now(),
  });
  node.client.on("message", (_topic, bytes) => {
    const answers = decodePayload(bytes).metrics.flatMap((metric): MetricInput[] => {
      if (metric.name === metricNames.configRefresh)
        return [
          ...Object.keys(fake.values).map(metricOf),
          { name: metric.name, datatype: DataType.String, value: metric.value, timestamp: Date.now() },
        ];
      const key = metric.name?.slice("Config/".length) ?? "";
      const requestId = metric.properties?.get("requestId");
      if (!requestId) return [];
      fake.heard.push(metric);
      if (!fake.answers) return [];
      const result = refuses[key] ?? "OK";
      if (result === "OK") fake.values[key] = textOf(metric);
      return [
        {
          ...metricOf(key),
          properties: new Map([
            ["requestId", requestId],
            ["result", { type: DataType.String, value: result }],
          ]),
        },
      ];
    });
    if (answers.length > 0) node.data(answers).catch(() => undefined);
  });
  await node.client.subscribeAsync(nodeTopic("NCMD", groupOf(serial), String(serial)), { qos: 1 });
  await node.birth(Object.keys(start).map(metricOf));
  await vi.waitUntil(async () => (await data<{ connected: boolean }>("GET", `/nodes/${serial}/overview`)).connected);
  return fake;
}

const statesOf = ({ values }: NodeSwap) => Object.fromEntries(values.map(({ key, state }) => [key, state]));
const settled = (serial: string) =>
  vi.waitUntil(async () => {
    const found = await lastSwap(serial);
    return found?.isCopying === false && found;
  });

test("Job 3 the new node takes place, thresholds, flags, container, task version and notes of open tasks; history stays with the old one", async () => {
  const old = await addNode({
    container: "Crate 7",
    newDeploymentStatus: "Deployed",
    overVoltageThreshold: 12,
    activePc: false,
    pauseNotifications: true,
    dataPointInterval: 60,
  });
  const next = await addNode({ deploymentTaskType: "NL-NF" });
  const { location } = await addPlace(old.serialNumber);
  const addNote = (note: string) => data<{ id: number }>("POST", `/v2/locations/${location.id}/notes`, { timestamp: 1_790_000_000, note });
  const archived = await addNote("Of another belt");
  await data("POST", `/v2/locations/${location.id}/notes/${archived.id}/archive`);
  await addNote("Belt replaced");
  await data("PATCH", `/v2/nodes/${old.serialNumber}/tasks/tasktemplate/102`, { status: "NOT_COMPLETED", notes: "Ask for the photo" });
  // It was at no place yet: what is done of its tasks stays.
  await data("PATCH", `/v2/nodes/${next.serialNumber}/tasks/tasktemplate/101`, { status: "COMPLETED", notes: "" });

  const plan = await data<SwapPlan>("GET", `/nodes/${old.serialNumber}/swapplan?newSerialNumber=${next.serialNumber}`);
  expect(plan).toMatchObject({
    locationName: location.name,
    isSecondary: false,
    noteCount: 1,
    taskNoteCount: 1,
    keptFlags: ["pauseNotifications"],
    problem: null,
    newNode: { connected: false, reopenedTaskCount: 0 },
    fields: [
      { field: "container", from: "Rack", to: "Crate 7" },
      { field: "dataPointInterval", from: "900", to: "60" },
      { field: "overVoltageThreshold", from: "8", to: "12" },
      { field: "activePc", from: "true", to: "false" },
    ],
    config: [],
  });
  const { status } = await swap(old.serialNumber, next.serialNumber, {
    oldRevision: plan.oldRevision,
    newRevision: plan.newNode?.revision,
  });
  expect(status).toBe(200);

  expect(await details(next.serialNumber)).toMatchObject({
    locationId: location.id,
    slot: 1,
    container: "Crate 7",
    dataPointInterval: 60,
    overVoltageThreshold: 12,
    activePc: false,
    pauseNotifications: false,
    deploymentTaskType: "RMA",
    currentDeploymentStatus: "Pre-Deployment",
  });
  expect(await details(old.serialNumber)).toMatchObject({
    locationId: null,
    currentDeploymentStatus: "Unassigned",
    overVoltageThreshold: 12,
    unassignedLocation: location.name,
  });
  const { tasks } = await data<{ tasks: { taskTemplateId: number; notes: string; status: string }[] }>(
    "GET",
    `/v2/nodes/${next.serialNumber}/tasks`,
  );
  expect(tasks.find(({ taskTemplateId }) => taskTemplateId === 102)).toMatchObject({ notes: "Ask for the photo", status: "NOT_COMPLETED" });
  expect(tasks.find(({ taskTemplateId }) => taskTemplateId === 101)).toMatchObject({ status: "COMPLETED" });
  expect(await data<unknown[]>("GET", `/v2/locations/${location.id}/notes`)).toHaveLength(1);

  const stored = await lastSwap(old.serialNumber);
  expect(stored).toMatchObject({
    newSerialNumber: next.serialNumber,
    username: "ada",
    reason: "No voltage on phase B",
    isCurrent: true,
    values: [],
  });
  expect(await lastSwap(next.serialNumber)).toEqual(stored);
  const changes = await data<{ action: string; description: string; before: object; after: object }[]>(
    "GET",
    `/changes?kind=swaps&object=location/${location.id}`,
  );
  expect(changes).toMatchObject([
    {
      action: "SWAP_NODE",
      before: { nodeSerialNumber: old.serialNumber },
      after: { nodeSerialNumber: next.serialNumber, reason: "No voltage on phase B", oldNodeStatus: "Unassigned" },
    },
  ]);
  for (const serial of [old.serialNumber, next.serialNumber])
    expect(await data("GET", `/changes?kind=swaps&object=node/${serial}`)).toEqual(changes);
  expect(changes[0]?.description).toContain(`Node ${old.serialNumber} was swapped for ${next.serialNumber}`);

  for (const serial of [old.serialNumber, next.serialNumber]) {
    const overview = await data<{ changes: { description: string }[] }>("GET", `/nodes/${serial}/overview`);
    expect(overview.changes.filter(({ description }) => description === changes[0]?.description)).toHaveLength(1);
  }

  const at = stored?.timestamp ?? 0;
  const { marks } = await data<{ marks: TrendMark[] }>(
    "GET",
    `/trends/marks?nodes=${old.serialNumber},${next.serialNumber}&from=${at - 1}&to=${at + 2}`,
  );
  expect(
    marks
      .filter(({ timestamp, text }) => timestamp === at && / (for|of) \d/.test(text))
      .map(({ serialNumber, text, ref }) => [serialNumber, text, ref]),
  ).toEqual([
    [old.serialNumber, `Swapped for ${next.serialNumber}`, `node/${next.serialNumber}`],
    [
      next.serialNumber,
      expect.stringMatching(new RegExp(`${location.name}, in the place of ${old.serialNumber}$`)),
      `location/${location.id}`,
    ],
  ]);
  const found = await data<Found[]>("GET", `/find?text=${old.serialNumber}`);
  expect(found.map(({ kind, id, serialNumber, formerSerialNumber }) => [kind, id, serialNumber, formerSerialNumber])).toEqual([
    ["node", old.serialNumber, old.serialNumber, ""],
    ["location", String(location.id), next.serialNumber, old.serialNumber],
  ]);
});

test("the old node becomes what was chosen; a node that does not exist yet is added; what was done elsewhere is open again", async () => {
  const [first, second] = [await addNode({ type: "SEL" }), await addNode({ type: "SEL" })];
  const nameplate = { npVoltage: 460, npCurrent: 50, npHp: 40, npRpm: 1750, npPoles: 4, npRotorBars: 40, npServiceFactor: 1.15 };
  const primary = await addNode();
  const { customer, location } = await addPlace(primary.serialNumber, {
    ...nameplate,
    equipmentType: "DCMotor",
    secondaryNodeSerialNumber: first.serialNumber,
  });
  const added = String(numbers++);
  expect((await swap(first.serialNumber, added)).status).toBe(400);
  expect((await swap(first.serialNumber, added, { isNew: true, oldNodeStatus: "Decommissioned" })).status).toBe(200);
  expect(await data<Location>("GET", `/locations/${location.id}`)).toMatchObject({
    nodeSerialNumber: primary.serialNumber,
    secondaryNodeSerialNumber: added,
  });
  expect(await details(added)).toMatchObject({ type: "SEL", container: "Rack", slot: 2, deploymentTaskType: "RMA" });
  expect(await details(first.serialNumber)).toMatchObject({
    currentDeploymentStatus: "Decommissioned",
    customerId: customer,
    facilityName: "North Works",
  });

  await data("PATCH", `/v2/nodes/${added}/tasks/tasktemplate/101`, { status: "COMPLETED", notes: "done" });
  expect((await swap(added, second.serialNumber, { oldNodeStatus: "Pre-Deployment" })).status).toBe(200);
  expect(await details(added)).toMatchObject({
    currentDeploymentStatus: "Pre-Deployment",
    newDeploymentStatus: "Pre-Deployment",
    isAssigned: false,
  });
  // Back again: it was at a place, so its tasks begin anew.
  const plan = await data<SwapPlan>("GET", `/nodes/${second.serialNumber}/swapplan?newSerialNumber=${added}`);
  expect(plan).toMatchObject({ isSecondary: true, newNode: { reopenedTaskCount: 1 } });
  expect((await swap(second.serialNumber, added)).status).toBe(200);
  const { tasks } = await data<{ tasks: { taskTemplateId: number; status: string; notes: string }[] }>("GET", `/v2/nodes/${added}/tasks`);
  expect(tasks.find(({ taskTemplateId }) => taskTemplateId === 101)).toMatchObject({ status: "NOT_COMPLETED", notes: "done" });
});

describe("bad input", () => {
  test("a new node that is elsewhere, decommissioned, of another type or the same is refused by name; nothing is changed", async () => {
    const [old, elsewhere, retired, relay, leaving] = await Promise.all([
      addNode(),
      addNode(),
      addNode(),
      addNode({ type: "SEL" }),
      addNode(),
    ]);
    const { customer, location } = await addPlace(old.serialNumber);
    const other = await addPlace(elsewhere.serialNumber);
    await data("POST", `/customers/${customer}/decommissionednodes`, {
      serialNumber: retired.serialNumber,
      facilityName: "North Works",
      siteName: "North",
    });
    await server.database.pool.query("update node set new_deployment_status = 'Decommissioned' where serial_number = $1", [
      leaving.serialNumber,
    ]);
    const cases: [string, object, number, string][] = [
      [old.serialNumber, {}, 400, `Node ${old.serialNumber} cannot take its own place`],
      [elsewhere.serialNumber, {}, 409, `Node ${elsewhere.serialNumber} is already at Customer .* / North Works / ${other.location.name}`],
      [retired.serialNumber, {}, 409, `Node ${retired.serialNumber} is decommissioned`],
      [leaving.serialNumber, {}, 409, `Node ${leaving.serialNumber} is about to be Decommissioned`],
      [relay.serialNumber, {}, 400, `Node ${relay.serialNumber} is a SEL Relay and node ${old.serialNumber} a Node`],
      ["99999", {}, 400, "There is no node 99999"],
      [elsewhere.serialNumber, { isNew: true }, 409, "is already at"],
      [relay.serialNumber, { reason: " " }, 400, "Reason has at least 3 characters"],
    ];
    for (const [serial, fields, status, message] of cases) {
      const answer = await swap(old.serialNumber, serial, fields);
      expect([serial, ...said(answer)]).toEqual([serial, status, expect.stringMatching(new RegExp(message))]);
      const { problem } = await data<SwapPlan>("GET", `/nodes/${old.serialNumber}/swapplan?newSerialNumber=${serial}`);
      expect([serial, problem === null]).toEqual([serial, serial === "99999"]);
    }
    expect(said(await swap(relay.serialNumber, old.serialNumber))).toEqual([
      409,
      `Node ${relay.serialNumber} is at no location: there is no place that another node could take`,
    ]);
    expect((await data<Location>("GET", `/locations/${location.id}`)).nodeSerialNumber).toBe(old.serialNumber);
    expect(await lastSwap(old.serialNumber)).toBeNull();
    expect(said(await send("GET", "/nodes/99999/swap"))).toEqual([404, "Node 99999 was not found"]);
  });

  test("of two people who swap the same node, and of two who want the same new one, one learns who was faster", async () => {
    const [a, b, spare, other] = await Promise.all([addNode(), addNode(), addNode(), addNode()]);
    await addPlace(a.serialNumber);
    const { location } = await addPlace(b.serialNumber);
    const both = await Promise.all([swap(a.serialNumber, spare.serialNumber), swap(a.serialNumber, other.serialNumber, {}, "bo")]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const loser = both.find(({ status }) => status === 409)!;
    expect(loser.json["errorMessage"]).toMatch(new RegExp(`^(ada|bo) has swapped node ${a.serialNumber} for \\d{5} at Pump \\w+ already$`));
    const taken = both[0]?.status === 200 ? spare : other;
    const free = taken === spare ? other : spare;
    const race = await Promise.all([swap(b.serialNumber, free.serialNumber), swap(a.serialNumber, free.serialNumber, {}, "bo")]);
    expect(race.map(({ status }) => status)).toEqual([200, 409]);
    expect(said(await swap(free.serialNumber, taken.serialNumber))).toEqual([
      409,
      expect.stringContaining(`Node ${taken.serialNumber} is already at`),
    ]);
    expect((await data<Location>("GET", `/locations/${location.id}`)).nodeSerialNumber).toBe(free.serialNumber);
  });

  test("what someone changed of the nodes since they were shown is named, and so is a location that was swapped under an edit", async () => {
    const [old, next] = [await addNode(), await addNode()];
    const { customer, facility, location } = await addPlace(old.serialNumber);
    const { oldRevision } = await data<SwapPlan>("GET", `/nodes/${old.serialNumber}/swapplan?newSerialNumber=${next.serialNumber}`);
    await send("PATCH", `/nodes/${old.id}`, { overVoltageThreshold: 11 }, "bo");
    expect(said(await swap(old.serialNumber, next.serialNumber, { oldRevision }))).toEqual([
      409,
      `bo changed over voltage threshold of node ${old.serialNumber} meanwhile. Load it again and repeat your change`,
    ]);
    expect((await swap(old.serialNumber, next.serialNumber)).status).toBe(200);
    const edit = { nodeSerialNumber: null, revision: location.revision };
    expect(said(await send("PATCH", `/customers/${customer}/facilities/${facility}/locations/${location.id}`, edit, "bo"))).toEqual([
      409,
      `ada changed node serial number of location ${location.name} meanwhile. Load it again and repeat your change`,
    ]);
  });
});

describe("the configuration", () => {
  async function addPair(refuses: Record<string, string> = {}) {
    const [old, next] = [await addNode(), await addNode()];
    await addPlace(old.serialNumber);
    const broken = await connectNode(Number(old.serialNumber), oldValues);
    // No one has asked for its configuration yet: who looks at the plan does.
    await data("GET", `/nodes/${old.serialNumber}/swapplan`);
    broken.leave();
    const fake = await connectNode(Number(next.serialNumber), freshValues, refuses);
    return { old: old.serialNumber, next: next.serialNumber, fake };
  }
  const audited = (serial: string) =>
    ingest.rows<{ key: string; result: string }>("select key, result from audit_log where serial_number = $1 order by id", [serial]);

  test("is copied with one passcode; a value that depends on another comes after it; what the node refuses is said, and tried again", async () => {
    const refuses: Record<string, string> = { i_noise: "INVALID" };
    const { old, next, fake } = await addPair(refuses);
    const plan = await data<SwapPlan>("GET", `/nodes/${old}/swapplan?newSerialNumber=${next}`);
    expect(plan.config.find(({ key }) => key === "np_poles")).toEqual({ key: "np_poles", value: "2", present: "4" });
    expect((await swap(old, next, { code: "000000" })).status).toBe(403);
    expect(await lastSwap(old)).toBeNull();
    expect((await swap(old, next, { code: await server.passcode("ada") })).status).toBe(200);
    const first = await settled(next);
    expect(statesOf(first)).toEqual({ ...Object.fromEntries(Object.keys(oldValues).map((key) => [key, "confirmed"])), i_noise: "refused" });
    expect(first.values.find(({ key }) => key === "i_noise")?.detail).toBe(`Node ${next} does not allow 0.7 for i_noise; it is 0.5 there`);
    expect(fake.values).toEqual({ ...oldValues, i_noise: "0.5" });
    // The same value was not written, nor was one before those that it depends on.
    expect(fake.heard.map(({ name }) => name)).not.toContain("Config/Motor");
    expect(
      (await audited(next))
        .filter(({ result }) => result === "confirmed")
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(["node_name", "np_poles", "np_running_speed", "np_voltage"]);

    delete refuses["i_noise"];
    // What was confirmed is no one's to write again: someone set it on the node since.
    fake.values["np_voltage"] = "470";
    const heard = fake.heard.length;
    expect((await send("POST", `/nodes/${next}/swap/config`, { code: "000000" })).status).toBe(403);
    await data("POST", `/nodes/${next}/swap/config`, { code: await server.passcode("ada") });
    expect(new Set(Object.values(statesOf(await settled(next))))).toEqual(new Set(["confirmed"]));
    expect(fake.heard.slice(heard).map(({ name }) => name)).toEqual(["Config/i_noise"]);
    expect(fake.values).toEqual({ ...oldValues, np_voltage: "470" });
    expect(said(await send("POST", `/nodes/${next}/swap/config`, { code: "1" }))).toEqual([409, `Node ${next} has nothing left to copy`]);
    fake.leave();
  });

  test("that a node does not answer to is not known to be there: no more is sent until someone goes on", async () => {
    const { old, next, fake } = await addPair();
    fake.answers = false;
    expect((await swap(old, next, { code: await server.passcode("ada") })).status).toBe(200);
    const states = Object.values(statesOf(await settled(next)));
    expect([states.filter((state) => state === "unknown").length, states.includes("refused"), states.includes("waiting")]).toEqual([
      1,
      false,
      true,
    ]);
    expect(fake.heard).toHaveLength(1);
    // Whoever leaves the rest as it is leaves what was confirmed confirmed.
    const confirmed = states.filter((state) => state === "confirmed").length;
    expect(confirmed).toBeGreaterThan(0);
    await data("DELETE", `/nodes/${next}/swap/config`);
    const left = Object.values(statesOf(await settled(next)));
    expect([left.filter((state) => state === "confirmed").length, new Set(left)]).toEqual([confirmed, new Set(["confirmed", "left"])]);
    fake.leave();
  });

  test("of a node that is away waits, and stays with the place when the node leaves it", async () => {
    const { old, next, fake } = await addPair();
    fake.leave();
    await vi.waitUntil(async () => !(await data<SwapPlan>("GET", `/nodes/${old}/swapplan?newSerialNumber=${next}`)).newNode?.connected);
    // Not spent: nothing can be copied now.
    const code = await server.passcode("ada");
    expect((await swap(old, next, { code })).status).toBe(200);
    expect(await lastSwap(next)).toMatchObject({ isCopying: false, connected: false });
    expect(said(await send("POST", `/nodes/${next}/swap/config`, { code }))).toEqual([503, `Node ${next} is not connected`]);
    expect(said(await send("DELETE", `/nodes/${next}/swap/config`))).toEqual([200, undefined]);
    expect((await lastSwap(next))?.values[0]).toMatchObject({ state: "left", detail: "Left as it is by ada" });
    expect(said(await send("POST", `/nodes/${next}/swap/config`, { code }))).toEqual([409, `Node ${next} has nothing left to copy`]);
    const third = await addNode();
    expect((await swap(next, third.serialNumber)).status).toBe(200);
    // The old swap is over: what is asked of the node now is its last one.
    expect(await lastSwap(old)).toMatchObject({ newSerialNumber: next, isCurrent: false });
    expect(said(await send("POST", `/nodes/${old}/swap/config`, { code }))).toEqual([
      409,
      expect.stringMatching(/is not at Pump \w+ any more$/),
    ]);
  });

  test("survives a server that is killed between the swap and the node's answer: nothing is written twice, and someone goes on", async () => {
    const { old, next, fake } = await addPair();
    fake.answers = false;
    const killed = await startApi();
    const swapped = await fetch(`${killed.url}/api/nodes/${old}/swap`, {
      method: "POST",
      headers: { token: tokens["cy"] ?? "", "content-type": "application/json" },
      body: JSON.stringify(swapOf(next, { code: await codeNow("cy") })),
    });
    expect([swapped.status, swapped.ok ? "" : await swapped.text()]).toEqual([200, ""]);
    await vi.waitUntil(() => fake.heard.length === 1);
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    // The node did it, and no one heard.
    const [lost] = fake.heard;
    const key = lost?.name?.slice("Config/".length) ?? "";
    fake.values[key] = textOf(lost!);
    fake.answers = true;
    expect(statesOf((await lastSwap(next))!)).toMatchObject({ [key]: "sent", np_voltage: "waiting" });
    expect(said(await send("POST", `/nodes/${next}/swap/config`, { code: "1" }))).toEqual([
      409,
      `The configuration of node ${next} is being copied at this moment`,
    ]);

    // The time passes that a copy and a command may take.
    await ingest.rows("update node_swap set copying_until = now()");
    await ingest.rows("update node_command set expires_at = now()");
    expect((await lastSwap(next))?.isCopying).toBe(false);
    await data("POST", `/nodes/${next}/swap/config`, { code: await server.passcode("ada") });
    const after = await settled(next);
    expect(new Set(Object.values(statesOf(after)))).toEqual(new Set(["confirmed"]));
    expect(fake.values).toEqual(oldValues);
    expect(fake.heard.filter(({ name }) => name === lost?.name)).toHaveLength(1);
    // Of what was lost the log says that its end is not known; the rest is confirmed, each once.
    expect((await audited(next)).filter((row) => row.key === key)).toEqual([{ key, result: "sent" }]);
    fake.leave();
  });
});

/** A code by the real clock, which the killed server has. */
async function codeNow(username: string): Promise<string> {
  await server.passcode(username);
  const [row] = await ingest.rows<{ userId: number; secret: string }>(
    `select user_id as "userId", secret from user_totp join app_user u on u.id = user_id where username = $1`,
    [username],
  );
  const key = await readTotpKey(server.database.pool, createSecretsKey(join(server.dataDir, "secrets.key")));
  return totpCode(openTotpSecret(row!.secret, key, row!.userId), Date.now());
}

let api: ChildProcess | undefined;
afterAll(() => void api?.kill("SIGKILL"));

/** The product's program as an API on the same database, whose nodes may take their time. */
async function startApi() {
  const main = fileURLToPath(new URL("../../../main.ts", import.meta.url));
  const { database, dataDir } = server;
  const child = spawn(process.execPath, [main, "--roles", "api"], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PORT: "0",
      V2_PORT: "0",
      LOGIN_TWO_FACTOR: "off",
      NODE_ANSWER_SECONDS: "20",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  api = child;
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const line = await vi.waitUntil(() => {
    if (child.exitCode !== null) throw new Error(text);
    return text.split("\n").find((each) => each.includes('"msg":"ready"'));
  });
  return { child, url: (JSON.parse(line) as { console: string }).console };
}

test("REP-01 a bill has the place once, whichever node it has, also where one was made before the swap", async () => {
  const [old, next, third] = [await addNode({ newDeploymentStatus: "Deployed" }), await addNode(), await addNode()];
  const setStatus = async (serial: string, status: string, at: string) =>
    await server.database.pool.query(
      "update node set current_deployment_status = $2, new_deployment_status = $2, current_deployment_status_updated_at = $3 where serial_number = $1",
      [serial, status, at],
    );
  const { customer, location } = await addPlace(old.serialNumber);
  const organization = await addOrganization(server.database.pool, "Swap Holding", [customer]);
  const bill = async () => {
    const query = "billDate=2027-01-31&paidThruDate=2026-12-31&invoiceNumber=";
    return await data<{
      billingFacilityItems: {
        billingLocationItems: { locationId: number; serialNumber: string; deploymentStatus: string; deploymentDate: string }[];
      }[];
      billedAlready: unknown[];
      leftOut: unknown[];
    }>("GET", `/v2/billing/organizations/${organization}/bill?${query}`);
  };
  const linesOf = async () =>
    (await bill()).billingFacilityItems.flatMap(({ billingLocationItems }) =>
      billingLocationItems.map((line) => [line.locationId, line.serialNumber, line.deploymentStatus, line.deploymentDate]),
    );
  await setStatus(old.serialNumber, "Deployed", "2026-03-02T18:00:00Z");
  expect(await linesOf()).toEqual([[location.id, old.serialNumber, "Deployed", "2026-03-02"]]);
  await data("POST", "/v2/billing/pdf", await bill());
  expect((await swap(old.serialNumber, next.serialNumber, { oldNodeStatus: "Pre-Deployment" })).status).toBe(200);
  const after = await bill();
  expect([await linesOf(), after.leftOut]).toEqual([[[location.id, next.serialNumber, "Deployed", "2026-03-02"]], []]);
  expect(after.billedAlready).toHaveLength(1);
  const { organizations } = await data<{
    organizations: { organizationId: number; locations: { locationId: number; status: string }[] }[];
  }>("GET", "/v2/billing/months/2027-01");
  expect(organizations.find(({ organizationId }) => organizationId === organization)?.locations).toMatchObject([
    { locationId: location.id, status: "once" },
  ]);

  // Swapped again before it was deployed, the place is billed as before; what becomes of the node then counts.
  expect((await swap(next.serialNumber, third.serialNumber)).status).toBe(200);
  expect(await linesOf()).toEqual([[location.id, third.serialNumber, "Deployed", "2026-03-02"]]);
  await setStatus(third.serialNumber, "Deployed", "2026-04-03T18:00:00Z");
  expect(await linesOf()).toEqual([[location.id, third.serialNumber, "Deployed", "2026-04-03"]]);
  await setStatus(third.serialNumber, "Pre-Deployment", "2999-01-01T18:00:00Z");
  expect(await linesOf()).toEqual([[location.id, third.serialNumber, "Pre-Deployment", "2999-01-01"]]);
});

describe("what a swap writes", () => {
  const inOne = <T>(work: (client: PoolClient) => Promise<T>) => inTransaction(server.database.pool, work);
  const userId = async (username: string) =>
    (await server.database.pool.query<{ id: number }>("select id from app_user where username = $1", [username])).rows[0]!.id;

  test("goes to the open tasks of its new node where no one noted anything, and opens those again that were done", async () => {
    const { pool } = server.database;
    const [old, next, other] = [await addNode(), await addNode(), await addNode()].map(({ serialNumber }) => serialNumber) as [
      string,
      string,
      string,
    ];
    await pool.query("delete from node_task where serial_number = any ($1::int4[])", [[old, next, other]]);
    await pool.query(
      `insert into node_task (serial_number, task_template_id, status, notes, updated_by_username, updated_by_full_name)
       select s, t, case when d then 'COMPLETED' else 'NOT_COMPLETED' end, n, 'eve', 'Eve' from (values
         ($1::int4, 1, false, 'note 1'), ($1, 2, false, ''), ($1, 3, true, 'note 3'), ($1, 4, false, 'note 4'), ($1, 5, false, 'note 5'), ($1, 6, false, 'note 6'),
         ($2, 4, false, ''), ($2, 5, false, 'own'), ($2, 6, true, ''), ($2, 7, true, 'done'), ($3, 1, false, 'another'), ($3, 7, true, '')) v (s, t, d, n)`,
      [old, next, other],
    );
    await pool.query("update node_task set updated_at = to_timestamp(0) where serial_number = any ($1::int4[])", [[old, next, other]]);
    const tasksOf = async (serial: string) =>
      (
        await pool.query<{ text: string }>(
          `select concat_ws(' ', task_template_id, case status when 'COMPLETED' then 'done' else 'open' end, revision, updated_by_username, updated_by_full_name,
             (select username from app_user u where u.id = updated_by_user_id), case when updated_at > to_timestamp(0) then 'now' end, notes) as text
           from node_task where serial_number = $1 order by task_template_id`,
          [serial],
        )
      ).rows.map(({ text }) => text);
    expect(await findSwapNode(pool, old)).toMatchObject({ completedTaskCount: 1, taskNoteCount: 4 });
    const before = [await tasksOf(old), await tasksOf(other)];
    await inOne(async (client) => copyTaskNotes(client, old, next, await userId("bo")));
    const copied = ["1 open 1 bo Test Person bo now note 1", "4 open 2 bo Test Person bo now note 4", "5 open 1 eve Eve own"];
    expect(await tasksOf(next)).toEqual([...copied, "6 done 1 eve Eve ", "7 done 1 eve Eve done"]);
    await inOne(async (client) => reopenTasks(client, next, await userId("cy")));
    expect(await tasksOf(next)).toEqual([...copied, "6 open 2 cy Test Person cy now ", "7 open 2 cy Test Person cy now done"]);
    expect([await tasksOf(old), await tasksOf(other)]).toEqual(before);
  });

  test("A-63 waits for a node that is away, or that the node it speaks through is away from", async () => {
    const { pool } = server.database;
    const [parent, own, other] = [await addNode(), await addNode({ type: "subNode" }), await addNode({ type: "subNode" })];
    await addPlace(other.serialNumber);
    expect((await swap(other.serialNumber, own.serialNumber)).status).toBe(200);
    await pool.query("update node set parent_serial_number = $1 where serial_number = $2", [parent.serialNumber, own.serialNumber]);
    const connected = async (isOwn: boolean, isOfParent: boolean) => {
      await setLive(pool, Number(own.serialNumber), { is_connected: isOwn });
      await setLive(pool, Number(parent.serialNumber), { is_connected: isOfParent });
      return [(await findSwapNode(pool, own.serialNumber))?.connected, (await findSwap(pool, own.serialNumber))?.connected];
    };
    expect([await connected(true, false), await connected(false, true), await connected(true, true)]).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });

  test("is copied by one at a time, of this swap alone, while its node is at its place", async () => {
    const { pool } = server.database;
    const store = createSwapCopyStore(pool);
    const [old, next, other] = [await addNode(), await addNode(), await addNode()].map(({ serialNumber }) => Number(serialNumber));
    const [place, elsewhere] = [await addRawPlace(pool), await addRawPlace(pool)];
    const addSwap = async (from: number, to: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into node_swap (old_serial_number, new_serial_number, location_id, slot, customer_name, facility_name, location_name, swapped_by, reason, old_node_status)
         values ($1, $2, $3, 1, '', '', '', '', '', 'Unassigned') returning id`,
        [from, to, place.locationId],
      );
      await pool.query("insert into node_swap_value (swap_id, key, value) select $1, k, k from unnest(array['a', 'b']) k", [rows[0]!.id]);
      return rows[0]!.id;
    };
    const [id, another] = [await addSwap(old!, next!), await addSwap(next!, other!)];
    const assign = async (serial: number, locationId: number, slot: number) => {
      await pool.query("delete from node_assignment where location_id = any ($1::int4[])", [[place.locationId, elsewhere.locationId]]);
      await pool.query("insert into node_assignment values ($1, $2, $3)", [serial, locationId, slot]);
    };
    const values = async (of: number) =>
      (
        await pool.query<{ text: string }>(
          "select concat_ws(' ', key, state, detail) as text from node_swap_value where swap_id = $1 order by key",
          [of],
        )
      ).rows.map(({ text }) => text.trim());
    const isCurrent = async () => (await findSwap(pool, String(old)))?.isCurrent;
    const attempts = async () => {
      await store.release(id, "");
      return [await isCurrent(), await store.take(id, "ada", 60_000), await store.settle(id, "b", "waiting", "", 60_000)];
    };
    for (const [serial, locationId, slot] of [
      [next!, place.locationId, 2],
      [next!, elsewhere.locationId, 1],
      [other!, place.locationId, 1],
    ] as const) {
      await assign(serial, locationId, slot);
      expect([serial, slot, await attempts()]).toEqual([serial, slot, [false, false, false]]);
    }
    await assign(next!, place.locationId, 1);
    expect(await attempts()).toEqual([true, true, true]);
    const pauseReason = async () => (await findSwap(pool, String(old)))?.pauseReason;
    await store.release(id, "The node is silent");
    expect([await pauseReason(), await store.take(id, "ada", 60_000), await pauseReason()]).toEqual(["The node is silent", true, ""]);
    expect([await store.take(id, "bo", 60_000), await leaveValues(pool, id, "left")]).toEqual([false, false]);
    expect(await store.settle(id, "a", "confirmed", "yes", 60_000)).toBe(true);
    expect([await values(id), await values(another)]).toEqual([
      ["a confirmed yes", "b waiting"],
      ["a waiting", "b waiting"],
    ]);
    await pool.query("update node_swap set copying_until = now() - interval '1 minute' where id = $1", [id]);
    expect(await leaveValues(pool, id, "late")).toBe(true);
    await store.release(id, "");
    expect(await leaveValues(pool, id, "left")).toBe(true);
    expect([await values(id), await values(another)]).toEqual([
      ["a confirmed yes", "b left left"],
      ["a waiting", "b waiting"],
    ]);
    await pool.query("update node_swap set copying_until = now() - interval '1 minute' where id = $1", [id]);
    expect([await store.take(id, "bo", 60_000), await store.take(id, "cy", 60_000)]).toEqual([true, false]);
  });
});
