import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { taskLabel, taskTemplates } from "./task-order.ts";
import { installTaskId, templateId } from "./task-template.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("fitter"));
});
afterAll(() => server.stop());

let serial = 30_000;
async function newNode(columns: Record<string, unknown> = {}): Promise<number> {
  await addNode(server.database.pool, ++serial, undefined, columns);
  return serial;
}

const read = async (node: number) => {
  const { json } = await server.call({ method: "GET", url: `/api/v2/nodes/${node}/tasks`, token });
  return json["data"] as NodeTasks;
};
const taskOf = async (node: number, id: number) => (await read(node)).tasks.find(({ taskTemplateId }) => taskTemplateId === id)!;
const patch = (node: number | string, id: number | string, payload: object, as = token) =>
  server.call({ method: "PATCH", url: `/api/v2/nodes/${node}/tasks/tasktemplate/${id}`, token: as, payload });
const complete = (node: number, id: number) => patch(node, id, { status: "COMPLETED", notes: "" });

/** Completes tasks in order, each of which must be possible. */
async function completeAll(node: number, ids: number[]): Promise<void> {
  for (const id of ids) expect([id, (await complete(node, id)).status]).toEqual([id, 200]);
}

test("without a session nothing is disclosed or changed", async () => {
  const node = await newNode();
  const url = `/api/v2/nodes/${node}/tasks`;
  expect((await server.call({ method: "GET", url })).status).toBe(401);
  const payload = { status: "COMPLETED", notes: "" };
  expect((await server.call({ method: "PATCH", url: `${url}/tasktemplate/101`, payload })).status).toBe(401);
  expect(await taskOf(node, 101)).toMatchObject({ status: "NOT_COMPLETED", revision: 0 });
});

test("A-63 how far a node is counts what is completed; the first open task is next, touched or not", async () => {
  const node = await newNode();
  const progress = async () => {
    const { json } = await server.call({ method: "GET", url: `/api/nodes/${node}/overview`, token });
    const { completed, total, taskTemplateId } = (json["data"] as { tasks: { completed: number; total: number; taskTemplateId: number } })
      .tasks;
    return [completed, total - completed, taskTemplateId];
  };
  const all = (await read(node)).tasks.length;
  expect(await progress()).toEqual([0, all, 101]);
  await complete(node, 101);
  await patch(node, 102, { status: "NOT_COMPLETED", notes: "Begun" });
  expect(await progress()).toEqual([1, all - 1, 102]);
  await complete(node, 102);
  expect(await progress()).toEqual([2, all - 2, 103]);
});

test("A-63 files count from the installation on, while that is complete", async () => {
  const node = await newNode();
  const hourAgo = new Date(Date.now() - 3_600_000);
  await setLive(server.database.pool, node, { last_datafile_at: hourAgo, last_one_second_file_at: hourAgo });
  const isSeen = async () => (await read(node)).evidence.find(({ kind }) => kind === "files")?.isSeen;
  const installed = async (status: string) => {
    await server.database.pool.query(
      `insert into node_task (serial_number, task_template_id, status, notes, updated_by_username, updated_by_full_name) values ($1, $2, $3, '', '', '')
       on conflict (serial_number, task_template_id) do update set status = excluded.status`,
      [node, installTaskId, status],
    );
    return await isSeen();
  };
  expect([await isSeen(), await installed("COMPLETED"), await installed("NOT_COMPLETED")]).toEqual([true, false, true]);
});

describe("what a change must be", () => {
  const good = { status: "COMPLETED", notes: "" };
  test.each([
    ["status", { notes: "" }],
    ["status", { ...good, status: "DONE" }],
    ["notes", { status: "COMPLETED" }],
    ["notes", { ...good, notes: 7 }],
    ["notes", { ...good, notes: "x".repeat(10_001) }],
    ["revision", { ...good, revision: -1 }],
    ["revision", { ...good, revision: 0.5 }],
    ["editable", { ...good, editable: true }],
    ["serialNumber", { ...good, serialNumber: "30001" }],
  ])("400 names %s", async (field, payload) => {
    const node = await newNode();
    const { status, json } = await patch(node, 101, payload);
    expect([status, json["errorMessage"]]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
    expect((await taskOf(node, 101)).revision).toBe(0);
  });

  test("notes of the greatest length, with any character, come back as they were", async () => {
    const node = await newNode();
    const notes = `<script>alert(1)</script> ${"ü".repeat(9_000)} \u202e "quoted" \n\n🔌`;
    expect((await patch(node, 101, { status: "NOT_COMPLETED", notes })).status).toBe(200);
    expect((await taskOf(node, 101)).notes).toBe(notes);
    expect((await patch(node, 101, { status: "NOT_COMPLETED", notes: "x".repeat(10_000) })).status).toBe(200);
  });

  test("an unknown node and an unknown task are named", async () => {
    const node = await newNode();
    expect((await server.call({ method: "GET", url: "/api/v2/nodes/99998/tasks", token })).json["errorMessage"]).toBe(
      "Node 99998 was not found",
    );
    expect(await patch(99_998, 101, good)).toMatchObject({ status: 404, json: { errorMessage: "Node 99998 was not found" } });
    for (const id of [100, 113, 211, 999_999]) {
      expect(await patch(node, id, good)).toMatchObject({ status: 404, json: { errorMessage: `Task ${id} was not found` } });
    }
    for (const id of ["0101", "abc", "-1", "1e2", "101%00"]) expect((await patch(node, id, good)).status).toBe(400);
    expect((await patch("0123", 101, good)).json["errorMessage"]).toMatch(/^serial: /);
  });
});

test("TSK-01 TSK-02 a new node has 12 tasks before and 10 after the deployment, none touched", async () => {
  const place = await addPlace(server.database.pool, "Asia/Kolkata");
  await addNode(server.database.pool, 31_001, place, { deployment_task_type: "RMA" });
  const { tasks, evidence, ...node } = await read(31_001);
  expect(evidence.map(({ taskTemplateId, kind, isSeen }) => [taskTemplateId, kind, isSeen])).toEqual([
    [101, "place", true],
    [101, "notes", false],
    [102, "nameplate", false],
    [106, "registered", true],
    [106, "notes", false],
    [107, "place", true],
    [108, "connected", false],
    [109, "configuration", false],
    [202, "metering", false],
    [202, "wiring", false],
    [203, "metering", false],
    [203, "clock", false],
    [204, "files", false],
    [205, "metering", false],
    [205, "notes", false],
    [207, "nameplateValid", false],
    [209, "wiring", false],
    [209, "deployed", false],
  ]);
  expect(node).toEqual({
    photos: [],
    deploymentTaskType: "RMA",
    wiring: null,
    location: {
      id: place.locationId,
      name: "Feed Pump 1",
      facilityName: "North Works",
      customerCode: expect.any(String),
      timezone: "Asia/Kolkata",
    },
  });
  expect(tasks.map(({ groupId, sequenceId }) => `${groupId}.${sequenceId}`)).toEqual([
    ...Array.from({ length: 12 }, (_, index) => `1.${index + 1}`),
    ...Array.from({ length: 10 }, (_, index) => `2.${index + 1}`),
  ]);
  expect(tasks[1]).toMatchObject({
    serialNumber: "31001",
    taskTemplateId: 102,
    name: "Collect nameplate and one-line data",
    notes: "",
    editable: false,
    incompletePrerequisitesList: [101],
    status: "NOT_COMPLETED",
    lastUpdatedUserId: null,
    lastUpdatedTimestamp: -1,
    lastUpdatedUsername: "",
    lastUpdatedFullname: "",
    revision: 0,
  });
  expect(await read(await newNode())).toMatchObject({ deploymentTaskType: null, location: null });
});

test("TSK-04 steps are sentences, sentences with a link, or lists; every link is https to the field guide", async () => {
  const { tasks } = await read(await newNode());
  const steps = tasks.flatMap(({ description, subTasks }) => [...description, ...Object.values(subTasks).flat()]);
  expect(steps.filter((step) => typeof step === "string").length).toBeGreaterThan(50);
  expect(steps.filter((step) => typeof step === "object" && "externalLink" in step).length).toBeGreaterThan(0);
  const lists = steps.filter((step) => typeof step === "object" && "heading" in step);
  expect(lists.length).toBeGreaterThan(3);
  const keys = new Set(tasks.flatMap(({ subTasks }) => Object.keys(subTasks)));
  expect([...keys].sort()).toEqual([
    "common_post",
    "common_pre",
    "deploymentTaskType_NL-EF",
    "deploymentTaskType_NL-NF",
    "deploymentTaskType_RMA",
  ]);
  const links = [
    ...tasks.map(({ externalLink }) => externalLink),
    ...steps.map((step) => (typeof step === "object" && "externalLink" in step ? step.externalLink : null)),
  ];
  const given = links.filter((link) => link !== null);
  expect(given.length).toBeGreaterThan(5);
  for (const { url, text } of given) {
    expect(url).toMatch(/^https:\/\/docs\.busbar\.example\/field-guide\/[a-z-]+$/);
    expect(text).not.toBe("");
  }
});

test("the prerequisites are those of the checklist, each of an earlier task", () => {
  const table = Object.fromEntries(taskTemplates.map((each) => [taskLabel(templateId(each)), each.prerequisites.map(taskLabel).join(" ")]));
  expect(table).toEqual({
    A1: "",
    A2: "A1",
    A3: "A1",
    A4: "A2",
    A5: "A4",
    A6: "A5",
    A7: "A1 A6",
    A8: "A3 A6",
    A9: "A7 A8",
    A10: "A9",
    A11: "A4",
    A12: "A11 A3",
    B1: "A12 A10",
    B2: "B1",
    B3: "B2",
    B4: "B3",
    B5: "B2",
    B6: "B3",
    B7: "B5",
    B8: "B4 B7",
    B9: "B8",
    B10: "B9",
  });
});

describe("TSK-09 editability is the server's", () => {
  test("TSK-09 TSK-06 a task opens when its last prerequisite is complete", async () => {
    const node = await newNode();
    await completeAll(node, [101, 102, 103, 104, 105]);
    expect(await taskOf(node, 107)).toMatchObject({ editable: false, incompletePrerequisitesList: [106] });
    expect(await complete(node, 107)).toMatchObject({ status: 409, json: { errorMessage: "Incomplete Prerequisites: A6" } });
    expect(await complete(node, 201)).toMatchObject({ status: 409, json: { errorMessage: "Incomplete Prerequisites: A12 and A10" } });
    await completeAll(node, [106]);
    expect(await taskOf(node, 107)).toMatchObject({ editable: true, incompletePrerequisitesList: [] });
    await completeAll(node, [107]);
  });

  test("TSK-09 undoing a task that completed ones depend on is refused with their ids", async () => {
    const node = await newNode();
    await completeAll(node, [101, 102, 103]);
    const undo = (id: number) => patch(node, id, { status: "NOT_COMPLETED", notes: "" });
    expect(await undo(101)).toMatchObject({ status: 409, json: { errorMessage: "Tasks A2 and A3 depend on this task" } });
    expect((await undo(103)).status).toBe(200);
    expect(await undo(101)).toMatchObject({ status: 409, json: { errorMessage: "Task A2 depends on this task" } });
    expect((await undo(102)).status).toBe(200);
    expect((await undo(101)).status).toBe(200);
    expect(await taskOf(node, 102)).toMatchObject({ editable: false });
  });

  test("TSK-09 notes of a task that cannot be completed yet, or that others depend on, can be written", async () => {
    const node = await newNode();
    expect((await patch(node, 210, { status: "NOT_COMPLETED", notes: "Ask for Lee" })).status).toBe(200);
    await completeAll(node, [101, 102]);
    expect((await patch(node, 101, { status: "COMPLETED", notes: "Names as in the order" })).status).toBe(200);
    expect(await taskOf(node, 101)).toMatchObject({ status: "COMPLETED", notes: "Names as in the order" });
  });

  test("TSK-09 the whole checklist can be worked through in order", async () => {
    const node = await newNode();
    await completeAll(node, taskTemplates.map(templateId));
    expect((await read(node)).tasks.every(({ status, editable }) => status === "COMPLETED" && editable)).toBe(true);
  });
});

test("TSK-07 TSK-08 a change says who made it and when, and is one activity", async () => {
  const node = await newNode();
  const startedAt = Math.floor(Date.now() / 1000) - 1;
  const { json } = await patch(node, 101, { status: "COMPLETED", notes: "Two facilities merged", revision: 0 });
  const changed = json["data"] as NodeTask;
  expect(changed).toMatchObject({ status: "COMPLETED", lastUpdatedUsername: "fitter", lastUpdatedFullname: "Test Person", revision: 1 });
  expect(Number.isInteger(changed.lastUpdatedTimestamp)).toBe(true);
  expect(changed.lastUpdatedTimestamp).toBeGreaterThanOrEqual(startedAt);
  expect(await taskOf(node, 101)).toEqual(changed);
  // The same once more changes nothing, and is no activity.
  expect(((await patch(node, 101, { status: "COMPLETED", notes: "Two facilities merged" })).json["data"] as NodeTask).revision).toBe(1);
  expect((await complete(node, 107)).status).toBe(409);
  const { rows } = await server.database.pool.query("select actor, action, description, before, after from activity where object = $1", [
    `node/${node}`,
  ]);
  expect(rows).toEqual([
    {
      actor: "fitter",
      action: "PATCH_TASK",
      description: `Task A1 of node ${node}: completed, notes changed`,
      before: { taskTemplateId: 101, status: "NOT_COMPLETED", notes: "" },
      after: { taskTemplateId: 101, status: "COMPLETED", notes: "Two facilities merged" },
    },
  ]);
  // The next one says the same of whoever makes it.
  await server.database.pool.query("update node_task set updated_at = to_timestamp(0) where serial_number = $1", [node]);
  const username = await server.addAdministrator("follower");
  await server.database.pool.query("update app_user set first_name = 'Ada', last_name = 'Second' where username = $1", [username]);
  const next = (await patch(node, 101, { status: "NOT_COMPLETED", notes: "Split" }, await server.login(username))).json["data"] as NodeTask;
  expect(next).toMatchObject({
    status: "NOT_COMPLETED",
    notes: "Split",
    lastUpdatedUsername: username,
    lastUpdatedFullname: "Ada Second",
    revision: 2,
  });
  expect(next.lastUpdatedUserId).not.toBe(changed.lastUpdatedUserId);
  expect(next.lastUpdatedTimestamp).toBeGreaterThanOrEqual(startedAt);
  expect(await taskOf(node, 101)).toEqual(next);
});

test("who changed a task stays readable when the account is gone", async () => {
  const node = await newNode();
  const leaver = await server.login(await server.addAdministrator("leaver"));
  await patch(node, 101, { status: "COMPLETED", notes: "" }, leaver);
  await server.database.pool.query("delete from app_user where username = 'leaver'");
  expect(await taskOf(node, 101)).toMatchObject({
    status: "COMPLETED",
    lastUpdatedUserId: null,
    lastUpdatedUsername: "leaver",
    lastUpdatedFullname: "Test Person",
  });
});

describe("two people on one task", () => {
  test("the second is informed who changed it, and nothing is overwritten", async () => {
    const node = await newNode();
    const other = await server.login(await server.addAdministrator("second"));
    expect((await patch(node, 101, { status: "NOT_COMPLETED", notes: "first", revision: 0 })).status).toBe(200);
    const late = await patch(node, 101, { status: "COMPLETED", notes: "second", revision: 0 }, other);
    expect([late.status, late.json["errorMessage"]]).toEqual([
      409,
      "Task A1 was changed by Test Person meanwhile. Load it again and repeat your change",
    ]);
    expect(await taskOf(node, 101)).toMatchObject({ notes: "first", status: "NOT_COMPLETED" });
    expect((await patch(node, 101, { status: "COMPLETED", notes: "second", revision: 1 }, other)).status).toBe(200);
  });

  test("of many at the same moment one wins", async () => {
    const node = await newNode();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch(node, 101, { status: "COMPLETED", notes: String(index), revision: 0 })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect((await taskOf(node, 101)).revision).toBe(1);
  });

  test("completing a task while its prerequisite is reopened: never both", async () => {
    for (let round = 0; round < 10; round++) {
      const node = await newNode();
      await completeAll(node, [101]);
      const answers = await Promise.all([complete(node, 102), patch(node, 101, { status: "NOT_COMPLETED", notes: "" })]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    }
  });
});

test("what was done before it is saved has its own time in the activity", async () => {
  const node = await newNode();
  const now = Math.floor(server.clock.now() / 1000);
  const descriptions = async () => {
    const text = "select description from activity where object = $1 order by id";
    return (await server.database.pool.query<{ description: string }>(text, [`node/${node}`])).rows.map(({ description }) => description);
  };
  await patch(node, 101, { status: "COMPLETED", notes: "", revision: 0, madeTimestamp: now - 604_800 });
  await patch(node, 102, { status: "COMPLETED", notes: "", revision: 0, madeTimestamp: now - 5 });
  // A phone's clock may be ahead.
  await patch(node, 103, { status: "COMPLETED", notes: "", revision: 0, madeTimestamp: now + 5 });
  await patch(node, 104, { status: "COMPLETED", notes: "", revision: 0, madeTimestamp: now + 86_400 * 3_650 });
  const before = new Date((now - 604_800) * 1000).toISOString();
  expect(await descriptions()).toEqual([
    `Task A1 of node ${node}: completed; done at ${before}`,
    `Task A2 of node ${node}: completed`,
    `Task A3 of node ${node}: completed`,
    `Task A4 of node ${node}: completed; done before it was saved, by a clock that is ahead`,
  ]);
  expect((await patch(node, 101, { status: "COMPLETED", notes: "", madeTimestamp: -1 })).status).toBe(400);
});
