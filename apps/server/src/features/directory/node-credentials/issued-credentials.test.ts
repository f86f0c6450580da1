import type { NodeCredentials, NodeCredentialState } from "@busbar/contract/directory/node-credentials.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectoryServer, type DirectoryServer } from "#features/directory/customers/directory.fixture.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { pdfPieces } from "#testing/pdf-pieces.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createNodeCredentials } from "./node-credentials.service.ts";
import { createNodeCredentialsStore } from "./node-credentials.store.ts";

let directory: DirectoryServer;
beforeAll(async () => {
  directory = await createDirectoryServer();
});
afterAll(() => directory.stop());

const statesOf = async (...serials: number[]) =>
  (await directory.send("GET", `/node-credentials?serials=${serials.join(",")}`)).json["data"] as NodeCredentialState[];
const seen = async (...serials: number[]) => (await statesOf(...serials)).map(({ serialNumber, version }) => ({ serialNumber, version }));
const issue = (nodes: object[], code: string) => directory.send("POST", "/node-credentials", { nodes, code });
const revoke = (nodes: object[], code: string) => directory.send("POST", "/node-credentials/revocations", { nodes, code });
const sheet = (credentials: object[]) => directory.send("POST", "/node-credentials/sheet", { credentials });
const made = async (...serials: number[]): Promise<NodeCredentials[]> => {
  const { status, json, text } = await issue(await seen(...serials), await directory.passcode());
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as NodeCredentials[];
};
/** Asked anew: what a broker remembers of a second is not the point here. */
const opens = async ({ serialNumber, password }: Pick<NodeCredentials, "serialNumber" | "password">) =>
  (await createNodeCredentials(createNodeCredentialsStore(directory.pool), directory.server.clock).verify(
    serialNumber,
    Buffer.from(password),
  )) !== undefined;
const activitiesOf = (serial: number) =>
  directory.rows<{ action: string; actor: string; before: unknown; after: unknown }>(
    "select action, actor, before, after from activity where object = $1 order by id",
    [`node/${serial}`],
  );
/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const tables = await directory.rows<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()",
  );
  const texts = tables.map(({ name }) =>
    directory.rows<{ text: string }>(`select coalesce(string_agg(t::text, ''), '') as text from ${name} t`),
  );
  return (await Promise.all(texts)).map(([row]) => row?.text ?? "").join("\n");
}

describe("credentials of nodes", () => {
  test("are dated when they are made or revoked, not when that began to wait for the node", async () => {
    await addNode(directory.pool, 43_060);
    const [first] = await made(43_060);
    const whileHeld = async (change: () => Promise<unknown>) => {
      const holder = await directory.pool.connect();
      await holder.query("begin");
      await holder.query("select from node where serial_number = 43060 for update");
      const changing = change();
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await directory.rows(waiting)).length).toBe(1);
      const { rows } = await holder.query<{ at: Date }>("select clock_timestamp() as at");
      await holder.query("rollback");
      holder.release();
      await changing;
      const [dated] = await directory.rows<{ at: Date }>(
        "select greatest(created_at, revoked_at) as at from node_credential where serial_number = 43060",
      );
      return dated!.at.getTime() - rows[0]!.at.getTime();
    };
    expect(await whileHeld(() => made(43_060))).toBeGreaterThanOrEqual(0);
    expect(await opens(first!)).toBe(false);
    const code = await directory.passcode();
    const shown = await seen(43_060);
    expect(await whileHeld(() => revoke(shown, code))).toBeGreaterThanOrEqual(0);
  });

  test("are made with a code for exactly these nodes, open, void the earlier ones, and are in no table and no log", async () => {
    const place = await addPlace(directory.pool, "America/Chicago", "Alder Pumping");
    await addNode(directory.pool, 43_001, place);
    await addNode(directory.pool, 43_002);
    await setLive(directory.pool, 43_001, { is_connected: true });
    expect(await statesOf(43_001, 43_002, 43_999)).toEqual([
      expect.objectContaining({
        serialNumber: "43001",
        state: "none",
        changedTimestamp: null,
        version: "",
        connected: true,
        locationName: "Feed Pump 1",
      }),
      expect.objectContaining({ serialNumber: "43002", state: "none", connected: false, customerName: "" }),
    ]);
    const [first, other] = await made(43_001, 43_002);
    expect([first!.password === other!.password, await opens(first!), await opens(other!)]).toEqual([false, true, true]);
    expect(first).toMatchObject({
      serialNumber: "43001",
      clientId: "43001",
      userName: "43001",
      password: expect.stringMatching(/^[a-zA-Z\d][\w-]{42}$/),
    });
    const address = new URL(first!.address);
    expect([address.username, address.password, address.host, address.searchParams.get("group")]).toEqual([
      "43001",
      first!.password,
      new URL(first!.broker).host,
      first!.group,
    ]);

    const [next] = await made(43_001);
    expect([await opens(first!), await opens(next!), await opens(other!)]).toEqual([false, true, true]);
    // How a broker lets go of who is connected with the earlier one.
    const broker = createNodeCredentials(createNodeCredentialsStore(directory.pool), directory.server.clock);
    const connected = new Map([
      ["43001", hashNodeSecret(first!.password).toString("base64")],
      ["43002", hashNodeSecret(other!.password).toString("base64")],
    ]);
    expect(await broker.findRevoked(connected, "changed")).toEqual(["43001"]);

    expect(await activitiesOf(43_001)).toEqual([
      { action: "POST_NODE_CREDENTIALS", actor: "keeper", before: { credentials: "none" }, after: { credentials: "in force" } },
      { action: "POST_NODE_CREDENTIALS", actor: "keeper", before: { credentials: "in force" }, after: { credentials: "in force" } },
    ]);
    expect(await directory.rows("select description from activity where object = 'node/43001' order by id")).toEqual([
      { description: "Node 43001 got credentials" },
      { description: "Credentials of node 43001 were replaced" },
    ]);
    const { status, headers } = await sheet([next!, other!].map(({ serialNumber, password }) => ({ serialNumber, password })));
    expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
    const everything = `${await wholeDatabase()}${directory.server.logText()}`;
    expect(everything).toContain("43001");
    for (const { password } of [first!, other!, next!]) expect(everything).not.toContain(password);
  });

  test("are not made with a wrong code, a used one, or for what someone changed meanwhile; then none of the batch is", async () => {
    for (const serial of [43_011, 43_012, 43_013]) await addNode(directory.pool, serial);
    const nodes = await seen(43_011, 43_012);
    const nothing = () => directory.rows("select from node_credential where serial_number between 43011 and 43013");
    const code = await directory.passcode();
    expect(directory.said(await issue(nodes, "000000"))).toEqual([403, "The 2FA code is not right"]);
    expect(directory.said(await issue([...nodes, { serialNumber: "43998", version: "" }], code))).toEqual([
      404,
      "Node 43998 was not found",
    ]);
    expect(directory.said(await issue([nodes[0]!, nodes[0]!], code))).toEqual([400, "nodes: Each serial number is listed once"]);
    expect(await nothing()).toEqual([]);
    // What was refused before the code was asked for did not spend it.
    expect((await issue([{ serialNumber: "43013", version: "" }], code)).status).toBe(200);
    expect(directory.said(await issue(nodes, code))).toEqual([403, "This 2FA code was already used. Wait for the next one"]);

    await made(43_012);
    expect(directory.said(await issue(nodes, await directory.passcode()))).toEqual([
      409,
      "The credentials of node 43012 were changed meanwhile. Look at them again",
    ]);
    expect((await statesOf(43_011, 43_012)).map(({ state }) => state)).toEqual(["none", "in force"]);
  });

  test("of two people who replace the same ones at the same moment one is refused", async () => {
    await addNode(directory.pool, 43_021);
    const nodes = await seen(43_021);
    const other = await directory.server.addAdministrator("othermaker");
    const token = await directory.server.login(other);
    const codes = [await directory.passcode(), await directory.server.passcode(other)];
    const answers = await Promise.all([
      issue(nodes, codes[0]!),
      directory.server.call({ method: "POST", url: "/api/node-credentials", token, payload: { nodes, code: codes[1] } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [right] = answers.find(({ status }) => status === 200)!.json["data"] as NodeCredentials[];
    expect([await opens(right!), await activitiesOf(43_021)]).toEqual([
      true,
      [expect.objectContaining({ action: "POST_NODE_CREDENTIALS" })],
    ]);
  });

  test("are revoked with a code: they open nothing, until new ones are made", async () => {
    await addNode(directory.pool, 43_031);
    await addNode(directory.pool, 43_032);
    const [first] = await made(43_031);
    expect(directory.said(await revoke(await seen(43_032), await directory.passcode()))).toEqual([
      409,
      "Node 43032 has no credentials that could be revoked",
    ]);
    expect(directory.said(await revoke(await seen(43_031), "000000"))).toEqual([403, "The 2FA code is not right"]);
    expect(await opens(first!)).toBe(true);
    const answer = await revoke(await seen(43_031), await directory.passcode());
    expect([answer.status, answer.json["data"], await opens(first!)]).toEqual([200, { revoked: 1 }, false]);
    expect(await statesOf(43_031)).toEqual([expect.objectContaining({ state: "revoked" })]);
    expect((await activitiesOf(43_031)).at(-1)).toMatchObject({ action: "REVOKE_NODE_CREDENTIALS", after: { credentials: "revoked" } });
    const [second] = await made(43_031);
    expect([await opens(first!), await opens(second!)]).toEqual([false, true]);
  });

  test("of a decommissioned node are not made", async () => {
    await addNode(directory.pool, 43_041);
    const { customerId } = await addPlace(directory.pool);
    await directory.rows(
      "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) values (43041, $1, 'x', 'x')",
      [customerId],
    );
    expect(directory.said(await issue(await seen(43_041), await directory.passcode()))).toEqual([
      409,
      "Node 43041 is decommissioned: credentials of it open nothing. Take it back first",
    ]);
  });

  test("are on a sheet with a page for each node, and a sheet of void ones is refused", async () => {
    const place = await addPlace(directory.pool, "America/Chicago", "Насосная Dunwickel");
    await addNode(directory.pool, 43_051, place);
    await addNode(directory.pool, 43_052);
    const credentials = await made(43_051, 43_052);
    const asked = credentials.map(({ serialNumber, password }) => ({ serialNumber, password }));
    const response = await directory.server.app.inject({
      method: "POST",
      url: "/api/node-credentials/sheet",
      headers: { token: directory.token },
      payload: { credentials: asked },
    });
    const { pages, pieces, title } = await pdfPieces(response.rawPayload);
    const textOn = (page: number) =>
      pieces
        .filter((piece) => piece.page === page)
        .map(({ text }) => text)
        .join("");
    expect([pages, title]).toEqual([2, "Credentials of 2 nodes"]);
    for (const [index, { serialNumber, password, broker, group }] of credentials.entries()) {
      const text = textOn(index + 1);
      for (const word of [`Node ${serialNumber}`, password, broker, group])
        expect(text.replaceAll(/\s/g, "")).toContain(word.replaceAll(/\s/g, ""));
      expect(text).not.toContain(credentials[1 - index]!.password);
    }
    expect(textOn(1).replaceAll(/\s/g, "")).toContain("НасоснаяDunwickel/NorthWorks/FeedPump1");
    expect(textOn(2).replaceAll(/\s/g, "")).toContain("Atnolocationyet");
    expect(pieces.filter(({ missingGlyphs, right, left }) => missingGlyphs > 0 || left < 53 || right > 559)).toEqual([]);

    await made(43_052);
    expect(directory.said(await sheet(asked))).toEqual([
      409,
      "This is not the password of node 43052, or no longer. Issue new credentials",
    ]);
  });
});
