import { randomBytes } from "node:crypto";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import { largestUpload } from "@busbar/contract/files/node-files.ts";
import { createAdministrator } from "@busbar/server/admin/administrators.store.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { secretsKeyOf } from "@busbar/server/db/secrets-key.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { hashPassword } from "@busbar/server/lib/passwords.ts";
import { newTotpSecret } from "@busbar/server/lib/totp.ts";
import mqttPacket from "mqtt-packet";
import type { ExamplePorts } from "../lib/example-proxy.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import type { LogLine } from "../lib/server-process.ts";
import { callProxy, type Answer } from "./proxy-callers.ts";

interface Behind {
  ports: ExamplePorts;
  databaseUrl: string;
  dataDir: string;
  /** What the process with the broker has logged so far. */
  heard: readonly LogLine[];
}

const addresses = { person: "127.1.0.1", other: "127.1.0.2", guesser: "127.1.0.3", node: "127.1.0.4" };
const triesAllowed = 5;
const password = "a long password of someone";

/** What does not come through the proxy as it should, a sentence each. */
export async function findProxyFaults({ ports, databaseUrl, dataDir, heard }: Behind): Promise<string[]> {
  const faults: string[] = [];
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(fault));
  const pool = createPool(databaseUrl, { max: 2 });
  try {
    await addAdministrator(pool, dataDir);
    const call = (path: string, more: Partial<Parameters<typeof callProxy>[0]> = {}) => callProxy({ port: ports.https, path, ...more });
    const signIn = (username: string, secret: string, localAddress: string) => {
      const body = JSON.stringify({ username, password: secret });
      const headers = { "content-type": "application/json", "content-length": String(body.length) };
      return call("/api/sessions/administrator", { method: "POST", body, headers, localAddress });
    };

    const signedIn = await signIn("someone", password, addresses.person);
    expect(signedIn.status === 200, `sign-in: ${signedIn.status} ${signedIn.body}`);
    const cookie = String(signedIn.headers["set-cookie"]);
    expect(/^__Host-.*; HttpOnly; SameSite=Strict; Secure$/.test(cookie), `the cookie is not one of HTTPS: ${cookie}`);
    const { rows } = await pool.query<{ address: string }>(
      "select s.remote_address as address from session s join app_user u on u.id = s.user_id where u.username = 'someone'",
    );
    expect(rows[0]?.address === addresses.person, `the sign-in is recorded from ${rows[0]?.address}, not ${addresses.person}`);

    for (let tried = 0; tried < triesAllowed; tried++) await signIn("no one", "wrong", addresses.guesser);
    const [guesser, other] = [await signIn("no one", "wrong", addresses.guesser), await signIn("no one", "wrong", addresses.other)];
    expect(guesser.status === 429, `who guesses is answered ${guesser.status}, not 429`);
    expect(other.status === 401, `someone elsewhere is answered ${other.status}, not 401`);

    const page = await call("/admin/");
    expect(page.status === 200, `the console: ${page.status}`);
    for (const answer of [page, signedIn]) expect(twice(answer) === undefined, `an answer has ${twice(answer)} twice`);
    for (const name of ["strict-transport-security", "content-security-policy", "x-content-type-options"])
      expect(page.headers[name] !== undefined, `the console comes without ${name}`);

    expect(page.headers["keep-alive"] === "timeout=70", `how long a connection stays: ${String(page.headers["keep-alive"])}`);

    for (const path of ["/metrics", "/%6detrics", "//metrics", "/x/../metrics", "/metrics/", "/metrics?x"]) {
      const { status, body } = await call(path);
      expect(status === 404 && !body.includes("busbar_"), `${path} is answered ${status}`);
    }

    const { data } = JSON.parse(signedIn.body) as { data: { token: string } };
    const bytes = randomBytes(largestUpload);
    const headers = { token: data.token, "content-type": "application/octet-stream", "content-length": String(bytes.length) };
    const stored = await call(`/api/nodes/${firstSerial}/files/${firstSerial}_20260106T143000Z_X0000.zip`, {
      method: "POST",
      body: bytes,
      headers,
    });
    expect(stored.status === 200, `a file of 20 MB: ${stored.status} ${stored.body.slice(0, 200)}`);

    const status2 = await overHttp2(ports.https);
    expect(status2 === 200, `over HTTP/2: ${status2}`);
    await refusedNode(ports.mqtts);
    const seen = () => heard.find(({ msg, address }) => msg === "refused over MQTT" && address !== undefined)?.address;
    while (seen() === undefined) await pause(20);
    expect(seen() === addresses.node, `a node comes from ${seen()}, not ${addresses.node}`);
  } finally {
    await pool.end();
  }
  return faults;
}

async function addAdministrator(pool: Pool, dataDir: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  const names = { username: "someone", email: "someone@busbar.example", firstName: "Some", lastName: "One" };
  await inTransaction(pool, (client) =>
    createAdministrator(client, secretsKeyOf(dataDir), {
      ...names,
      roles: ["systemAdministrator"],
      passwordHash,
      totpSecret: newTotpSecret(),
    }),
  );
}

/** A header that an answer has more than once. */
function twice({ rawHeaders }: Answer): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, index) => names.indexOf(name) !== index);
}

async function overHttp2(port: number): Promise<number> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  try {
    return await new Promise<number>((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": "/healthz" });
      stream.on("response", (headers) => resolve(headers[":status"] ?? 0));
      stream.on("error", reject);
      stream.resume();
    });
  } finally {
    session.destroy();
  }
}

/** A node with a wrong secret comes over TLS, from an address of its own. */
const refusedNode = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const tcp = connectTcp({ host: "127.0.0.1", port, localAddress: addresses.node });
    const socket = connectTls({ socket: tcp, rejectUnauthorized: false }, () =>
      socket.write(
        mqttPacket.generate({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean: true,
          keepalive: 60,
          clientId: String(firstSerial),
          username: String(firstSerial),
          password: Buffer.from("wrong"),
        }),
      ),
    );
    for (const each of [tcp, socket]) each.on("error", reject);
    socket.resume().on("close", () => resolve());
  });
