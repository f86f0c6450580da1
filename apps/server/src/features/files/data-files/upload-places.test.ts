import { connect, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lastQuarter, nameOf } from "#testing/sample-files.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

const [attacked, attacking] = [34_001, 34_002];
let server: TestApp;
let token: string;
let ownKey: string;
let attackersKey: string;
let port: number;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("staff"));
  const places = [await addPlace(server.database.pool), await addPlace(server.database.pool)] as const;
  await addNode(server.database.pool, attacked, places[0], { type: "Recorder" });
  await addNode(server.database.pool, attacking, places[1], { type: "Recorder" });
  ownKey = await newKey("owner", places[0].customerId);
  attackersKey = await newKey("attacker", places[1].customerId);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.stop());

async function newKey(username: string, customerId: number): Promise<string> {
  const { rows } = await server.database.pool.query<{ id: number }>(
    "insert into app_user (username, email, customer_id) values ($1, $1 || '@customer.example', $2) returning id",
    [username, customerId],
  );
  const { json } = await server.call({ method: "POST", url: `/api/users/${rows[0]!.id}/apikeys/uploads`, payload: {}, token });
  return (json["data"] as { key: string }).key;
}

/** An upload that sends its head and a part of its body, and waits. */
function begin(body: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString())).on("error", () => undefined);
  const answer = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  const path = `/api/nodes/${attacking}/files/${nameOf(attacking, lastQuarter(2), "X", "csv")}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${attackersKey}\r\ncontent-type: text/csv\r\ncontent-length: 20000000\r\n\r\n${body}`,
  );
  return { socket, answer };
}

const send = async (headers: Record<string, string>) =>
  (
    await fetch(`http://127.0.0.1:${port}/api/nodes/${attacked}/files/${nameOf(attacked, lastQuarter(2), "X", "csv")}`, {
      method: "POST",
      headers: { "content-type": "text/csv", ...headers },
      body: "a,b\n1,2\n",
    })
  ).status;

test.each([
  ["heads only", ""],
  ["a byte a second", "x"],
])("A-42 uploads of %s with one customer's key keep no one else from uploading, and end by themselves", async (_what, body) => {
  const attack = Array.from({ length: 24 }, () => begin(body));
  const drip = setInterval(() => {
    for (const { socket } of attack) if (body !== "" && socket.writable) socket.write(body);
  }, 1_000);
  try {
    for (let round = 0; round < 10; round++) expect([await send({ "x-api-key": ownKey }), await send({ token })]).toEqual([200, 200]);
    for (const { answer } of attack) expect(await answer).toMatch(/^HTTP\/1\.1 (408|429) /);
  } finally {
    clearInterval(drip);
    for (const { socket } of attack) socket.destroy();
  }
});
