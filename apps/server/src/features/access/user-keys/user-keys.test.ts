import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
let place: TestPlace;
let otherPlace: TestPlace;
let made = 0;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("keeper"));
  place = await addPlace(server.database.pool, "America/Chicago", "Alder Pumping");
  otherPlace = await addPlace(server.database.pool, "America/Denver", "Birch Milling");
  await addNode(server.database.pool, 20_001, place);
  await addNode(server.database.pool, 20_002, otherPlace);
});
afterAll(() => server.stop());
// Calls with one key and wrong keys of one address are limited by the minute.
beforeEach(() => server.clock.advance(60));

const newUser = (columns?: Record<string, unknown>) => server.addUser(`owner${++made}`, place.customerId, columns);
const post = (url: string, payload?: object) => server.call({ method: "POST", url, token, ...(payload ? { payload } : {}) });
const data = (answer: { json: Record<string, unknown> }) => answer.json["data"] as Record<string, never>;
const locations = (headers: Record<string, string>) => server.call({ method: "GET", url: "/api/customer/locations", headers });
const withKey = (key: string) => locations({ "x-api-key": key });
const basic = (accessKey: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${accessKey}:${secret}`).toString("base64")}`,
});

async function newApiKey(userId: number, terms?: object): Promise<string> {
  return String(data(await post(`/api/users/${userId}/apikeys/k${randomBytes(4).toString("hex")}`, terms))["key"]);
}

describe("USR-09 API keys and access keys", () => {
  test("need a session", async () => {
    const id = await newUser();
    for (const [method, url] of [
      ["GET", `/api/users/${id}/apikeys`],
      ["POST", `/api/users/${id}/apikeys/x`],
      ["POST", `/api/users/${id}/accesskeys/x`],
      ["DELETE", `/api/users/${id}/keys/1`],
    ] as const)
      expect((await server.call({ method, url })).status).toBe(401);
  });

  test("of an administrator are made by a systemAdministrator only, and not without a customer or for who is suspended", async () => {
    await server.addAdministrator("someadmin");
    const { rows } = await server.database.pool.query<{ id: number }>("select id from app_user where username = 'someadmin'");
    const refused = await post(`/api/users/${rows[0]?.id}/apikeys/x`);
    expect([refused.status, refused.json["errorMessage"]]).toEqual([
      403,
      "someadmin is an administrator; changing that account needs the role systemAdministrator",
    ]);
    const boss = await server.login(await server.addAdministrator("keyboss", ["systemAdministrator"]));
    const answer = await server.call({ method: "POST", url: `/api/users/${rows[0]?.id}/apikeys/x`, token: boss });
    expect([answer.status, answer.json["errorMessage"]]).toEqual([409, "someadmin belongs to no customer, so a key would open nothing"]);
    const suspended = await post(`/api/users/${await newUser({ active_status: "SUSPENDED" })}/accesskeys/x`);
    expect([suspended.status, suspended.json["errorMessage"]]).toEqual([409, `owner${made} is suspended`]);
  });

  test.each(["a,b", "a b", "", "x".repeat(65), "ä", "a%2Fb", "a'b", "a;b"])("a name like %j is refused", async (name) => {
    const id = await newUser();
    const answer = await post(`/api/users/${id}/apikeys/${encodeURIComponent(name)}`);
    expect([answer.status, answer.json["errorMessage"]]).toEqual([400, "name: A name has 1 to 64 letters, digits, _ and -"]);
  });

  test.each([
    [{ expiresInDays: 0 }, 400],
    [{ expiresInDays: 1 }, 200],
    [{ expiresInDays: 1_095 }, 200],
    [{ expiresInDays: 1_096 }, 400],
    [{ scopes: [] }, 400],
    [{ scopes: ["write"] }, 400],
    [{ scopes: ["upload"] }, 200],
  ])("terms %j answer %i", async (terms, status) => {
    expect((await post(`/api/users/${await newUser()}/apikeys/${"x".repeat(64)}`, terms)).status).toBe(status);
  });

  test("are listed as key, name, expiry; the whole key is shown once", async () => {
    const id = await newUser();
    const answer = await post(`/api/users/${id}/apikeys/plant_1-A`);
    const { key, expiry } = data(answer) as unknown as { key: string; expiry: number };
    const [publicPart, secret] = key.split(".");
    expect(key).toMatch(/^bbk_[\w-]{12}\.[\w-]{43}$/);
    expect(expiry).toBe(Math.floor(server.clock.now() / 1000) + 365 * 86_400);
    const list = await server.call({ method: "GET", url: `/api/users/${id}/apikeys`, token });
    expect(list.json["data"]).toEqual([`${publicPart}, plant_1-A, ${new Date(expiry * 1000).toISOString().slice(0, 19)}Z`]);
    const keys = await server.call({ method: "GET", url: `/api/users/${id}/keys`, token });
    expect(keys.json["data"]).toEqual([
      expect.objectContaining({
        kind: "api",
        key: publicPart,
        name: "plant_1-A",
        scopes: ["read", "upload"],
        expiry,
        lastUsedTimestamp: null,
      }),
    ]);
    for (const text of [list.text, keys.text]) expect(text).not.toContain(secret);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("an access key comes with its secret token, once", async () => {
    const id = await newUser();
    const { accessKey, secretToken } = data(await post(`/api/users/${id}/accesskeys/uploader`)) as unknown as Record<string, string>;
    expect([accessKey, secretToken]).toEqual([expect.stringMatching(/^bba_[\w-]{12}$/), expect.stringMatching(/^[\w-]{43}$/)]);
    expect((await locations(basic(accessKey ?? "", secretToken ?? ""))).status).toBe(200);
    expect((await locations(basic(accessKey ?? "", "wrong"))).status).toBe(401);
    const keys = await server.call({ method: "GET", url: `/api/users/${id}/keys`, token });
    expect(keys.text).toContain(accessKey);
    expect(keys.text).not.toContain(secretToken);
    expect((await server.call({ method: "GET", url: `/api/users/${id}/apikeys`, token })).json["data"]).toEqual([]);
  });

  test("a name is used once by a user, also by twenty at the same moment, and again after it was revoked", async () => {
    const id = await newUser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(`/api/users/${id}/apikeys/same`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const [key] = (await server.call({ method: "GET", url: `/api/users/${id}/keys`, token })).json["data"] as { id: number }[];
    const ofSomeoneElse = `/api/users/${await newUser()}/keys/${key?.id}`;
    expect((await server.call({ method: "DELETE", url: ofSomeoneElse, token })).status).toBe(404);
    expect((await server.call({ method: "DELETE", url: `/api/users/${id}/keys/${key?.id}`, token })).status).toBe(200);
    expect((await post(`/api/users/${id}/apikeys/same`)).status).toBe(200);
    await post(`/api/users/${id}/apikeys/newer`);
    const { json } = await server.call({ method: "GET", url: `/api/users/${id}/keys`, token });
    expect((json["data"] as { name: string }[]).map(({ name }) => name)).toEqual(["newer", "same"]);
  });

  test("no secret is in the database or the log, its activity says who made it", async () => {
    const id = await newUser();
    const key = await newApiKey(id);
    await withKey(key);
    const secret = key.split(".")[1] ?? "";
    const { rows } = await server.database.pool.query<{ text: string }>(
      `select string_agg(t::text, '') as text from (select user_key::text as t from user_key union all select activity::text from activity) x`,
    );
    expect(rows[0]?.text).toContain(key.split(".")[0]);
    expect(rows[0]?.text).not.toContain(secret);
    expect(server.logText()).not.toContain(secret);
    const activity = await server.database.pool.query("select actor, action from activity where object = $1", [`user/${id}`]);
    expect(activity.rows).toEqual([{ actor: "keeper", action: "POST_API_KEY" }]);
    const made = await server.call({ method: "GET", url: `/api/users/${id}/keys`, token });
    const [listed] = made.json["data"] as { id: number; name: string }[];
    await server.call({ method: "DELETE", url: `/api/users/${id}/keys/${listed!.id}`, token });
    const revoked = await server.database.pool.query(
      "select action, description from activity where object = $1 order by id desc limit 1",
      [`user/${id}`],
    );
    expect(revoked.rows).toEqual([
      { action: "DELETE_API_KEY", description: expect.stringMatching(`^Revoked the API key ${listed!.name} of owner\\d+$`) },
    ]);
  });
});

describe("a customer's program", () => {
  test("reads its own customer's locations and nodes, no one else's", async () => {
    const answer = await withKey(await newApiKey(await newUser()));
    expect(answer.status).toBe(200);
    expect(answer.json["data"]).toEqual([
      {
        id: place.locationId,
        name: "Feed Pump 1",
        facilityId: place.facilityId,
        facilityName: "North Works",
        siteName: "North",
        assetLocationNumber: "",
        equipmentType: "InductionMotor",
        timezone: "America/Chicago",
        nodes: [
          {
            serialNumber: 20_001,
            slot: 1,
            type: "Node",
            currentDeploymentStatus: "Pre-Deployment",
            isConnected: false,
            lastScalarTimestamp: null,
          },
        ],
      },
    ]);
  });

  test("is let in on both bases, where the endpoint says so, and nowhere else", async () => {
    const key = await newApiKey(await newUser());
    const headers = { "x-api-key": key };
    expect((await server.call({ method: "GET", url: "/api/v2/customer/locations", headers })).status).toBe(200);
    for (const url of ["/api/users", "/api/node-dashboard", "/api/nodes/20001/realtime", "/api/account"])
      expect((await server.call({ method: "GET", url, headers })).status).toBe(401);
    for (const url of ["/api/users", "/api/v2/customer/locations"])
      expect((await server.call({ method: "GET", url, headers: { token: key, authorization: `Bearer ${key}` } })).status).toBe(401);
    const staff = await server.call({ method: "GET", url: "/api/customer/locations", token });
    expect([staff.status, staff.json["errorMessage"]]).toEqual([
      403,
      "This call is for customers' programs: send an API key or an access key",
    ]);
  });

  test("needs the scope; one that is named twice counts once", async () => {
    const id = await newUser();
    await newApiKey(id, { scopes: ["read", "read"] });
    const { json } = await server.call({ method: "GET", url: `/api/users/${id}/keys`, token });
    expect(json["data"]).toMatchObject([{ scopes: ["read"] }]);
    const answer = await withKey(await newApiKey(await newUser(), { scopes: ["upload"] }));
    expect([answer.status, answer.json["errorMessage"]]).toEqual([403, "This key does not have the scope read"]);
  });

  test("is refused at once when its key is revoked or expires, and its owner suspended or deleted", async () => {
    const says = async (key: string) => {
      const { status, json } = await withKey(key);
      return `${status} ${(json["errorMessage"] as string | undefined) ?? ""}`.trim();
    };
    const id = await newUser();
    const revoked = await newApiKey(id);
    expect(await says(revoked)).toBe("200");
    const keyOf = async () =>
      (
        (await server.call({ method: "GET", url: `/api/users/${id}/keys`, token })).json["data"] as {
          id: number;
          lastUsedTimestamp: number;
        }[]
      )[0];
    // Noted beside the call, which does not wait for it.
    await expect.poll(async () => (await keyOf())?.lastUsedTimestamp).toBe(Math.floor(server.clock.now() / 1000));
    const row = await keyOf();
    expect((await server.call({ method: "DELETE", url: `/api/users/${id}/keys/${row?.id}`, token })).status).toBe(200);
    expect(await says(revoked)).toBe("401 This key was revoked");
    expect((await server.call({ method: "DELETE", url: `/api/users/${id}/keys/${row?.id}`, token })).status).toBe(404);

    const owner = await newUser();
    const key = await newApiKey(owner);
    await server.call({ method: "PATCH", url: `/api/users/${owner}`, token, payload: { activeStatus: "SUSPENDED" } });
    expect(await says(key)).toBe("401 The owner of this key is suspended");
    await server.call({ method: "PATCH", url: `/api/users/${owner}`, token, payload: { activeStatus: "ACTIVE" } });
    expect(await says(key)).toBe("200");
    await server.database.pool.query("update user_key set expires_at = to_timestamp($2) where user_id = $1", [
      owner,
      server.clock.now() / 1000,
    ]);
    expect(await says(key)).toBe("401 This key has expired");
    await server.database.pool.query("delete from app_user where id = $1", [owner]);
    expect(await says(key)).toBe("401 This key is not valid");
  });

  test("does not follow its owner to another customer", async () => {
    const owner = await newUser();
    const key = await newApiKey(owner);
    await newApiKey(owner);
    const listed = await server.call({ method: "GET", url: `/api/users/${owner}/keys`, token });
    const [newest] = listed.json["data"] as { id: number }[];
    expect((await server.call({ method: "DELETE", url: `/api/users/${owner}/keys/${newest?.id}`, token })).status).toBe(200);
    const rename = await server.call({ method: "PATCH", url: `/api/users/${owner}`, token, payload: { lastName: "Ashdown" } });
    expect([rename.status, (await withKey(key)).status]).toEqual([200, 200]);
    const { rows } = await server.database.pool.query<{ code: string }>("select code from customer where id = $1", [otherPlace.customerId]);
    const moved = await server.call({ method: "PATCH", url: `/api/users/${owner}`, token, payload: { customerCode: rows[0]?.code } });
    expect(moved.status).toBe(200);
    const answer = await withKey(key);
    expect([answer.status, answer.json["errorMessage"]]).toEqual([401, "This key was revoked"]);
    const { rows: activities } = await server.database.pool.query<{ description: string }>(
      "select description from activity where action = 'PATCH_USER' order by id desc limit 1",
    );
    expect(activities[0]?.description).toMatch(/^Changed user owner\d+; revoked the keys k\w{8}$/);
  });

  test("opens nothing while its owner belongs to no customer", async () => {
    const owner = await newUser();
    const key = await newApiKey(owner);
    await server.database.pool.query("update app_user set customer_id = null where id = $1", [owner]);
    const answer = await withKey(key);
    expect([answer.status, answer.json["errorMessage"]]).toEqual([403, "The owner of this key belongs to no customer"]);
  });

  test("gets the same answer for an unknown key, a wrong secret and another kind of key; 60 wrong ones a minute are enough", async () => {
    const key = await newApiKey(await newUser());
    const [publicPart] = key.split(".");
    for (const wrong of [`${publicPart}.`, `${publicPart}.${"x".repeat(43)}`, publicPart ?? "", "bbk_unknown.x", "x", `${key}x`, " "]) {
      const answer = await withKey(wrong);
      expect([wrong, answer.status, answer.json["errorMessage"]]).toEqual([wrong, 401, "This key is not valid"]);
    }
    expect((await locations(basic(publicPart ?? "", key.split(".")[1] ?? ""))).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 60 }, () => withKey("bbk_guess.x")));
    expect(answers.at(-1)?.status).toBe(429);
    expect((await withKey(key)).status).toBe(200);
  });

  test("calls 600 times a minute at most", async () => {
    const key = await newApiKey(await newUser());
    let status = 0;
    for (let count = 1; count <= 600; count++) status = (await withKey(key)).status;
    expect(status).toBe(200);
    const answer = await withKey(key);
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "60"]);
    // Another key has calls of its own, also from the same address.
    expect((await withKey(await newApiKey(await newUser()))).status).toBe(200);
    server.clock.advance(60);
    expect((await withKey(key)).status).toBe(200);
  });

  test("USR-11 of a demo user gets no word of the customer", async () => {
    const answer = await withKey(await newApiKey(await newUser({ demo_user: true })));
    expect(answer.status).toBe(200);
    for (const word of ["Alder", "North", "Feed Pump"]) expect(answer.text).not.toContain(word);
    expect(answer.text).toContain("20001");
  });
});
