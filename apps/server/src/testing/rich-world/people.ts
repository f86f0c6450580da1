import { totpCode } from "#lib/totp.ts";
import { testPassword } from "#testing/test-app.ts";
import { imported } from "./imported.ts";
import type { WorldSteps } from "./world-steps.ts";
import type { Places } from "./places.ts";

/** Staff of every role. */
export async function addPeople(world: WorldSteps) {
  const { server, pool } = world;
  const staff = [
    ["chief", "Cleo", "Chief", ["systemAdministrator", "accountsAdministrator"]],
    ["plain", "Paul", "Plain", []],
    ["books", "Bea", "Books", ["accountsAdministrator"]],
    ["keeper", "Kim", "Keeper", ["systemAdministrator"]],
  ] as const;
  for (const [username, firstName, lastName, roles] of staff) {
    await server.addAdministrator(username, [...roles]);
    await pool.query("update app_user set first_name = $2, last_name = $3 where username = $1", [username, firstName, lastName]);
    await world.signIn(username);
  }
}

/** People of the customers and what they may get. */
export async function changeUsers(world: WorldSteps, { alder, birch, north, south, mill, ofFacility }: Places) {
  const { did, tokens } = world;
  const person = (username: string, firstName: string, lastName: string, customerCode: string, fields: object = {}) => ({
    body: {
      username,
      firstName,
      lastName,
      email: `${username}@${customerCode}.example`,
      customerCode,
      password: "Some-Body-77",
      ...fields,
    },
  });
  const ann = await did(
    "createUser",
    person("ann", "Ann", "Alder", "alder", { receiveDailyReport: true, autoSubscribeAllFacilities: true }),
  );
  const art = await did(
    "createUser",
    person("art", "Art", "Able", "alder", { accessAnalytics: true, receiveConnectivityNotifications: false }),
  );
  const bob = await did(
    "createUser",
    person("bob", "Bob", "Birch", "birch", { receiveFaultLibraryNotifications: false, internalUser: true }),
    { as: "plain" },
  );
  const ben = await did("createUser", person("ben", "Ben", "Bright", "birch", { demoUser: true }));
  const cat = await did("createUser", person("cat", "Cat", "Cedar", "cedar", { analyticsEarlyAccess: true }));
  await did("updateUser", {
    params: { id: String(ben.id) },
    body: { activeStatus: "SUSPENDED", lastName: "Brightly", revision: ben.revision },
  });
  await did("updateUser", {
    params: { id: String(art.id) },
    body: { email: "art@alder.test", receiveDailyReport: true, autoSubscribeAllFacilities: false },
  });
  await did("setUserPassword", { params: { id: String(art.id) }, body: { newPassword: "Some-Body-78" } }, { as: "plain" });
  await did("sendWelcomeEmail", { params: { id: String(bob.id) } });
  await did("setFacilityManagers", {
    params: ofFacility(alder, north),
    query: { revision: String(north.revision) },
    body: [ann.id, art.id],
  });
  await did("setFacilityManagers", { params: ofFacility(birch, mill), query: {}, body: [bob.id] }, { as: "plain" });
  await did("updateUserSubscriptions", {
    params: { id: String(art.id) },
    body: {
      changes: [
        { facilityId: north.id, frequency: "Daily", previous: null },
        { facilityId: south.id, frequency: "Immediate", previous: null },
      ],
    },
  });
  await did(
    "updateFacilitySubscriptions",
    { params: { id: String(mill.id) }, body: { changes: [{ userId: bob.id, frequency: "Immediate", previous: null }] } },
    { as: "plain" },
  );
  await did("updateFacilitySubscriptions", {
    params: { id: String(north.id) },
    body: { changes: [{ userId: bob.id, frequency: "Weekly", previous: null }] },
  });
  const annKey = await did("createApiKey", {
    params: { id: String(ann.id), name: "reader" },
    body: { scopes: ["read"], expiresInDays: 30 },
  });
  const bobKey = await did("createApiKey", { params: { id: String(bob.id), name: "both" }, body: {} }, { as: "plain" });
  tokens.set("key of bob", bobKey.key);
  const access = await did("createAccessKey", { params: { id: String(ann.id), name: "sender" }, body: { scopes: ["upload"] } });
  await did("createAccessKey", { params: { id: String(ann.id), name: "old" }, body: { expiresInDays: 2 } });
  tokens.set("key of ann", annKey.key);
  tokens.set("key of sender", `${access.accessKey}:${access.secretToken}`);
  const keys = await world.ask("getUserKeys", { params: { id: String(ann.id) } });
  await did(
    "revokeUserKey",
    { params: { id: String(ann.id), keyId: String(keys.find(({ name }) => name === "old")!.id) } },
    { as: "plain" },
  );
  const file =
    "Username,Email,Customer code,First name,Last name,Receive Daily Report\nimp,imp@birch.example,birch,Imp,Orted,yes\nann,ann@alder.example,alder,Anna,Alder,yes\n";
  await imported(world, "planUserImport", "runUserImport", file);
  await did("deleteUser", { params: { id: String(cat.id), code: await world.passcode() } });
  return { ann, art, bob, ben, cat };
}

export async function changeAccounts(world: WorldSteps): Promise<void> {
  const { did, signIn, tokens, clock } = world;
  await did("changeOwnPassword", { body: { currentPassword: testPassword, newPassword: "Another-Pass-9" } }, { as: "books" });
  await did("createAdministratorSession", { body: { username: "books", password: "wrong" } }, { as: "", status: 401 });
  const { secret } = await did("beginTwoFactor", { body: { password: "Another-Pass-9" } }, { as: "books" });
  await world.advance(60);
  await did("confirmTwoFactor", { body: { code: totpCode(secret, clock.now() + 1_000) } }, { as: "books" });
  await did("replaceRecoveryCodes", { body: { code: await world.passcode("keeper") } }, { as: "keeper" });
  await did("resetUserTwoFactor", { params: { id: String(await userId(world, "keeper")), code: await world.passcode() } });
  await world.advance(60);
  tokens.delete("keeper");
  await signIn("keeper");
  await signIn("keeper");
  await signIn("keeper");
  const other = (await world.ask("getOwnSessions", {}, "keeper")).find(({ isCurrent }) => !isCurrent)!;
  await did("endOwnSession", { params: { sessionId: other.id } }, { as: "keeper" });
  await did("endOtherSessions", {}, { as: "keeper" });
  const { token } = await did("refreshSession", { body: { duration: 3_600 } }, { as: "keeper" });
  tokens.set("keeper", token);
  await did("revokeSession", {}, { as: "keeper" });
  await signIn("keeper");
}

const userId = async ({ pool }: WorldSteps, username: string): Promise<number> =>
  (await pool.query<{ id: number }>("select id from app_user where username = $1", [username])).rows[0]!.id;
