import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import type { NodeTasks, TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { exifOfPhone, jfif, jpegEnd, jpegPicture, jpegStart, testJpeg } from "#testing/test-jpeg.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("fitter"));
});
afterAll(() => server.stop());
// Sign-ins of one address are limited by the minute.
beforeEach(() => server.clock.advance(60));

let serial = 32_000;
async function newNode(): Promise<number> {
  await addNode(server.database.pool, ++serial);
  return serial;
}

const urlOf = (node: number, task: number | string, photo?: number | string) =>
  `/api/v2/nodes/${node}/tasks/tasktemplate/${task}/photos${photo === undefined ? "" : `/${photo}`}`;
const headers = { "content-type": "image/jpeg" };
const send = (node: number, task: number | string, payload: Buffer, as = token) =>
  server.call({ method: "POST", url: urlOf(node, task), token: as, payload, headers });
async function add(node: number, task: number, payload: Buffer): Promise<TaskPhoto> {
  const { status, json } = await send(node, task, payload);
  expect(status).toBe(200);
  return json["data"] as TaskPhoto;
}
const bytesOf = async (node: number, task: number, photo: number, as = token) => {
  const answer = await server.app.inject({ url: urlOf(node, task, photo), headers: { authorization: `Bearer ${as}` } });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
};
const remove = (node: number, task: number, photo: number | string, as = token) =>
  server.call({ method: "DELETE", url: urlOf(node, task, photo), token: as });
const tasksOf = async (node: number, as = token) =>
  (await server.call({ method: "GET", url: `/api/v2/nodes/${node}/tasks`, token: as })).json["data"] as NodeTasks;
const activitiesOf = async (node: number) => {
  const text = "select actor, action, description, before, after from activity where object = $1 order by id";
  return (await server.database.pool.query<Record<string, unknown>>(text, [`node/${node}`])).rows;
};

test("without a session nothing is shown, kept or removed", async () => {
  const node = await newNode();
  const { id } = await add(node, 201, testJpeg());
  expect((await send(node, 201, testJpeg({ quantum: 2 }), "")).status).toBe(401);
  expect((await bytesOf(node, 201, id, "")).status).toBe(401);
  expect((await remove(node, 201, id, "")).status).toBe(401);
  expect((await tasksOf(node)).photos.map((photo) => photo.id)).toEqual([id]);
});

test("a photo is kept with its task, shown to everyone on the staff, and removed by any of them", async () => {
  const node = await newNode();
  const other = await server.login(await server.addAdministrator("colleague"));
  const picture = testJpeg();
  const startedAt = Math.floor(Date.now() / 1000) - 1;
  const photo = await add(node, 201, picture);
  expect(photo).toEqual({
    id: expect.any(Number),
    taskTemplateId: 201,
    addedTimestamp: expect.any(Number),
    addedBy: "Test Person",
    size: picture.length,
  });
  expect(photo.addedTimestamp).toBeGreaterThanOrEqual(startedAt);
  // A task that cannot be completed yet has photos too, and stays as it is.
  expect((await tasksOf(node, other)).photos).toEqual([photo]);
  expect((await tasksOf(node)).tasks.find(({ taskTemplateId }) => taskTemplateId === 201)).toMatchObject({ revision: 0, notes: "" });
  const read = await bytesOf(node, 201, photo.id, other);
  expect(read.bytes).toEqual(picture);
  expect(read.headers).toMatchObject({
    "content-type": "image/jpeg",
    "content-disposition": `attachment; filename="${node}-B1-${photo.id}.jpg"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-security-policy": expect.stringMatching(/^default-src 'none'; .*sandbox$/),
  });
  expect(await remove(node, 201, photo.id, other)).toMatchObject({ status: 200, json: { data: { id: photo.id } } });
  expect((await tasksOf(node)).photos).toEqual([]);
  for (const answer of [await remove(node, 201, photo.id), await server.call({ url: urlOf(node, 201, photo.id), token })])
    expect(answer).toMatchObject({ status: 404, json: { errorMessage: "This photo was not found: it may have been deleted" } });
  expect(await activitiesOf(node)).toEqual([
    { actor: "fitter", action: "ADD_TASK_PHOTO", description: `Task B1 of node ${node}: photo added`, before: null, after: photo },
    {
      actor: "colleague",
      action: "DELETE_TASK_PHOTO",
      description: `Task B1 of node ${node}: photo by Test Person removed`,
      before: photo,
      after: null,
    },
  ]);
});

test("photos of all tasks come with the tasks, oldest first", async () => {
  const node = await newNode();
  const photos = [await add(node, 202, testJpeg()), await add(node, 101, testJpeg()), await add(node, 202, testJpeg({ quantum: 2 }))];
  expect((await tasksOf(node)).photos).toEqual(photos);
});

test("what a phone writes into a photo, its place and camera, is not kept", async () => {
  const node = await newNode();
  const file = Buffer.concat([jpegStart, jfif, exifOfPhone(), jpegPicture(), jpegEnd]);
  expect(file.includes("Pear Phone 9") && file.includes(Buffer.from([47, 0, 0, 0, 1, 0, 0, 0, 36]))).toBe(true);
  const photo = await add(node, 201, file);
  expect((await bytesOf(node, 201, photo.id)).bytes).toEqual(testJpeg());
  const { rows } = await server.database.pool.query("select bytes, size from node_task_photo where id = $1", [photo.id]);
  expect(rows).toEqual([{ bytes: testJpeg(), size: testJpeg().length }]);
});

describe("bad input", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  test.each([
    ["a PNG that is called a JPEG", png, "photo: is not a JPEG"],
    ["a page", Buffer.from("<script>alert(1)</script>"), "photo: is not a JPEG"],
    ["a truncated JPEG", testJpeg().subarray(0, -3), "photo: is not whole: the JPEG ends too early"],
    ["a vast picture", testJpeg({ width: 10_000, height: 10_000 }), "photo: is 10000 x 10000 pixels; at most 16 million are kept"],
  ])("%s is refused and nothing is kept", async (_what, file, errorMessage) => {
    const node = await newNode();
    expect(await send(node, 201, file)).toMatchObject({ status: 400, json: { errorCode: "INVALID", errorMessage } });
    expect((await tasksOf(node)).photos).toEqual([]);
    expect(await activitiesOf(node)).toEqual([]);
  });

  test("no bytes, and a form around them, are refused", async () => {
    const node = await newNode();
    expect((await send(node, 201, Buffer.alloc(0))).status).toBe(400);
    const form = await server.call({
      method: "POST",
      url: urlOf(node, 201),
      token,
      payload: "x",
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect([form.status, form.json["errorMessage"]]).toEqual([415, expect.stringMatching(/^content-type: /)]);
  });

  test("a photo of exactly 1 MB is kept, one byte more is refused", async () => {
    const node = await newNode();
    const padded = (length: number) => {
      const picture = testJpeg();
      return Buffer.concat([picture.subarray(0, -2), Buffer.alloc(length - picture.length, 0x3f), jpegEnd]);
    };
    expect(await send(node, 201, padded(1_048_577))).toMatchObject({
      status: 413,
      json: { errorCode: "TOO_LARGE", errorMessage: "The request is larger than 1 MB" },
    });
    expect((await add(node, 201, padded(1_048_576))).size).toBe(1_048_576);
  });

  test("an unknown node, task and photo are named", async () => {
    const node = await newNode();
    expect((await send(99_998, 201, testJpeg())).json["errorMessage"]).toBe("Node 99998 was not found");
    expect((await send(node, 211, testJpeg())).json["errorMessage"]).toBe("Task 211 was not found");
    expect((await remove(node, 201, "x")).json["errorMessage"]).toMatch(/^photoId: /);
    expect((await send(node, "0201", testJpeg())).json["errorMessage"]).toMatch(/^id: /);
  });

  test("a photo is found at its own task and node only", async () => {
    const [node, other] = [await newNode(), await newNode()];
    const { id } = await add(node, 201, testJpeg());
    for (const [aNode, aTask] of [
      [other, 201],
      [node, 202],
    ] as const) {
      expect((await bytesOf(aNode, aTask, id)).status).toBe(404);
      expect((await remove(aNode, aTask, id)).status).toBe(404);
    }
    expect((await bytesOf(node, 201, id)).status).toBe(200);
  });
});

test("the same photo sent again is the same one, also when the task is full, and one activity", async () => {
  const node = await newNode();
  const first = await add(node, 201, testJpeg({ quantum: 1 }));
  for (let quantum = 2; quantum <= 6; quantum++) await add(node, 201, testJpeg({ quantum }));
  expect(await add(node, 201, testJpeg({ quantum: 1 }))).toEqual(first);
  expect((await tasksOf(node)).photos).toHaveLength(6);
  expect(await activitiesOf(node)).toHaveLength(6);
});

test("a task has at most six photos, also when many come at once; another task has its own", async () => {
  const node = await newNode();
  // A person has three uploads at a time; who has more tries again.
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  for (const start of [1, 4, 7])
    answers.push(...(await Promise.all([0, 1, 2].map((step) => send(node, 201, testJpeg({ quantum: start + step }))))));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json["errorMessage"]).toBe("Task B1 has 6 photos already. Remove one of them first");
  expect((await send(node, 202, testJpeg())).status).toBe(200);
  await remove(node, 201, (await tasksOf(node)).photos[0]!.id);
  expect((await send(node, 201, testJpeg({ quantum: 20 }))).status).toBe(200);
});

test("the same photo sent twice at once is one", async () => {
  const node = await newNode();
  const answers = await Promise.all([1, 2, 3].map(() => send(node, 201, testJpeg())));
  expect(new Set(answers.map(({ json }) => (json["data"] as TaskPhoto).id)).size).toBe(1);
  expect((await tasksOf(node)).photos).toHaveLength(1);
});

test("USR-11 a demo user sees that there are photos and when, but no picture, no name, and adds and removes none", async () => {
  const node = await newNode();
  const photo = await add(node, 201, testJpeg());
  const demo = await server.login(await server.addAdministrator("demovisitor"));
  await server.database.pool.query("update app_user set demo_user = true where username = 'demovisitor'");
  server.clock.advance(2);
  expect((await tasksOf(node, demo)).photos).toEqual([{ ...photo, addedBy: expect.stringMatching(/^Person [a-z]{6}$/) }]);
  expect((await bytesOf(node, 201, photo.id, demo)).status).toBe(403);
  expect((await send(node, 201, testJpeg({ quantum: 2 }), demo)).status).toBe(403);
  expect((await remove(node, 201, photo.id, demo)).status).toBe(403);
  expect((await tasksOf(node)).photos).toEqual([photo]);
});

test("who added a photo stays readable when the account is gone; a deleted node takes its photos along", async () => {
  const node = await newNode();
  const leaver = await server.login(await server.addAdministrator("photoleaver"));
  await send(node, 201, testJpeg(), leaver);
  await server.database.pool.query("delete from app_user where username = 'photoleaver'");
  expect((await tasksOf(node)).photos).toMatchObject([{ addedBy: "Test Person" }]);
  await server.database.pool.query("delete from node where serial_number = $1", [node]);
  expect((await server.database.pool.query("select from node_task_photo where serial_number = $1", [node])).rowCount).toBe(0);
});

test("a swap leaves the photos with the old node's tasks, whose machine they show", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  const [old, fresh] = [++serial, ++serial];
  await addNode(pool, old, place);
  await addNode(pool, fresh);
  const photo = await add(old, 201, testJpeg());
  const boss = await server.login(await server.addAdministrator("swapper", [...staffRoles]));
  const swap = await server.call({
    method: "POST",
    url: `/api/nodes/${old}/swap`,
    token: boss,
    payload: { newSerialNumber: String(fresh), isNew: false, oldNodeStatus: "Unassigned", reason: "Broken" },
  });
  expect([swap.status, swap.json["errorMessage"]]).toEqual([200, undefined]);
  expect((await tasksOf(old)).photos).toEqual([photo]);
  expect((await bytesOf(old, 201, photo.id)).status).toBe(200);
  expect((await tasksOf(fresh)).photos).toEqual([]);
});
